"""Draws of mutual information from incomplete samples, and the Bayes factor of independence, against other computations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

from misieve import incomplete
from misieve import moments as complete
from misieve._errors import OptionError
from misieve.incomplete import evidence, gibbs

COUNTS = np.array([[[12.0, 5.0], [4.0, 9.0], [6.0, 6.0]]])
ROW_ONLY = np.array([[10.0, 20.0, 5.0]])
COL_ONLY = np.array([[12.0, 8.0]])


def weighted_draws(counts, row_only, col_only, size, seed):
    """Draws of I from the posterior without the columns' incomplete observations, with the weights that bring these in."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(counts.sum(axis=1) + row_only, size=size)
    chance = rows[..., None] * np.stack([rng.dirichlet(row, size=size) for row in counts], axis=1)
    return gibbs.information(chance), np.exp((col_only * np.log(chance.sum(axis=1))).sum(axis=1))


def weighted_moments(values, weights):
    mean = np.average(values, weights=weights)
    return mean, np.average((values - mean) ** 2, weights=weights)


@pytest.mark.parametrize("extra", [0.0, 0.7])
def test_draws_have_the_moments_that_importance_sampling_finds(extra):
    col_only = COL_ONLY + extra
    sample = incomplete.gibbs_draws(COUNTS, ROW_ONLY, col_only, 60_000, np.random.default_rng(1))[0]
    mean, variance = weighted_moments(*weighted_draws(COUNTS[0], ROW_ONLY[0], col_only[0], 200_000, seed=2))
    assert sample.mean() == pytest.approx(mean, abs=0.025 * variance**0.5)
    assert sample.var() == pytest.approx(variance, rel=0.04)


def test_fractions_of_observations_count_between_the_whole_ones():
    """Columns' counts below 1 leave nothing to fill in: all is done by the Metropolis step."""
    col_only = np.array([[0.9, 0.0]])
    counts = np.array([[[2.0, 1.0], [1.0, 3.0]]])
    sample = incomplete.gibbs_draws(counts, np.array([[40.0, 2.0]]), col_only, 60_000, np.random.default_rng(3))[0]
    mean, variance = weighted_moments(*weighted_draws(counts[0], np.array([40.0, 2.0]), col_only[0], 200_000, seed=4))
    plain = weighted_moments(*weighted_draws(counts[0], np.array([40.0, 2.0]), 0 * col_only[0], 200_000, seed=4))
    assert sample.mean() == pytest.approx(mean, abs=0.025 * variance**0.5)
    assert abs(plain[0] - mean) > 0.04 * variance**0.5


def test_few_chains_that_burn_in_agree_with_many_that_start_right():
    few = incomplete.gibbs_draws(COUNTS, ROW_ONLY, COL_ONLY, 40_000, np.random.default_rng(5), chains=20, burn_in=50)[0]
    many = incomplete.gibbs_draws(COUNTS, ROW_ONLY, COL_ONLY, 40_000, np.random.default_rng(6), chains=40_000, burn_in=3)[0]
    assert few.mean() == pytest.approx(many.mean(), abs=0.04 * many.std())
    assert few.std() == pytest.approx(many.std(), rel=0.04)


def test_draws_of_complete_tables_are_those_of_the_dirichlet():
    sample = incomplete.gibbs_draws(COUNTS, 0 * ROW_ONLY, 0 * COL_ONLY, 50_000, np.random.default_rng(7))[0]
    variance = complete.variance_exact(COUNTS)[0]
    assert sample.mean() == pytest.approx(complete.mean(COUNTS)[0], abs=4.5 * (variance / 50_000) ** 0.5)
    assert sample.var() == pytest.approx(variance, rel=0.05)


