"""The lower tail with its constant, the powers at both ends, and where the formulas refuse."""

import numpy as np
import pytest

from misieve._errors import DataError
from misieve.laws import fit, lower_tail, lower_tail_power, upper_tail_power
from misieve.laws.sampled import draws_of_information


@pytest.mark.parametrize(
    ("table", "epsilon"),
    [
        ([[1, 1], [1, 1]], 1e-4),
        ([[5, 5], [5, 5]], 1e-4),
        ([[20, 18, 22], [21, 19, 23]], 1e-4),
        ([[3, 2], [2, 4], [3, 3]], 1e-3),
    ],
)
def test_lower_tail_against_draws(table, epsilon) -> None:
    draws = 1_000_000
    found = draws_of_information(
        np.broadcast_to(np.array(table, dtype=float), (draws, *np.shape(table))), np.random.default_rng(1)
    )
    share = np.mean(found < epsilon)
    noise = np.sqrt(share * (1 - share) / draws)
    assert abs(lower_tail(table, epsilon) - share) < 4 * noise + 0.03 * share


@pytest.mark.parametrize("table", [[[1.0, 1.0], [1.0, 1.0]], [[40.0, 10.0], [20.0, 80.0]], [[0.6, 3.0], [2.0, 5.0]]])
def test_lower_tail_is_the_limit_of_the_exact_law(table) -> None:
    exact = fit("quadrature", mean=[0.1], variance=[0.01], upper=[np.log(2)], freedom=[1], tables=[np.array(table)])
    one, four = (exact.pdf(x)[0] * 2 * x for x in (1e-7, 4e-7))
    assert one / lower_tail(table, 1e-7) == pytest.approx(1, rel=5e-3)
    assert four / one == pytest.approx(2, rel=5e-3)


def test_lower_tail_takes_arrays_and_follows_its_power() -> None:
    table = [[6, 2, 3], [4, 5, 6], [7, 8, 9]]
    value = lower_tail(table, [1e-6, 1e-5])
    assert value[1] / value[0] == pytest.approx(10**2)
    assert lower_tail(np.transpose(table), 1e-6) == pytest.approx(value[0], rel=1e-10)


def test_lower_tail_says_which_margin_is_too_thin() -> None:
    with pytest.raises(DataError, match=r"only if every row holds more than 1 counts.*row 1 holds 0.9"):
        lower_tail([[5, 4, 3], [0.3, 0.3, 0.3]], 1e-4)
    with pytest.raises(DataError, match=r"only if every column holds more than 1 counts.*column 0 holds 0.6"):
        lower_tail([[0.2, 4], [0.2, 6], [0.2, 3]], 1e-4)
    with pytest.raises(DataError, match=r"positive count in every cell, found 0 at \(1, 0\)"):
        lower_tail([[5, 4], [0, 3]], 1e-4)
    with pytest.raises(DataError, match=r"one table of shape \(r, s\), found the shape \(2, 2, 2\)"):
        lower_tail(np.ones((2, 2, 2)), 1e-4)


def test_power_at_zero() -> None:
    assert lower_tail_power([[5, 4, 3], [3, 3, 3]]) == 1.0
    # a row of .6 vanishes more easily than it becomes independent
    assert lower_tail_power([[5, 4, 3], [0.2, 0.2, 0.2]]) == pytest.approx(0.6)
    assert lower_tail_power([[5, 4, 3], [0.2, 0.2, 0.2], [6, 2, 1]]) == pytest.approx(1.6)
    assert lower_tail_power([[5.0, 4.0, 3.0]]) == 0.0


def test_power_at_zero_against_draws() -> None:
    table = np.array([[5, 4, 3, 6], [0.05, 0.05, 0.05, 0.05]])
    assert lower_tail_power(table) == pytest.approx(0.2)
    found = draws_of_information(np.broadcast_to(table, (400_000, 2, 4)), np.random.default_rng(3))
    shares = [np.mean(found < epsilon) for epsilon in (1e-12, 1e-9)]
    assert np.log(shares[1] / shares[0]) / np.log(1e3) == pytest.approx(0.2, abs=0.02)


def test_upper_power() -> None:
    assert upper_tail_power([[1, 1], [1, 1]]) == (2.5, 2.0)
    # both diagonals of counts are assignments: the fuller one is kept
    assert upper_tail_power([[40, 10], [20, 80]]) == (30.5, 30.0)
    # every row needs a column of its own: the third column may go where it is fullest
    assert upper_tail_power([[9, 8, 7], [2, 3, 1]]) == (0.5 + 8 + 2 + 1, 11.0)
    assert upper_tail_power(np.transpose([[9, 8, 7], [2, 3, 1]])) == (11.5, 11.0)


def test_upper_power_against_the_exact_law() -> None:
    """The slope of the upper tail falls towards the exponent from above, as the logarithm says; the paper's would be .5."""
    exact = fit("quadrature", mean=[0.1], variance=[0.01], upper=[np.log(2)], freedom=[1], tables=[np.full((2, 2), 0.3)])
    exponent, log_power = upper_tail_power(np.full((2, 2), 0.3))
    below = np.array([1e-3, 2e-3])
    tail = exact.sf((np.log(2) - below)[:, None])[:, 0]
    slope = np.log(tail[1] / tail[0]) / np.log(2)
    corrected = slope - log_power * np.log(np.log(1 / below[0]) / np.log(1 / below[1])) / np.log(2)
    assert slope > exponent
    assert corrected == pytest.approx(exponent, abs=0.08)
