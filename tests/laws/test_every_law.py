"""What holds for every law."""

import numpy as np
import pytest

from misieve._errors import OptionError
from misieve.laws import LAWS, Law, fit
from misieve.laws.sampled import draws_of_information

LEVELS = np.array([1e-4, 0.01, 0.2, 0.5, 0.9, 0.975, 0.9999])


def test_distribution_function_and_quantile_are_inverse(law: Law, name: str) -> None:
    x = law.ppf(LEVELS[:, None])
    back = law.cdf(x)
    if name == "sampled":
        assert (back >= LEVELS[:, None] - 1e-12).all()
        assert (law.cdf(np.nextafter(x, -1)) < LEVELS[:, None]).all()
    else:
        np.testing.assert_allclose(back, np.broadcast_to(LEVELS[:, None], back.shape), rtol=0, atol=1e-9)


def test_upper_quantiles_keep_small_tails(law: Law, name: str) -> None:
    tails = np.array([1e-12, 1e-9, 1e-6, 0.025, 0.5])[:, None]
    x = law.isf(tails)
    if name == "sampled":
        assert (law.sf(x) <= tails).all()
    else:
        accuracy = 1e-7 if name == "quadrature" else 0.0
        np.testing.assert_allclose(law.sf(x), np.broadcast_to(tails, x.shape), rtol=1e-6, atol=accuracy)


def test_both_tails_add_up(law: Law) -> None:
    x = np.linspace(-0.1, 1.2, 27)[:, None]
    np.testing.assert_allclose(law.cdf(x) + law.sf(x), 1.0, rtol=0, atol=1e-12)
    assert (np.diff(law.cdf(x), axis=0) >= -1e-9).all()


def test_density_integrates_to_the_distribution_function(law: Law, name: str) -> None:
    low, high = law.ppf(0.1), law.ppf(0.8)
    nodes, weights = np.polynomial.legendre.leggauss(24 if name != "sampled" else 200)
    # In the cube root of I (the normal law alone goes below zero) the density has no steep ends.
    low, high = np.cbrt(low), np.cbrt(high)
    if name == "normal":
        low, high = low**3, high**3
    s = (low + high) / 2 + (high - low) / 2 * nodes[:, None]
    x, slope = (s, 1.0) if name == "normal" else (s**3, 3 * s**2)
    mass = (law.pdf(x) * slope * weights[:, None]).sum(axis=0) * (high - low) / 2
    np.testing.assert_allclose(mass, 0.7, rtol=0, atol={"sampled": 0.02, "quadrature": 1e-5}.get(name, 1e-6))


def test_moments_are_those_of_the_table(law: Law, name: str, bundle) -> None:
    if name == "sampled":
        np.testing.assert_allclose((law.mean() - bundle.mean) / np.sqrt(bundle.variance / 20_000), 0, atol=4)
    else:
        np.testing.assert_array_equal(law.mean(), bundle.mean)
        np.testing.assert_array_equal(law.var(), bundle.variance)


