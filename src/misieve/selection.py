"""Selection: which features are kept, and why, as a value that decisions make and reports, plots and estimators read."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.mixture import Posterior

__all__ = ["Selection"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


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
    #: Names of all continuous features, which were cut into bins.
    cut: frozenset[Any] = frozenset()
    #: How many values or bins each feature has; None if only its posterior is known.
    sizes: NDArray[np.int64] | None = None
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
    def taken_as(self) -> tuple[str, ...] | None:
        """What each feature was taken for: "3 values" of a category, or "3 bins" of a continuous column."""
        if self.sizes is None:
            return None
        kinds = ("bin" if name in self.cut else "value" for name in self.features)
        return tuple(f"{r} {kind}{'' if r == 1 else 's'}" for r, kind in zip(self.sizes.tolist(), kinds, strict=True))

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
        """One row for each feature: what it was taken for, kept, mean, sd, interval, probability, independence, reason.

        In the frame library that the data came in, else pandas, else polars.
        """
        from misieve.frames import build_frame

        low, high = self.interval
        columns = {
            "feature": list(self.features),
            **({} if self.taken_as is None else {"taken_as": list(self.taken_as)}),
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
    """Three decimals, but never 1.000 or 0.000: what doubles round to certainty is not certain."""
    if probability > 0.9995:
        return "> 0.999"
    return "< 0.001" if probability < 0.0005 else f"= {probability:.3f}"
