"""What must hold for every table, whatever the numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import misieve
from misieve import moments

tables = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 3000) | st.integers(0, 3))
)
priors = st.sampled_from(["uniform", "jeffreys", "perks", 0.02])
few = settings(max_examples=60, deadline=None)


@few
@given(tables, priors, st.randoms(use_true_random=False))
def test_order_and_direction_do_not_matter(table, prior, random):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    p = misieve.posterior(table, prior=prior, independence=0.3)
    for other in (table[rows][:, columns], table.T):
        q = misieve.posterior(other, prior=prior, independence=0.3)
        assert q.mean() == pytest.approx(p.mean(), rel=1e-9, abs=1e-15)
        assert q.var() == pytest.approx(p.var(), rel=1e-9, abs=1e-18)
        # Where no family fits, an empirical law of 10,000 draws stands in, which differ: five standard errors of a difference.
        drawn = p.families == "sampled" or q.families == "sampled"
        assert q.sf(0.01) == pytest.approx(p.sf(0.01), abs=0.036 if drawn else 1e-6)
        assert q.independence == pytest.approx(p.independence, rel=1e-8)


@few
@given(tables, priors)
def test_moments_lie_where_they_must(table, prior):
    p = misieve.posterior(table, prior=prior, variance="exact")
    assert 0 < p.mean() < p.upper
    assert 0 < p.var() <= p.mean() * (p.upper - p.mean())
    assert 0 <= p.empirical <= p.upper * (1 + 1e-12)
    assert p.mean() > p.empirical - 0.5 * np.prod(np.array(table.shape) + 1.0) / table.sum() if table.sum() else True
    low, high = p.interval(0.9)
    assert 0 <= low <= p.median() <= high <= p.upper


@few
@given(tables)
def test_many_observations_leave_no_doubt(table):
    """n to infinity: the mean goes to the plug-in value, n Var to the variance of the logarithms."""
    table = table + 1.0
    large = table * 1e6
    plug_in = moments.plug_in(large)
    assert moments.mean(large) == pytest.approx(plug_in, rel=1e-3, abs=1e-4)
    logs = np.log(large * large.sum() / (large.sum(1, keepdims=True) * large.sum(0)))
    leading = (large / large.sum() * (logs - plug_in) ** 2).sum()
    assert moments.variance_exact(large) * large.sum() == pytest.approx(leading, rel=1e-2, abs=1e-6)


@few
@given(arrays(np.float64, (4, 3), elements=st.floats(0.02, 50)), st.floats(0.2, 5))
def test_proportional_columns_can_be_merged(table, factor):
    """Mutual information does not change when two columns with the same profile are merged: nor does the plug-in value."""
    split = np.column_stack([table, factor * table[:, 0]])
    merged = table.copy()
    merged[:, 0] *= 1 + factor
    assert moments.plug_in(split) == pytest.approx(moments.plug_in(merged), rel=1e-9, abs=1e-14)


@few
@given(
    arrays(np.float64, 3, elements=st.floats(1, 1e4)),
    arrays(np.float64, 4, elements=st.floats(1, 1e4)),
)
def test_proportional_tables_look_independent(rows, columns):
    """Counts equal to the product of their margins: plug-in 0, mean nu/2n and variance nu/2n^2 to leading order."""
    table = 1e5 * np.outer(rows, columns)
    n, nu = table.sum(), 6
    assert moments.plug_in(table) == pytest.approx(0.0, abs=1e-28)
    assert moments.mean(table) * n == pytest.approx(nu / 2, rel=1e-3)
    assert moments.variance_exact(table) * n**2 == pytest.approx(nu / 2, rel=1e-3)


@pytest.mark.parametrize("prior", ["uniform", "jeffreys"])
@pytest.mark.parametrize("table", [[[8, 2], [4, 16]], [[20, 5], [10, 40]], [[40, 10], [20, 80]], [[3, 7, 2], [6, 1, 9]]])
def test_the_sampled_law_agrees_with_the_rest(table, prior):
    """Figure 1's three tables and one more: every law within the error of a sample and of its own approximation."""
    sampled = misieve.posterior(table, prior=prior, law="sampled", draws=100_000, rng=0)
    exact = misieve.posterior(table, prior=prior, variance="exact")
    assert sampled._law.mean()[0] == pytest.approx(exact.mean(), abs=5 * exact.std() / np.sqrt(100_000))
    assert sampled._law.var()[0] == pytest.approx(exact.var(), rel=0.03)
    for x in exact.ppf([0.02, 0.2, 0.5, 0.8, 0.98]):
        error = np.sqrt(0.25 / 100_000)
        assert sampled.cdf(x) == pytest.approx(exact.cdf(x), abs=0.01 + 5 * error)
        if np.shape(table) == (2, 2):
            quadrature = misieve.posterior(table, prior=prior, law="quadrature")
            assert sampled.cdf(x) == pytest.approx(quadrature.cdf(x), abs=5 * error)


@pytest.mark.parametrize(
    ("table", "mean", "variance"),
    [([[40, 10], [20, 80]], 0.175866867589, 1.86663774e-3), ([[8, 2], [4, 16]], 0.187417302228, 8.4498924e-3)],
)
def test_figure_1_without_a_prior(table, mean, variance):
    """The figure's tables are given as prior-laden counts."""
    p = misieve.posterior(table, prior="haldane", variance="exact")
    assert p.mean() == pytest.approx(mean, rel=1e-10)
    assert p.var() == pytest.approx(variance, rel=1e-7)
