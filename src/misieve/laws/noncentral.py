r"""The noncentral laws: the right power at zero, the right support, the right mean and variance.

Near independence 2nI is a chi-square of nu = (r-1)(s-1) degrees of freedom, near dependence a noncentral one; hence

- noncentral chi-square: :math:`I \sim c\,\chi'^2_\nu(\lambda)`, E = c (nu + lambda), V = 2 c^2 (nu + 2 lambda): a quadratic.
  Not truncated at I_max. No solution where V/E^2 > 2/nu.
- noncentral beta: :math:`I / I_{max} \sim \mathrm{ncBeta}(\nu/2, b, \lambda)`, whose P(I < e) goes to zero as e^(nu/2), the
  true power when every row and column is well filled. b and lambda come from mean and variance by Newton's method on the
  closed forms in :mod:`misieve.laws.poisson`. No solution where even lambda = 0 is too narrow:
  :math:`V/E^2 > (1-m)/(\nu/2+m)`, m = E / I_max.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.laws.base import Law
from misieve.laws.poisson import DEPTH_LARGE, DEPTH_SMALL, LARGE, poisson_nodes, ratios

__all__ = ["NoncentralBeta", "NoncentralChi2", "fit_noncentral_beta", "fit_noncentral_chi2", "solvable_beta", "solvable_chi2"]

Floats = NDArray[np.float64]

AnyLaw = TypeVar("AnyLaw", "NoncentralChi2", "NoncentralBeta")

# Upper tails below this are summed by themselves, not as 1 - cdf.
FAR_TAIL = 1e-7
# A window of Poisson counts is summed for so many values at a time.
BLOCK = 4096
# A variance may exceed what lambda = 0 allows by so much (relative): near independence it lies on that edge, within rounding
# and within the error of the series. The law then has lambda = 0, and probabilities are off by less than this.
EDGE = 1e-5
# Newton stops after a step this small: its successor would be some 1e-13.
QUADRATIC = 1e-6


@dataclass(frozen=True, kw_only=True)
class NoncentralChi2(Law):
    """Scaled noncentral chi-square law on [0, infinity), not truncated at I_max: shape nu/2 + J, J ~ Poisson(mu)."""

    name: ClassVar[str] = "noncentral-chi2"
    p: Floats
    mu: Floats
    scale: Floats

    def _cdf(self, x: Floats) -> Floats:
        result: Floats = np.asarray(special.chndtr(x / self.scale, 2.0 * self.p, 2.0 * self.mu), dtype=np.float64)
        return result

    def _sf(self, x: Floats) -> Floats:
        return _with_far_tail(self, x, lambda law, j, t: special.gammaincc(law.p + j, t / (2.0 * law.scale)))

    def _pdf(self, x: Floats) -> Floats:
        def central(law: "NoncentralChi2", j: Floats, value: Floats) -> Floats:
            t = value / (2.0 * law.scale)
            density: Floats = np.exp(special.xlogy(law.p + j - 1.0, t) - t - special.gammaln(law.p + j)) / (2.0 * law.scale)
            return density

        return _mixture(self, x, central)

    def _to_line(self, x: Floats) -> Floats:
        return np.log(x)

    def _from_line(self, u: Floats) -> Floats:
        return np.exp(u)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return 2.0 * self.scale * rng.standard_gamma(self.p + rng.poisson(self.mu))

    def _support(self) -> tuple[Floats, Floats]:
        return np.zeros_like(self.upper), np.full_like(self.upper, np.inf)

    def _shape_moments(self) -> tuple[Floats, Floats]:
        p, mu = self.p, self.mu
        return 2.0 * (p + 3 * mu) / (p + 2 * mu) ** 1.5, 6.0 * (p + 4 * mu) / (p + 2 * mu) ** 2


@dataclass(frozen=True, kw_only=True)
class NoncentralBeta(Law):
    """Noncentral beta law on [0, I_max]: a beta with shapes p + J and b, J ~ Poisson(mu), p = nu/2, mu = lambda/2."""

    name: ClassVar[str] = "noncentral-beta"
    p: Floats
    b: Floats
    mu: Floats

    def log_constant(self) -> Floats:
        r""":math:`\log C = -\mu - \log p - \log \mathrm{B}(p, b) - p \log I_{max}` of the lower tail P(I < e) -> C e^p."""
        value: Floats = -self.mu - np.log(self.p) - special.betaln(self.p, self.b) - self.p * np.log(self.upper)
        return value

    def _cdf(self, x: Floats) -> Floats:
        room = self.upper - x
        odds = x / np.where(room > 0.0, room, 1.0)
        result: Floats = np.asarray(special.ncfdtr(2.0 * self.p, 2.0 * self.b, 2.0 * self.mu, odds * self.b / self.p))
        # SciPy's series gives NaN at some points far below the mean, where the truth is below 1e-100.
        return np.where(room > 0.0, np.where(np.isnan(result), 0.0, result), 1.0)

    def _sf(self, x: Floats) -> Floats:
        return _with_far_tail(self, x, _beta_complement)

    def _pdf(self, x: Floats) -> Floats:
        def central(law: "NoncentralBeta", j: Floats, value: Floats) -> Floats:
            t, a = value / law.upper, law.p + j
            exponent = special.xlogy(a - 1.0, t) + special.xlog1py(law.b - 1.0, -t) - special.betaln(a, law.b)
            density: Floats = np.exp(exponent) / law.upper
            return density

        return _mixture(self, x, central)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return self.upper * rng.beta(self.p + rng.poisson(self.mu), self.b)

    def _shape_moments(self) -> tuple[Floats, Floats]:
        j, weight = poisson_nodes(self.mu)
        a, b, m = self.p + j, self.b, self.center / self.upper
        total = a + b
        inner = a / total
        shift = inner - m
        second = inner * (b / total) / (total + 1.0)
        third = 2.0 * second * (b - a) / (total * (total + 2.0))
        fourth = 3.0 * second * (2.0 * total**2 + a * b * (total - 6.0)) / (total**2 * (total + 2.0) * (total + 3.0))
        skew = (weight * (third + 3.0 * second * shift + shift**3)).sum(axis=0)
        kurt = (weight * (fourth + 4.0 * third * shift + 6.0 * second * shift**2 + shift**4)).sum(axis=0)
        v = self.spread / self.upper**2
        return skew / v**1.5, kurt / v**2 - 3.0


def _beta_complement(law: NoncentralBeta, j: Floats, x: Floats) -> Floats:
    return np.asarray(special.betaincc(law.p + j, law.b, x / law.upper), dtype=np.float64)


def _mixture(law: AnyLaw, x: Floats, central: Callable[[AnyLaw, Floats, Floats], Floats]) -> Floats:
    """Sum over the Poisson count of what ``central(law, j, x)`` gives at each count, a block of values at a time."""
    result = np.empty_like(x)
    for start in range(0, x.size, BLOCK):
        part = slice(start, start + BLOCK)
        some = law.take(np.arange(x.size)[part])
        nodes, weights = poisson_nodes(some.mu)
        result[part] = (weights * central(some, nodes, x[part])).sum(axis=0)
    return result


def _with_far_tail(law: AnyLaw, x: Floats, central: Callable[[AnyLaw, Floats, Floats], Floats]) -> Floats:
    """1 - cdf, and a sum over the Poisson count where that has no digits left."""
    result = 1.0 - law._cdf(x)
    far = np.flatnonzero(result < FAR_TAIL)
    if far.size:
        result[far] = _mixture(law.take(far), x[far], central)
    return result


def solvable_chi2(mean: Floats, variance: Floats, p: Floats) -> NDArray[np.bool_]:
    """Where V/E^2 <= 2/nu = 1/p."""
    return variance * p <= mean * mean


def solvable_beta(mean: Floats, variance: Floats, upper: Floats, p: Floats) -> NDArray[np.bool_]:
    """Where the beta with first shape p and this mean (lambda = 0) is at least as wide as the variance, or nearly so."""
    return _crowding(mean, variance, upper, p) <= 1.0 + EDGE


def _crowding(mean: Floats, variance: Floats, upper: Floats, p: Floats) -> Floats:
    """The variance over that of the beta with first shape p and this mean."""
    m = mean / upper
    return variance * (p + m) / (mean * mean * (1.0 - m))


def fit_noncentral_chi2(mean: Floats, variance: Floats, upper: Floats, p: Floats) -> NoncentralChi2:
    r"""Noncentral chi-square law with this mean and variance and nu = 2p.

    With y = p + mu and R = V/E^2: :math:`R y^2 - 2 y + p = 0`, c = E / (2 y).
    """
    ratio = variance / (mean * mean)
    y = np.maximum((1.0 + np.sqrt(np.maximum(1.0 - ratio * p, 0.0))) / ratio, p)
    return NoncentralChi2(upper=upper, center=mean, spread=variance, p=p, mu=y - p, scale=mean / (2.0 * y))


def fit_noncentral_beta(mean: Floats, variance: Floats, upper: Floats, p: Floats) -> NoncentralBeta:
    """Noncentral beta law on [0, upper] with this mean, this variance and the first shape ``p`` = nu/2."""
    m, ratio = mean / upper, variance / (mean * mean)
    b, mu = p * (1.0 - m) / m, np.zeros_like(m)
    inside = _crowding(mean, variance, upper, p) < 1.0
    b[inside], mu[inside] = _newton(m[inside], ratio[inside], p[inside])
    return NoncentralBeta(upper=upper, center=mean, spread=variance, p=p, b=b, mu=mu)


def _newton(m: Floats, ratio: Floats, p: Floats) -> tuple[Floats, Floats]:
    r"""b and mu from m = E[X] and R = Var[X]/m^2, for a whole batch.

    Treating J as its mean in all but one place gives :math:`R y^2 - (1-m)(2-m) y + (1-m)^2 p = 0`, y = p + mu. This start is
    within O(1/y) of the answer; seen through the same quadratic the remaining equations are nearly linear, even at the edge
    lambda = 0, where R itself is flat in mu.
    """
    inverse = _inverse(ratio, m, p)
    y = np.maximum(inverse[0], p)
    log_b, mu = np.log(y * (1.0 - m) / m), y - p
    active = np.arange(m.size)
    for _ in range(60):
        now = (m[active], p[active], log_b[active], mu[active], inverse[0][active])
        steps = _newton_steps(*now)
        log_b[active] += steps[0]
        before = mu[active]
        mu[active] = np.maximum(before + steps[1], 0.25 * before * (before > 1e-9 * p[active]))
        moved = np.abs(steps[0]) + np.abs(mu[active] - before) / (mu[active] + p[active])
        active = active[moved > QUADRATIC]
        if not active.size:
            break
    return np.exp(log_b), mu


def _inverse(ratio: Floats, m: Floats, p: Floats) -> tuple[Floats, Floats]:
    """The larger root y of the quadratic in :func:`_newton`, and its derivative by R."""
    linear = (1.0 - m) * (2.0 - m)
    root = (1.0 - m) * np.sqrt(np.maximum((2.0 - m) ** 2 - 4.0 * ratio * p, 1e-12))
    y = (linear + root) / (2.0 * ratio)
    return y, -(p * (1.0 - m) ** 2 / root + y) / ratio


def _newton_steps(m: Floats, p: Floats, log_b: Floats, mu: Floats, goal: Floats) -> tuple[Floats, Floats]:
    """One Newton step for log b and mu; the residuals are log E[X] - log m and the inverse of R minus its goal."""
    b = np.exp(log_b)
    a = p + b
    depth = DEPTH_LARGE if a.min(initial=np.inf) > LARGE else DEPTH_SMALL
    (g0, g0_a, g0_mu), (g1, g1_a, g1_mu), (g2, g2_a, g2_mu) = ratios(a, mu, depth)
    common = p + mu * (1.0 - g1)
    common_b, common_mu = -mu * g1_a, 1.0 - g1 - mu * g1_mu
    gap = 2.0 * g2 - g1
    wide = common + b * mu * gap
    wide_b = common_b + mu * gap + b * mu * (2.0 * g2_a - g1_a)
    wide_mu = common_mu + b * gap + b * mu * (2.0 * g2_mu - g1_mu)
    # log E[X] and R = b G1 wide / common^2, with their derivatives by b and mu
    mean_b, mean_mu = g0_a / g0 + common_b / common, g0_mu / g0 + common_mu / common
    ratio = b * g1 * wide / (common * common)
    log_ratio_b = 1.0 / b + g1_a / g1 + wide_b / wide - 2.0 * common_b / common
    log_ratio_mu = g1_mu / g1 + wide_mu / wide - 2.0 * common_mu / common
    y, y_ratio = _inverse(ratio, m, p)
    y_b, y_mu = y_ratio * ratio * log_ratio_b * b, y_ratio * ratio * log_ratio_mu
    first, second = np.log(m) - np.log(g0 * common), goal - y
    slope = mean_b * b
    determinant = slope * y_mu - mean_mu * y_b
    return np.clip((first * y_mu - mean_mu * second) / determinant, -2.0, 2.0), (slope * second - y_b * first) / determinant