def test_moments_are_those_of_the_law(law: Law, name: str) -> None:
    skew, kurtosis = law.skew(), law.kurtosis()
    nodes, weights = np.polynomial.legendre.leggauss(16)
    edges = np.array(
        [1e-13, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999, 1 - 1e-5, 1 - 1e-7, 1 - 1e-9, 1 - 1e-12]
    )
    if name == "sampled":
        sample = law.pool
        deviation = sample - sample.mean(axis=1, keepdims=True)
        np.testing.assert_allclose(law.std(), sample.std(axis=1), rtol=1e-12)
        np.testing.assert_allclose(skew, (deviation**3).mean(axis=1) / sample.std(axis=1) ** 3, rtol=1e-12)
        return
    if name == "quadrature":
        skewed = [((x := law[i].rvs(100_000, rng=2)) - x.mean()) ** 3 / x.std() ** 3 for i in range(len(law))]
        for mine, cubes in zip(skew, skewed, strict=True):
            assert abs(mine - cubes.mean()) < 5 * cubes.std() / np.sqrt(cubes.size)
        return
    middles, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    u = (middles[:, None] + halves[:, None] * nodes).ravel()[:, None]
    w = (halves[:, None] * weights).ravel()[:, None]
    x = law.ppf(u)
    central = [(w * (x - law.mean()) ** k).sum(axis=0) for k in range(5)]
    np.testing.assert_allclose(central[1] / law.std(), 0, atol=1e-6)
    np.testing.assert_allclose(central[2] / law.var(), 1, rtol=1e-5)
    np.testing.assert_allclose(central[3] / law.std() ** 3, skew, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(central[4] / law.var() ** 2 - 3, kurtosis, rtol=1e-3, atol=1e-4)


def test_draws_follow_the_law(law: Law) -> None:
    draws = law.rvs(4000, rng=11)
    assert draws.shape == (4000, len(law))
    levels = np.array([0.1, 0.5, 0.9])[:, None]
    share = (draws[:, None, :] <= law.ppf(levels)).mean(axis=0)
    np.testing.assert_allclose(share, np.broadcast_to(levels, share.shape), rtol=0, atol=0.035)
    assert law.rvs((2, 3), rng=1).shape == (2, 3, len(law))
    np.testing.assert_array_equal(law.rvs(5, rng=3), law.rvs(5, rng=3))


def test_one_table_at_a_time_gives_the_same(law: Law, name: str, bundle) -> None:
    x = np.array([0.01, 0.1, 0.3])[:, None]
    whole = law.cdf(x)
    for index in range(len(law)):
        single = law[index]
        assert single.shape == ()
        assert single.mean() == law.mean()[index]
        np.testing.assert_allclose(single.cdf(x[:, 0]), whole[:, index], rtol=0, atol=1e-12)
        if name != "sampled":
            own = fit(
                name,
                mean=bundle.mean[index],
                variance=bundle.variance[index],
                upper=bundle.upper[index],
                freedom=bundle.freedom[index],
                tables=[bundle.tables[index]],
            )
            np.testing.assert_allclose(own.cdf(x)[:, 0], whole[:, index], rtol=0, atol=1e-9)


def test_subsets_and_repeats(law: Law) -> None:
    some = law[1:4]
    assert len(some) == 3
    np.testing.assert_array_equal(some.names, law.names[1:4])
    repeated = law.take([2, 0, 2])
    np.testing.assert_array_equal(repeated.ppf(0.3), law.ppf(0.3)[[2, 0, 2]])
    mask = np.arange(len(law)) % 2 == 0
    np.testing.assert_array_equal(law[mask].mean(), law.mean()[mask])


def test_values_at_and_beyond_the_ends(law: Law) -> None:
    low, high = law.support()
    assert (law.cdf(high) == 1).all()
    assert (law.sf(low) == 1).all()
    assert (law.pdf(np.minimum(low, -1e9) - 1.0) == 0).all()
    np.testing.assert_array_equal(law.ppf(0.0), low)
    np.testing.assert_array_equal(law.ppf(1.0), high)
    np.testing.assert_array_equal(law.isf(0.0), high)
    assert np.isnan(law.cdf(np.nan)).all()
    assert np.isnan(law.ppf([[1.5], [-0.1], [np.nan]])).all()


def test_interval(law: Law) -> None:
    low, high = law.interval(0.9)
    np.testing.assert_array_equal(low, law.ppf((1 - 0.9) / 2))
    assert (law.cdf(high) - law.cdf(low) > 0.899).all()
    with pytest.raises(OptionError, match="level must be a number strictly between 0 and 1, not 1.5"):
        law.interval(1.5)


def test_agreement_with_draws_from_the_dirichlet(law: Law, name: str, bundle) -> None:
    draws = 40_000
    rng = np.random.default_rng(5)
    # The paper's laws are rough; the noncentral ones follow the truth, and the exact ones to within the noise.
    allowed = {
        "normal": 0.25,
        "gamma": 0.08,
        "beta": 0.06,
        "noncentral-chi2": 0.08,
        "noncentral-beta": 0.04,
        "sampled": 0.016,
    }
    for index, table in enumerate(bundle.tables):
        found = np.sort(draws_of_information(np.broadcast_to(table, (draws, *table.shape)), rng))
        level = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
        x = np.quantile(found, level)
        error = np.abs(law[index].cdf(x) - level)
        assert error.max() < allowed.get(name, 4 * 0.5 / np.sqrt(draws)), (name, table, error)


@pytest.mark.parametrize("known", LAWS)
def test_degenerate_elements_are_point_masses(known: str) -> None:
    tables = [np.ones((1, 2)), np.array([[3.0, 2.0], [1.0, 4.0]])]
    law = fit(known, mean=[0.0, 0.1], variance=[0.0, 0.004], upper=[0.0, np.log(2)], freedom=[0, 1], tables=tables, rng=1)
    assert law.names[0] == "point-mass"
    assert law.names[1] != "point-mass"
    np.testing.assert_array_equal(law.cdf([[-0.01], [0.0]])[:, 0], [0.0, 1.0])
    assert law.sf(0.0)[0] == 0.0
    assert law.sf(-1e-9)[0] == 1.0
    assert law.ppf(0.3)[0] == 0.0
    assert law.rvs(3, rng=1)[0, 0] == 0.0
    assert law.mean()[0] == law.var()[0] == 0.0
    low, high = law.interval(0.5)
    assert low[0] == high[0] == 0.0
    assert 0 < low[1] < high[1]


def test_unknown_law_lists_the_known_ones() -> None:
    with pytest.raises(OptionError, match="law must be one of 'normal', .*'quadrature', not 'Beta'; did you mean 'beta'"):
        fit("Beta", mean=[0.1], variance=[0.01], upper=[0.7], freedom=[1])
