"""From moments to laws: one function for all families, with the fall-backs.

A fit works on flat arrays over the batch. Where a family cannot have the mean and variance asked for, the elements concerned
go to the next law of its chain, and the answer is a :class:`~misieve.laws.mixed.Mixed` batch whose ``names`` say which law was
used where:

- variance, mean or I_max zero (or not finite): a point mass at the mean;
- noncentral chi-square with V/E^2 > 2/nu: gamma;
- noncentral beta where its lower tail is off by so much that it matters (:data:`WORTH`): power-beta, a noncentral beta raised
  to a power, which has the constant of the lower tail too; if there are tables to take it from, and as long as it does not
  contradict the moments;
- noncentral beta where lambda = 0 is too narrow (nearly empty rows or columns): the true power at zero if that is less than
  nu/2 and gives a solution; power-beta with lambda = 0; and where its power is above :data:`TRUSTED`, or the power at zero is
  not nu/2, quadrature for 2 x 2 tables without tiny cells, draws for the rest (their mean and variance are those of the
  draws), or beta if there are no tables to draw from;
- beta with V >= E (I_max - E), which no law on [0, I_max] can have: gamma.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from misieve._errors import OptionError
from misieve._validate import known_option
from misieve.laws.anchored import fit_anchored_power
from misieve.laws.base import Law, PointMass
from misieve.laws.mixed import assemble
from misieve.laws.moment_matched import fit_beta, fit_gamma, fit_normal
from misieve.laws.noncentral import NoncentralBeta, fit_noncentral_beta, fit_noncentral_chi2, solvable_beta, solvable_chi2
from misieve.laws.power import PowerBeta, fit_central_power
from misieve.laws.quadrature import Quadrature
from misieve.laws.sampled import DRAWS, fit_sampled, in_standard_order
from misieve.laws.tails import log_lower_constant, lower_tail_power

__all__ = ["LAWS", "fit"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Part = tuple[Indices, Law]

LAWS = ("normal", "gamma", "beta", "noncentral-chi2", "noncentral-beta", "sampled", "quadrature")
# Fall-backs by draws have a seed of their own: the same table gets the same law, whatever the batch.
FALLBACK_SEED, FALLBACK_DRAWS = 1729, 10_000
# A central power-beta with a power above this is a poor copy of the truth (errors to .035 were seen).
TRUSTED = 2.0
# The lower tail says nothing about laws whose mean is more than this many standard deviations above zero.
NEAR = 3.5
# Anchoring moves P(I <= x) by about .3 |change of log C| / (p + mu)^2 at most, p = nu/2 (seen within a factor of two on 2 x 2
# to 5 x 3 tables); it is done where this is more than WORTH, which is half the mean error of the law.
MOVES, WORTH = 0.3, 1e-3
# 2 x 2 tables with a smaller cell would take quadrature too long for a fall-back.
EASY = 0.2
# Where the search for a power above that of the central law starts.
HIGHER = 1.15


def fit(
    name: str,
    *,
    mean: ArrayLike,
    variance: ArrayLike,
    upper: ArrayLike,
    freedom: ArrayLike,
    tables: Sequence[Any] | NDArray[Any] | None = None,
    complete: NDArray[np.bool_] | None = None,
    draws: int | None = None,
    rng: np.random.Generator | int | None = None,
) -> Law:
    """The law of this name for each table of a batch.

    Parameters
    ----------
    name : one of :data:`LAWS`
    mean, variance, upper, freedom : arrays of shape (batch,)
        moments of I, I_max = log min(r, s) and nu = (r-1)(s-1)
    tables : sequence of (r, s) arrays, prior included
        needed by "sampled" and "quadrature", used by "noncentral-beta" and by fall-backs where present
    complete : boolean array of shape (batch,), optional
        where the posterior is the Dirichlet of the table; elsewhere the table only stands for an incomplete sample, whose
        lower tail is not known. By default everywhere
    draws, rng : for "sampled"
    """
    known_option("law", name, LAWS)
    moments = np.broadcast_arrays(
        *(np.atleast_1d(np.asarray(part, dtype=np.float64)) for part in (mean, variance, upper, freedom))
    )
    batch = _Batch(moments[0], moments[1], moments[2], moments[3], tables, complete)
    with np.errstate(invalid="ignore"):
        regular = (batch.mean > 0) & (batch.variance > 0) & (batch.upper > 0) & (batch.mean < batch.upper)
    whole = np.flatnonzero(regular)
    rest = np.flatnonzero(~regular)
    parts: list[Part] = []
    if rest.size:
        at = batch.mean[rest]
        parts.append((rest, PointMass(upper=batch.upper[rest], center=at, spread=np.zeros_like(at))))
    if whole.size:
        if name == "sampled":
            law = fit_sampled(batch.upper[whole], batch.needed(whole, name), DRAWS if draws is None else draws, _generator(rng))
            parts.append((whole, law))
        else:
            parts += _CHAINS[name](batch, whole)
    return assemble(batch.mean.size, parts)


class _Batch:
    """The arrays of one call, so that the chains below need few arguments."""

    def __init__(
        self, mean: Floats, variance: Floats, upper: Floats, freedom: Floats, tables: Any, complete: NDArray[np.bool_] | None
    ) -> None:
        self.mean, self.variance, self.upper, self.freedom = mean, variance, upper, freedom
        self.tables = tables
        self.complete = np.ones(mean.shape, dtype=bool) if complete is None else complete

    def moments(self, which: Indices) -> tuple[Floats, Floats, Floats]:
        return self.mean[which], self.variance[which], self.upper[which]

    def table(self, index: int) -> Floats:
        """A table without the rows and columns that hold nothing: under Haldane's prior they have probability 0."""
        table = np.asarray(self.tables[index], dtype=np.float64)
        return table[table.any(axis=1)][:, table.any(axis=0)]

    def log_constants(self, which: Indices) -> Floats:
        """log C of the lower tail, tables of one shape at a time."""
        if isinstance(self.tables, np.ndarray) and self.tables.ndim == 3:
            some = np.asarray(self.tables[which], dtype=np.float64)
            result = log_lower_constant(some)
            for place in np.flatnonzero((some == 0.0).any(axis=(1, 2))):
                result[place] = log_lower_constant(self.table(which[place]))
            return result
        result = np.empty(which.size)
        shapes: dict[tuple[int, ...], list[int]] = {}
        each = [self.table(index) for index in which]
        for number, table in enumerate(each):
            shapes.setdefault(table.shape, []).append(number)
        for places in shapes.values():
            result[places] = log_lower_constant(np.array([each[number] for number in places]))
        return result

    def needed(self, which: Indices, name: str) -> list[Floats]:
        if self.tables is None:
            raise OptionError(f"the law {name!r} needs the tables themselves, not only moments: pass tables=")
        return [self.table(index) for index in which]


