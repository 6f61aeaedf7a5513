import numpy as np
import pytest

from misieve import moments
from misieve.summary import _directly, summarise
from reference.cases import load_moments

CASES = load_moments()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_mean_and_exact_variance_against_high_precision(case):
    assert moments.mean(case.table) == pytest.approx(float(case.mean), rel=case.mean_tolerance, abs=0)
    assert moments.variance_exact(case.table) == pytest.approx(float(case.variance), rel=case.variance_tolerance, abs=0)


def monte_carlo(table, draws=200_000, seed=0):
    """Mutual information of draws from the Dirichlet."""
    table = np.asarray(table, dtype=float)
    pi = np.random.default_rng(seed).dirichlet(table.ravel(), size=draws).reshape(-1, *table.shape)
    expected = pi.sum(2, keepdims=True) * pi.sum(1, keepdims=True)
    return np.where(pi > 0, pi * np.log(np.where(pi > 0, pi, 1.0) / expected), 0.0).sum((1, 2))


@pytest.mark.parametrize(
    "table", [[[40, 10], [20, 80]], [[1, 1], [1, 1]], [[3, 7, 2], [6, 1, 9]], [[0.5, 4], [9, 0.5], [2, 2]]]
)
def test_moments_against_draws(table):
    draws = monte_carlo(table)
    table = np.array(table, dtype=float)
    error = draws.std() / np.sqrt(len(draws))
    assert abs(moments.mean(table) - draws.mean()) < 5 * error
    spread = (draws - draws.mean()) ** 2
    assert abs(moments.variance_exact(table) - spread.mean()) < 5 * spread.std() / np.sqrt(len(draws))


@pytest.mark.parametrize(
    ("table", "value"),
    [([[1, 1], [1, 1]], 1 / 60), ([[101, 1], [51, 1]], 3.27e-5), ([[40, 10], [20, 80]], 1.866e-3)],
)
def test_the_series_variance_is_the_printed_one(table, value):
    """The paper's eq. 4 term by term, and figures known for it."""
    n = np.array(table, dtype=float)
    total, rows, columns = n.sum(), n.sum(1, keepdims=True), n.sum(0, keepdims=True)
    logs = np.log(n * total / (rows * columns))
    k, j = (n / total * logs**2).sum(), (n / total * logs).sum()
    m = ((1 / n - 1 / rows - 1 / columns + 1 / total) * n * logs).sum()
    q = 1 - (n**2 / (rows * columns)).sum()
    printed = (k - j**2) / (total + 1) + (m + (n.shape[0] - 1) * (n.shape[1] - 1) * (0.5 - j) - q) / ((total + 1) * (total + 2))
    assert moments.variance_series(n) == pytest.approx(printed, rel=1e-12)
    assert moments.variance_series(n) == pytest.approx(value, rel=2e-3)


def test_the_error_estimate_of_the_series_holds():
    rng = np.random.default_rng(5)
    worst = 0.0
    for r, s in [(2, 2), (3, 2), (5, 3), (20, 10), (50, 2)]:
        for prior in (1.0, 0.5, 1.0 / (r * s)):
            shares = rng.standard_gamma(10 ** rng.uniform(-1, 2, size=(300, 1, 1)), size=(300, r, s)) + 1e-9
            shares /= shares.sum((1, 2), keepdims=True)
            sizes = (10 ** rng.uniform(1, 6, size=300)).astype(int)
            n = np.array([rng.multinomial(k, p.ravel()).reshape(r, s) for k, p in zip(sizes, shares, strict=True)]) + prior
            series = moments.variance_series(n)
            estimate = moments.series_error(n, series)
            good = np.isfinite(estimate)
            true = np.abs(series / moments.variance_exact(n) - 1)
            worst = max(worst, (true[good] / estimate[good]).max())
    assert 0.3 < worst <= 1.0  # never below the true error, and not idle


