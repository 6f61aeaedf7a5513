r"""Mean and variance of mutual information in high precision: covariances of subset sums, overlaps as a double integral.

The table n_ij includes its prior, pi ~ Dirichlet(n_ij), and with g(x) = x log x

.. math:: I = \sum_{ij} g(\pi_{ij}) - \sum_i g(\pi_{i+}) - \sum_j g(\pi_{+j}).

**Mean.** Equation (3) of the paper as printed, in 100 digits: what it loses by cancellation does not matter there.

**Variance.** Var I = E[I^2] - E[I]^2, where E[I^2] is a sum of E[g(A) g(B)] over pairs of subset sums A, B of one Dirichlet
vector.  With N = n(n+1), D(x) = psi(x) - psi(n+2) and c = psi1(n+2), and a, b the parameters of the two subsets,

- disjoint:    ab/N [D(a+1) D(b+1) - c];
- the same:    a(a+1)/N [D(a+2)^2 + psi1(a+2) - c];
- nested, A = B u with u ~ Beta(a, b-a) independent of B:    E[u] E[B^2 log^2 B] + E[u log u] E[B^2 log B];
- row P and column Q meet in a cell (parameters p, q, a).  Let X ~ Ga(a), Y ~ Ga(p-a), Z ~ Ga(q-a) be independent, P = X + Y and
  Q = X + Z as gammas.  From  g(x) = int_0^inf [exp(-tx) - 1 + x(1 - exp(-t))] dt/t^2  (Frullani, integrated once) and
  E exp(-tP-uQ) = (1+t+u)^-a (1+t)^(a-p) (1+u)^(a-q), with T = t/(1+t) and U = u/(1+u),

.. math:: Cov(g(P), g(Q)) = a (\psi(p+1) + 1)(\psi(q+1) + 1) + R(a, p, q),
.. math:: R = \int_0^1 \int_0^1 (1-T)^p (1-U)^q \frac{(1-TU)^{-a} - 1 - aTU}{T^2 U^2} dT dU.

  Dividing P and Q by the total S, which is independent of the proportions, needs E[S^2 log S], E[S^2 log^2 S] and the closed
  E[pi rho log rho] of a row and a column only.

The sums of E[I^2] cancel down to O(n^-2) near independence; at 100 digits, 60 are left for n = 1e12.  R alone is a quadrature.
Its integrand is positive and the final variance is a sum of R's and closed terms of like size, so a relative error in R is
one in the variance.  T = 1 - exp(-x) with x = exp(v - exp(-v))/(p+1), and U alike, makes the integrand decay doubly
exponentially on both sides, for which the trapezoidal rule of step h converges like exp(-const/h): the step is halved until the
rule of twice the step differs by less than 1e-13, when the rule kept is near 1e-20.

**Why this is independent** of ``misieve``: nothing is expanded in orthogonal polynomials, no sum over k is cut off, no term is
cancelled by hand, no double is rounded; mean and variance come from formulas that the implementation does not use.  In turn
``brute_force`` checks this module by integrating I and (I - E I)^2 over the Dirichlet density itself.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from mpmath import digamma, fsum, mp, mpf, workdps
from mpmath import psi as polygamma
from numpy.typing import NDArray

Real = Any  # an mpmath number
DIGITS = 100
QUADRATURE_DIGITS = 28
HALF_WIDTH = 4.25  # exp(-exp(4.25)) is 1e-30: what lies beyond is below the quadrature's own digits
SETTLED = 1e-13
SERIES_BELOW = 0.02


def mean_and_variance(table: NDArray[np.float64]) -> tuple[Real, Real]:
    """Return E[I] and Var[I] in nats of the posterior with Dirichlet parameters ``table`` (r, s), to about 18 digits."""
    with workdps(DIGITS):
        cells = [[mpf(float(x)) for x in row] for row in table]
        rows = [fsum(row) for row in cells]
        columns = [fsum(column) for column in zip(*cells, strict=True)]
        mean = _mean(cells, rows, columns)
        return mean, _second_moment(cells, rows, columns) - mean**2


def _mean(cells: list[list[Real]], rows: list[Real], columns: list[Real]) -> Real:
    psi = cache(lambda x: digamma(x + 1))
    n = fsum(rows)
    everything = (
        a * (psi(a) - psi(p) - psi(q) + psi(n))
        for row, p in zip(cells, rows, strict=True)
        for a, q in zip(row, columns, strict=True)
    )
    return fsum(everything) / n


def _second_moment(cells: list[list[Real]], rows: list[Real], columns: list[Real]) -> Real:
    """E[I^2], pair by pair of subset sums; pairs of disjoint ones are bilinear and are summed as products of sums."""
    n = fsum(rows)
    total = n * (n + 1)
    c = polygamma(1, n + 2)
    psi = cache(digamma)
    difference = cache(lambda x: psi(x) - psi(n + 2))
    weighted = cache(lambda a: a * difference(a + 1))

    def disjoint(a: Real, b: Real) -> Real:
        return (weighted(a) * weighted(b) - a * b * c) / total

    @cache
    def same(a: Real) -> Real:
        return a * (a + 1) * (difference(a + 2) ** 2 + polygamma(1, a + 2) - c) / total

    @cache
    def nested(a: Real, b: Real) -> Real:
        share = a / b
        return share * same(b) + share * (psi(a + 1) - psi(b + 1)) * b * (b + 1) * difference(b + 2) / total

    def partition(parts: list[Real]) -> Real:
        """E[(sum of g over disjoint subsets that make up the whole)^2]."""
        pairs = fsum(map(weighted, parts)) ** 2 - fsum(weighted(a) ** 2 for a in parts)
        products = n**2 - fsum(a**2 for a in parts)
        return (pairs - c * products) / total + fsum(map(same, parts))

    def refinement(groups: list[list[Real]], parts: list[Real]) -> Real:
        """E[sum of g over cells * sum of g over the rows (or columns) that they make up]."""
        finer = [a for group in groups for a in group]
        apart = fsum(map(weighted, finer)) * fsum(map(weighted, parts)) - c * n * n
        within = fsum(nested(a, b) - disjoint(a, b) for group, b in zip(groups, parts, strict=True) for a in group)
        return apart / total + within

    def with_margin(a: Real, p: Real, q: Real) -> Real:
        """E[pi rho log rho] of a row and a column with parameters p and q that meet in a."""
        return (a * (q + 1) * difference(q + 2) + (p - a) * q * difference(q + 1)) / total

    @cache
    def overlapping(a: Real, p: Real, q: Real) -> Real:
        covariance = a * (psi(p + 1) + 1) * (psi(q + 1) + 1) + overlap_integral(a, p, q)
        gammas = covariance + p * psi(p + 1) * q * psi(q + 1)
        log_once = total * psi(n + 2)
        log_twice = total * (psi(n + 2) ** 2 + c)
        once = log_once * (with_margin(a, p, q) + with_margin(a, q, p))
        return (gammas - once - log_twice * (p * q + a) / total) / total

    crossing = fsum(
        overlapping(a, min(p, q), max(p, q))
        for row, p in zip(cells, rows, strict=True)
        for a, q in zip(row, columns, strict=True)
    )
    transposed = [list(column) for column in zip(*cells, strict=True)]
    squares = partition([a for row in cells for a in row]) + partition(rows) + partition(columns)
    return squares - 2 * refinement(cells, rows) - 2 * refinement(transposed, columns) + 2 * crossing


def overlap_integral(a: Real, p: Real, q: Real) -> Real:
    """R(a, p, q) of the module's docstring, to about 20 digits."""
    with workdps(QUADRATURE_DIGITS):
        a, p, q = +a, +p, +q
        if a == 0:
            return mpf(0)
        for step in (mpf(1) / 8, mpf(1) / 16, mpf(1) / 32):
            fine, coarse = _trapezoids(a, p, q, step)
            if abs(fine - coarse) <= SETTLED * fine:
                return fine
    raise ArithmeticError(f"the overlap integral at {a}, {p}, {q} did not settle: {coarse} at twice the last step, then {fine}")


