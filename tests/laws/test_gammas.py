"""Against mpmath: what is left where large logarithms of gamma functions cancel."""

import mpmath
import numpy as np
import pytest

from misieve.laws.gammas import log_gamma_ratio, stirling_rest
from misieve.laws.tails import log_lower_constant

POINTS = np.array([0.01, 0.5, 1.0, 3.7, 9.99, 10.01, 40.0, 1e5, 3e10, 1e12])


def test_what_stirling_leaves_over() -> None:
    with mpmath.workdps(40):
        exact = [
            mpmath.loggamma(x) - (x - mpmath.mpf(0.5)) * mpmath.log(x) + x - mpmath.log(2 * mpmath.pi) / 2
            for x in map(mpmath.mpf, POINTS.tolist())
        ]
    np.testing.assert_allclose(stirling_rest(POINTS), [float(x) for x in exact], rtol=5e-13)


@pytest.mark.parametrize("shift", [0.0, 0.5, 3.0, 250.0])
def test_ratios_keep_their_digits(shift) -> None:
    with mpmath.workdps(40):
        exact = [float(mpmath.loggamma(mpmath.mpf(x) + shift) - mpmath.loggamma(mpmath.mpf(x))) for x in POINTS.tolist()]
    np.testing.assert_allclose(log_gamma_ratio(POINTS, np.array(shift)), exact, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("total", [30.0, 1e5, 1e10, 1e12])
def test_the_constant_of_the_lower_tail_at_any_total(total) -> None:
    table = total * np.outer([0.2, 0.3, 0.5], [0.4, 0.6]) + np.array([[1.0, 2.0], [1.5, 1.0], [1.0, 1.0]])
    with mpmath.workdps(50):
        log_gamma = [mpmath.loggamma(mpmath.mpf(x)) for x in table.ravel().tolist()]
        cells = [[mpmath.mpf(x) for x in row] for row in table.tolist()]
        rows, columns = [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]
        n, half, nu = sum(rows), mpmath.mpf(0.5), 2
        exact = nu * half * mpmath.log(2 * mpmath.pi) - mpmath.loggamma(nu * half + 1) + mpmath.loggamma(n) - sum(log_gamma)
        exact += sum(mpmath.loggamma(x - half) for x in rows) - mpmath.loggamma(n - 3 * half)
        exact += sum(mpmath.loggamma(x - 1) for x in columns) - mpmath.loggamma(n - 2)
    assert log_lower_constant(table) == pytest.approx(float(exact), rel=1e-12)