def test_a_batch_is_drawn_table_by_table_and_seeds_repeat():
    counts = np.concatenate([COUNTS, COUNTS, 10 * COUNTS])
    row_only, col_only = np.concatenate([ROW_ONLY, 0 * ROW_ONLY, ROW_ONLY]), np.concatenate([COL_ONLY, COL_ONLY, 0 * COL_ONLY])
    first = incomplete.gibbs_draws(counts, row_only, col_only, 777, np.random.default_rng(8))
    assert first.shape == (3, 777)
    assert (first >= 0).all()
    assert (first == incomplete.gibbs_draws(counts, row_only, col_only, 777, np.random.default_rng(8))).all()
    assert incomplete.gibbs_draws(counts, row_only, col_only, 0, np.random.default_rng(8)).shape == (3, 0)


def test_more_draws_than_fit_at_once_are_drawn_in_blocks(monkeypatch):
    monkeypatch.setattr(gibbs, "_BLOCK", 6_000)
    sample = incomplete.gibbs_draws(COUNTS, ROW_ONLY, 0 * COL_ONLY, 20_500, np.random.default_rng(9))[0]
    assert sample.shape == (20_500,)
    assert np.unique(sample).size == 20_500


def test_empty_cells_stay_empty_and_tiny_ones_do_not_break():
    counts = np.array([[[30.0, 0.0, 0.0], [0.0, 0.0, 0.0], [12.0, 41.0, 0.0]]])
    extra = np.array([[7.0, 0.0, 3.0]]), np.array([[8.0, 4.0, 0.0]])
    sample = incomplete.gibbs_draws(counts, *extra, 2_000, np.random.default_rng(10))
    assert (sample > 0).all()
    assert (sample < np.log(2)).all()
    tiny = incomplete.gibbs_draws(np.full((1, 3, 3), 1e-4), *extra, 2_000, np.random.default_rng(11))
    assert np.isfinite(tiny).all()
    assert tiny.max() <= np.log(3) + 1e-12


def test_information_of_known_chances():
    assert_allclose(
        gibbs.information(np.array([[[0.5, 0.0], [0.0, 0.5]], [[0.06, 0.14], [0.24, 0.56]]])), [np.log(2), 0], atol=1e-15
    )


def log_products(counts, prior):
    return (special.gammaln(counts + prior) - special.gammaln(prior)).sum() - (
        special.gammaln((counts + prior).sum()) - special.gammaln(prior.sum())
    )


@pytest.mark.parametrize("prior", ["uniform", "jeffreys", "perks", 2.0])
def test_bayes_factor_of_complete_tables_is_the_known_one(prior):
    raw = COUNTS[0]
    alpha = np.full(raw.shape, {"uniform": 1.0, "jeffreys": 0.5, "perks": 1 / 6}.get(prior, prior))
    expected = (
        log_products(raw.sum(axis=1), alpha.sum(axis=1))
        + log_products(raw.sum(axis=0), alpha.sum(axis=0))
        - log_products(raw, alpha)
    )
    found = incomplete.log_bayes_factor(COUNTS, 0 * ROW_ONLY, 0 * COL_ONLY, prior)
    assert found[0] == pytest.approx(expected, rel=1e-12)


def test_one_side_missing_leaves_the_bayes_factor_of_the_complete_observations():
    plain = incomplete.log_bayes_factor(COUNTS, 0 * ROW_ONLY, 0 * COL_ONLY)
    assert_allclose(incomplete.log_bayes_factor(COUNTS, ROW_ONLY, 0 * COL_ONLY), plain, rtol=1e-10)
    assert_allclose(incomplete.log_bayes_factor(COUNTS, 0 * ROW_ONLY, COL_ONLY), plain, rtol=1e-10)


