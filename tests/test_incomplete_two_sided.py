"""Incomplete samples with both sides missing: mode, covariance and moments against a naive twin, Gibbs sampling and limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from misieve import incomplete
from misieve import moments as complete
from misieve._errors import DataError
from misieve.incomplete import leading, one_sided, two_sided
from misieve.incomplete import mode as modes

# Counts with the incomplete observations of rows and columns: dependent, nearly independent, sparse, mostly missing.
CASES = [
    ([[40, 10], [20, 80]], [30, 50], [20, 60]),
    ([[21, 39, 30], [22, 41, 33], [10, 22, 17]], [40, 30, 25], [12, 30, 60]),
    ([[3, 7, 2], [6, 1, 9]], [8, 4], [2, 9, 5]),
    ([[9, 4], [3, 8], [5, 5], [7, 2]], [60, 50, 40, 70], [10, 25]),
]


def batch(*arrays):
    return tuple(np.array([x], dtype=float) for x in arrays)


def random_tables(k, r, s, seed, prior=1.0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 30, (k, r, s)) + prior, rng.integers(0, 60, (k, r)) * 1.0, rng.integers(0, 60, (k, s)) * 1.0


def sums(r, s):
    """The matrix that takes the cells to the cells, rows and columns."""
    return np.vstack([np.eye(r * s), np.kron(np.eye(r), np.ones((1, s))), np.kron(np.ones((1, r)), np.eye(s))])


def naive_covariance(chance, counts, row_only, col_only):
    """The covariance from the whole Hessian, of the order (r s)^3, and the features' chances and counts."""
    matrix = sums(*counts.shape)
    x, n = matrix @ chance.ravel(), np.concatenate([counts.ravel(), row_only, col_only])
    inverse = np.linalg.inv((matrix.T * (n / x**2)) @ matrix)
    ones = inverse.sum(axis=1)
    return inverse - np.outer(ones, ones) / ones.sum(), matrix, x, n


def naive_second_order(chance, counts, row_only, col_only):
    """Mean and variance to second order, term by term as the expansion of a density around its mode gives them."""
    c, matrix, x, n = naive_covariance(chance, counts, row_only, col_only)
    cells = counts.size
    gamma = matrix @ c @ matrix.T
    sign = np.concatenate([np.ones(cells), -np.ones(len(x) - cells)])
    slope, curve = matrix.T @ (sign * np.log(x)), (matrix.T * (sign / x)) @ matrix
    third, fourth = 2 * n / x**3, -6 * n / x**4
    measure = np.where(np.arange(len(x)) < cells, 1 / x, 0.0)
    shift = gamma @ (third * np.diag(gamma) / 2 - measure)
    mean = complete.plug_in(chance) + np.trace(curve @ c) / 2 + slope @ shift[:cells]
    w = matrix @ c @ slope
    linear = slope @ c @ slope
    of_covariance = (w**2 * (fourth * np.diag(gamma) / 2 + measure**2 + third * shift)).sum()
    of_covariance += third * w @ gamma**2 @ (third * w) / 2
    of_thirds = (third * w * np.diag(matrix @ c @ curve @ c @ matrix.T)).sum() - (w * sign / x**2 * np.diag(gamma)).sum()
    of_shift = 2 * (c @ slope) @ curve @ shift[:cells]
    quadratic = np.trace(curve @ c @ curve @ c) / 2
    return mean, linear + of_covariance + of_thirds + of_shift + quadratic, linear, quadratic


@pytest.mark.parametrize("prior", [1.0, 0.5, 1e-3])
@pytest.mark.parametrize("lost", [0.1, 0.9, 0.999])
def test_mode_is_a_fixed_point_of_em_and_found_in_few_steps(prior, lost):
    rng = np.random.default_rng(1)
    full = rng.multinomial(2000, rng.dirichlet(np.ones(15)), size=20).reshape(20, 5, 3)
    by_row = rng.binomial(full, lost / 2)
    by_column = rng.binomial(full - by_row, lost / 2 / (1 - lost / 2))
    tables = full - by_row - by_column + prior, by_row.sum(axis=2) * 1.0, by_column.sum(axis=1) * 1.0
    mode = modes.posterior_mode(*tables)
    assert mode.converged.all()
    assert mode.iterations.max() < 100
    again = modes.expected_counts(mode.chance, *tables)
    assert_allclose(again / again.sum(axis=(1, 2), keepdims=True), mode.chance, rtol=1e-6, atol=1e-12)


