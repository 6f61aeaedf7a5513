"""The exact law of 2 x 2 tables: its stated error, its symmetries, hard cells, and what it refuses."""

import numpy as np
import pytest

from misieve._errors import OptionError
from misieve.laws import fit
from misieve.laws.quadrature import _level, _ordered, exceedance
from misieve.laws.sampled import draws_of_information

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
]


@pytest.mark.parametrize(("table", "t"), HARD)
def test_stated_error(table, t) -> None:
    """Against many more nodes."""
    whole = np.array([table], dtype=float)
    at = np.array([t])
    ordered = _ordered(whole)
    fine = sum(_level(side, at, 320, False)[0] for side in (ordered, ordered[:, :, ::-1]))
    assert exceedance(whole, at)[0] == pytest.approx(fine, abs=1e-7)


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