def _generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    return np.random.default_rng(rng)


def _normal(batch: _Batch, which: Indices) -> list[Part]:
    return [(which, fit_normal(*batch.moments(which)))]


def _gamma(batch: _Batch, which: Indices) -> list[Part]:
    return [(which, fit_gamma(*batch.moments(which)))]


def _beta(batch: _Batch, which: Indices) -> list[Part]:
    mean, variance, upper = batch.moments(which)
    possible = variance < mean * (upper - mean)
    good = which[possible]
    return [(good, fit_beta(*batch.moments(good))), *_gamma(batch, which[~possible])]


def _noncentral_chi2(batch: _Batch, which: Indices) -> list[Part]:
    p = batch.freedom[which] / 2.0
    possible = solvable_chi2(batch.mean[which], batch.variance[which], p)
    good = which[possible]
    return [(good, fit_noncentral_chi2(*batch.moments(good), p[possible])), *_gamma(batch, which[~possible])]


def _noncentral_beta(batch: _Batch, which: Indices) -> list[Part]:
    p = batch.freedom[which] / 2.0
    possible = solvable_beta(*batch.moments(which), p)
    good = which[possible]
    parts: list[Part] = [
        (good, fit_noncentral_beta(*batch.moments(good), p[possible])),
        *_central_power(batch, which[~possible]),
    ]
    if batch.tables is None:
        return parts
    return [done for indices, law in parts for done in _anchored(batch, indices, law)]


