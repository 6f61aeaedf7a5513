r"""Which tables the filters keep: forward, empirical and backward, for many rounds at once.

With :math:`q = P(I \le \varepsilon)` under the posterior, forward keeps iff :math:`1 - q \ge p`, backward drops iff
:math:`q \ge p`, empirical keeps iff the plug-in :math:`J > \varepsilon` (paper, section 3.1). Most tables are so far from
:math:`\varepsilon` that any law of their mean E and variance V gives the same verdict: by Cantelli's inequality the probability
beyond :math:`\varepsilon`, seen from E, is at most

.. math:: b = \frac{V}{V + (E - \varepsilon)^2},

so :math:`q \le b` where :math:`E > \varepsilon` and :math:`q \ge 1 - b` where :math:`E < \varepsilon`. Only the tables that
this leaves open get a law.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, expit, logit

from misieve import laws
from misieve._errors import OptionError
from misieve._validate import fraction, known_option
from misieve.batch import describe
from misieve.independence import learn_prior, prior_option
from misieve.laws.noncentral import solvable_beta
from misieve.prior import pseudo_count
from misieve.summary import VARIANCES, summarise

__all__ = ["RULES", "UNITS", "Filters", "Tabled", "verdicts"]

Floats = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bits = NDArray[np.uint8]

#: The filters by name; "all" keeps every feature.
RULES = ("forward", "empirical", "backward", "all")
UNITS = ("nats", "bits", "share")

# Laws with exactly the mean and variance that they are given, whatever those are.
_MATCHED = ("normal", "gamma", "beta", "noncentral-chi2")
# The inequalities must hold by this much, so that rounding cannot turn a verdict.
_MARGIN = 1e-9


@dataclass(frozen=True)
class Filters:
    """The rules to compare and what they share."""

    rules: tuple[str, ...]
    epsilon: float
    unit: str
    level: float
    prior: Any
    law: str
    variance: str
    independence: float | str

    @classmethod
    def checked(
        cls, rules: Any, epsilon: Any, unit: Any, level: Any, prior: Any, law: Any, variance: Any, independence: Any
    ) -> "Filters":
        """Check the options as the user gave them."""
        given = (rules,) if rules is None or isinstance(rules, str) else tuple(rules)
        names = tuple(known_option("rules", "all" if rule is None else rule, RULES) for rule in given)
        if not names:
            raise OptionError(f"rules must name at least one of {', '.join(map(repr, RULES))}, found none")
        if len(set(names)) < len(names):
            raise OptionError(f"rules must be different, found {names}")
        number = isinstance(epsilon, (int, float, np.integer, np.floating)) and not isinstance(epsilon, bool)
        if not number or not 0.0 <= epsilon < np.inf:
            raise OptionError(f"epsilon must be a finite number, 0 or more, not {epsilon!r}")
        return cls(
            names,
            float(epsilon),
            known_option("unit", unit, UNITS),
            fraction("level", level),
            prior,
            known_option("law", law, laws.LAWS),
            known_option("variance", variance, VARIANCES),
            prior_option(independence),
        )

    def thresholds(self, totals: Int64) -> Floats:
        """Epsilon in nats at each round, given the class counts (rounds, s) so far.

        A share is one of the target's entropy, which is taken from those counts with one added to each.
        """
        if self.unit == "share":
            chances = (totals + 1.0) / (totals + 1.0).sum(axis=1, keepdims=True)
            result: Floats = self.epsilon * entr(chances).sum(axis=1)
            return result
        return np.full(len(totals), self.epsilon * (np.log(2.0) if self.unit == "bits" else 1.0))


@dataclass(frozen=True)
class Tabled:
    """The distinct tables (k, r, s) of one block, round after round: the round of each, and how many features have it."""

    tables: Int64
    rounds: Int64
    members: NDArray[np.int32]


def verdicts(filters: Filters, blocks: list[Tabled], thresholds: Floats, rng: np.random.Generator) -> list[Bits]:
    """For each table of each block the rules that keep it: bit q stands for ``filters.rules[q]``."""
    if filters.independence == "auto":
        masses = _learned(filters, blocks, len(thresholds))
    else:
        masses = np.full(len(thresholds), float(filters.independence))
    return [_kept(filters, block.tables, thresholds[block.rounds], masses[block.rounds], rng) for block in blocks]


def _kept(filters: Filters, tables: Int64, epsilon: Floats, mass: Floats, rng: np.random.Generator) -> Bits:
    verdict = {"all": np.ones(len(tables), dtype=bool)}
    asked = [rule for rule in ("forward", "backward") if rule in filters.rules]
    if _is_certain(filters, tables):
        found = summarise(tables, filters.prior, filters.variance)
        verdict["empirical"] = found.empirical > epsilon
        low, high = _bounds(filters, found.mean, found.variance, epsilon, tables.shape[1:])
    else:
        if "empirical" in filters.rules:
            verdict["empirical"] = describe(tables.astype(np.float64), filters.prior, "series")[0].empirical > epsilon
        low, high = np.zeros(len(tables)), np.ones(len(tables))
    if asked:
        # From here on q lies between low and high: what that leaves open is computed.
        open_ones = np.zeros(len(tables), dtype=bool)
        for rule in asked:
            turn = 1.0 - filters.level if rule == "forward" else filters.level
            open_ones |= (low < turn + _MARGIN) & (high > turn - _MARGIN)
        which = np.flatnonzero(open_ones)
        if which.size:
            low[which] = high[which] = _below(filters, tables[which], epsilon[which], mass[which], rng)
        verdict["forward"] = 1.0 - high >= filters.level
        verdict["backward"] = ~(low >= filters.level)
    bits = np.zeros(len(tables), dtype=np.uint8)
    for place, rule in enumerate(filters.rules):
        bits |= verdict[rule].astype(np.uint8) << np.uint8(place)
    return bits


def _is_certain(filters: Filters, tables: Int64) -> bool:
    """Whether bounds from mean and variance hold: no atom at 0, a law of those moments, and no empty row or column."""
    lawful = filters.law in _MATCHED or filters.law == "noncentral-beta"
    return filters.independence == 0.0 and lawful and bool(np.all(pseudo_count(filters.prior, *tables.shape[1:]) > 0))


def _bounds(
    filters: Filters, mean: Floats, variance: Floats, epsilon: Floats, shape: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Bounds on P(I <= epsilon) that hold for every law with this mean and variance."""
    r, s = shape
    gap = mean - epsilon
    with np.errstate(invalid="ignore"):
        beyond = variance / (variance + gap * gap)
    beyond[np.isnan(beyond)] = 1.0
    above = gap > 0
    low, high = np.where(above, 0.0, 1.0 - beyond), np.where(above, beyond, 1.0)
    if filters.law == "noncentral-beta":
        upper = np.full_like(mean, np.log(min(r, s)))
        fallen_back = ~solvable_beta(mean, variance, upper, np.full_like(mean, (r - 1) * (s - 1) / 2.0))
        low[fallen_back], high[fallen_back] = 0.0, 1.0
    return low, high


def _below(filters: Filters, tables: Int64, epsilon: Floats, mass: Floats, rng: np.random.Generator) -> Floats:
    """P(I <= epsilon) of each table by the law asked for, with its atom at independence."""
    needs_factor = filters.independence != 0.0
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
    return np.array([learn_prior(factor[a:b], member[a:b]) for a, b in zip(ends[:-1], ends[1:], strict=True)])
