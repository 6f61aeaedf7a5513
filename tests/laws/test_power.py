"""The power-beta law: its moments, its anchor in the lower tail, and the promised accuracy of all laws."""

import numpy as np
import pytest
from benchmarks.law_accuracy import BY_MOMENTS, errors, problem, random_batch, summary
from benchmarks.reference_probabilities import load
from scipy import integrate

from misieve.laws import fit
from misieve.laws.fitting import WORTH
from misieve.laws.power import PowerBeta, fit_central_power
from misieve.laws.sampled import in_standard_order
from misieve.laws.tails import lower_tail


def test_anchored_law_has_mean_variance_and_lower_tail(ragged) -> None:
    law = ragged.fit("noncentral-beta")
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


def test_the_anchor_is_taken_where_the_lower_tail_is_off(ragged) -> None:
    """Without the tables, or where they only stand for incomplete samples, the law has mean and variance to go by."""
    whole, bare = ragged.fit("noncentral-beta"), ragged.fit("noncentral-beta", tables=None)
    none = ragged.fit("noncentral-beta", complete=np.zeros(len(ragged.tables), dtype=bool))
    x = bare.ppf(np.linspace(0.02, 0.98, 25)[:, None])
    np.testing.assert_allclose(none.cdf(x), bare.cdf(x), rtol=0, atol=1e-12)
    moved = np.abs(whole.cdf(x) - bare.cdf(x)).max(axis=0)
    anchored = whole.names != bare.names
    assert 3 <= anchored.sum() < len(anchored)
    assert (moved[~anchored] == 0).all()
    assert (moved[anchored & (bare.names == "noncentral-beta")] > 3e-4).all()


def test_what_the_anchor_would_move_is_estimated(monkeypatch) -> None:
    """Tables left alone would have been moved by little more than what the criterion says."""
    tables = random_batch((2, 2), 1500)
    batch = problem(list(tables))
    monkeypatch.setattr("misieve.laws.fitting.WORTH", 0.0)
    everywhere = fit("noncentral-beta", **batch)
    monkeypatch.undo()
    some = fit("noncentral-beta", **batch)
    left = (some.names == "noncentral-beta") & (everywhere.names == "power-beta")
    assert left.sum() > 200
    x = some.ppf(np.linspace(0.02, 0.98, 25)[:, None])
    moved = np.abs(everywhere.cdf(x) - some.cdf(x)).max(axis=0)
    assert moved[left].max() < 2.5 * WORTH
    assert moved[left].mean() < 0.5 * WORTH


def test_fall_back_by_draws_does_not_depend_on_the_batch() -> None:
    thin = np.array([[13 / 6, 1 / 6, 73 / 6], [1 / 6, 1 / 6, 19 / 6]])
    mean, variance = 0.03490233087885546, 0.0014562092402757292
    alone = fit("noncentral-beta", mean=[mean], variance=[variance], upper=[np.log(2)], freedom=[2], tables=[thin])
    twice = fit(
        "noncentral-beta", mean=[mean] * 2, variance=[variance] * 2, upper=[np.log(2)] * 2, freedom=[2] * 2, tables=[thin] * 2
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
        ("noncentral-beta", "uniform", (1, 2, 3), 0.0015, 0.015),
        ("noncentral-beta", "jeffreys", (0, 1, 2, 3), 0.003, 0.025),
        ("noncentral-beta", "perks", (0, 1, 2, 3), 0.004, 0.04),
        (BY_MOMENTS, "uniform", (0, 1, 2, 3), 0.0025, 0.025),
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
    assert summary(by_law["noncentral-beta"])[0] < 0.7 * summary(by_law[BY_MOMENTS])[0]
    assert summary(by_law[BY_MOMENTS])[0] < 0.5 * summary(by_law["beta"])[0]
    assert summary(by_law["beta"])[0] < 0.7 * summary(by_law["beta, series variance (the paper)"])[0]


def test_fall_back_by_draws_does_not_depend_on_the_order() -> None:
    rng = np.random.default_rng(3)
    for shape in ((2, 3), (3, 3), (4, 2)):
        for _ in range(20):
            table = rng.integers(0, 3, size=shape) + 0.5
            other = table[rng.permutation(shape[0])][:, rng.permutation(shape[1])]
            np.testing.assert_array_equal(in_standard_order(other.T), in_standard_order(table))
