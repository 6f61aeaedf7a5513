r"""The power-beta law that also has the right constant at zero.

A noncentral beta has two free parameters, which mean and variance use up. With :math:`I / I_{max} = B^\kappa`,
:math:`B \sim \mathrm{ncBeta}(\kappa q, b, 2\mu)`, q = nu/2, there is a third, and what it can be anchored to is known in closed
form: the lower tail P(I < e) -> C e^q of :mod:`misieve.laws.tails`. For this law

.. math:: \log C = -\mu - \log(\kappa q) - \log \mathrm{B}(\kappa q, b) - q \log I_{max}.

The moments are Poisson averages of ratios of gamma functions, :math:`E[B^{k\kappa}] = \sum_J w_J h_k(J)`, with

.. math:: \frac{h_k(J+1)}{h_k(J)} = \frac{(\kappa(q+k)+J)\,(\kappa q+b+J)}{(\kappa q+J)\,(\kappa(q+k)+b+J)},

so that a term costs a few multiplications. The three equations are solved for log kappa, log b and mu by Broyden's method,
starting from the noncentral beta (kappa = 1) or the central power-beta (mu = 0) of the same mean and variance.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.laws.gammas import log_gamma_ratio
from misieve.laws.power import PowerBeta

__all__ = ["fit_anchored_power"]

Floats = NDArray[np.float64]

# Steps of Broyden's method, and the residuals (relative, of mean and variance; of log C) at which it has arrived.
STEPS = 14
ARRIVED = 1e-9
ACCEPTED = np.array([1e-8, 1e-8, 1e-5])
# Differences for the first Jacobian.
DIFFERENCE = 1e-5
# The longest step in log kappa and log b; that in mu is half of mu and a fifth.
LONGEST = np.array([0.3, 1.0])
# Powers outside this range mean that constant and moments contradict each other within the family.
LEAST, GREATEST = 0.3, 8.0
# Poisson counts up to this many standard deviations, and so many more, above the largest mean of a block are summed.
REACH, REACH_FLOOR = 7.0, 12.0
# Elements are solved together in blocks of this size, sorted by mu, so that their arrays stay in cache.
BLOCK = 2048


def fit_anchored_power(
    mean: Floats, variance: Floats, upper: Floats, q: Floats, log_constant: Floats, start: tuple[Floats, Floats, Floats]
) -> tuple[PowerBeta, NDArray[np.bool_]]:
    """The law with this mean, variance and lower tail, and where there is one; ``start`` holds kappa, b and mu."""
    kappa, b, mu = start
    x = np.stack([np.log(kappa), np.log(b), mu])
    goals = np.stack([np.log(mean / upper), np.log1p(variance / (mean * mean)), log_constant + q * np.log(upper)])
    good = np.zeros(mean.shape, dtype=bool)
    order = np.argsort(mu)
    for first in range(0, order.size, BLOCK):
        part = order[first : first + BLOCK]
        x[:, part], good[part] = _solve(x[:, part], q[part], goals[:, part])
    kappa, b, mu = np.exp(x[0]), np.exp(x[1]), x[2]
    law = PowerBeta(upper=upper, center=mean, spread=variance, p=kappa * q, b=b, mu=mu, power=kappa)
    return law, good & (kappa > LEAST) & (kappa < GREATEST)


def _solve(x: Floats, q: Floats, goals: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Broyden's method on columns: unknowns and residuals of shape (3, k)."""
    result, last = x.copy(), np.full_like(x, np.inf)
    active = np.arange(q.size)
    f = _residuals(x, q, goals)
    jacobian = np.empty((q.size, 3, 3))
    for which in range(3):
        moved = x.copy()
        moved[which] += DIFFERENCE
        jacobian[:, :, which] = ((_residuals(moved, q, goals) - f) / DIFFERENCE).T
    with np.errstate(all="ignore"):
        inverse = _inverse(jacobian)
        for _ in range(STEPS):
            step = -np.einsum("kij,jk->ik", inverse, f)
            longest = np.concatenate([np.broadcast_to(LONGEST[:, None], (2, active.size)), (0.5 * x[2] + 0.2)[None]])
            step *= np.minimum(1.0, (longest / np.abs(step)).min(axis=0))
            new = x + step
            new[2] = np.maximum(new[2], 0.2 * x[2])
            step = new - x
            g = _residuals(new, q, goals)
            change = g - f
            # Sherman-Morrison: inverse += (step - inverse change) step' inverse / (step' inverse change)
            back = np.einsum("kij,jk->ki", inverse, change)
            left = np.einsum("ik,kij->kj", step, inverse)
            scale = (step.T * back).sum(axis=1)
            inverse += (step.T - back)[:, :, None] * left[:, None, :] / scale[:, None, None]
            x, f = new, g
            result[:, active], last[:, active] = x, f
            going = (np.abs(f).max(axis=0) > ARRIVED) & np.isfinite(x).all(axis=0)
            if not going.any():
                break
            if not going.all():
                active, q = active[going], q[going]
                x, f, goals, inverse = x[:, going], f[:, going], goals[:, going], inverse[going]
    met: NDArray[np.bool_] = np.all(np.abs(last) < ACCEPTED[:, None], axis=0)
    return result, met


def _inverse(matrix: Floats) -> Floats:
    """Inverses of 3 x 3 matrices (k, 3, 3) by cross products of the rows; not finite where singular."""
    first, second, third = matrix[:, 0], matrix[:, 1], matrix[:, 2]
    columns = np.stack([np.cross(second, third), np.cross(third, first), np.cross(first, second)], axis=2)
    determinant = (first * columns[:, :, 0]).sum(axis=1)
    inverse: Floats = columns / determinant[:, None, None]
    return inverse


def _residuals(x: Floats, q: Floats, goals: Floats) -> Floats:
    """log E[X], log(1 + V/E^2) and log C of the law, minus their goals."""
    kappa, b, mu = np.exp(x[0]), np.exp(x[1]), x[2]
    low = kappa * q
    # log Gamma of p, p + kappa and p + 2 kappa, p = kappa q, and of the same plus b over Gamma(b)
    steps = low + kappa * np.arange(3.0)[:, None]
    logs = special.gammaln(steps) - log_gamma_ratio(b, steps)
    sums = _averages(low, kappa, b, mu)
    one, two = logs[1] - logs[0] + np.log(sums[0]), logs[2] - logs[0] + np.log(sums[1])
    constant = -mu - np.log(low) - logs[0]
    return np.stack([one, two - 2.0 * one, constant]) - goals


def _averages(low: Floats, kappa: Floats, b: Floats, mu: Floats) -> tuple[Floats, Floats]:
    """Poisson averages of h_k(J) / h_k(0) for k = 1 and 2."""
    top = float(mu.max(initial=0.0))
    term = np.exp(-mu)
    square, first, second = term.copy(), term.copy(), term.copy()
    lower, both = low.copy(), low + b
    ratio, part = np.empty_like(low), np.empty_like(low)
    double = 2.0 * kappa
    for j in range(int(top + REACH * np.sqrt(top) + REACH_FLOOR)):
        np.divide(both, lower, out=ratio)
        ratio *= mu
        ratio *= 1.0 / (j + 1.0)
        term *= ratio
        square *= ratio
        for shift, values, sums in ((kappa, term, first), (double, square, second)):
            np.multiply(values, np.add(lower, shift, out=part), out=values)
            np.divide(values, np.add(both, shift, out=part), out=values)
            np.add(sums, values, out=sums)
        lower += 1.0
        both += 1.0
    return first, second