def test_mode_is_higher_than_its_surroundings():
    tables = random_tables(1, 4, 3, seed=2)
    chance = modes.posterior_mode(*tables).chance
    height = modes.log_density(chance, *tables)[0]
    rng = np.random.default_rng(3)
    for _ in range(20):
        near = chance * np.exp(0.01 * rng.normal(size=chance.shape))
        assert modes.log_density(near / near.sum(), *tables)[0] < height


def test_mode_is_the_closed_form_when_one_side_is_complete():
    counts, row_only, col_only = random_tables(6, 4, 3, seed=4)
    by_row = modes.posterior_mode(counts, row_only, np.zeros_like(col_only))
    assert_allclose(by_row.chance, one_sided.mode(counts, row_only), rtol=1e-9)
    by_column = modes.posterior_mode(counts, np.zeros_like(row_only), col_only)
    assert_allclose(by_column.chance, np.swapaxes(one_sided.mode(np.swapaxes(counts, 1, 2), col_only), 1, 2), rtol=1e-9)


def test_a_mode_far_along_a_narrow_ridge_is_found_in_few_steps():
    """Nearly all is known of the rows only: EM takes thousands of steps here, Newton's whole step leads downhill."""
    tables = batch([[1.5, 0.5], [1.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 3.5]], [0, 10109, 9972, 0, 0], [24, 0])
    found = modes.posterior_mode(*tables)
    assert found.converged.all()
    assert found.iterations[0] < 30
    again = modes.expected_counts(found.chance, *tables)
    assert_allclose(again / again.sum(), found.chance, rtol=1e-6)


def test_the_report_says_where_the_posterior_is_highest():
    counts, row_only, col_only = random_tables(8, 2, 4, seed=22)
    row_only[[0, 3]], col_only[[3, 5]] = 0.0, 0.0
    for order in (1, 2):
        report = incomplete.moments(counts, row_only, col_only, order=order)[2]
        assert_allclose(report.chance, modes.posterior_mode(counts, row_only, col_only).chance, rtol=1e-6)


def test_a_mode_out_of_reach_is_reported():
    tables = random_tables(3, 4, 3, seed=5)
    stopped = modes.posterior_mode(*tables, most=1)
    assert not stopped.converged.any()
    assert (stopped.iterations == 1).all()


def test_covariance_in_blocks_is_that_of_the_whole_hessian():
    tables = random_tables(3, 5, 3, seed=6)
    chance = modes.posterior_mode(*tables).chance
    known = modes.covariance(chance, *tables)
    vector = np.random.default_rng(7).normal(size=chance.shape)
    product = known.times(vector)
    for i in range(3):
        naive, matrix, _, _ = naive_covariance(chance[i], *(x[i] for x in tables))
        assert_allclose(product[i].ravel(), naive @ vector[i].ravel(), atol=1e-13)
        assert known.log_minor[i] == pytest.approx(np.linalg.slogdet(naive[:-1, :-1])[1], rel=1e-10)
        squares = two_sided._Squares(modes.Covariance(*(x[i : i + 1] for x in known)))
        gamma = matrix @ naive @ matrix.T
        features = np.random.default_rng(8).normal(size=len(gamma))
        packed = two_sided._gather(features[None, :15].reshape(1, 5, 3), features[None, 15:20], features[None, 20:])
        expected = gamma**2 @ features
        found = squares.times(packed)
        assert_allclose(found.rows[0, :, :3].ravel(), expected[:15], rtol=1e-8, atol=1e-16)
        assert_allclose(found.rows[0, :, 3], expected[15:20], rtol=1e-8, atol=1e-16)
        assert_allclose(found.columns[0], expected[20:], rtol=1e-8, atol=1e-16)
        assert_allclose(squares.diagonal.columns[0], np.diag(gamma)[20:], rtol=1e-9)


def test_leading_order_is_the_quadratic_form_of_the_whole_covariance():
    tables = random_tables(3, 5, 3, seed=9)
    mean, variance, report = incomplete.moments(*tables, order=1)
    chance = modes.posterior_mode(*tables).chance
    assert_allclose(mean, complete.plug_in(chance), rtol=1e-12)
    for i in range(3):
        assert variance[i] == pytest.approx(naive_second_order(chance[i], *(x[i] for x in tables))[2], rel=1e-9)
    assert (report.iterations > 0).all()


def test_leading_orders_of_one_and_two_sides_agree():
    counts, row_only, _ = random_tables(4, 4, 3, seed=10)
    nothing = np.zeros((4, 3))
    two = leading.leading_order_two_sided(one_sided.mode(counts, row_only), counts, row_only, nothing)
    one = leading.leading_order_one_sided(counts, row_only)
    assert_allclose(two, one, rtol=1e-9)


