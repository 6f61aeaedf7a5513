"""Where features are missing, by class: what all rows of a class have, less what was seen of the feature."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.tables import Tables

__all__ = ["counted_as_value", "lacking"]


def lacking(tables: Tables) -> NDArray[Any]:
    """Rows of each class in which each feature is missing: (features, classes)."""
    sizes, offsets = tables._levels.sizes, tables._levels.offsets
    seen = np.zeros((len(sizes), len(tables.classes)), tables.dtype)
    some = np.flatnonzero(sizes)
    if len(some):
        seen[some] = np.add.reduceat(tables._counts, offsets[:-1][some], axis=0)
    rest: NDArray[Any] = np.maximum(tables.class_counts - seen, 0)
    # Weights do not add up to the last digit.
    rest[rest < 1e-9 * tables.class_counts.sum()] = 0
    return rest


def counted_as_value(tables: Tables) -> NDArray[Any]:
    """Rows in which each feature is missing and that is a category of its own: (features,)."""
    levels = tables._levels
    found = np.zeros(len(levels.pool_of), tables.dtype)
    for number, pool in enumerate(levels.pools):
        if None in pool:
            here = np.flatnonzero(levels.pool_of == number)
            found[here] = tables._counts[levels.offsets[here] + pool.index(None)].sum(axis=1)
    return found
