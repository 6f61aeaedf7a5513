"""Incomplete samples with one side missing: closed forms against sampling, quadrature, limits and identities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

from misieve import incomplete
from misieve import moments as complete
from misieve._errors import DataError, OptionError
from misieve.incomplete import columns, leading, one_sided

# Tables with the rows' incomplete observations: dependent, nearly independent, sparse, and one little observed heavy row.
CASES = [
    ([[40, 10], [20, 80]], [30, 50]),
    ([[300, 200, 100], [50, 400, 250]], [2000, 700]),
    ([[10, 20], [12, 21]], [300, 5]),
    ([[10, 20, 30], [12, 21, 40], [5, 9, 15]], [30, 50, 20]),
    ([[3, 7, 2], [6, 1, 9]], [20, 50]),
    ([[2, 1], [1, 3], [4, 1], [1, 1]], [5, 0, 9, 14]),
]


def batch(counts, row_only):
    return np.array([counts], dtype=float), np.array([row_only], dtype=float)


def draws(counts, row_only, size, seed):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.sum(counts, axis=1) + np.array(row_only), size=size)
    within = np.stack([rng.dirichlet(row, size=size) for row in counts], axis=1)
    chance = rows[..., None] * within
    expected = chance.sum(axis=2, keepdims=True) * chance.sum(axis=1, keepdims=True)
    return (chance * np.log(chance / expected)).sum(axis=(1, 2))


def exact_mean(counts, row_only):
    """The mean by quadrature: E[Y log Y] of each column's Y = sum_i G_i q_ij, G_i gamma, from its Laplace transform phi.

    log y is the integral of (exp(-t) - exp(-t y))/t, so E[Y log Y] that of (E[Y] exp(-t) + phi'(t))/t.
    """
    counts = np.array(counts, dtype=float)
    seen = counts.sum(axis=1)
    known = seen + np.array(row_only)
    n = known.sum()
    t, step = np.exp(np.linspace(-35.0, 5.0, 2001)), 40.0 / 2000
    total = 0.0
    for column in counts.T:
        factors, slopes = [], []
        for all_, one, size in zip(seen, column, known, strict=True):
            nodes, weights = special.roots_jacobi(80, all_ - one - 1.0, one - 1.0)
            q, weights = (1.0 + nodes) / 2.0, weights / weights.sum()
            factors.append((1.0 + t[:, None] * q) ** -size @ weights)
            slopes.append(-size * (1.0 + t[:, None] * q) ** (-size - 1.0) @ (weights * q) / factors[-1])
        mean = (known * column / seen).sum()
        integrand = mean * np.exp(-t) + np.prod(factors, axis=0) * np.sum(slopes, axis=0)
        total += (integrand.sum() * step - mean * special.psi(n + 1.0)) / n
    within = counts / seen[:, None] * (special.psi(counts + 1.0) - special.psi(seen[:, None] + 1.0))
    return (known / n * within.sum(axis=1)).sum() - total


def test_quadrature_knows_the_complete_mean():
    counts = np.array([[40.0, 10.0, 3.0], [20.0, 80.0, 5.0]])
    assert exact_mean(counts, [0, 0]) == pytest.approx(complete.mean(counts), rel=1e-9)


@pytest.mark.parametrize(("counts", "row_only"), CASES[:1] + CASES[2:])
def test_mean_agrees_with_quadrature(counts, row_only):
    mean = one_sided.moments(*batch(counts, row_only))[0][0]
    assert mean == pytest.approx(exact_mean(counts, row_only), rel=2e-3)


@pytest.mark.parametrize(("counts", "row_only"), [CASES[0], CASES[3]])
def test_mean_of_well_filled_tables_is_right_to_six_digits(counts, row_only):
    assert one_sided.moments(*batch(counts, row_only))[0][0] == pytest.approx(exact_mean(counts, row_only), rel=1e-6)


@pytest.mark.parametrize(("counts", "row_only"), CASES[:5])
def test_moments_agree_with_exact_sampling(counts, row_only):
    sample = draws(counts, row_only, 100_000, seed=1)
    mean, variance, doubtful = one_sided.moments(*batch(counts, row_only))
    assert not doubtful[0]
    assert abs(mean[0] - sample.mean()) < 4.5 * sample.std() / 100_000**0.5
    squares = (sample - sample.mean()) ** 2
    assert abs(variance[0] - sample.var()) < 4.5 * squares.std() / 100_000**0.5 + 0.01 * sample.var()


def test_mean_errs_by_less_than_a_tenth_of_the_leading_order():
    rng = np.random.default_rng(2)
    for _ in range(5):
        counts, row_only = rng.integers(5, 40, (3, 2)) + 1.0, rng.integers(0, 200, 3)
        truth = exact_mean(counts, row_only)
        error = one_sided.moments(*batch(counts, row_only))[0][0] - truth
        assert abs(error) < 0.1 * abs(leading.leading_order_one_sided(*batch(counts, row_only))[0][0] - truth)


@pytest.mark.parametrize(
    ("counts", "row_only", "mean", "variance"),
    [
        ([[400, 100], [200, 800]], [300, 500], 0.17598, 1.9455e-4),
        ([[300, 200, 100], [50, 400, 250]], [2000, 700], None, 1.1430e-4),
    ],
)
def test_leading_order_is_the_formula_of_the_paper(counts, row_only, mean, variance):
    found = leading.leading_order_one_sided(*batch(counts, row_only))
    assert found[1][0] == pytest.approx(variance, rel=1e-4)
    if mean is not None:
        assert found[0][0] == pytest.approx(mean, abs=1e-5)


def test_leading_order_of_complete_tables_is_that_of_the_complete_formula():
    counts = np.random.default_rng(3).integers(1, 50, (5, 3, 4)).astype(float)
    mean, variance = leading.leading_order_one_sided(counts, np.zeros((5, 3)))
    share = counts / counts.sum(axis=(1, 2), keepdims=True)
    logs = np.log(share / (share.sum(axis=2, keepdims=True) * share.sum(axis=1, keepdims=True)))
    spread = (share * logs**2).sum(axis=(1, 2)) - (share * logs).sum(axis=(1, 2)) ** 2
    assert_allclose(mean, complete.plug_in(counts), rtol=1e-13)
    assert_allclose(variance, spread / counts.sum(axis=(1, 2)), rtol=1e-11)


def test_closed_form_becomes_the_exact_one_when_nothing_is_missing():
    counts = np.random.default_rng(4).integers(5, 60, (50, 3, 4)).astype(float)
    mean, variance, _ = one_sided.moments(counts, np.zeros((50, 3)))
    assert_allclose(mean, complete.mean(counts), rtol=1e-12)
    assert_allclose(variance, complete.variance_exact(counts), rtol=2e-3)
    many = 100 * counts
    assert_allclose(one_sided.moments(many, np.zeros((50, 3)))[1], complete.variance_exact(many), rtol=1e-6)


def test_variance_near_independence_is_right_where_the_leading_order_vanishes():
    counts, row_only = np.array([[[100.0, 200.0], [50.0, 100.0]]]), np.array([[900.0, 20.0]])
    mean, variance, _ = one_sided.moments(counts, row_only)
    sample = draws(counts[0], row_only[0], 200_000, seed=5)
    assert leading.leading_order_one_sided(counts, row_only)[1][0] < 1e-12
    assert variance[0] == pytest.approx(sample.var(), rel=0.03)
    assert mean[0] == pytest.approx(sample.mean(), rel=0.015)


def test_order_of_rows_and_columns_does_not_matter():
    rng = np.random.default_rng(6)
    counts, row_only = rng.integers(1, 30, (4, 5, 3)) + 0.5, rng.integers(0, 60, (4, 5)).astype(float)
    rows, order = rng.permutation(5), rng.permutation(3)
    here = one_sided.moments(counts, row_only)
    there = one_sided.moments(counts[:, rows][:, :, order], row_only[:, rows])
    assert_allclose(there[0], here[0], rtol=1e-12)
    assert_allclose(there[1], here[1], rtol=1e-10)


def test_missing_features_mirror_missing_classes():
    rng = np.random.default_rng(7)
    counts, extra = rng.integers(1, 30, (4, 5, 3)) + 1.0, rng.integers(1, 60, (4, 5)).astype(float)
    by_row = incomplete.moments(counts, extra, np.zeros((4, 3)))
    by_column = incomplete.moments(np.swapaxes(counts, 1, 2), np.zeros((4, 3)), extra)
    assert_allclose(by_row[0], by_column[0], rtol=1e-14)
    assert_allclose(by_row[1], by_column[1], rtol=1e-14)
    assert set(by_row[2].missing) == {"rows"}
    assert set(by_column[2].missing) == {"columns"}


def test_many_columns_go_another_way_to_the_same_variance(monkeypatch):
    rng = np.random.default_rng(8)
    counts, row_only = rng.integers(1, 30, (6, 3, 12)) + 1.0, rng.integers(0, 300, (6, 3)).astype(float)
    pairs = one_sided.moments(counts, row_only)[1]
    monkeypatch.setattr(columns, "_FEW_COLUMNS", 0)
    assert_allclose(one_sided.moments(counts, row_only)[1], pairs, rtol=1e-3)
    squares = columns._Spread(np.ones((1, 3)), np.arange(6.0).reshape(1, 2, 3), np.array([[[0.5], [-0.2]]]))
    weight = np.array([[1.0, 2.0, -1.0]])
    assert_allclose(squares.squares(weight)[0], weight[0] @ squares.matrix()[0] ** 2 @ weight[0], rtol=1e-13)


def test_a_trace_of_missing_values_changes_next_to_nothing():
    counts = np.array([[[30.0, 12.0], [25.0, 40.0]]])
    row_only = np.full((1, 2), 1e-7)
    mean, variance, report = incomplete.moments(counts, row_only, np.zeros((1, 2)))
    assert report.missing[0] == "rows"
    assert mean[0] == pytest.approx(complete.mean(counts)[0], rel=1e-7)
    assert variance[0] == pytest.approx(complete.variance_exact(counts)[0], rel=1e-3)


def test_countless_incomplete_rows_make_the_row_chances_known():
    counts, rng = np.array([[30.0, 12.0], [25.0, 40.0]]), np.random.default_rng(11)
    mean, variance, _ = one_sided.moments(counts[None], np.array([[4e9, 6e9]]))
    within = np.stack([rng.dirichlet(row, size=200_000) for row in counts], axis=1)
    chance = np.array([[0.4], [0.6]]) * within
    sample = (chance * np.log(within / chance.sum(axis=1, keepdims=True))).sum(axis=(1, 2))
    assert mean[0] == pytest.approx(sample.mean(), abs=4.5 * sample.std() / 200_000**0.5)
    assert variance[0] == pytest.approx(sample.var(), rel=0.015)


def test_complete_tables_take_the_complete_path_itself():
    counts = np.random.default_rng(9).integers(0, 20, (7, 3, 3)) + 1.0
    row_only = np.zeros((7, 3))
    row_only[3] = [4, 0, 2]
    mean, variance, report = incomplete.moments(counts, row_only, np.zeros((7, 3)))
    left = np.arange(7) != 3
    assert (mean[left] == complete.mean(counts)[left]).all()
    assert (variance[left] == complete.variance_exact(counts)[left]).all()
    assert report.missing.tolist() == ["none"] * 3 + ["rows"] + ["none"] * 3
    assert mean[3] == one_sided.moments(counts[3:4], row_only[3:4])[0][0]


def test_empty_cells_rows_and_columns_under_a_prior_that_adds_nothing():
    counts = np.array([[[30.0, 0.0, 0.0], [0.0, 0.0, 0.0], [12.0, 41.0, 0.0]]])
    small = np.array([[[30.0, 0.0], [12.0, 41.0]]])
    mean, variance, _ = incomplete.moments(counts, np.array([[7.0, 0.0, 3.0]]), np.zeros((1, 3)))
    expected = incomplete.moments(small, np.array([[7.0, 3.0]]), np.zeros((1, 2)))
    assert mean[0] == pytest.approx(expected[0][0], rel=1e-12)
    assert variance[0] == pytest.approx(expected[1][0], rel=1e-9)


@pytest.mark.parametrize("counts", [[[5.0, 3.0], [0.0, 0.0]], [[5.0, 0.0], [3.0, 0.0]]])
def test_a_single_row_or_column_is_certain(counts):
    extra = np.array([[4.0, 0.0]])
    mean, variance, _ = incomplete.moments(np.array([counts]), extra, extra)
    assert mean[0] == variance[0] == 0.0


def test_only_the_prior_complete_gives_moments_of_draws():
    counts, row_only = np.full((1, 3, 2), 1 / 6), np.array([[40.0, 20.0, 10.0]])
    mean, variance, report = incomplete.moments(counts, row_only, np.zeros((1, 2)))
    assert report.sampled[0]
    sample = incomplete.gibbs_draws(counts, row_only, np.zeros((1, 2)), 20_000, np.random.default_rng(10))[0]
    assert mean[0] == pytest.approx(sample.mean(), abs=0.1 * sample.std())
    assert variance[0] == pytest.approx(sample.var(), rel=0.1)
    again = incomplete.moments(counts, row_only, np.zeros((1, 2)))
    assert again[0][0] == mean[0]


def test_huge_counts_stay_finite():
    counts = np.array([[[4e9, 1e9], [2e9, 8e9]], [[1e9, 2e9], [2e9, 4e9]]])
    mean, variance, _ = incomplete.moments(counts, np.full((2, 2), 3e10), np.zeros((2, 2)))
    assert_allclose(mean[0], leading.leading_order_one_sided(counts, np.full((2, 2), 3e10))[0][0], rtol=1e-7)
    assert (variance > 0).all()
    assert mean[1] < 1e-8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row_only": np.ones((1, 3))}, r"row_only must have the shape \(1, 2\)"),
        ({"col_only": np.array([[1.0, -1.0]])}, r"col_only must be finite and not negative, found -1.0 at index \(0, 1\)"),
        ({"counts": np.array([[[1.0, np.nan], [1.0, 1.0]]])}, "counts must be finite"),
        ({"counts": np.zeros((1, 2, 2))}, "found neither at index 0: use prior="),
        ({"counts": np.array([[[3.0, 1.0], [0.0, 0.0]]])}, "row 1 of table 0 was only ever seen incompletely"),
        ({"counts": np.array([[[3.0, 0.0], [2.0, 0.0]]])}, "column 1 of table 0 was only ever seen incompletely"),
    ],
)
def test_bad_input_is_named(change, message):
    tables = {"counts": np.ones((1, 2, 2)), "row_only": np.ones((1, 2)), "col_only": np.ones((1, 2))} | change
    with pytest.raises(DataError, match=message):
        incomplete.moments(**tables)


def test_order_is_one_or_two():
    with pytest.raises(OptionError, match="order must be 1 .leading order. or 2, not 3"):
        incomplete.moments(np.ones((1, 2, 2)), np.ones((1, 2)), np.ones((1, 2)), order=3)