@pytest.mark.parametrize("case", CASES[:2])
def test_second_order_is_that_of_the_plain_expansion_for_many_observations(case):
    counts, row_only, col_only = (1000.0 * x for x in batch(*case))
    mean, variance, _ = incomplete.moments(counts, row_only, col_only)
    chance = modes.posterior_mode(counts, row_only, col_only).chance
    naive = naive_second_order(chance[0], counts[0], row_only[0], col_only[0])
    plug_in = complete.plug_in(chance)[0]
    # What the second order adds is agreed upon to a small part of itself.
    assert mean[0] - plug_in == pytest.approx(naive[0] - plug_in, rel=1e-3)
    assert variance[0] - naive[2] == pytest.approx(naive[1] - naive[2], rel=1e-2)


def test_plain_expansion_of_a_complete_table_is_the_series_of_the_paper():
    counts = 1000.0 * np.array([[3.0, 7.0, 2.0], [6.0, 1.0, 9.0]])
    mean, variance, linear, _ = naive_second_order(counts / counts.sum(), counts, np.zeros(2), np.zeros(3))
    assert mean == pytest.approx(complete.mean(counts), rel=1e-7)
    assert variance == pytest.approx(complete.variance_series(counts), rel=1e-7)
    assert abs(variance - linear) > 1e-5 * linear


@pytest.mark.parametrize("case", CASES)
def test_moments_agree_with_gibbs_sampling(case):
    tables = batch(*case)
    mean, variance, report = incomplete.moments(*tables)
    assert report.converged[0]
    assert not report.sampled[0]
    sample = incomplete.gibbs_draws(*tables, draws=40_000, rng=np.random.default_rng(11))[0]
    assert mean[0] == pytest.approx(sample.mean(), abs=0.04 * sample.std())
    assert variance[0] == pytest.approx(sample.var(), rel=0.06)


def test_second_order_is_much_nearer_than_the_leading_order():
    tables = batch(*CASES[1])
    sample = incomplete.gibbs_draws(*tables, draws=40_000, rng=np.random.default_rng(12))[0]
    first, second = incomplete.moments(*tables, order=1), incomplete.moments(*tables)
    assert abs(first[0][0] - sample.mean()) > 10 * abs(second[0][0] - sample.mean())
    assert first[1][0] < 0.3 * sample.var() < second[1][0]


@pytest.mark.parametrize("case", CASES)
def test_two_sides_become_one_and_then_none(case):
    counts, row_only, col_only = batch(*case)
    trace = 1e-9
    # With few observations the closed form of one side leaves out what the variance has beyond the third chaos.
    near = {"rtol": 1.5e-2}
    by_row = incomplete.moments(counts, row_only, trace * col_only)
    assert_allclose(by_row[:2], incomplete.moments(counts, row_only, 0.0 * col_only)[:2], **near)
    by_column = incomplete.moments(counts, trace * row_only, col_only)
    assert_allclose(by_column[:2], incomplete.moments(counts, 0.0 * row_only, col_only)[:2], **near)
    both = incomplete.moments(counts, trace * row_only, trace * col_only)
    assert_allclose(both[:2], (complete.mean(counts), complete.variance_exact(counts)), **near)
    assert_allclose(both[0], complete.mean(counts), rtol=1e-8)
    many = incomplete.moments(100 * counts, 100 * row_only, trace * col_only)
    assert_allclose(many[:2], incomplete.moments(100 * counts, 100 * row_only, 0.0 * col_only)[:2], rtol=1e-5)


def test_transposed_and_shuffled_tables_give_the_same():
    counts, row_only, col_only = random_tables(5, 6, 3, seed=13)
    here = incomplete.moments(counts, row_only, col_only)
    there = incomplete.moments(np.swapaxes(counts, 1, 2), col_only, row_only)
    assert_allclose(there[0], here[0], rtol=1e-10)
    assert_allclose(there[1], here[1], rtol=1e-10)
    rng = np.random.default_rng(14)
    rows, columns = rng.permutation(6), rng.permutation(3)
    shuffled = incomplete.moments(counts[:, rows][:, :, columns], row_only[:, rows], col_only[:, columns])
    assert_allclose(shuffled[0], here[0], rtol=1e-7)
    assert_allclose(shuffled[1], here[1], rtol=1e-7)


def test_a_batch_is_the_same_as_its_tables_one_by_one():
    counts, row_only, col_only = random_tables(8, 4, 3, seed=15)
    row_only[[0, 3]], col_only[[3, 5]] = 0.0, 0.0
    together = incomplete.moments(counts, row_only, col_only)
    assert together[2].missing.tolist() == ["columns", "both", "both", "none", "both", "rows", "both", "both"]
    for i in range(8):
        alone = incomplete.moments(counts[i : i + 1], row_only[i : i + 1], col_only[i : i + 1])
        assert together[0][i] == pytest.approx(alone[0][0], rel=1e-12)
        assert together[1][i] == pytest.approx(alone[1][0], rel=1e-11)