@pytest.mark.parametrize("scale", [1, 5])
def test_marginal_of_two_sided_samples_agrees_with_importance_sampling(scale):
    rng = np.random.default_rng(12)
    for _ in range(4):
        counts = rng.integers(0, 10, (1, 3, 2)) + 1.0
        row_only, col_only = scale * rng.integers(1, 9, (1, 3)) * 1.0, scale * rng.integers(1, 9, (1, 2)) * 1.0
        _, weights = weighted_draws(counts[0], row_only[0], col_only[0], 100_000, seed=13)
        truth = evidence.log_marginal_one_sided(counts, row_only)[0] + np.log(weights.mean())
        error = weights.std() / weights.mean() / 100_000**0.5
        assert evidence.log_marginal(counts, row_only, col_only)[0] == pytest.approx(truth, abs=0.03 + 4.5 * error)


def test_marginal_passes_continuously_into_the_closed_form():
    near = evidence.log_marginal(COUNTS, ROW_ONLY, 1e-9 * COL_ONLY)
    assert near[0] == pytest.approx(evidence.log_marginal(COUNTS, ROW_ONLY, 0 * COL_ONLY)[0], rel=1e-8)


def test_bayes_factor_is_symmetric_and_batches():
    counts, row_only = np.concatenate([COUNTS] * 4), np.concatenate([ROW_ONLY, 0 * ROW_ONLY, ROW_ONLY, 0 * ROW_ONLY])
    col_only = np.concatenate([COL_ONLY, COL_ONLY, 0 * COL_ONLY, 0 * COL_ONLY])
    found = incomplete.log_bayes_factor(counts, row_only, col_only)
    assert_allclose(incomplete.log_bayes_factor(np.swapaxes(counts, 1, 2), col_only, row_only), found, rtol=1e-9)
    alone = [incomplete.log_bayes_factor(counts[i : i + 1], row_only[i : i + 1], col_only[i : i + 1])[0] for i in range(4)]
    assert_allclose(found, alone, rtol=1e-12)


def test_bayes_factor_tells_noise_from_signal_through_missing_values():
    noise, signal = np.array([[[60.0, 30.0], [40.0, 20.0]]]), np.array([[[60.0, 5.0], [10.0, 75.0]]])
    extra = np.array([[200.0, 150.0]]), np.array([[80.0, 90.0]])
    assert incomplete.log_bayes_factor(noise, *extra)[0] > 1
    assert incomplete.log_bayes_factor(signal, *extra)[0] < -10


@pytest.mark.parametrize(("lost_columns", "lost_rows"), [(0.5, 0.0), (0.3, 0.4), (0.6, 0.35)])
def test_the_probability_of_independence_is_a_frequency(lost_columns, lost_rows):
    """Half of the chances are drawn from independence, half are not: of tables with probability p a share p is independent."""
    rng = np.random.default_rng(14)
    k, r, s = 4000, 3, 2
    independent = rng.random(k) < 0.5
    product = rng.dirichlet(np.full(r, s), size=k)[:, :, None] * rng.dirichlet(np.full(s, r), size=k)[:, None, :]
    free = rng.dirichlet(np.ones(r * s), size=k).reshape(k, r, s)
    chances = np.where(independent[:, None, None], product, free)
    full = rng.multinomial(150, chances.reshape(k, -1)).reshape(k, r, s)
    by_row = rng.binomial(full, lost_columns)
    by_column = rng.binomial(full - by_row, lost_rows)
    counts = (full - by_row - by_column).astype(float)
    factor = incomplete.log_bayes_factor(counts, by_row.sum(axis=2).astype(float), by_column.sum(axis=1).astype(float))
    mass = special.expit(factor)
    for low, high in ((0.0, 1.0), (0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
        own = (mass >= low) & (mass <= high)
        noise = np.sqrt((mass[own] * (1 - mass[own])).sum())
        assert own.sum() > 100
        assert abs((mass[own] - independent[own]).sum()) < 4 * noise


def test_bayes_factor_needs_a_proper_prior():
    with pytest.raises(OptionError, match="adds something to each cell, found prior='haldane'"):
        incomplete.log_bayes_factor(COUNTS, ROW_ONLY, COL_ONLY, "haldane")
