"""The filters to compare and the options that they share."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from misieve import laws
from misieve._errors import OptionError
from misieve._validate import fraction, known_option
from misieve.independence import prior_option
from misieve.summary import VARIANCES

__all__ = ["RULES", "UNITS", "Filters"]

Floats = NDArray[np.float64]
Int64 = NDArray[np.int64]

#: The filters by name; "all" keeps every feature.
RULES = ("forward", "empirical", "backward", "all")
UNITS = ("nats", "bits", "share")


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
            # Tables have their classes in rows, the walk in columns.
            prior.T if isinstance(prior, np.ndarray) and prior.ndim == 2 else prior,
            known_option("law", law, laws.LAWS),
            known_option("variance", variance, VARIANCES),
            prior_option(independence),
        )

    def thresholds(self, totals: Int64) -> Floats:
        """Epsilon in nats at each round, given the class counts (rounds, s) so far.

        A share is one of the target's entropy by those counts, 0 before the first.
        """
        if self.unit == "share":
            chances = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1)
            result: Floats = self.epsilon * entr(chances).sum(axis=1)
            return result
        return np.full(len(totals), self.threshold)

    @property
    def threshold(self) -> float:
        """Epsilon in nats, where it is the same at each round."""
        return self.epsilon * (float(np.log(2.0)) if self.unit == "bits" else 1.0)
