"""The reference tables are complete, can be regenerated, and their generator agrees with integration by brute force."""

import json
from functools import partial

import numpy as np
import pytest
from mpmath import mpf, workdps

from reference import brute_force
from reference.cases import MOMENTS, load_moments
from reference.exact_moments import mean_and_variance, overlap_integral
from reference.make_moments import allowed_errors, build, values

CASES = load_moments()
STORED = {case["name"]: case for case in json.loads(MOMENTS.read_text(encoding="utf-8"))["cases"]}
FINE = partial(brute_force.double_exponential, step=1 / 48)
GAUSS = partial(brute_force.gauss_jacobi, points=20)


def test_there_are_enough_cases_and_each_has_its_own_name():
    assert len(CASES) >= 220
    assert len(STORED) == len(CASES)


def test_the_cases_range_over_what_is_claimed():
    cells = set().union(*(np.unique(case.table) for case in CASES))
    assert cells >= {0.01, 0.02, 0.5, 1.0, 1e6}
    assert {case.table.shape for case in CASES} >= {(2, 2), (2, 3), (3, 3), (5, 3), (20, 10), (50, 50), (50, 2), (1000, 2)}
    sizes = np.array([case.table.sum() for case in CASES])
    assert np.all(np.histogram(np.log10(sizes), bins=[-2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11])[0] >= 5)
    assert any(case.table.max() > 1e7 * case.table.min() > 0 for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_is_possible_and_states_its_error(case):
    assert 0 < case.mean < np.log(min(case.table.shape))
    assert 0 < case.variance < np.log(min(case.table.shape)) ** 2
    assert 0 < case.mean_tolerance <= (1e-12 if case.table.sum() < 2e10 else 1e-10)
    assert 0 < case.variance_tolerance <= (1e-8 if case.table.sum() < 2e10 else 1e-6)
    assert STORED[case.name].items() >= allowed_errors(case.table).items()


@pytest.mark.parametrize(
    "name",
    [
        "known [[1, 1], [1, 1]]",
        "constant 50x50 of 0.5",
        "diagonal 3x3 of 1e+06 beside 0.01",
        "proportional 2x2 n=1e10",
        "1000 identifiers, prior 0.0005",
    ],
)
def test_the_generator_gives_the_stored_digits_again(name):
    assert STORED[name].items() >= values(STORED[name]).items()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("known [[1, 1], [1, 1]]", brute_force.double_exponential),
        ("known [[8, 2], [4, 16]]", brute_force.double_exponential),
        ("known [[0.25, 1.25], [10.25, 0.25]]", brute_force.double_exponential),
        ("mixed [[0.01, 0.02], [0.5, 1]]", brute_force.double_exponential),
        ("constant 2x2 of 0.02", brute_force.double_exponential),
        ("known [[40, 10], [20, 80]]", FINE),
        ("known [[101, 1], [51, 1]]", FINE),
        ("constant 2x3 of 30", GAUSS),
    ],
)
def test_brute_force_gives_the_stored_values(name, rule):
    table = build(STORED[name])
    by_force = brute_force.mean_and_variance(table.T if table.shape == (2, 3) else table, rule)
    stored = float(STORED[name]["mean"]), float(STORED[name]["variance"])
    assert by_force == pytest.approx(stored, rel=1e-11, abs=0)


def test_brute_force_agrees_on_an_uneven_table_of_three_rows():
    table = np.array([[12.0, 20.0], [21.0, 13.0], [16.0, 14.0]])
    by_force = brute_force.mean_and_variance(table, GAUSS)
    assert by_force == pytest.approx([float(x) for x in mean_and_variance(table)], rel=1e-11, abs=0)


@pytest.mark.parametrize(("a", "p", "q"), [(2, 5, 7), (0.5, 1.5, 1e6), (1e6, 1e6 + 0.5, 1e6 + 3)])
def test_the_overlap_integral_is_symmetric_in_row_and_column(a, p, q):
    with workdps(30):
        one, other = overlap_integral(mpf(a), mpf(p), mpf(q)), overlap_integral(mpf(a), mpf(q), mpf(p))
        assert abs(one / other - 1) < 1e-20
