"""The noncentral laws: the fit over the whole range of parameters, and the distribution function against a direct sum."""

import numpy as np
import pytest
from scipy import special, stats

import misieve
from misieve.laws import fit
from misieve.laws.noncentral import fit_noncentral_beta
from misieve.laws.poisson import poisson_nodes, ratios


def direct_moments(p: float, b: float, mu: float) -> tuple[float, float]:
    """Mean and variance of a noncentral beta from the sum over the Poisson count."""
    j = np.arange(0, int(mu + 40 * np.sqrt(mu) + 200))
    weight = stats.poisson.pmf(j, mu)
    a = p + j
    mean = (weight * a / (a + b)).sum()
    within = (weight * a * b / ((a + b) ** 2 * (a + b + 1))).sum()
    return mean, within + (weight * (a / (a + b) - mean) ** 2).sum()


@pytest.mark.parametrize("p", [0.5, 1.0, 4.0, 1200.5])
@pytest.mark.parametrize("b", [0.3, 5.0, 1e3, 1e7])
@pytest.mark.parametrize("mu", [0.01, 1.0, 10.0, 3000.0])
def test_fit_recovers_mean_and_variance(p, b, mu) -> None:
    mean, variance = direct_moments(p, b, mu)
    law = fit_noncentral_beta(*(np.array([value]) for value in (mean, variance, 1.0, p)))
    found = direct_moments(p, law.b[0], law.mu[0])
    assert found == pytest.approx((mean, variance), rel=2e-9)


def test_fit_reaches_ten_billion_observations() -> None:
    n = 1e10
    mean, variance = np.array([0.5 / n, 1e-6, 0.2]), np.array([0.5 / n**2, 2e-6 / n, 0.1 / n])
    law = fit("noncentral-beta", mean=mean, variance=variance, upper=[np.log(2)] * 3, freedom=[1, 1, 1])
    low, high = law.interval(0.95)
    assert (low < mean).all()
    assert (mean < high).all()
    np.testing.assert_allclose(law.cdf(law.ppf([[0.025], [0.5]])), [[0.025] * 3, [0.5] * 3], atol=1e-8)
    # far from zero the law is the normal one
    np.testing.assert_allclose((high - mean)[1:] / np.sqrt(variance[1:]), 1.96, rtol=1e-2)


@pytest.mark.parametrize("mu", [0.0, 0.3, 3.9, 20.0, 81.5, 4000.0, 2e5])
def test_poisson_nodes_integrate_smooth_functions(mu) -> None:
    nodes, weights = poisson_nodes(np.array([mu]))
    assert weights.sum() == pytest.approx(1, rel=1e-10)
    assert (weights * nodes).sum() == pytest.approx(mu, rel=1e-10)
    assert (weights * (nodes - mu) ** 3).sum() == pytest.approx(mu, rel=1e-6)


def test_ratios_are_poisson_averages() -> None:
    for a in (0.6, 3.0, 500.0):
        for mu in (0.2, 10.0, 300.0):
            (g0, g0_a, _), (g1, _, g1_mu), _ = ratios(np.array([a]), np.array([mu]), 60)
            j = np.arange(0, 2000)
            weight = stats.poisson.pmf(j, mu)
            assert g0[0] == pytest.approx((weight / (a + j)).sum(), rel=1e-10)
            assert g0[0] * g1[0] == pytest.approx((weight / ((a + j) * (a + j + 1))).sum(), rel=1e-10)
            assert g0_a[0] == pytest.approx(-(weight / (a + j) ** 2).sum(), rel=1e-9)
            step = 1e-5 * mu
            up, down = (ratios(np.array([a]), np.array([mu + d]), 60)[1][0][0] for d in (step, -step))
            assert g1_mu[0] == pytest.approx((up - down) / (2 * step), rel=1e-5)