def test_blocks_do_not_show(monkeypatch):
    tables = random_tables(9, 4, 3, seed=16)
    whole = incomplete.moments(*tables)
    monkeypatch.setattr(incomplete, "_BLOCK", 1)
    assert_allclose(incomplete.moments(*tables)[:2], whole[:2], rtol=1e-11)


def test_empty_cells_rows_and_columns_under_a_prior_that_adds_nothing():
    counts = np.array([[[30.0, 0.0, 0.0], [0.0, 0.0, 0.0], [12.0, 41.0, 0.0]]])
    mean, variance, _ = incomplete.moments(counts, np.array([[7.0, 0.0, 3.0]]), np.array([[8.0, 4.0, 0.0]]))
    small = np.array([[[30.0, 0.0], [12.0, 41.0]]])
    tables = small, np.array([[7.0, 3.0]]), np.array([[8.0, 4.0]])
    expected = incomplete.moments(*tables)
    assert_allclose((mean, variance), expected[:2], rtol=1e-9)
    # The limit of a vanishing prior, and the draws of the same posterior.
    limit = incomplete.moments(small + 1e-7, *tables[1:])
    assert_allclose(limit[:2], expected[:2], rtol=1e-3)
    sample = incomplete.gibbs_draws(*tables, draws=20_000, rng=np.random.default_rng(17))[0]
    assert mean[0] == pytest.approx(sample.mean(), abs=0.04 * sample.std())
    assert variance[0] == pytest.approx(sample.var(), rel=0.06)


def test_a_row_only_seen_incompletely_needs_a_prior():
    counts, row_only, col_only = (
        np.array([[[9.0, 3.0], [2.0, 8.0], [0.0, 0.0]]]),
        np.array([[0.0, 0, 5]]),
        np.array([[3.0, 4.0]]),
    )
    with pytest.raises(DataError, match="row 2 of table 0 was only ever seen incompletely"):
        incomplete.moments(counts, row_only, col_only)
    mean, variance, _ = incomplete.moments(counts + 0.5, row_only, col_only)
    sample = incomplete.gibbs_draws(counts + 0.5, row_only, col_only, 20_000, np.random.default_rng(18))[0]
    assert mean[0] == pytest.approx(sample.mean(), abs=0.06 * sample.std())
    assert variance[0] == pytest.approx(sample.var(), rel=0.1)


@pytest.mark.parametrize("prior", [1.0, 0.5, 1.0 / 6.0])
def test_ninety_nine_percent_missing_is_still_sensible(prior):
    rng = np.random.default_rng(19)
    full = rng.multinomial(600, [0.3, 0.1, 0.1, 0.2, 0.1, 0.2]).reshape(3, 2)
    by_row = rng.binomial(full, 0.5)
    by_column = rng.binomial(full - by_row, 0.98)
    tables = batch(full - by_row - by_column + prior, by_row.sum(axis=1), by_column.sum(axis=0))
    mean, variance, report = incomplete.moments(*tables)
    assert report.converged[0]
    sample = incomplete.gibbs_draws(*tables, draws=20_000, rng=np.random.default_rng(20))[0]
    assert mean[0] == pytest.approx(sample.mean(), abs=0.25 * sample.std())
    assert variance[0] ** 0.5 == pytest.approx(sample.std(), rel=0.25)


def test_moments_of_draws_stand_in_where_no_expansion_holds():
    tables = np.full((1, 3, 3), 1e-3), np.array([[30.0, 20.0, 10.0]]), np.array([[5.0, 25.0, 30.0]])
    mean, variance, report = incomplete.moments(*tables)
    assert report.sampled[0]
    assert 0 < mean[0] < np.log(3)
    assert 0 < variance[0] < mean[0] * (np.log(3) - mean[0])


def test_huge_counts_stay_finite_and_precise():
    counts, row_only, col_only = (1e8 * x for x in batch(*CASES[0]))
    mean, variance, report = incomplete.moments(counts, row_only, col_only)
    first = incomplete.moments(counts, row_only, col_only, order=1)
    assert report.converged[0]
    assert_allclose(mean, first[0], rtol=1e-7)
    assert_allclose(variance, first[1], rtol=1e-6)


def test_many_levels_stay_within_reach():
    tables = random_tables(2, 2, 400, seed=21)
    mean, variance, _ = incomplete.moments(*tables)
    assert np.isfinite(mean).all()
    assert (variance > 0).all()
