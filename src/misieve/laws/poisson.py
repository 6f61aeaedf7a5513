r"""Averages over a Poisson count, the bricks of the noncentral laws.

A noncentral beta or chi-square variable is a central one whose first shape is p + J, J ~ Poisson(mu), mu = lambda / 2.

**Moments of the noncentral beta** need E[1/(a + J)]. Its continued fraction has the recurrence coefficients of the Charlier
polynomials, :math:`\alpha_k = \mu + k,\ \beta_k = k \mu`:

.. math:: G_k = \frac{1}{a + \mu + k - (k + 1)\,\mu\,G_{k+1}}, \qquad E\frac{1}{a+J} = G_0, \quad
          E\frac{1}{(a+J)(a+J+1)} = G_0 G_1,

so that mean and variance of :math:`X \sim \mathrm{ncBeta}(p, b, 2\mu)`, a = p + b, come without any cancellation:

.. math:: E[X] = G_0\,(p + \mu\,(1 - G_1)), \qquad
          \mathrm{Var}[X] = b\,G_0^2 G_1\,[\,p + \mu\,(1 - G_1) + b\,\mu\,(2 G_2 - G_1)\,].

**Sums over J** (densities, far tails, higher moments) run over a window of J. Once it no longer touches zero, a trapezoid rule
with steps of half a standard deviation replaces the sum: its error is exp(-8 pi^2), so that fewer than 200 nodes serve any mu.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special

__all__ = ["poisson_nodes", "ratios"]

Floats = NDArray[np.float64]

# Terms of the continued fraction for a relative error below 1e-11: few for a > 20, more near a = 0 (worst at mu = 10).
DEPTH_LARGE, DEPTH_SMALL, LARGE = 12, 36, 20.0
# The window reaches this many standard deviations above the mean and REACH_FLOOR counts more.
REACH, REACH_FLOOR = 9.0, 30


def ratios(a: Floats, mu: Floats, depth: int) -> list[tuple[Floats, Floats, Floats]]:
    """G_0, G_1 and G_2 of the module's docstring, each with its derivatives by ``a`` and by ``mu``."""
    start = a + mu
    top = start + depth
    value = 2.0 / (top + np.sqrt(np.maximum(top * top - 4.0 * (depth + 1) * mu, 0.0)))
    by_a, by_mu = -value * value, np.zeros_like(value)
    levels = []
    for k in range(depth - 1, -1, -1):
        weight = (k + 1) * mu
        by_mu = 1.0 - (k + 1) * value - weight * by_mu
        by_a = 1.0 - weight * by_a
        value = 1.0 / (start + k - weight * value)
        squared = -value * value
        by_a = by_a * squared
        by_mu = by_mu * squared
        if k < 3:
            levels.append((value, by_a, by_mu))
    return levels[::-1]


def poisson_nodes(mu: Floats) -> tuple[Floats, Floats]:
    """Nodes and weights (leading axis) with which a sum over Poisson(mu) becomes one over few nodes; mu of any shape."""
    mu = np.asarray(mu, dtype=np.float64)
    spread = np.sqrt(mu)
    step = np.where(mu > REACH * spread, np.maximum(1.0, 0.5 * spread), 1.0)
    first = np.maximum(0.0, np.floor(mu - REACH * spread))
    last = mu + REACH * spread + REACH_FLOOR
    count = int(np.ceil(np.max((last - first) / step, initial=0.0))) + 1
    nodes = first + step * np.arange(count, dtype=np.float64).reshape((-1,) + (1,) * mu.ndim)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Poisson probability by Loader's saddle-point form for large counts: lgamma alone would lose digits there.
        log_weight = np.where(nodes < 30.0, special.xlogy(nodes, mu) - mu - special.gammaln(nodes + 1.0), _saddle(nodes, mu))
    return nodes, step * np.exp(log_weight)


def _saddle(nodes: Floats, mu: Floats) -> Floats:
    """Log Poisson probability at large real counts: -mu h((j - mu)/mu) - log(2 pi j)/2 - stirling(j)."""
    j = np.maximum(nodes, 1.0)
    deviation = (j - mu) / np.where(mu > 0, mu, 1.0)
    exponent = -mu * (special.xlog1py(1.0 + deviation, deviation) - deviation)
    stirling = (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * j * j)) / (j * j)) / (j * j)) / j
    return np.where(mu > 0, exponent - 0.5 * np.log(2 * np.pi * j) - stirling, -np.inf)
