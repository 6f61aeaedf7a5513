"""Columns -> small codes with their categories, cuts included.

Small whole numbers are never encoded: the kernels count them as they are. What comes here is the rest: numbers that are
negative or large, and columns to be cut into bins.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.binning import apply_cuts, bin_labels, quantile_cuts
from misieve.frames.column import BadCell, Column, absent, from_codes

__all__ = ["CONTINUOUS", "SMALL", "Encoder", "encode_numbers"]

# Codes 0 .. 63 are counted as they are; integer columns of at most 64 values are categories even when bins are asked for.
SMALL = 64
# A range of integers this small gets one code for each, without sorting, whatever the number of rows.
NARROW = 1 << 16
MAX_CATEGORIES = 2**31 - 1

CONTINUOUS = (
    "must hold whole numbers, found {value!r}: a continuous column must be cut into bins first, with bins= or "
    "misieve.MDLDiscretizer"
)


def encode_numbers(column: Column, *, fractions: bool = False) -> Column:
    """Codes for numbers of any size and sign; BadCell for one that is not whole, unless ``fractions`` are declared values."""
    if column.labels is not None:
        return column
    gone = absent(column)
    values = column.values
    if values.dtype.kind == "b":
        return Column(values, column.validity, _truth, 2)
    whole = values.dtype.kind != "f"
    if not whole:
        with np.errstate(invalid="ignore"):
            broken = ~gone & ((np.trunc(values) != values) | np.isinf(values))
        row = int(np.argmax(broken))
        if broken[row]:
            if not fractions:
                raise BadCell(CONTINUOUS.format(value=float(values[row])), row)
        elif not (np.abs(values, where=~gone, out=np.zeros_like(values)) >= 2.0**62).any():
            values, whole = np.where(gone, 0, values).astype(np.int64), True
    if whole and not gone.all():
        present = values if not gone.any() else values[~gone]
        low, high = int(present.min()), int(present.max())
        if high - low < max(NARROW, len(values) // 4):
            return _shifted(values, gone, low, high)
    distinct, place = np.unique(values[~gone], return_inverse=True)
    if len(distinct) > MAX_CATEGORIES:
        raise BadCell(f"must have at most 2^31 - 1 categories, found {len(distinct)}", 0)
    codes = np.full(len(values), -1, np.int32)
    codes[~gone] = place
    return Column(codes, None, lambda some: distinct[some].tolist(), len(distinct))


def _truth(codes: NDArray[np.int64]) -> list[bool]:
    return [bool(code) for code in codes.tolist()]


def _shifted(values: NDArray[Any], gone: NDArray[np.bool_], low: int, high: int) -> Column:
    """One code for each integer from the least to the largest."""
    if values.dtype.kind == "u":
        codes = (values - values.dtype.type(low)).astype(np.int32)
    else:
        codes = (values.astype(np.int64, copy=False) - low).astype(np.int32)
    if gone.any():
        codes[gone] = -1
    return Column(codes, None, lambda some: (some + low).tolist(), high - low + 1)


@dataclass
class Encoder:
    """What the options say about columns, by name; ``cuts`` also collects those that are found.

    bins: for numeric columns that ``own_bins`` does not name, when they are not whole or have more than 64 values.
    """

    bins: int | None = None
    own_bins: dict[Any, int] = field(default_factory=dict)
    cuts: dict[Any, NDArray[np.float64]] = field(default_factory=dict)
    fractions: frozenset[Any] = frozenset()
    weights: NDArray[np.float64] | None = None

    def must_cut(self, name: Any) -> bool:
        """Whether a column is cut whatever it holds."""
        return name in self.cuts or name in self.own_bins

    def encode(self, name: Any, column: Column) -> Column:
        """Codes of a column whose values are not small whole numbers, or that must be cut."""
        if self.must_cut(name):
            if column.labels is not None or column.values.dtype.kind == "b":
                raise BadCell("must hold numbers to be cut into bins, found categories", 0)
            return self._cut(name, column)
        if self.bins is None or column.labels is not None or column.values.dtype.kind == "b":
            return encode_numbers(column, fractions=name in self.fractions)
        try:
            whole = encode_numbers(column)
        except BadCell:
            return self._cut(name, column)
        codes = whole.values[whole.values >= 0]
        return self._cut(name, column) if np.count_nonzero(np.bincount(codes)) > SMALL else whole

    def _cut(self, name: Any, column: Column) -> Column:
        values = np.where(absent(column), np.nan, column.values)
        if name not in self.cuts:
            self.cuts[name] = quantile_cuts(values, self.own_bins.get(name) or self.bins or 2, self.weights)
        cuts = self.cuts[name]
        return from_codes(apply_cuts(values, cuts), bin_labels(cuts), declared=True)
