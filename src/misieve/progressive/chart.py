r"""P(I <= epsilon) of a two-parameter law, charted over mean and variance.

A law that is fixed by mean E and variance V gives a smooth function of :math:`(\log E, \log V/E^2)`. Its values at the nodes of
a grid, interpolated bilinearly, are right to about

.. math:: \tfrac18 (|\delta^2_{\log E}| + |\delta^2_{\log V/E^2}|),

the second differences of the function between neighbouring nodes. Twice their greatest value around a cell is taken as the
bound: verdicts are only drawn from the chart where they do not depend on so much (a test compares chart and law).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from misieve import laws

__all__ = ["NODES", "Chart", "chart"]

Floats = NDArray[np.float64]

# The grid: log(E / epsilon) from far below the threshold to I_max, log(V / E^2) from laws so narrow (sd of E / 20) that their
# step at epsilon is just wider than that of the grid, to those piled up at 0.
_STEP_MEAN, _STEP_SPREAD = 1.0 / 16.0, 1.0 / 8.0
_LEAST_MEAN, _LEAST_SPREAD, _MOST_SPREAD = -4.0, -6.0, 3.0
#: About how many nodes a chart has: what it costs is that many evaluations of the law.
NODES = 11_000
_SAFETY = 2.0


@dataclass(frozen=True)
class Chart:
    """Values at the nodes (means, spreads), and the bound on the interpolation error in each cell."""

    epsilon: float
    value: Floats
    error: Floats

    def bounds(self, mean: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bound on P(I <= epsilon): 0 and 1 where the chart says nothing."""
        rows, columns = self.value.shape
        log_mean = np.log(mean)
        x = (log_mean - (np.log(self.epsilon) + _LEAST_MEAN)) / _STEP_MEAN
        y = (np.log(variance) - 2.0 * log_mean - _LEAST_SPREAD) / _STEP_SPREAD
        inside = (x >= 0) & (x < rows - 1) & (y >= 0) & (y < columns - 1)
        i, j = (np.clip(v, 0, most - 2).astype(np.int64) for v, most in ((x, rows), (y, columns)))
        x, y = x - i, y - j
        corner = i * columns + j
        value, error = self.value.ravel(), self.error.ravel()
        left = value[corner] * (1.0 - y) + value[corner + 1] * y
        right = value[corner + columns] * (1.0 - y) + value[corner + columns + 1] * y
        found, off = left * (1.0 - x) + right * x, error[corner]
        return np.where(inside, found - off, 0.0), np.where(inside, found + off, 1.0)


@lru_cache(maxsize=64)
def chart(law: str, epsilon: float, upper: float, freedom: float) -> Chart:
    """Chart a law for tables of one shape; nodes at which another law stands in are left blank, with an error of 1."""
    logs = np.arange(_LEAST_MEAN, np.log(upper / epsilon) + _STEP_MEAN, _STEP_MEAN)
    spreads = np.arange(_LEAST_SPREAD, _MOST_SPREAD + _STEP_SPREAD, _STEP_SPREAD)
    mean = epsilon * np.exp(logs)[:, None] * np.ones_like(spreads)
    variance = mean**2 * np.exp(spreads)
    size = mean.size
    fitted = laws.fit(
        law, mean=mean.ravel(), variance=variance.ravel(), upper=np.full(size, upper), freedom=np.full(size, freedom)
    )
    value = fitted.cdf(epsilon).reshape(mean.shape)
    blank = (fitted.names != law).reshape(mean.shape) | np.isnan(value)
    value[blank] = 0.5
    curvature = np.full(mean.shape, np.inf)
    bent = [np.abs(np.diff(value, 2, axis=axis)) for axis in (0, 1)]
    curvature[1:-1, 1:-1] = (bent[0][:, 1:-1] + bent[1][1:-1]) / 8.0
    curvature[blank] = np.inf
    # A cell answers for its four corners and, where curvature changes quickly, for their neighbours.
    height, width = mean.shape[0], mean.shape[1]
    padded = np.pad(curvature, 1, constant_values=np.inf)
    worst = np.max([padded[a : a + height, b : b + width] for a in (1, 2) for b in (1, 2)], axis=0)
    error = np.minimum(_SAFETY * worst, 1.0)
    return Chart(epsilon, value, error)
