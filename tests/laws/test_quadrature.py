"""The exact law of 2 x 2 tables: its stated error, its symmetries, hard cells, and what it refuses."""

import numpy as np
import pytest
from scipy import stats

import misieve
from misieve._errors import OptionError
from misieve.laws import fit
from misieve.laws.quadrature import _level, _ordered, exceedance
from misieve.laws.sampled import draws_of_information
from misieve.moments import _divergence
from reference.cases import load_probability

HARD = [
    ([[1, 1], [1, 1]], 0.05),
    ([[0.5, 0.5], [11.5, 1.5]], 0.01),
    ([[0.25, 0.25], [0.25, 0.25]], 0.1),
    ([[0.25, 0.25], [11.25, 1.25]], 0.003),
    ([[0.01, 0.01], [0.01, 0.01]], 0.05),
    ([[0.01, 5.0], [3.0, 0.01]], 0.4),
    ([[1e6, 1e6], [1e6, 1.003e6]], 3e-7),
    ([[1e6, 0.5], [3.5, 100.0]], 5e-4),
    ([[0.01, 0.01], [1e3, 50.0]], 0.003),
    ([[1e6, 0.01], [1e5, 0.01]], 1e-6),
    ([[1e6, 1.0], [3e5, 0.5]], 1e-7),
    ([[0.01, 1000.0], [50.0, 0.01]], 0.15),
    ([[1.04, 0.04], [0.04, 1.04]], 1e-4),
    ([[0.02, 0.02], [1.02, 0.02]], 1e-10),
]


@pytest.mark.parametrize(("table", "t"), HARD)
def test_stated_error(table, t) -> None:
    """Against many more nodes."""
    whole = np.array([table], dtype=float)
    at = np.array([t])
    ordered = _ordered(whole)
    fine = sum(_level(side, at, 320, False)[0] for side in (ordered, ordered[:, :, ::-1]))
    assert exceedance(whole, at)[0] == pytest.approx(fine, abs=1e-7)


def test_against_the_reference() -> None:
    """200 probabilities by a double exponential rule, good to 1e-10."""
    cases = load_probability()
    tables, at = np.array([case.table for case in cases]), np.array([case.threshold for case in cases])
    wrong = 1.0 - exceedance(tables, at) - [case.probability for case in cases]
    assert np.abs(wrong).max() < 1e-7


@pytest.mark.parametrize("n", [1e8, 1e10])
def test_many_observations_without_relation(n) -> None:
    """2nI is chi-square of one degree of freedom to O(1/n): from a millionth up, where I is far below the rounding of 1."""
    share = np.array([1e-6, 1e-4, 0.01, 0.5, 0.99])
    at = stats.chi2.ppf(share, 1) / (2 * n)
    found = 1.0 - exceedance(np.full((5, 2, 2), n / 4), at)
    np.testing.assert_allclose(found, share, rtol=0, atol=5e-9)


def test_tiny_cells_and_thresholds() -> None:
    """Draws in logarithms, as chances of tiny cells are far below the least double."""
    rng = np.random.default_rng(2)
    at = np.array([1e-13, 1e-9, 1e-4, 0.1])
    hard = [[0.01, 0.01], [0.01, 0.01]], [[0.01, 0.01], [1e3, 50]], [[20, 0.02], [0.03, 0.02]], [[1.04, 0.04], [0.04, 1.04]]
    for cells in hard:
        table, draws = np.array(cells), 200_000
        logs = np.log(rng.standard_gamma(table + 1, size=(draws, 2, 2))) + np.log(rng.random((draws, 2, 2))) / table
        chance = np.exp(logs - logs.max(axis=(1, 2), keepdims=True))
        chance /= chance.sum(axis=(1, 2), keepdims=True)
        expected = chance.sum(axis=2, keepdims=True) * chance.sum(axis=1, keepdims=True)
        signs = np.array([[1, -1], [-1, 1]])
        gap = (chance[:, 0, 0] * chance[:, 1, 1] - chance[:, 0, 1] * chance[:, 1, 0])[:, None, None] * signs
        relative = np.divide(gap, expected, out=np.zeros_like(gap), where=expected > 0)
        value = (expected * _divergence(np.maximum(relative, -1.0))).sum(axis=(1, 2))
        share = (value[:, None] > at).mean(axis=0)
        assert np.abs(exceedance(np.broadcast_to(table, (4, 2, 2)), at) - share).max() < 4 * 0.5 / draws**0.5