def _anchored(batch: _Batch, which: Indices, law: Law) -> list[Part]:
    """The law, where its lower tail is well off replaced by the power-beta with the right one."""
    if not isinstance(law, (NoncentralBeta, PowerBeta)):
        return [(which, law)]
    near = np.flatnonzero(batch.complete[which] & (law.center**2 <= NEAR**2 * law.spread))
    some, q = law.take(near), batch.freedom[which[near]] / 2.0
    constant = batch.log_constants(which[near])
    if isinstance(some, PowerBeta):
        # Where lambda = 0 was too narrow, a higher power leaves room for a positive one.
        start, off = (some.power * HIGHER, some.b / HIGHER, 0.2 * some.p), np.isfinite(constant)
    else:
        start = (np.ones_like(some.b), some.b, np.maximum(some.mu, 1e-3))
        off = MOVES * np.abs(constant - some.log_constant()) > WORTH * (some.p + some.mu) ** 2  # False where it is not known
    tried = np.flatnonzero(off)
    moments = (some.center[tried], some.spread[tried], some.upper[tried])
    fitted, good = fit_anchored_power(*moments, q[tried], constant[tried], (start[0][tried], start[1][tried], start[2][tried]))
    done = near[tried[good]]
    left = np.setdiff1d(np.arange(which.size), done, assume_unique=True)
    return [(which[done], fitted.take(np.flatnonzero(good))), (which[left], law.take(left))]


def _central_power(batch: _Batch, which: Indices) -> list[Part]:
    """Power-beta with lambda = 0, where even that has no solution the exact or the empirical law."""
    if not which.size:
        return []
    mean, variance, upper = batch.moments(which)
    q = batch.freedom[which] / 2.0
    if batch.tables is not None:
        # The power is nu/2 wherever the lower tail's constant is known; only the others are looked at one by one.
        for place in np.flatnonzero(np.isnan(batch.log_constants(which))):
            q[place] = lower_tail_power(batch.table(which[place]))
    # With a lower power at zero the noncentral beta may have a solution after all.
    possible = solvable_beta(mean, variance, upper, q)
    eased = which[possible]
    law, good = fit_central_power(mean[~possible], variance[~possible], upper[~possible], q[~possible])
    rest = which[~possible]
    if batch.tables is not None:
        good &= (law.power <= TRUSTED) & (q[~possible] == batch.freedom[rest] / 2.0)
    parts: list[Part] = [(eased, fit_noncentral_beta(*batch.moments(eased), q[possible]))]
    parts.append((rest[good], law.take(np.flatnonzero(good))))
    return parts + _from_tables(batch, rest[~good])


def _from_tables(batch: _Batch, which: Indices) -> list[Part]:
    if batch.tables is None:
        return _beta(batch, which)
    exact = np.array(
        [batch.table(index).shape == (2, 2) and bool(batch.table(index).min() > EASY) for index in which], dtype=bool
    )
    small, large = which[exact], which[~exact]
    parts: list[Part] = []
    if small.size:
        parts += _quadrature(batch, small)
    if large.size:
        standard = [in_standard_order(table) for table in batch.needed(large, "sampled")]
        parts.append((large, fit_sampled(batch.upper[large], standard, FALLBACK_DRAWS, FALLBACK_SEED)))
    return parts


def _quadrature(batch: _Batch, which: Indices) -> list[Part]:
    tables = batch.needed(which, "quadrature")
    for index, table in zip(which, tables, strict=True):
        if table.shape != (2, 2) or not (table > 0).all():
            found = f"the shape {table.shape}" if table.shape != (2, 2) else "an empty cell"
            raise OptionError(
                f"the law 'quadrature' is for 2 x 2 tables with positive counts, prior included; table {index} has {found}: "
                "use law='noncentral-beta' or, for any table, law='sampled'"
            )
    mean, variance, upper = batch.moments(which)
    return [(which, Quadrature(upper=upper, center=mean, spread=variance, tables=np.array(tables)))]


_CHAINS: dict[str, Callable[[_Batch, Indices], list[Part]]] = {
    "normal": _normal,
    "gamma": _gamma,
    "beta": _beta,
    "noncentral-chi2": _noncentral_chi2,
    "noncentral-beta": _noncentral_beta,
    "quadrature": _quadrature,
}
