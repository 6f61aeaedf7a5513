"""The arithmetic of counts: addition without overflow, subtraction of rounded sums, and room for more categories."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError
from misieve.levels import Levels

__all__ = ["Counts", "add", "spread", "without_rounding"]

Counts = NDArray[np.int64] | NDArray[np.float64]
# Weighted counts are sums of doubles. What is this small beside the largest of them, after a subtraction, is rounding.
ROUNDING = 1e-12


def add(a: Counts, b: Counts) -> Counts:
    """Add counts; refuse what 64 bits cannot hold."""
    with np.errstate(over="ignore"):
        total: Counts = a + b
    if (total < a).any() if total.dtype.kind == "i" else not np.isfinite(total).all():
        found = "9.2e18" if total.dtype.kind == "i" else "1.8e308"
        raise DataError(f"the counts of a merge must fit 64 bits, found a sum beyond {found}: merge fewer tables")
    return total


def without_rounding(part: Counts | None, whole: Counts) -> Counts | None:
    """A difference of weighted counts, zero where only rounding is left; ``whole`` is what was subtracted from."""
    if part is None or part.dtype.kind == "i":
        return part
    return np.where(np.abs(part) <= ROUNDING * float(np.abs(whole).max(initial=0)), 0.0, part)


def spread(parts: Sequence[Any], rows: NDArray[np.int64], columns: list[int], levels: Levels, s: int) -> tuple[Any, ...]:
    """Lay counts, class_counts, by_class and by_value out over more categories and s classes."""
    counts, class_counts, by_class, by_value = parts
    total = int(levels.offsets[-1])
    wide = np.zeros((total, s), counts.dtype)
    wide[rows[:, None], columns] = counts
    more_classes = np.zeros(s, class_counts.dtype)
    more_classes[columns] = class_counts
    if by_class is not None:
        wider = np.zeros((len(by_class), s), by_class.dtype)
        wider[:, columns] = by_class
        by_class = wider
    if by_value is not None:
        longer = np.zeros(total, by_value.dtype)
        longer[rows] = by_value
        by_value = longer
    return wide, more_classes, by_class, by_value
