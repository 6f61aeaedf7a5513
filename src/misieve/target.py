"""The target -> class codes.

Unlike features, whose small whole numbers are counted as they are, the classes must be 0 .. r-1 without gaps: what occurs
is found with one pass of the counting kernel, and codes are only rewritten where they are not right already.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._core import kernels
from misieve._errors import DataError
from misieve.encode import MAX_CATEGORIES, SMALL, encode_numbers
from misieve.frames.column import BadCell, Column, absent, categories_of
from misieve.labels import Labels, order

__all__ = ["Target", "encode_target"]

# So few rows NumPy counts before the kernel has been called.
FEW_ROWS = 1 << 14


@dataclass(frozen=True)
class Target:
    """The class of each row: contiguous codes, ``len(classes)`` where it is missing."""

    codes: NDArray[Any]
    classes: Labels
    missing: int


def encode_target(column: Column, name: str) -> Target:
    """Class codes of a target of any type; ``name`` is what errors call it."""
    n = len(column.values)
    limit = SMALL if column.labels is None else column.limit
    if column.labels is not None and limit == 0:
        return Target(np.zeros(n, np.uint8), (), n)
    one = np.zeros(n, np.uint8)
    counts, missing, bad = _levels(column, one, limit)
    if bad:
        column = _whole_numbers(column)
        limit = column.limit
        counts, missing, _ = _levels(column, one, limit)
    codes = np.arange(limit) if column.declared else np.flatnonzero(counts)
    if column.labels is None:
        classes: Labels = tuple((codes != 0 if column.values.dtype.kind == "b" else codes).tolist())
    else:
        classes = categories_of(column, codes, name)
        if not column.declared:
            ascending = order(classes)
            classes, codes = tuple(classes[i] for i in ascending), codes[ascending]
    if len(classes) > MAX_CATEGORIES:
        raise DataError(f"{name} must have at most 2^31 - 1 classes, found {len(classes)}")
    # uint8 holds the extra code of a missing class too.
    dtype = np.uint8 if len(classes) < 255 else np.int32
    values = column.values
    if not missing and values.dtype == dtype and codes.tolist() == list(range(len(codes))):
        return Target(np.ascontiguousarray(values), classes, 0)
    table = np.full(limit + 1, len(classes), dtype)
    table[codes] = np.arange(len(codes))
    if missing:
        values = np.where(absent(column), limit, np.nan_to_num(values))
    return Target(table[values if values.dtype.kind in "iu" else values.astype(np.intp)], classes, missing)


def _whole_numbers(column: Column) -> Column:
    """Codes of the classes; the advice for a continuous feature is none for a target."""
    try:
        return encode_numbers(column)
    except BadCell as wrong:
        if column.values.dtype.kind != "f":
            raise
        found = float(column.values[wrong.row])
        advice = "a continuous target must be cut into classes first, at quantiles for example"
        raise BadCell(f"must hold whole numbers, found {found!r}: {advice}", wrong.row) from None


def _levels(column: Column, one: NDArray[np.uint8], limit: int) -> tuple[NDArray[np.int64], int, bool]:
    """How often each code occurs, how many rows are missing, and whether there are values that are no codes."""
    plain = column.labels is None and column.validity is None and column.values.dtype.kind in "iu"
    if plain and 0 < len(column.values) < FEW_ROWS and column.values.min() >= 0 and column.values.max() < limit:
        return np.bincount(column.values, minlength=limit).astype(np.int64), 0, False
    counts, missing, bad = kernels.count_columns(
        [column.values],
        [column.validity],
        one,
        1,
        np.array([limit], np.int64),
        minus_one_is_missing=column.labels is not None,
    )
    return counts, int(missing[0, 0]), bool(bad[0] >= 0)
