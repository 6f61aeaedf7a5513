"""What a prequential evaluation found."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import OptionError
from misieve._validate import fraction, known_option
from misieve.frames import build_frame
from misieve.progressive.paired import Comparison, compared

__all__ = ["Prequential"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Prequential:
    """Accuracy and features used of each rule, row by row: dicts by rule of arrays (orders, n), entry k - 1 for row k."""

    #: Names of the rules, as asked for ("all" for None).
    rules: tuple[str, ...]
    #: How many features there are.
    features: int
    #: The classes, in the order of ties.
    classes: tuple[Any, ...]
    #: Rows between two decisions.
    batch: int
    #: The rows of X in the order in which they came, (orders, n).
    order: NDArray[np.int64]
    #: Class of each row in that order, as a position in ``classes``, (orders, n).
    truth: NDArray[np.int32]
    #: Predicted class of each row, by rule.
    predicted: dict[str, NDArray[np.int32]]
    #: Number of features used for each row, by rule.
    selected: dict[str, NDArray[np.int64]]
    _library: str | None = None

    @cached_property
    def correct(self) -> dict[str, NDArray[np.bool_]]:
        """Whether each row was predicted right, by rule."""
        return {rule: self.predicted[rule] == self.truth for rule in self.rules}

    @cached_property
    def accuracy(self) -> dict[str, Floats]:
        """Share of the first k rows that were predicted right, by rule."""
        k = np.arange(1, self.order.shape[1] + 1)
        return {rule: right.cumsum(axis=1) / k for rule, right in self.correct.items()}

    def compare(self, a: str | None, b: str | None, alpha: float = 0.05) -> Comparison:
        """Two-tailed paired t test of rules a and b on the first k rows, for every k and each order."""
        first, second = (known_option("the rule to compare", "all" if r is None else r, self.rules) for r in (a, b))
        if first == second:
            raise OptionError(f"compare needs two different rules, found {first!r} twice")
        return compared(first, second, fraction("alpha", alpha), self.correct[first], self.correct[second])

    def to_frame(self) -> Any:
        """One row for each order, rule and k: correct, accuracy and selected; in the library of X, else pandas, else polars."""
        orders, n = self.order.shape
        size = orders * n
        columns = {
            "order": np.tile(np.repeat(np.arange(orders), n), len(self.rules)),
            "rule": np.repeat(np.array(self.rules), size),
            "k": np.tile(np.arange(1, n + 1), orders * len(self.rules)),
            "row": np.tile(self.order.ravel(), len(self.rules)),
            "correct": np.concatenate([self.correct[rule].ravel() for rule in self.rules]),
            "accuracy": np.concatenate([self.accuracy[rule].ravel() for rule in self.rules]),
            "selected": np.concatenate([self.selected[rule].ravel() for rule in self.rules]),
        }
        return build_frame(columns, self._library)

    def __repr__(self) -> str:
        """One line: how many rows, and each rule's accuracy and number of features at the end, averaged over the orders."""
        orders, n = self.order.shape
        ends = ", ".join(
            f"{rule} {self.accuracy[rule][:, -1].mean():.3f} with {self.selected[rule].mean():.1f} features"
            for rule in self.rules
        )
        return f"<Prequential: {n} rows, {orders} order{'s' * (orders > 1)}; {ends}>"
