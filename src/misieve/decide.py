r"""Which features to keep: the filters of the paper (section 3.1), and one that controls the false discovery rate.

Each rule looks at the posterior of a feature's mutual information :math:`I` and at a threshold :math:`\varepsilon`:

- *forward*: keep it if :math:`P(I > \varepsilon) \ge` level: only what surely matters;
- *backward*: drop it if :math:`P(I \le \varepsilon) \ge` level: all that may matter;
- *empirical*: keep it if the plug-in value exceeds :math:`\varepsilon`: what filters without a posterior do;
- *fdr*: keep the largest set whose expected share of features with :math:`I \le \varepsilon` is at most 1 - level.

A rule needs the law only for features near its boundary: mean and variance alone bound the probability on either side
(Cantelli's inequality), which settles most of them.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import OptionError
from misieve._validate import fraction, known_option
from misieve.posteriors import Posterior, posterior

__all__ = ["RULES", "UNITS", "Selection", "backward", "check_rule", "empirical", "fdr", "forward", "select"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: The rules, by name.
RULES = ("forward", "backward", "empirical", "fdr")

#: What the threshold is measured in: a share of the target's entropy, or the mutual information itself.
UNITS = ("share", "nats", "bits")


def probability_bounds(p: Posterior, epsilon: Array) -> tuple[Array, Array]:
    r"""Bounds of :math:`P(I > \varepsilon)` from mean and variance given dependence, and from the atom (Cantelli).

    .. math:: P(I > \varepsilon) \le (1-w) \frac{v}{v + (\varepsilon - m)^2} \text{ if } \varepsilon > m, \qquad
              P(I > \varepsilon) \ge (1-w) \Big[ 1 - \frac{v}{v + (m - \varepsilon)^2} \Big] \text{ if } \varepsilon < m
    """
    dependent = 1.0 - p.independence
    mean, variance = p.mean_if_dependent(), p.var_if_dependent()
    gap = mean - epsilon
    spread = variance + gap**2
    share = np.divide(variance, spread, out=np.ones_like(spread), where=spread > 0)
    return dependent * np.where(gap > 0, 1.0 - share, 0.0), dependent * np.where(gap < 0, share, 1.0)


def forward(p: Posterior, epsilon: float | Array, level: float = 0.95) -> Mask:
    """Keep a feature iff P(I > epsilon) >= level."""
    return _exceeds(p, epsilon, level, strictly=False)


def backward(p: Posterior, epsilon: float | Array, level: float = 0.95) -> Mask:
    """Drop a feature iff P(I <= epsilon) >= level: keep it iff P(I > epsilon) > 1 - level."""
    return _exceeds(p, epsilon, 1.0 - level, strictly=True)


def empirical(p: Posterior, epsilon: float | Array) -> Mask:
    """Keep a feature iff the plug-in mutual information of its prior-laden counts exceeds epsilon."""
    return np.atleast_1d(p.empirical > epsilon)


def fdr(p: Posterior, epsilon: float | Array, level: float = 0.95) -> Mask:
    r"""Keep the largest set whose expected share of false discoveries is at most 1 - level.

    A kept feature is a false discovery if :math:`I \le \varepsilon`, which has probability :math:`1 - P(I > \varepsilon)`; the
    expected share is the mean of that over the set, so the most probable features are taken as long as it allows.
    """
    error = 1.0 - np.atleast_1d(p.sf(epsilon))
    order = np.argsort(error, kind="stable")
    share = np.cumsum(error[order]) / np.arange(1, len(error) + 1)
    kept = np.zeros(len(error), dtype=np.bool_)
    kept[order[: np.count_nonzero(share <= 1.0 - level)]] = True  # the running mean of a growing sequence only grows
    return kept


def _exceeds(p: Posterior, epsilon: float | Array, level: float, *, strictly: bool) -> Mask:
    """Where P(I > epsilon) reaches (or strictly exceeds) a level: from the bounds where they suffice, else from the law."""
    threshold = np.broadcast_to(np.asarray(epsilon, dtype=np.float64), p.shape)
    lower, upper = probability_bounds(p, threshold)
    reached = np.greater if strictly else np.greater_equal
    result = np.atleast_1d(reached(lower, level))
    open_ones = np.flatnonzero(~result & np.atleast_1d(reached(upper, level)))
    if open_ones.size:
        result[open_ones] = reached(p[open_ones].sf(threshold[open_ones]), level)
    return result


def check_rule(rule: Any, epsilon: Any, unit: Any, level: Any) -> None:
    """OptionError unless these describe a rule."""
    known_option("rule", rule, RULES)
    known_option("unit", unit, UNITS)
    fraction("level", level)
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float, np.number)) or not 0 <= epsilon < np.inf:
        raise OptionError(f"epsilon must be a number from 0 up, not {epsilon!r}")


def select(
    x: Any,
    *,
    rule: str = "forward",
    epsilon: float = 0.005,
    unit: str = "share",
    level: float = 0.95,
    prior: Any = "uniform",
    law: str = "noncentral-beta",
    variance: str = "auto",
    independence: Any = "auto",
) -> "Selection":
    """Decide which features to keep.

    Parameters
    ----------
    x : Tables or Posterior
        Counted features (:func:`misieve.count`), or their posterior; the last four options describe the posterior to be made
        and do not apply to one that is given.
    rule : {"forward", "backward", "empirical", "fdr"}
        See the head of :mod:`misieve.decide`.
    epsilon : float
        The least mutual information worth keeping.
    unit : {"share", "nats", "bits"}
        Unit of ``epsilon``: a share of the target's entropy (0.005: knowing the feature removes half a percent of what is
        uncertain about the target), nats or bits.
    level : float
        Probability that forward and backward ask for; fdr allows a share of 1 - level false discoveries.

    Returns
    -------
    Selection
    """
    check_rule(rule, epsilon, unit, level)
    if isinstance(x, Posterior):
        p = x
    elif hasattr(x, "blocks"):
        p = posterior(x, prior=prior, law=law, variance=variance, independence=independence)
    else:
        raise OptionError(f"select takes Tables or a Posterior, not {type(x).__name__}: make them with misieve.count(X, y)")
    if len(p.shape) != 1:
        raise OptionError(f"select needs the posteriors of a list of features, not a batch of shape {p.shape}")
    nats = float(epsilon) * {"nats": 1.0, "bits": np.log(2.0)}.get(unit, 1.0)
    threshold = nats * p.target_entropy if unit == "share" else np.full(p.shape, nats)
    if rule == "empirical":
        support = empirical(p, threshold)
    else:
        support = {"forward": forward, "backward": backward, "fdr": fdr}[rule](p, threshold, level)
    uncut = frozenset(name for name, cuts in getattr(x, "cuts", {}).items() if not len(cuts))
    return Selection(p, rule, float(epsilon), unit, level, threshold, support, uncut)


@dataclass(frozen=True, repr=False)
class Selection:
    """Which features are kept, and why. The probabilities are computed when first asked for."""

    #: The posterior that was decided on.
    posterior: Posterior
    rule: str
    #: The threshold as it was given, and its unit.
    epsilon: float
    unit: str
    level: float
    #: The threshold in nats, for each feature.
    threshold: Array
    #: Which features are kept, a mask in the features' order.
    support: Mask
    #: Names of continuous features for which no cut was found: one bin, and so constant.
    uncut: frozenset[Any] = frozenset()
    #: Features that are kept only because at least so many were asked for, a mask; None if there are none.
    filled: Mask | None = None

    def at_least(self, count: int) -> "Selection":
        """The same with at least ``count`` features kept: those of greatest probability first, then of greatest mean."""
        lacking = min(count, len(self.support)) - int(self.support.sum())
        if lacking <= 0:
            return self
        best = np.lexsort((-self.mean, -self.probability, self.support))[:lacking]
        filled = np.zeros(len(self.support), dtype=np.bool_)
        filled[best] = True
        return replace(self, support=self.support | filled, filled=filled)

    @property
    def features(self) -> tuple[Any, ...]:
        """Names of all features, kept or not; their positions if they have no names."""
        return self.posterior.features or tuple(range(len(self.support)))

    @property
    def kept(self) -> tuple[Any, ...]:
        """Names of the kept features."""
        return tuple(name for name, keep in zip(self.features, self.support, strict=True) if keep)

    @cached_property
    def mean(self) -> Array:
        """Posterior mean of each feature's mutual information, in nats."""
        return self.posterior.mean()

    @cached_property
    def probability(self) -> Array:
        """P(I > epsilon) of each feature."""
        return self.posterior.sf(self.threshold)

    @cached_property
    def interval(self) -> tuple[Array, Array]:
        """The quantiles at 1 - level and level: forward keeps iff the lower exceeds the threshold, backward by the upper."""
        return self.posterior.ppf(1.0 - self.level), self.posterior.ppf(self.level)

    @cached_property
    def reason(self) -> tuple[str, ...]:
        """Why each feature is kept or not, in a few words."""
        p = self.posterior
        # One list each: to look up an element of a posterior's array makes the whole array.
        facts = zip(
            self.features,
            np.atleast_1d(p.observations).tolist(),
            np.atleast_1d(p.upper).tolist(),
            np.atleast_1d(p.target_entropy).tolist(),
            (p.empirical if self.rule == "empirical" else self.probability).tolist(),
            self.threshold.tolist(),
            (np.zeros(len(self.support), np.bool_) if self.filled is None else self.filled).tolist(),
            strict=True,
        )
        return tuple(self._reason(*one) + (", kept as one of the best" if filled else "") for *one, filled in facts)

    def _reason(self, name: Any, observations: float, upper: float, entropy: float, found: float, threshold: float) -> str:
        if observations == 0:
            return "all missing"
        if upper == 0:
            if entropy > 0 and name in self.uncut:
                return "no cut tells the classes apart"
            return "constant" if entropy > 0 else "the target has one class"
        epsilon = f"{self.epsilon:g}" if self.unit == "nats" else f"{threshold:.3g}"
        if self.rule == "empirical":
            return f"plug-in MI = {found:.3g}, threshold {epsilon}"
        return f"P(MI > {epsilon}) {_shown(found)}"

    def to_frame(self) -> Any:
        """One row for each feature: kept, reason, mean, sd, interval, probability, independence.

        In the frame library that the data came in, else pandas, else polars.
        """
        from misieve.frames import build_frame

        low, high = self.interval
        columns = {
            "feature": list(self.features),
            "kept": self.support,
            "mean": self.mean,
            "sd": self.posterior.std(),
            "lower": low,
            "upper": high,
            "probability": self.probability,
            "independence": self.posterior.independence,
            "reason": list(self.reason),
        }
        return build_frame(columns, self.posterior.library)

    def __repr__(self) -> str:
        """How many are kept."""
        return f"<Selection: {int(self.support.sum())} of {len(self.support)} features kept, rule {self.rule}>"


def _shown(probability: float) -> str:
    """Three decimals, but never 1.000 or 0.000 for what is not certain."""
    if probability > 0.9995:
        return "> 0.999"
    return "< 0.001" if 0.0 < probability < 0.0005 else f"= {probability:.3f}"
