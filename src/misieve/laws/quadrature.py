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
differentiates under the integral: :math:`\partial\beta/\partial t = 1 / I_b(u, a, \beta)`, and no boundary term survives; with
a cell below 1 the integrand would be infinite at an edge, and differences of P(I > t) serve.

The table is turned so that its poorest margin is a column (as a row it would leave u nearly fixed at an end, and a kink in
what is left), and its rows are swapped so that b belongs to the row with fewer counts: its distribution is the wider, and the
integrand the smoother. The root is sought as a distance d = b - a, in which I has its digits however small it is. Below
:data:`LEAST` the law is taken to be flat.
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
# Thresholds below these are raised to them: the first for tables with a cell below SMALL, whose chances are often tinier still.
LEAST, SMALL = (1e-14, 1e-25), 0.2
# The greatest double below 1.
LARGEST = 1.0 - 2.0**-53
# Distances from 1 below this are computed by themselves.
NEAR = 1e-2
# Nodes in each variable, level by level.
NODES = (14, 21, 32, 48, 72, 108, 162, 243, 364)
# The skewness integrates P(I > x) with this many nodes, over this many standard deviations below and above the mean.
MOMENT_NODES, MOMENT_WINDOW = 48, (9.0, 15.0)
# Step of the differences that give the density where it is not integrated, in log odds or standard deviations.
STEP = 0.05
# The window of the normal variable: what lies outside has a probability of 2e-10.
WINDOW = 6.4
# Values evaluated at a time are limited to this many nodes.
BLOCK = 150_000


@dataclass(frozen=True, kw_only=True)
class Quadrature(Law):
    """The exact law of a 2 x 2 table on [0, log 2]; the absolute error of its cdf is at most 1e-7, up to 1e10 observations.

    With a cell below .2 that holds from I = 1e-10 up; nearer to 0, the rounding of chances near 1 has cost 2e-7.
    """

    name: ClassVar[str] = "quadrature"
    resolution: ClassVar[float] = 1e-10
    tables: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))

    def _cdf(self, x: Floats) -> Floats:
        return 1.0 - self._sf(x)

    def _sf(self, x: Floats) -> Floats:
        return np.clip(exceedance(self.tables, x), 0.0, 1.0)

    def _pdf(self, x: Floats) -> Floats:
        result = np.empty_like(x)
        steep = self.tables.min(axis=(1, 2)) < 1.0
        for mine, method in ((steep, Quadrature._differences), (~steep, Quadrature._under_the_integral)):
            if mine.any():
                result[mine] = method(self.take(np.flatnonzero(mine)), x[mine])
        return result

    def _under_the_integral(self, x: Floats) -> Floats:
        return exceedance(self.tables, x, density=True)

    def _differences(self, x: Floats) -> Floats:
        """Four differences in the log odds of x: with a cell below 1 the integrand of the density is infinite at an edge."""
        u = self._to_line(x)
        width = np.sqrt(self.spread) * self.upper / (self.center * (self.upper - self.center))
        step = STEP * np.minimum(width, 1.0)
        points = self._from_line(u + step * np.array([-2.0, -1.0, 1.0, 2.0])[:, None])
        tail = self._spread_out(points)[0]._sf(points.ravel()).reshape(points.shape)
        slope = (np.array([-1.0, 8.0, -8.0, 1.0])[:, None] * tail).sum(axis=0) / (12.0 * step)
        density: Floats = slope * self.upper / (x * (self.upper - x))
        return np.maximum(density, 0.0)

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
    t = np.maximum(t, np.where(tables.min(axis=(1, 2)) < SMALL, *LEAST))
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
    weight = np.exp(-0.5 * z * z) * ((z[1] - z[0]) / np.sqrt(2.0 * np.pi))
    (n11, n12), (n21, n22) = (tables[:, i].T[..., None, None] for i in (0, 1))
    # v = 1 - u: from the one solution of H(v) = t to the other
    first, second = n11[:, 0] + n12[:, 0], n21[:, 0] + n22[:, 0]
    small = _entropy_root(t)[:, None]
    below, beyond = special.betainc(second, first, small), special.betainc(first, second, small)
    inside = 1.0 - below - beyond
    v, u = _quantiles(second, first, below + inside * special.ndtr(z), beyond + inside * special.ndtr(-z))
    v, u = np.maximum(v, small), np.maximum(u, small)
    # a: up to where b = 1 is needed
    level = np.broadcast_to(t[:, None], v.shape)
    short = _edge(u.ravel(), v.ravel(), level.ravel()).reshape(v.shape)[..., None]
    edge, beyond = special.betaincc(n12, n11, short), special.betainc(n12, n11, short)
    a, not_a = _quantiles(n11, n12, edge * special.ndtr(z), beyond + edge * special.ndtr(-z))
    shape = a.shape
    u, v, level = (np.broadcast_to(part[..., None], shape).ravel() for part in (u, v, level))
    a, not_a = a.ravel(), not_a.ravel()
    d = _gap(u, v, a, not_a, level)
    rest = (not_a - d).reshape(shape)
    if density:
        b, steep = (part.reshape(shape) for part in (a + d, _information(u, v, a, not_a, d)[1]))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            inner = np.exp(special.xlogy(n22 - 1.0, rest) + special.xlogy(n21 - 1.0, b) - special.betaln(n22, n21)) / steep
        inner = np.where(np.isfinite(inner), inner, 0.0)
    else:
        inner = special.betainc(n22, n21, rest)
    result: Floats = inside[:, 0] * (((inner * weight).sum(axis=2) * edge[..., 0]) * weight).sum(axis=1)
    return result


