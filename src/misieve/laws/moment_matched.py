r"""The paper's laws: normal, gamma and beta with the right mean E and variance V.

- normal N(E, V): untruncated, as in the paper, so that a little of it may lie below zero;
- gamma: shape E^2/V, scale V/E; starts at zero, runs beyond I_max;
- beta on [0, I_max], what the paper's experiments use: with m = E/I_max and v = V/I_max^2, the shapes are
  :math:`m k` and :math:`(1-m) k`, :math:`k = m (1-m)/v - 1`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.laws.base import Law

__all__ = ["Beta", "Gamma", "Normal", "fit_beta", "fit_gamma", "fit_normal"]

Floats = NDArray[np.float64]

# Below this 1 - cdf has lost digits that matter, and the complement, eight times as dear, is evaluated by itself.
FAR_TAIL = 1e-7


@dataclass(frozen=True, kw_only=True)
class Normal(Law):
    """Normal law, not truncated to [0, I_max]."""

    name: ClassVar[str] = "normal"

    def _standard(self, x: Floats) -> Floats:
        return (x - self.center) / np.sqrt(self.spread)

    def _cdf(self, x: Floats) -> Floats:
        return special.ndtr(self._standard(x))

    def _sf(self, x: Floats) -> Floats:
        return special.ndtr(-self._standard(x))

    def _pdf(self, x: Floats) -> Floats:
        return np.exp(-0.5 * self._standard(x) ** 2) / np.sqrt(2 * np.pi * self.spread)

    def _ppf(self, q: Floats) -> Floats:
        return self.center + np.sqrt(self.spread) * special.ndtri(q)

    def _isf(self, q: Floats) -> Floats:
        return self.center - np.sqrt(self.spread) * special.ndtri(q)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return rng.normal(self.center, np.sqrt(self.spread))

    def _support(self) -> tuple[Floats, Floats]:
        return np.full_like(self.upper, -np.inf), np.full_like(self.upper, np.inf)

    def _shape_moments(self) -> tuple[Floats, Floats]:
        return np.zeros_like(self.center), np.zeros_like(self.center)


@dataclass(frozen=True, kw_only=True)
class Gamma(Law):
    """Gamma law on [0, infinity), not truncated at I_max."""

    name: ClassVar[str] = "gamma"
    a: Floats
    scale: Floats

    def _cdf(self, x: Floats) -> Floats:
        return special.gammainc(self.a, x / self.scale)

    def _sf(self, x: Floats) -> Floats:
        return special.gammaincc(self.a, x / self.scale)

    def _pdf(self, x: Floats) -> Floats:
        t = x / self.scale
        return np.exp(special.xlogy(self.a - 1.0, t) - t - special.gammaln(self.a)) / self.scale

    def _ppf(self, q: Floats) -> Floats:
        return self.scale * special.gammaincinv(self.a, q)

    def _isf(self, q: Floats) -> Floats:
        return self.scale * special.gammainccinv(self.a, q)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return rng.gamma(self.a, self.scale)

    def _support(self) -> tuple[Floats, Floats]:
        return np.zeros_like(self.upper), np.full_like(self.upper, np.inf)

    def _shape_moments(self) -> tuple[Floats, Floats]:
        return 2.0 / np.sqrt(self.a), 6.0 / self.a


@dataclass(frozen=True, kw_only=True)
class Beta(Law):
    """Beta law on [0, I_max]."""

    name: ClassVar[str] = "beta"
    a: Floats
    b: Floats

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(special.betainc(self.a, self.b, x / self.upper), dtype=np.float64)

    def _sf(self, x: Floats) -> Floats:
        result = 1.0 - self._cdf(x)
        far = result < FAR_TAIL
        if far.any():
            result[far] = special.betaincc(self.a[far], self.b[far], (x / self.upper)[far])
        return result

    def _pdf(self, x: Floats) -> Floats:
        t = x / self.upper
        exponent = special.xlogy(self.a - 1.0, t) + special.xlog1py(self.b - 1.0, -t) - special.betaln(self.a, self.b)
        return np.exp(exponent) / self.upper

    def _ppf(self, q: Floats) -> Floats:
        return self.upper * np.asarray(special.betaincinv(self.a, self.b, q), dtype=np.float64)

    def _isf(self, q: Floats) -> Floats:
        return self.upper * np.asarray(special.betainccinv(self.a, self.b, q), dtype=np.float64)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return self.upper * rng.beta(self.a, self.b)

    def _shape_moments(self) -> tuple[Floats, Floats]:
        a, b = self.a, self.b
        total = a + b
        skew = 2.0 * (b - a) * np.sqrt(total + 1.0) / ((total + 2.0) * np.sqrt(a * b))
        excess = 6.0 * ((a - b) ** 2 * (total + 1.0) - a * b * (total + 2.0)) / (a * b * (total + 2.0) * (total + 3.0))
        return skew, excess


def fit_normal(mean: Floats, variance: Floats, upper: Floats) -> Normal:
    """Normal law with this mean and variance."""
    return Normal(upper=upper, center=mean, spread=variance)


def fit_gamma(mean: Floats, variance: Floats, upper: Floats) -> Gamma:
    """Gamma law with this mean and variance."""
    return Gamma(upper=upper, center=mean, spread=variance, a=mean * mean / variance, scale=variance / mean)


def fit_beta(mean: Floats, variance: Floats, upper: Floats) -> Beta:
    """Beta law on [0, upper] with this mean and variance, which must be less than mean (upper - mean)."""
    m = mean / upper
    total = mean * (upper - mean) / variance - 1.0
    return Beta(upper=upper, center=mean, spread=variance, a=m * total, b=(1.0 - m) * total)