def _trapezoids(a: Real, p: Real, q: Real, step: Real) -> tuple[Real, Real]:
    """The trapezoidal rule with this step and, from the same values, with twice the step."""
    across = _nodes(p, step)
    down = across if p == q else _nodes(q, step)
    fine = coarse = mpf(0)
    for k, t, one_minus_t, t_weight in across:
        inner = [(weight * _bracket(a, t * u, one_minus_t + t * one_minus_u), m) for m, u, one_minus_u, weight in down]
        fine += t_weight * fsum(value for value, _ in inner)
        if k % 2 == 0:
            coarse += t_weight * fsum(value for value, m in inner if m % 2 == 0)
    return fine * step**2, coarse * (2 * step) ** 2


def _nodes(p: Real, step: Real) -> list[tuple[int, Real, Real, Real]]:
    """Number, T, 1 - T and weight (1-T)^p / T^2 dT/dv of each node v = k h."""
    last = int(HALF_WIDTH / step)
    nodes = []
    for k in range(-last, last + 1):
        shrink = mp.exp(-k * step)
        x = mp.exp(k * step - shrink) / (p + 1)
        t = -mp.expm1(-x)
        nodes.append((k, t, mp.exp(-x), mp.exp(-(p + 1) * x) * x * (1 + shrink) / t**2))
    return nodes


def _bracket(a: Real, z: Real, one_minus_z: Real) -> Real:
    """(1-z)^-a - 1 - az; where that cancels, its Taylor series, a(a+1)/2 z^2 + ..., whose terms are all positive."""
    if a * z >= SERIES_BELOW or z >= SERIES_BELOW:
        return mp.exp(-a * mp.ln(one_minus_z)) - 1 - a * z
    term = value = a * (a + 1) * z * z / 2
    k = 2
    while term > value * mp.eps:
        term *= (a + k) * z / (k + 1)
        value += term
        k += 1
    return value
