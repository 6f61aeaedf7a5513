"""The reference probabilities are complete, can be regenerated, and integrate to the reference moments."""

import itertools

import numpy as np
import pytest

from reference.cases import load_probability
from reference.exact_moments import mean_and_variance
from reference.make_probability import exceedance

CASES = load_probability()


def test_there_are_enough_cases_over_the_cells_and_thresholds_that_are_claimed():
    assert len(CASES) >= 200
    assert len({case.name for case in CASES}) == len(CASES)
    cells = set().union(*(case.table.ravel() for case in CASES))
    assert cells >= {0.5, 1, 1.25, 1000}
    assert {case.threshold for case in CASES} == {0.001, 0.003, 0.01, 0.05, 0.2}
    assert sum(0.01 < case.probability < 0.99 for case in CASES) >= 60


def test_probabilities_grow_with_the_threshold():
    for case, following in itertools.pairwise(CASES):
        assert 0 <= case.probability <= 1
        if np.array_equal(case.table, following.table):
            assert case.threshold < following.threshold
            assert case.probability <= following.probability + case.tolerance / 10


@pytest.mark.parametrize(
    "name", ["[[8, 2], [4, 16]] at 0.05", "[[40, 10], [20, 80]] at 0.2", "[[1000, 900], [900, 1000]] at 0.003"]
)
def test_the_generator_gives_the_stored_probability_again(name):
    case = next(case for case in CASES if case.name == name)
    step = 1 / 24 if case.table.max() < 30 else 1 / 192
    assert 1 - exceedance(case.table, case.threshold, step) == pytest.approx(case.probability, abs=case.tolerance / 10)


@pytest.mark.parametrize("table", [[[8, 2], [4, 16]], [[1, 0.5], [1.25, 3]]])
def test_integrated_over_the_threshold_they_give_mean_and_second_moment(table):
    # t = log 2 x^2 takes the edge off the root-like start at 0; Gauss-Legendre then does the rest.
    nodes, weights = np.polynomial.legendre.leggauss(24)
    x = (1 + nodes) / 2
    t, weights = np.log(2) * x**2, np.log(2) * x * weights
    tail = np.array([exceedance(table, threshold, 1 / 12) for threshold in t])
    mean, variance = (float(value) for value in mean_and_variance(np.array(table, dtype=float)))
    assert weights @ tail == pytest.approx(mean, rel=1e-8, abs=0)
    assert weights @ (2 * t * tail) == pytest.approx(variance + mean**2, rel=1e-8, abs=0)
