r"""Power-beta laws: a noncentral beta raised to a power, which keeps the exponent at zero and frees the shape above it.

.. math:: I / I_{max} = B^\kappa, \qquad B \sim \mathrm{ncBeta}(\kappa q, b, 2\mu),

has P(I < e) proportional to e^q whatever the power kappa, so that q can be the true one (nu/2, see
:func:`misieve.laws.tails.lower_tail_power`) while kappa, b and mu meet other conditions. With mu = 0 kappa takes up variances
too large for the noncentral beta, those of tables with a nearly empty row or column.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.laws.base import Law
from misieve.laws.gammas import log_gamma_ratio
from misieve.laws.noncentral import NoncentralBeta
from misieve.laws.poisson import poisson_nodes

__all__ = ["PowerBeta", "fit_central_power"]

Floats = NDArray[np.float64]

# Newton's method for two unknowns: steps, the largest one in log kappa and log b, and when to stop.
STEPS, LONGEST, CLOSE = 60, 1.0, 1e-7
# The range of powers within which a fit counts as one.
LEAST, GREATEST = 0.2, 12.0


@dataclass(frozen=True, kw_only=True)
class PowerBeta(Law):
    """Law of I_max B^kappa on [0, I_max], B noncentral beta with shapes p = kappa q and b and noncentrality 2 mu."""

    name: ClassVar[str] = "power-beta"
    p: Floats
    b: Floats
    mu: Floats
    power: Floats

    def _inner(self) -> NoncentralBeta:
        ones = np.ones_like(self.p)
        return NoncentralBeta(upper=ones, center=ones, spread=ones, p=self.p, b=self.b, mu=self.mu)

    def _root(self, x: Floats) -> Floats:
        return (x / self.upper) ** (1.0 / self.power)

    def _cdf(self, x: Floats) -> Floats:
        return self._inner()._cdf(self._root(x))

    def _sf(self, x: Floats) -> Floats:
        return self._inner()._sf(self._root(x))

    def _pdf(self, x: Floats) -> Floats:
        y = self._root(x)
        return self._inner()._pdf(y) * y / (self.power * x)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return self.upper * self._inner()._rvs(rng) ** self.power

    def _shape_moments(self) -> tuple[Floats, Floats]:
        j, weight = poisson_nodes(self.mu)
        m, v = self.center / self.upper, self.spread / self.upper**2
        second, third, fourth = (
            (weight * np.exp(special.betaln(self.p + j + k * self.power, self.b) - special.betaln(self.p + j, self.b))).sum(
                axis=0
            )
            for k in (2, 3, 4)
        )
        skew = third - 3.0 * m * second + 2.0 * m**3
        kurt = fourth - 4.0 * m * third + 6.0 * m * m * second - 3.0 * m**4
        return skew / v**1.5, kurt / v**2 - 3.0


def fit_central_power(mean: Floats, variance: Floats, upper: Floats, q: Floats) -> tuple[PowerBeta, NDArray[np.bool_]]:
    r"""The law with mu = 0, this mean and variance and the power q at zero, and where the fit succeeded.

    Newton's method in log kappa and log b on

    .. math:: E[B^{k\kappa}] = \frac{\Gamma(\kappa(q+k))\,\Gamma(\kappa q+b)}{\Gamma(\kappa q)\,\Gamma(\kappa(q+k)+b)},
              \qquad k = 1, 2.
    """
    m, goal = mean / upper, np.log1p(variance / (mean * mean))
    log_m = np.log(m)
    log_kappa = np.zeros_like(m)
    log_b = np.log(np.maximum(q, 0.1) * (1.0 - m) / m)
    active = np.arange(m.size)
    for _ in range(STEPS):
        kappa, b, some = np.exp(log_kappa[active]), np.exp(log_b[active]), q[active]
        (one, one_k, one_b), (two, two_k, two_b) = (_log_moment(kappa, b, some, k) for k in (1, 2))
        f, g = one - log_m[active], two - 2.0 * one - goal[active]
        g_k, g_b = two_k - 2.0 * one_k, two_b - 2.0 * one_b
        determinant = one_k * g_b - one_b * g_k
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.stack([one_b * g - f * g_b, f * g_k - one_k * g]) / determinant
        steps *= np.minimum(1.0, LONGEST / np.maximum(np.abs(steps).max(axis=0), 1e-300))
        log_kappa[active] = np.clip(log_kappa[active] + steps[0], np.log(LEAST) - 1.0, np.log(GREATEST) + 1.0)
        log_b[active] = np.clip(log_b[active] + steps[1], -30.0, 60.0)
        active = active[~(np.abs(steps).max(axis=0) < CLOSE)]
        if not active.size:
            break
    kappa, b = np.exp(log_kappa), np.exp(log_b)
    missed = np.abs(_log_moment(kappa, b, q, 1)[0] - log_m) + np.abs(_log_moment(kappa, b, q, 2)[0] - 2.0 * log_m - goal)
    good = (missed < 1e-8) & (kappa > LEAST) & (kappa < GREATEST)
    law = PowerBeta(upper=upper, center=mean, spread=variance, p=kappa * q, b=b, mu=np.zeros_like(b), power=kappa)
    return law, good


def _log_moment(kappa: Floats, b: Floats, q: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    """log E[B^(k kappa)] of the central law, and its derivatives by log kappa and log b."""
    low, high = kappa * q, kappa * (q + k)
    value = log_gamma_ratio(low, high - low) - log_gamma_ratio(low + b, high - low)
    psi_low, psi_high = special.psi(low + b), special.psi(high + b)
    by_kappa = high * (special.psi(high) - psi_high) - low * (special.psi(low) - psi_low)
    return value, by_kappa, b * (psi_low - psi_high)
