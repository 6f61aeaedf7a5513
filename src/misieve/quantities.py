"""Numbers in columns that come with labels: decimals, dates, times, durations, and numbers among objects.

Such columns are categories, as text is; but where cuts are asked for and there are many values, they are cut as the numbers
that they measure. Dates and times become seconds since 1970 (UTC where a zone is known), times of day and durations seconds.
"""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.binning import apply_cuts
from misieve.frames.column import BadCell, Column, absent
from misieve.labels import canonical

__all__ = ["as_number", "bin_codes", "bound_format", "measured", "to_numbers"]

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
HEAD = 64
NOT_NUMBERS = "must hold numbers to be cut into bins, or dates or times, found categories"


def as_number(label: Any) -> float:
    """The number that a label stands for; TypeError where it stands for none."""
    value = canonical(label)
    if isinstance(value, dt.datetime):
        return ((value if value.tzinfo is not None else value.replace(tzinfo=dt.UTC)) - EPOCH).total_seconds()
    if isinstance(value, dt.date):
        return 86400.0 * (value.toordinal() - EPOCH.toordinal())
    if isinstance(value, dt.time):
        value = dt.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if type(value) in {int, float, Decimal} and abs(value) < 2**1000:
        return float(value)
    raise TypeError(f"{value!r} is no quantity")


def measured(column: Column, many: int) -> bool:
    """Whether a column with labels holds quantities, more than ``many`` different ones."""
    if column.declared or (first := _first(column)) is None:
        return False
    try:
        as_number(first)
    except TypeError:
        return False
    return len(_occurring(column)) > many


def to_numbers(column: Column) -> Column:
    """A column as numbers to be cut; BadCell where it holds categories."""
    if column.labels is None and column.values.dtype.kind != "b":
        return column
    if column.labels is None or column.declared:
        raise BadCell(NOT_NUMBERS, 0)
    gone, occur = absent(column), _occurring(column)
    table = np.full(max(column.limit, int(occur.max(initial=-1)) + 1) + 1, np.nan)  # the last one is for missing rows
    for code, label in zip(occur.tolist(), column.labels(occur), strict=True):
        try:
            table[code] = as_number(label)
        except TypeError as wrong:
            row = int(np.argmax(~gone & (column.values == code)))
            raise BadCell(NOT_NUMBERS if isinstance(label, (str, bytes)) else f"{NOT_NUMBERS}: {wrong}", row) from None
    return Column(table[np.where(gone, -1, column.values).astype(np.intp)])


def bin_codes(column: Column, cuts: NDArray[np.float64]) -> NDArray[np.int32]:
    """The bin of each row of a column, -1 where it is missing: (n,)."""
    numbers = to_numbers(column)
    return apply_cuts(np.where(absent(numbers), np.nan, numbers.values), cuts)


def bound_format(column: Column) -> Callable[[float], str] | None:
    """How to write the bounds of a column's bins: dates as dates. None where any number will do."""
    first = canonical(_first(column))
    if isinstance(first, (dt.timedelta, dt.time)):
        return lambda cut: str(dt.timedelta(seconds=cut))
    if isinstance(first, dt.date):
        zone = dt.UTC if getattr(first, "tzinfo", None) else None
        return lambda cut: (EPOCH + dt.timedelta(seconds=cut)).replace(tzinfo=zone).isoformat(" ")
    return None


def _first(column: Column) -> Any:
    """The first label of a column, None if it has none."""
    if column.labels is None:
        return None
    for part in (_head(column), column):
        here = ~absent(part)
        if here.any():
            return column.labels(part.values[[int(np.argmax(here))]].astype(np.int64))[0]
    return None


def _head(column: Column) -> Column:
    """The first rows: they tell what most columns hold without a look at all rows."""
    present = None
    if column.validity is not None:
        bits, offset = column.validity
        present = bits[: (offset + HEAD) // 8 + 1], offset
    return replace(column, values=column.values[:HEAD], validity=present)


def _occurring(column: Column) -> NDArray[np.int64]:
    codes = column.values[~absent(column)].astype(np.int64, copy=False)
    return np.flatnonzero(np.bincount(codes))