@pytest.mark.parametrize("prior", [0.001, 0.005, 0.04, 0.2, 2.0])
def test_probabilities_fall_from_one_to_nought(prior) -> None:
    """A few observations under a small prior: quantiles near 0 that SciPy does not find, and others below the least double."""
    counts = np.array([[[0, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 1], [0, 0]], [[1000, 1], [0, 1]], [[10**6, 0], [0, 0]]])
    at = np.geomspace(1e-12, 0.6, 6)
    found = misieve.posterior(counts, prior=prior, law="quadrature").sf(at[:, None])
    assert np.isfinite(found).all()
    assert (np.diff(found, axis=0) <= 2e-7).all()


@pytest.mark.parametrize(("table", "t"), HARD[:4])
def test_other_orders_of_integration_agree(table, t) -> None:
    """Swapped rows and the transpose lead to other integrals with the same value."""
    at = np.array([t])
    ordered = _ordered(np.array([table], dtype=float))
    turned = ordered.swapaxes(1, 2)
    values = [
        sum(_level(side, at, 200, False)[0] for side in (way, way[:, :, ::-1])) for way in (ordered, ordered[:, ::-1], turned)
    ]
    assert values == pytest.approx([values[0]] * 3, abs=1e-7)


@pytest.mark.parametrize(("table", "t"), HARD[:5])
def test_against_draws(table, t) -> None:
    draws = 300_000
    found = draws_of_information(np.broadcast_to(np.array(table, dtype=float), (draws, 2, 2)), np.random.default_rng(4))
    assert exceedance(np.array([table], dtype=float), np.array([t]))[0] == pytest.approx(
        np.mean(found > t), abs=4 * 0.5 / draws**0.5
    )


def test_permutations_do_not_matter() -> None:
    table = np.array([[3.5, 1.5], [0.5, 7.0]])
    same = np.array([table, table.T, table[::-1], table[:, ::-1], table[::-1, ::-1].T])
    value = exceedance(same, np.full(5, 0.05))
    np.testing.assert_allclose(value, value[0], rtol=0, atol=1e-7)


def test_density_is_the_derivative() -> None:
    table = np.array([[3.5, 1.5], [0.5, 7.0]])
    x, step = np.array([0.01, 0.1, 0.3]), 1e-4
    up, down = (exceedance(np.broadcast_to(table, (3, 2, 2)), x + d) for d in (step, -step))
    density = exceedance(np.broadcast_to(table, (3, 2, 2)), x, density=True)
    np.testing.assert_allclose(density, (down - up) / (2 * step), rtol=1e-3)


@pytest.mark.parametrize("cell", [0.25, 0.5])
def test_density_of_cells_below_one_integrates(cell) -> None:
    """Where the integrand of the density is infinite at an edge."""
    table = np.array([[cell, 3.0 + cell], [2.0 + cell, cell]])
    law = misieve.posterior(table, prior="haldane", law="quadrature")
    low, high = np.cbrt(law.ppf([0.1, 0.9]))
    nodes, weights = np.polynomial.legendre.leggauss(12)
    s = (low + high) / 2 + (high - low) / 2 * nodes
    assert (law.pdf(s**3) * 3 * s * s * weights).sum() * (high - low) / 2 == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(
    ("table", "found"), [(np.ones((2, 3)), r"the shape \(2, 3\)"), (np.array([[1.0, 0.0], [2.0, 3.0]]), "an empty cell")]
)
def test_other_tables_are_refused(table, found) -> None:
    with pytest.raises(
        OptionError, match=rf"2 x 2 tables with positive counts.*table 0 has {found}: use law='noncentral-beta'"
    ):
        fit("quadrature", mean=[0.1], variance=[0.01], upper=[np.log(2)], freedom=[1], tables=[table])


def test_tables_are_needed() -> None:
    with pytest.raises(OptionError, match="the law 'quadrature' needs the tables themselves"):
        fit("quadrature", mean=[0.1], variance=[0.01], upper=[np.log(2)], freedom=[1])
