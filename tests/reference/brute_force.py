"""Mean and variance of mutual information by integrating over the Dirichlet density itself: slow, obvious, in doubles.

A table with two columns is a row margin and, in each row, a share a_i of the first column; under the posterior all of them are
independent beta variables (the margin by stick-breaking).  I and then (I - E I)^2, which is positive, are summed over a product
of one-dimensional rules.  Nothing of ``exact_moments`` is used: this is what checks it.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, roots_jacobi, xlogy

Array = NDArray[np.float64]


def double_exponential(alpha: float, beta: float, step: float = 1 / 16) -> tuple[Array, Array, Array]:
    """Return x, 1 - x and weights for Beta(alpha, beta): trapezoidal in v, x = 1/(1 + exp(-pi sinh v)), for any parameters."""
    reach = np.arcsinh(40 / (np.pi * min(alpha, beta, 1.0)))
    v = step * np.arange(-np.ceil(reach / step), np.ceil(reach / step) + 1)
    log_odds = np.pi * np.sinh(v)
    log_x, log_y = -np.logaddexp(0.0, -log_odds), -np.logaddexp(0.0, log_odds)
    log_beta = gammaln(alpha) + gammaln(beta) - gammaln(alpha + beta)
    weights = step * np.pi * np.cosh(v) * np.exp(alpha * log_x + beta * log_y - log_beta)
    return np.exp(log_x), np.exp(log_y), weights / weights.sum()


def gauss_jacobi(alpha: float, beta: float, points: int = 18) -> tuple[Array, Array, Array]:
    """Return x, 1 - x and weights for Beta(alpha, beta) by Gauss's rule, which wants every cell to be 10 or more."""
    nodes, weights = roots_jacobi(points, beta - 1, alpha - 1)
    return (1 + nodes) / 2, (1 - nodes) / 2, weights / weights.sum()


def mean_and_variance(table: Array, rule=double_exponential) -> tuple[float, float]:
    """Return E[I] and Var[I] of a table (r, 2), r being 2 or 3."""
    rows = table.sum(axis=1)
    margins = [rule(rows[i], rows[i + 1 :].sum()) for i in range(len(rows) - 1)]
    shares = [rule(*row) for row in table]
    first = np.meshgrid(*(x for x, _, _ in shares), indexing="ij")
    second = np.meshgrid(*(y for _, y, _ in shares), indexing="ij")
    weight = np.prod(np.meshgrid(*(w for _, _, w in shares), indexing="ij"), axis=0)
    within = [xlogy(a, a) + xlogy(b, b) for a, b in zip(first, second, strict=True)]
    total = mean = square = 0.0
    centre = None
    for _ in range(2):  # the mean first, then the square of what differs from it
        total = square = 0.0
        for nodes in product(*(zip(*margin, strict=True) for margin in margins)):
            outer, p, left = 1.0, [], 1.0
            for x, y, w in nodes:
                outer, p, left = outer * w, [*p, left * x], left * y
            p.append(left)
            if outer < 1e-25:
                continue
            a = sum(share * x for share, x in zip(p, first, strict=True))
            b = sum(share * x for share, x in zip(p, second, strict=True))
            information = sum(share * x for share, x in zip(p, within, strict=True)) - xlogy(a, a) - xlogy(b, b)
            value = information if centre is None else (information - centre) ** 2
            total += outer
            square += outer * float((weight * value).sum())
        mean, centre = (square / total, square / total) if centre is None else (mean, centre)
    return mean, square / total
