r"""Which tables the filters keep: forward, empirical and backward, for many rounds at once.

With :math:`q = P(I \le \varepsilon)` under the posterior, forward keeps iff :math:`1 - q \ge p`, backward drops iff
:math:`q \ge p`, empirical keeps iff the plug-in :math:`J > \varepsilon` (paper, section 3.1). Most tables are so far from
:math:`\varepsilon` that any law of their mean E and variance V gives the same verdict: by Cantelli's inequality the probability
beyond :math:`\varepsilon`, seen from E, is at most

.. math:: b = \frac{V}{V + (E - \varepsilon)^2},

so :math:`q \le b` where :math:`E > \varepsilon` and :math:`q \ge 1 - b` where :math:`E < \varepsilon`. What this leaves open
is looked up in a chart of the law over E and V (:mod:`misieve.progressive.chart`) where there are enough tables to make one
worth while, and only the few tables near the boundary get their own law.
"""

import threading
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from misieve import laws
from misieve.batch import Distinct, describe, describe_incomplete
from misieve.independence import learn_prior
from misieve.laws.noncentral import solvable_beta
from misieve.mixture import Posterior
from misieve.prior import add_prior, pseudo_count
from misieve.progressive.chart import NODES, chart
from misieve.progressive.filters import Filters
from misieve.summary import Summary, summarise

__all__ = ["Tabled", "verdicts"]

Floats = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bits = NDArray[np.uint8]

# Laws with the mean and variance that they are given. Where one has no solution the law that stands in has them too, except for
# the noncentral beta: there draws or quadrature may follow the table itself.
_MATCHED = ("normal", "gamma", "beta", "noncentral-chi2", "noncentral-beta")
# The inequalities must hold by this much, so that rounding cannot turn a verdict.
_MARGIN = 1e-9
# So many tables with incomplete samples are described at a time.
_INCOMPLETE = 1 << 15
# So that two threads do not make the same chart.
_CHARTING = threading.Lock()


@dataclass(frozen=True)
class Tabled:
    """The distinct tables (k, r, s) of one block, round after round: the round of each, and how many features have it."""

    tables: Int64
    rounds: Int64
    members: NDArray[np.int32]
    #: Classes (k, s) of the rows without the feature, where the posterior is to learn from them.
    col_only: Int64 | None = None


def verdicts(filters: Filters, blocks: list[Tabled], thresholds: Floats, rng: np.random.Generator) -> list[Bits]:
    """For each table of each block the rules that keep it: bit q stands for ``filters.rules[q]``."""
    if filters.independence == "auto":
        masses = _learned(filters, blocks, len(thresholds))
    else:
        masses = np.full(len(thresholds), float(filters.independence))
    return [_of_block(filters, block, thresholds[block.rounds], masses[block.rounds], rng) for block in blocks]


def _of_block(filters: Filters, block: Tabled, epsilon: Floats, mass: Floats, rng: np.random.Generator) -> Bits:
    """Complete tables by themselves, those with incomplete samples some at a time."""
    if block.col_only is None:
        return _kept(filters, block.tables, None, epsilon, mass, rng)
    lacking = block.col_only.sum(axis=1) > 0
    bits = np.zeros(len(lacking), dtype=np.uint8)
    some = np.flatnonzero(~lacking)
    bits[some] = _kept(filters, block.tables[some], None, epsilon[some], mass[some], rng)
    which = np.flatnonzero(lacking)
    for start in range(0, len(which), _INCOMPLETE):
        some = which[start : start + _INCOMPLETE]
        bits[some] = _kept(filters, block.tables[some], block.col_only[some], epsilon[some], mass[some], rng)
    return bits


def _kept(
    filters: Filters, tables: Int64, col_only: Int64 | None, epsilon: Floats, mass: Floats, rng: np.random.Generator
) -> Bits:
    verdict = {"all": np.ones(len(tables), dtype=bool)}
    asked = [rule for rule in ("forward", "backward") if rule in filters.rules]
    bounded = _is_bounded(filters, tables)
    if bounded or "empirical" in filters.rules:
        found = _moments(filters, tables, col_only, bounded)
        verdict["empirical"] = found.empirical > epsilon
    if asked:
        turns = [1.0 - filters.level if rule == "forward" else filters.level for rule in asked]
        low, high = np.zeros(len(tables)), np.ones(len(tables))
        which = np.arange(len(tables))
        if bounded:
            low, high = _distant(found.mean, found.variance, epsilon)
            astray = _is_astray(filters, found.mean, found.variance, tables.shape[1:])
            low[astray], high[astray] = 0.0, 1.0
            which = _open(low, high, turns)
            if _is_chartable(filters, epsilon, len(which)):
                low[which], high[which] = _charted(filters, found.mean[which], found.variance[which], tables.shape[1:])
                which = which[_open(low[which], high[which], turns)]
        if which.size and bounded:
            known: dict[str, Any] = {}
            if isinstance(found, Distinct):
                known = {"tables": found.tables[which], "complete": found.complete[which]}
            elif filters.law == "noncentral-beta":
                known = {"tables": add_prior(tables[which].astype(np.float64), filters.prior)}
            shape = tables.shape[1:]
            low[which] = high[which] = _fitted(filters, found.mean[which], found.variance[which], shape, known, epsilon[which])
        elif which.size:
            low[which] = high[which] = _below(filters, tables, col_only, epsilon, mass, rng)
        verdict["forward"] = 1.0 - high >= filters.level
        verdict["backward"] = ~(low >= filters.level)
    bits = np.zeros(len(tables), dtype=np.uint8)
    for place, rule in enumerate(filters.rules):
        bits |= verdict[rule].astype(np.uint8) << np.uint8(place)
    return bits


