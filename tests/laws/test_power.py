"""The power-beta law: its moments, its anchor in the lower tail, and the promised accuracy of all laws."""

import numpy as np
import pytest
from benchmarks.law_accuracy import errors, summary
from benchmarks.reference_probabilities import load
from scipy import integrate

from misieve._errors import OptionError
from misieve.laws import fit
from misieve.laws.power import PowerBeta, fit_central_power
from misieve.laws.sampled import in_standard_order
from misieve.laws.tails import lower_tail


def test_anchored_law_has_mean_variance_and_lower_tail(ragged) -> None:
    law = ragged.fit("power-beta")
    anchored = np.flatnonzero(law.names == "power-beta")
    checked = 0
    for index in anchored:
        one = law[int(index)]
        for order, expected in ((1, ragged.mean[index]), (2, ragged.variance[index] + ragged.mean[index] ** 2)):
            # E[I^k] as an integral of the upper tail, in the square root of I
            value = integrate.quad(
                lambda s, k=order, law=one: 2 * k * s ** (2 * k - 1) * float(law.sf(s * s)), 0, ragged.upper[index] ** 0.5
            )[0]
            assert value == pytest.approx(expected, rel=1e-6)
        part = law.parts[law.family[index]].take([law.place[index]])
        if part.mu[0] > 0:
            # the law's own constant is within O(e n) of P(I < e) / e^(nu/2)
            assert float(one.cdf(1e-12)) == pytest.approx(float(lower_tail(ragged.tables[index], 1e-12)), rel=2e-2)
            checked += 1
    assert checked >= 5


def test_central_power_recovers_its_parameters() -> None:
    power, q, b = np.array([0.7, 1.0, 1.8]), np.array([0.5, 1.0, 2.0]), np.array([30.0, 4.0, 9.0])
    moments = [
        np.array(
            [
                integrate.quad(lambda u, k=k, i=i: _beta_ppf(power[i] * q[i], b[i], u) ** (k * power[i]), 0, 1)[0]
                for i in range(3)
            ]
        )
        for k in (1, 2)
    ]
    law, good = fit_central_power(moments[0], moments[1] - moments[0] ** 2, np.ones(3), q)
    assert good.all()
    np.testing.assert_allclose(law.power, power, rtol=1e-4)
    np.testing.assert_allclose(law.b, b, rtol=1e-4)


def _beta_ppf(a: float, b: float, u: float) -> float:
    from scipy import special

    return float(special.betaincinv(a, b, u))


def test_tables_are_needed() -> None:
    with pytest.raises(OptionError, match="the law 'power-beta' needs the tables themselves"):
        fit("power-beta", mean=[0.1], variance=[0.01], upper=[np.log(2)], freedom=[1])


def test_fall_back_by_draws_does_not_depend_on_the_batch() -> None:
    thin = np.array([[13 / 6, 1 / 6, 73 / 6], [1 / 6, 1 / 6, 19 / 6]])
    mean, variance = 0.03490233087885546, 0.0014562092402757292
    alone = fit("power-beta", mean=[mean], variance=[variance], upper=[np.log(2)], freedom=[2], tables=[thin])
    twice = fit(
        "power-beta", mean=[mean] * 2, variance=[variance] * 2, upper=[np.log(2)] * 2, freedom=[2] * 2, tables=[thin, thin]
    )
    assert alone.names.tolist() == ["sampled"]
    assert not isinstance(alone, PowerBeta)
    np.testing.assert_array_equal(twice.sf(0.01), alone.sf(0.01)[0])
    # a million draws gave .9198, .7571 and .2201
    np.testing.assert_allclose(alone[0].sf([0.003, 0.01, 0.05]), [0.9198, 0.7571, 0.2201], atol=0.016)


@pytest.fixture(scope="module")
def measured():
    cases = [case for index, case in enumerate(load()) if (index // 3) % 2 == 0]
    return cases, {label: error for label, error, _ in errors(cases)}


@pytest.mark.parametrize(
    ("label", "prior", "bands", "mean", "largest"),
    [
        ("noncentral-beta", "uniform", (0,), 0.0025, 0.02),
        ("noncentral-beta", "jeffreys", (0, 1, 2, 3), 0.004, 0.03),
        ("noncentral-beta", "perks", (0, 1, 2, 3), 0.006, 0.042),
        ("power-beta", "uniform", (0,), 0.0025, 0.02),
        ("power-beta", "uniform", (1, 2, 3), 0.0015, 0.015),
        ("power-beta", "jeffreys", (0, 1, 2, 3), 0.003, 0.025),
        ("power-beta", "perks", (0, 1, 2, 3), 0.004, 0.04),
        ("beta", "uniform", (0, 1, 2, 3), 0.01, 0.06),
        ("gamma", "uniform", (0, 1, 2, 3), 0.02, 0.08),
    ],
)
def test_promised_accuracy(measured, label, prior, bands, mean, largest) -> None:
    cases, by_law = measured
    chosen = np.array([case.prior == prior and case.band in bands for case in cases])
    average, most = summary(by_law[label][chosen])
    assert average < mean
    assert most < largest


def test_the_anchor_helps(measured) -> None:
    _, by_law = measured
    assert summary(by_law["power-beta"])[0] < 0.7 * summary(by_law["noncentral-beta"])[0]
    assert summary(by_law["noncentral-beta"])[0] < 0.5 * summary(by_law["beta"])[0]
    assert summary(by_law["beta"])[0] < 0.7 * summary(by_law["beta, series variance (the paper)"])[0]


def test_fall_back_by_draws_does_not_depend_on_the_order() -> None:
    rng = np.random.default_rng(3)
    for shape in ((2, 3), (3, 3), (4, 2)):
        for _ in range(20):
            table = rng.integers(0, 3, size=shape) + 0.5
            other = table[rng.permutation(shape[0])][:, rng.permutation(shape[1])]
            np.testing.assert_array_equal(in_standard_order(other.T), in_standard_order(table))