def _quantiles(p: Floats, q: Floats, below: Floats, above: Floats) -> tuple[Floats, Floats]:
    """The quantile of a beta variable and its distance from 1, which has its own digits near 0."""
    p, q, below, above = np.broadcast_arrays(p, q, below, above)
    x = _quantile(p, q, below)
    y: Floats = 1.0 - x
    near = y < NEAR
    y[near] = _quantile(q[near], p[near], above[near])
    return x, y


def _quantile(p: Floats, q: Floats, below: Floats) -> Floats:
    """SciPy's; where that finds NaN, as it may for q far below p and quantiles below 1e-14, what is exact so near 0.

    Near 0 a beta distribution is :math:`F(x) = x^p / (p B(p, q))`, to a factor of 1 + O(x).
    """
    x: Floats = np.asarray(special.betaincinv(p, q, below), dtype=np.float64)
    lost = np.isnan(x)
    if lost.any():
        p, q, below = p[lost], q[lost], below[lost]
        with np.errstate(divide="ignore"):
            x[lost] = np.exp(np.minimum((np.log(below) + np.log(p) + special.betaln(p, q)) / p, 0.0))
    return x


def _entropy(u: Floats) -> Floats:
    return special.entr(u) - special.xlog1py(1.0 - u, -u)


def _entropy_root(t: Floats) -> Floats:
    """The smaller solution u of H(u) = t."""

    def gap(v: Floats, which: NDArray[np.intp]) -> Floats:
        return np.log(_entropy(0.5 * special.expit(v))) - np.log(t[which])

    return 0.5 * special.expit(increasing_root(gap, special.logit(np.minimum(0.4 * t, 0.9)), np.full(t.size, 0.5)))


def _edge(u: Floats, v: Floats, t: Floats) -> Floats:
    """1 - alpha: the solution c of I(u, 1 - c, 1) = t."""

    def gap(line: Floats, which: NDArray[np.intp]) -> Floats:
        c, some = np.minimum(special.expit(line), LARGEST), u[which]
        value = some * (1.0 - c) * np.log1p(-c) - (1.0 - some * c) * np.log1p(-some * c) - some * c * log_u[which]
        return np.log(np.maximum(value, 1e-300)) - np.log(t[which])

    log_u = np.where(u < 0.5, np.log(u), np.log1p(-np.minimum(v, 0.5)))
    start = special.logit(np.clip(0.5 * t / (u * v), 1e-30, 0.9))
    return special.expit(increasing_root(gap, start, np.full(t.size, 0.5), tolerance=1e-11))


def _information(u: Floats, v: Floats, a: Floats, not_a: Floats, d: Floats) -> tuple[Floats, Floats]:
    """I(u, a, a + d) as a mean of relative entropies, and dI/dd; m = a + vd is the chance of the first column."""
    rest, step, back = not_a - d, u * d, v * d
    m, not_m = a + back, rest + step
    more, same = np.log1p(step / m), np.log1p(back / not_m)
    fewer, less = _log_share(a, m, back), _log_share(rest, not_m, step)
    return u * (a * fewer + not_a * same) + v * ((a + d) * more + rest * less), v * (more - less)


def _log_share(part: Floats, whole: Floats, other: Floats) -> Floats:
    """Log of part / whole, whole = part + other: exact for a small other part and for a small part; finite at 0."""
    near = part > other
    argument = np.where(near, -other, np.maximum(part, 1e-300)) / whole
    return np.where(near, np.log1p(np.where(near, argument, 0.0)), np.log(np.where(near, 1.0, argument)))


def _gap(u: Floats, v: Floats, a: Floats, not_a: Floats, t: Floats) -> Floats:
    """The d > 0 with I(u, a, a + d) = t; Newton on sqrt(I), which is nearly linear in d."""
    # The start solves t = u v d^2 / (2 m (1 - m)), m = a + v d.
    square, linear = u * v + 2.0 * t * v * v, t * v * (not_a - a)
    d = (linear + np.sqrt(linear * linear + 2.0 * t * a * not_a * square)) / square
    d = np.clip(d, 1e-3 * t, 0.9 * not_a)
    result, low, high, root = d.copy(), np.zeros_like(a), not_a, np.sqrt(t)
    active = np.arange(a.size)
    for _ in range(60):
        information, slope = _information(u, v, a, not_a, d)
        value = np.sqrt(np.maximum(information, 0.0))
        over = value > root
        high, low = np.where(over, d, high), np.where(over, low, d)
        with np.errstate(divide="ignore", invalid="ignore"):
            new = d - (value - root) * 2.0 * value / slope
        new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
        result[active] = new
        going = np.abs(new - d) > 1e-7 * np.minimum(new, not_a - new)
        if not going.any():
            break
        if going.all():
            d = new
        else:
            active = active[going]
            u, v, a, not_a, low, high, root, d = (part[going] for part in (u, v, a, not_a, low, high, root, new))
    return result