def _moments(filters: Filters, tables: Int64, col_only: Int64 | None, bounded: bool) -> "Summary | Distinct":
    if col_only is not None:
        return _incomplete(filters, tables, col_only, needs_factor=False)[0]
    if bounded:
        return summarise(tables, filters.prior, filters.variance)
    return describe(tables.astype(np.float64), filters.prior, "series")[0]


def _is_bounded(filters: Filters, tables: Int64) -> bool:
    """Whether mean and variance alone can decide: no atom at 0, a law that has them, and no empty row or column."""
    return (
        filters.independence == 0.0
        and filters.law in _MATCHED
        and bool(np.all(pseudo_count(filters.prior, *tables.shape[1:]) > 0))
    )


def _is_astray(filters: Filters, mean: Floats, variance: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Where a law stands in that need not have this mean and variance."""
    if filters.law != "noncentral-beta":
        return np.zeros(len(mean), dtype=bool)
    r, s = shape
    upper, half_freedom = np.full_like(mean, np.log(min(r, s))), np.full_like(mean, (r - 1.0) * (s - 1.0) / 2.0)
    return ~solvable_beta(mean, variance, upper, half_freedom)


def _open(low: Floats, high: Floats, turns: list[float]) -> Int64:
    """The tables whose verdicts depend on where between its bounds the probability lies."""
    undecided = np.zeros(len(low), dtype=bool)
    for turn in turns:
        undecided |= (low < turn + _MARGIN) & (high > turn - _MARGIN)
    return np.flatnonzero(undecided)


def _distant(mean: Floats, variance: Floats, epsilon: Floats) -> tuple[Floats, Floats]:
    """Cantelli's bounds on P(I <= epsilon)."""
    gap = mean - epsilon
    beyond = variance / np.maximum(variance + gap * gap, np.finfo(float).tiny)
    above = gap > 0
    return np.where(above, 0.0, 1.0 - beyond), np.where(above, beyond, 1.0)


def _is_chartable(filters: Filters, epsilon: Floats, tables: int) -> bool:
    """Whether mean and variance are all that the law knows, there is one threshold for all, and a chart pays."""
    return filters.law != "noncentral-beta" and filters.unit != "share" and tables >= NODES // 4 and epsilon[0] > 0


def _charted(filters: Filters, mean: Floats, variance: Floats, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    r, s = shape
    with _CHARTING:
        found = chart(filters.law, filters.threshold, float(np.log(min(r, s))), (r - 1.0) * (s - 1.0))
    return found.bounds(mean, variance)


def _fitted(
    filters: Filters, mean: Floats, variance: Floats, shape: tuple[int, ...], known: dict[str, Any], epsilon: Floats
) -> Floats:
    """P(I <= epsilon) of full tables without an atom; the noncentral beta is to know the prior-laden tables themselves."""
    r, s = shape
    upper, freedom = np.full_like(mean, np.log(min(r, s))), np.full_like(mean, (r - 1.0) * (s - 1.0))
    return laws.fit(filters.law, mean=mean, variance=variance, upper=upper, freedom=freedom, **known).cdf(epsilon)


def _incomplete(filters: Filters, tables: Int64, col_only: Int64, *, needs_factor: bool) -> tuple[Distinct, Floats]:
    counts, columns = tables.astype(np.float64), col_only.astype(np.float64)
    return describe_incomplete(
        counts, np.zeros(counts.shape[:2]), columns, filters.prior, filters.variance, needs_factor=needs_factor
    )


def _below(
    filters: Filters, tables: Int64, col_only: Int64 | None, epsilon: Floats, mass: Floats, rng: np.random.Generator
) -> Floats:
    """P(I <= epsilon) of each table by the law asked for, with its atom at independence."""
    needs_factor = filters.independence != 0.0
    if col_only is not None:
        part, log_factor = _incomplete(filters, tables, col_only, needs_factor=needs_factor)
        atom = np.where(part.freedom == 0, 1.0, expit(log_factor + logit(mass)))
        size = len(atom)
        found = Posterior(replace(part, atom=atom), np.arange(size), (size,), filters.law, None, None, rng)
        return found.cdf(epsilon)
    part, log_factor, _ = describe(tables.astype(np.float64), filters.prior, filters.variance, needs_factor=needs_factor)
    law = laws.fit(
        filters.law,
        mean=part.mean,
        variance=part.variance,
        upper=part.upper,
        freedom=part.freedom,
        tables=part.tables,
        rng=rng,
    )
    atom = np.where(part.freedom == 0, 1.0, expit(log_factor + logit(mass)))
    result: Floats = atom + (1.0 - atom) * law.cdf(epsilon)
    return result


def _learned(filters: Filters, blocks: list[Tabled], rounds: int) -> Floats:
    """The prior probability of independence that each round's features teach (see :mod:`misieve.independence`)."""
    factors, members, places = [], [], []
    for block in blocks:
        part, factor, _ = describe(block.tables.astype(np.float64), filters.prior, "series", needs_factor=True)
        counted = part.freedom > 0
        factors.append(factor[counted])
        members.append(block.members[counted].astype(np.float64))
        places.append(block.rounds[counted])
    factor, member, place = (np.concatenate([*parts, np.zeros(0)]) for parts in (factors, members, places))
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(rounds + 1))
    factor, member = factor[order], member[order]
    return np.array([learn_prior(factor[a:b], member[a:b]) for a, b in pairwise(ends)])
