r"""The exact law for 2 x 2 tables, by quadrature.

Write u for the chance of the first row, a and b for the chance of the first column within the first and second row: under the
Dirichlet they are independent, :math:`u \sim B(n_{1+}, n_{2+})`, :math:`a \sim B(n_{11}, n_{12})`,
:math:`b \sim B(n_{21}, n_{22})`, and

.. math:: I(u, a, b) = H(ua + (1-u)b) - u H(a) - (1-u) H(b)

is convex in b, with its minimum 0 at b = a. Hence, for positive dependence, I > t exactly where b exceeds some
:math:`\beta(u, a, t)`, which exists for a below some :math:`\alpha(u, t)` if H(u) > t:

.. math:: P(I > t, b > a) = \int_{H(u) > t} dF(u) \int_0^{\alpha(u,t)} dF(a)\ P(b > \beta(u, a, t)),

and negative dependence is the same after swapping the columns. On each of these domains the integrand is smooth inside and at
worst a power at the edges. So both integrals are taken in the variable z with F = F_edge Phi(z), where a trapezoid rule
converges geometrically; the number of nodes grows until two answers agree to :data:`TOLERANCE`. The density
differentiates under the integral: :math:`\partial\beta/\partial t = 1 / I_b(u, a, \beta)`, and no boundary term survives.

The table is turned so that its poorest margin is a column (as a row it would leave u nearly fixed at an end, and a kink in
what is left), and its rows are swapped so that b belongs to the row with fewer counts: its distribution is the wider, and the
integrand the smoother. Below :data:`LEAST` rounding hides what I is, and the law is taken to be flat.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.laws.base import Law
from misieve.laws.roots import increasing_root
from misieve.laws.sampled import draws_of_information

__all__ = ["Quadrature", "exceedance"]

Floats = NDArray[np.float64]

# Two levels of refinement must agree this well; the finer of them is then some ten times better still.
TOLERANCE = 2e-7
# Thresholds below this are raised to it.
LEAST = 1e-13
# Nodes in each variable, level by level.
NODES = (14, 21, 32, 48, 72, 108, 162, 243, 364)
# The skewness integrates P(I > x) with this many nodes, over this many standard deviations below and above the mean.
MOMENT_NODES, MOMENT_WINDOW = 48, (9.0, 15.0)
# The window of the normal variable: what lies outside has a probability of 2e-10.
WINDOW = 6.4
# Values evaluated at a time are limited to this many nodes.
BLOCK = 150_000


@dataclass(frozen=True, kw_only=True)
class Quadrature(Law):
    """The exact law of a 2 x 2 table on [0, log 2]; the absolute error of its cdf is at most 1e-7."""

    name: ClassVar[str] = "quadrature"
    resolution: ClassVar[float] = 1e-10
    tables: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))

    def _cdf(self, x: Floats) -> Floats:
        return 1.0 - self._sf(x)

    def _sf(self, x: Floats) -> Floats:
        return np.clip(exceedance(self.tables, x), 0.0, 1.0)

    def _pdf(self, x: Floats) -> Floats:
        return exceedance(self.tables, x, density=True)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return draws_of_information(self.tables, rng)

    def _shape_moments(self) -> tuple[Floats, Floats]:
        r"""Skewness and excess kurtosis from :math:`E(I-m)^k = (a-m)^k + \int_a k (x-m)^{k-1} P(I>x) dx`."""
        nodes, weights = special.roots_legendre(MOMENT_NODES)
        m, sd = self.center, np.sqrt(self.spread)
        low, high = np.maximum(m - MOMENT_WINDOW[0] * sd, 0.0), np.minimum(m + MOMENT_WINDOW[1] * sd, self.upper)
        half = (high - low) / 2.0
        x = low + half * (1.0 + nodes[:, None])
        tail = self._spread_out(x)[0]._sf(x.ravel()).reshape(x.shape)
        third, fourth = ((low - m) ** k + (weights[:, None] * k * (x - m) ** (k - 1) * tail).sum(axis=0) * half for k in (3, 4))
        return third / sd**3, fourth / sd**4 - 3.0


def exceedance(tables: Floats, t: Floats, *, density: bool = False) -> Floats:
    """P(I > t), or the density at t, for tables of shape (k, 2, 2) and as many thresholds 0 < t < log 2."""
    positive = _ordered(tables)
    t = np.maximum(t, LEAST)
    sides, at = np.concatenate([positive, positive[:, :, ::-1]]), np.concatenate([t, t])
    result = _level(sides, at, NODES[0], density)
    active = np.arange(at.size)
    for nodes in NODES[1:]:
        finer = _level(sides[active], at[active], nodes, density)
        change = np.abs(finer - result[active])
        result[active] = finer
        active = active[change > TOLERANCE * (1.0 + np.abs(finer))]
        if not active.size:
            break
    return result[: t.size] + result[t.size :]


def _ordered(tables: Floats) -> Floats:
    """Rows swapped so that the second has fewer counts, after transposing so that the poorest margin is a column."""
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    turned = np.where((rows.min(axis=1) < columns.min(axis=1))[:, None, None], tables.swapaxes(1, 2), tables)
    rows = turned.sum(axis=2)
    return np.where((rows[:, 0] < rows[:, 1])[:, None, None], turned[:, ::-1, :], turned)


def _level(tables: Floats, t: Floats, nodes: int, density: bool) -> Floats:
    """P(I > t, b > a) with ``nodes`` nodes in each variable, a block of values at a time."""
    result = np.empty(t.size)
    block = max(1, BLOCK // (nodes * nodes))
    for start in range(0, t.size, block):
        part = slice(start, start + block)
        result[part] = _one_sided(tables[part], t[part], nodes, density)
    return result


def _one_sided(tables: Floats, t: Floats, nodes: int, density: bool) -> Floats:
    """P(I > t, b > a), or its density."""
    z = np.linspace(-WINDOW, WINDOW, nodes)
    share = special.ndtr(z)
    weight = np.exp(-0.5 * z * z) * ((z[1] - z[0]) / np.sqrt(2.0 * np.pi))
    (n11, n12), (n21, n22) = tables[:, 0].T, tables[:, 1].T
    first, second = n11 + n12, n21 + n22
    # v = 1 - u, which may be tiny: from the one solution of H(v) = t to the other
    small = _entropy_root(t)
    below, above = special.betainc(second, first, small), special.betainc(second, first, 1.0 - small)
    v = special.betaincinv(second[:, None], first[:, None], below[:, None] + (above - below)[:, None] * share)
    v = np.clip(v, small[:, None], 1.0 - small[:, None])
    # a: up to where b = 1 is needed
    shape = v.shape
    level = np.broadcast_to(t[:, None], shape)
    edge = special.betainc(n11[:, None], n12[:, None], 1.0 - _edge(v.ravel(), level.ravel()).reshape(shape))
    a = special.betaincinv(n11[:, None, None], n12[:, None, None], edge[..., None] * share)
    v, level = (np.broadcast_to(part[..., None], a.shape).ravel() for part in (v, level))
    rest = _beta(v, a.ravel(), level).reshape(a.shape)
    c, d = n22[:, None, None], n21[:, None, None]
    if density:
        b = 1.0 - rest
        steep = _slope(v, a.ravel(), b.ravel()).reshape(a.shape)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            inner = np.exp(special.xlogy(c - 1.0, rest) + special.xlogy(d - 1.0, b) - special.betaln(c, d)) / steep
        inner = np.where(np.isfinite(inner), inner, 0.0)
    else:
        inner = special.betainc(c, d, rest)
    result: Floats = (above - below) * (((inner * weight).sum(axis=2) * edge) * weight).sum(axis=1)
    return result


def _entropy(u: Floats) -> Floats:
    return special.entr(u) + special.entr(1.0 - u)


def _entropy_root(t: Floats) -> Floats:
    """The smaller solution u of H(u) = t."""

    def gap(v: Floats, which: NDArray[np.intp]) -> Floats:
        return np.log(_entropy(0.5 * special.expit(v))) - np.log(t[which])

    return 0.5 * special.expit(increasing_root(gap, special.logit(np.minimum(0.4 * t, 0.9)), np.full(t.size, 0.5)))


def _edge(v: Floats, t: Floats) -> Floats:
    """1 - alpha: the solution c of I(u, 1 - c, 1) = t."""

    def gap(line: Floats, which: NDArray[np.intp]) -> Floats:
        c, u = special.expit(line), 1.0 - v[which]
        return np.log(np.maximum(_entropy(u * c) - u * _entropy(c), 1e-300)) - np.log(t[which])

    start = special.logit(np.clip(0.5 * t / (v * (1.0 - v)), 1e-12, 0.9))
    return special.expit(increasing_root(gap, start, np.full(t.size, 0.5), tolerance=1e-11))


def _information(v: Floats, a: Floats, b: Floats, m: Floats) -> Floats:
    """I(u, a, b) as a mean of relative entropies, m = ua + vb being the chance of the first column."""
    first = special.xlogy(a, a / m) + special.xlogy(1.0 - a, (1.0 - a) / (1.0 - m))
    return (1.0 - v) * first + v * (b * np.log(b / m) + special.xlogy(1.0 - b, (1.0 - b) / (1.0 - m)))


def _slope(v: Floats, a: Floats, b: Floats) -> Floats:
    """dI/db."""
    m = a + v * (b - a)
    with np.errstate(divide="ignore"):
        return v * np.log(b * (1.0 - m) / (m * (1.0 - b)))


def _beta(v: Floats, a: Floats, t: Floats) -> Floats:
    """1 - beta: the b > a with I(u, a, b) = t, as its distance from 1; Newton on sqrt(I), which is nearly linear in b."""
    # The start solves t = u v d^2 / (2 m (1 - m)), m = a + v d.
    square, linear = (1.0 - v) * v + 2.0 * t * v * v, t * v * (1.0 - 2.0 * a)
    d = (linear + np.sqrt(linear * linear + 2.0 * t * a * (1.0 - a) * square)) / square
    result = np.minimum(a + d, 1.0 - 0.1 * (1.0 - a))
    active = np.arange(a.size)
    low, high, root, b = a, np.ones_like(a), np.sqrt(t), result.copy()
    for _ in range(60):
        m = a + v * (b - a)
        value = np.sqrt(np.maximum(_information(v, a, b, m), 0.0))
        over = value > root
        high, low = np.where(over, b, high), np.where(over, low, b)
        with np.errstate(divide="ignore", invalid="ignore"):
            new = b - (value - root) * 2.0 * value / (v * np.log(b * (1.0 - m) / (m * (1.0 - b))))
        new = np.where((new > low) & (new < high), new, 0.5 * (low + high))
        result[active] = new
        going = np.abs(new - b) > 1e-7 * np.minimum(new - a, 1.0 - new) + 1e-15
        if not going.any():
            break
        if going.all():
            b = new
        else:
            active = active[going]
            v, a, low, high, root, b = (part[going] for part in (v, a, low, high, root, new))
    return 1.0 - result
