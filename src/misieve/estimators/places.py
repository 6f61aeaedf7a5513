"""Where values of new rows stand among the categories that were counted: the encoder of the tables, run again at prediction."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.frames.column import Column, absent
from misieve.labels import Labels, canonical_labels, kind, one_kind
from misieve.quantities import bin_codes

__all__ = ["MISSING", "UNSEEN", "place_of", "places"]

#: The place of a value that was never counted, and of a missing one that is no category.
UNSEEN, MISSING = -1, -2

# Whole numbers below this are looked up in a table.
SMALL = 1 << 16


def places(column: Column, pool: Labels, cuts: NDArray[np.float64] | None, where: str) -> NDArray[np.intp]:
    """The row of each value in the table of its feature, UNSEEN or MISSING where it has none: (n,).

    pool: the categories in the order of the rows.  cuts: None, or those of a continuous feature, whose bins are the categories.
    """
    gone = absent(column)
    if cuts is not None:
        found = bin_codes(column, cuts).astype(np.intp)
    elif column.labels is not None:
        found = _labelled(column, gone, pool, where)
    else:
        found = _numbers(column.values, gone, pool, where)
    if gone.any():
        found[gone] = pool.index(None) if None in pool else MISSING
    return found


def place_of(value: Any, pool: Labels) -> int:
    """The place of one value."""
    return pool.index(value) if value in pool else UNSEEN


def _labelled(column: Column, gone: NDArray[np.bool_], pool: Labels, where: str) -> NDArray[np.intp]:
    """Codes with labels: each label that occurs is looked up once."""
    assert column.labels is not None
    codes = np.where(gone, 0, column.values).astype(np.intp)
    occur = np.flatnonzero(np.bincount(codes[~gone], minlength=1))
    if gone.all():
        return np.full(len(codes), UNSEEN, np.intp)
    labels = canonical_labels(column.labels(occur), where)
    _same_kind(labels, pool, where)
    known = {value: place for place, value in enumerate(pool)}
    table = np.full(max(column.limit, int(occur[-1]) + 1), UNSEEN, np.intp)
    table[occur] = [known.get(label, UNSEEN) for label in labels]
    return table[codes]


def _numbers(values: NDArray[Any], gone: NDArray[np.bool_], pool: Labels, where: str) -> NDArray[np.intp]:
    """Numbers and truth values, which stand for themselves."""
    known = [value for value in pool if value is not None]
    if not known or gone.all():
        return np.full(len(values), UNSEEN, np.intp)
    _same_kind((values[int(np.argmin(gone))].item(),), pool, where)
    place = np.array([i for i, value in enumerate(pool) if value is not None], np.intp)
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    numbers = np.array([int(value) if isinstance(value, bool) else value for value in known])
    if values.dtype.kind in "iu" and numbers.dtype.kind in "iu" and numbers.min() >= 0 and numbers.max() < SMALL:
        size = int(numbers.max()) + 1
        table = np.full(size + 1, UNSEEN, np.intp)
        table[numbers] = place
        if values.min() < 0 or values.max() >= size:
            values = np.where((values >= 0) & (values < size), values, size).astype(np.intp)
        found: NDArray[np.intp] = table[values]
        return found
    order = np.argsort(numbers)
    ascending = numbers[order]
    with np.errstate(invalid="ignore"):
        near = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
        return np.where(ascending[near] == values, place[order][near], UNSEEN)


def _same_kind(labels: Labels, pool: Labels, where: str) -> None:
    """DataError where new values are of another kind than those that were counted: none of them could ever be found."""
    if labels and labels[0] is not None:
        first = next((value for value in pool if value is not None), labels[0])
        one_kind({kind(labels[0]): labels[0], kind(first): first}, where)