@pytest.mark.parametrize("mu", [0.05, 3.0, 50.0, 2500.0, 50_000.0])
def test_distribution_function_against_a_direct_sum(mu) -> None:
    p, b = 1.5, 400.0
    mean, variance = direct_moments(p, b, mu)
    law = fit_noncentral_beta(*(np.array([value]) for value in (mean, variance, 1.0, p)))
    j = np.arange(max(0, int(mu - 12 * np.sqrt(mu))), int(mu + 12 * np.sqrt(mu) + 60))
    weight = stats.poisson.pmf(j, law.mu[0])
    for x in mean + np.sqrt(variance) * np.array([-1.0, 0.0, 1.5, 4.0]):
        if x > 0:
            assert law.cdf(x)[0] == pytest.approx((weight * special.betainc(p + j, law.b[0], x)).sum(), abs=2e-10)
            assert law.sf(x)[0] == pytest.approx((weight * special.betaincc(p + j, law.b[0], x)).sum(), rel=1e-5)


def test_fall_backs_are_named() -> None:
    nearly_empty = np.array([[0.5, 0.5, 0.5], [3.5, 24.5, 16.5]])
    mean, variance = 0.022632016509867684, 0.000815061301808686
    moments = {"mean": [mean, 0.2], "variance": [variance, 0.004], "upper": [np.log(2)] * 2, "freedom": [2, 2]}
    tables = [nearly_empty, np.array([[10.0, 20.0, 5.0], [20.0, 3.0, 9.0]])]
    assert fit("noncentral-chi2", **moments).names.tolist() == ["gamma", "noncentral-chi2"]
    law = fit("noncentral-beta", **moments)
    assert law.names.tolist() == ["power-beta", "noncentral-beta"]
    assert fit("beta", mean=[0.3], variance=[0.25], upper=[np.log(2)], freedom=[1]).names.tolist() == ["gamma"]
    thin = fit("noncentral-beta", **(moments | {"tables": tables}))
    # a million draws gave .8122, .5628 and .1245
    np.testing.assert_allclose(thin[0].sf([0.003, 0.01, 0.05]), [0.8122, 0.5628, 0.1245], atol=0.02)


def test_far_below_the_mean_there_is_nothing() -> None:
    """At 0.01 scipy.special.ncfdtr has given NaN; the truth is less than 1e-100."""
    law = fit("noncentral-beta", mean=[0.17845712698766056], variance=[5.2374041191135135e-05], upper=[np.log(3)], freedom=[8])
    assert law.cdf([[0.001], [0.01], [0.02]]).max() < 1e-30
    assert law.sf(0.01)[0] == 1.0


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (5, 3)])
@pytest.mark.parametrize("variance", ["series", "exact"])
def test_many_observations_without_relation(shape, variance) -> None:
    """The variance lies on the edge of what a noncentral beta can have; 2nI is then a chi-square of nu degrees of freedom."""
    nu = (shape[0] - 1) * (shape[1] - 1)
    tables = np.array([n / (shape[0] * shape[1]) * np.ones(shape) for n in (1e8, 1e10, 1e12)])
    p = misieve.posterior(tables, variance=variance)
    share = np.array([[1e-3], [0.1], [0.5], [0.9], [0.999]])
    x = stats.chi2.ppf(share, nu) / (2 * tables.sum(axis=(1, 2)))
    np.testing.assert_allclose(p.cdf(x), np.broadcast_to(share, x.shape), rtol=0, atol=3e-7)
    assert set(p.families.tolist()) <= {"noncentral-beta", "power-beta"}


def test_the_last_double_below_the_upper_end() -> None:
    """A root may round to 1, where the odds are infinite."""
    p = misieve.posterior([[0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]], prior="perks")
    x = p.upper - np.array([1e-16, 2e-16, 1e-15, 1e-12])
    assert (np.diff(p.cdf(x)) <= 0).all()
    assert p.cdf(x).min() > 0.9
    assert (p.isf([1e-4, 1e-9, 1e-12]) <= p.upper).all()