def test_skewness_to_leading_order():
    """E[(I-E)^3] = 1.979e-7 +- 5e-9 by simulation of this table; the formula gives 1.976e-7."""
    n = np.array([[400.0, 100.0], [200.0, 800.0]])
    leading = (
        n / n.sum() * (np.log(n * n.sum() / (n.sum(1, keepdims=True) * n.sum(0))) - moments.plug_in(n)) ** 2
    ).sum() / n.sum()
    assert moments.skewness(n) * leading**1.5 == pytest.approx(1.976e-7, rel=1e-3)
    assert moments.kurtosis(n) == 0.0


def test_skewness_without_dependence_is_zero_to_leading_order():
    assert moments.skewness(np.ones((2, 2))) == 0.0


def assert_both_ways_agree(counts, prior, variance):
    quick = summarise(counts, prior, variance)
    direct = _directly(counts + quick_prior(prior, counts.shape[1:]), variance)
    np.testing.assert_allclose(quick.mean, direct.mean, rtol=1e-12, atol=1e-17)
    np.testing.assert_allclose(quick.variance, direct.variance, rtol=1e-10, atol=1e-19)
    np.testing.assert_allclose(quick.empirical, direct.empirical, rtol=1e-10, atol=1e-16)
    assert quick.replaced == direct.replaced


@pytest.mark.parametrize("prior", ["uniform", "jeffreys", "perks", "haldane", 0.37])
@pytest.mark.parametrize("variance", ["series", "exact", "auto"])
@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (20, 10)])
def test_the_quick_way_agrees_with_the_direct_one(shape, prior, variance):
    rng = np.random.default_rng(7)
    counts = rng.multinomial(900, rng.dirichlet(np.ones(shape[0] * shape[1])), size=100).reshape(-1, *shape).astype(float)
    counts[:5] = 0.0
    counts[:5, 0, 0] = counts[:5, -1, -1] = 1.0
    assert_both_ways_agree(counts, prior, variance)


@pytest.mark.parametrize("prior", ["uniform", "perks", "haldane", 0.37])
@pytest.mark.parametrize("variance", ["series", "exact", "auto"])
@pytest.mark.parametrize(("few", "total"), [(1, 5000), (7, 30_000), (40, 65_000)])
def test_the_quick_way_agrees_where_few_tables_have_many_observations(few, total, variance, prior):
    """Then look-up tables are filled only where something is looked up."""
    rng = np.random.default_rng(total)
    counts = rng.multinomial(total, rng.dirichlet(np.full(12, 0.3)), size=few).reshape(-1, 4, 3).astype(float)
    counts[-1] = np.diag([total / 2, 0, 0, 0])[:, :3] + np.diag([0, total / 2, 0, 0])[:, :3]
    assert_both_ways_agree(counts, prior, variance)


def quick_prior(prior, shape):
    return {"uniform": 1.0, "jeffreys": 0.5, "perks": 1 / (shape[0] * shape[1]), "haldane": 0.0}.get(prior, prior)


def test_a_series_variance_that_is_not_positive_gives_way():
    """Perks' prior on 1000 levels: the series is negative or meaningless."""
    counts = np.random.default_rng(0).multinomial(2000, np.full(2000, 1 / 2000), size=3).reshape(3, 1000, 2).astype(float)
    found = summarise(counts, "perks", "series")
    assert (moments.variance_series(counts + 1 / 2000) <= 0).any() or found.replaced == 3
    np.testing.assert_allclose(found.variance, moments.variance_exact(counts + 1 / 2000), rtol=1e-9)


def test_fractional_counts_and_uneven_priors_take_the_direct_way():
    counts = np.array([[[1.5, 2.0], [3.0, 0.25]]])
    prior = np.array([[1.0, 0.5], [2.0, 1.0]])
    found = summarise(counts, prior, "exact")
    assert found.mean[0] == pytest.approx(float(moments.mean(counts + prior)[0]), rel=1e-15)
    assert found.variance[0] == pytest.approx(float(moments.variance_exact(counts + prior)[0]), rel=1e-15)
