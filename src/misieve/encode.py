"""Columns -> small codes with their categories, cuts included.

Small whole numbers are never encoded: the kernels count them as they are. What comes here is the rest: numbers that are
negative or large, and columns to be cut into bins.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.binning import bin_labels, quantile_cuts
from misieve.discretize import mdl_cuts, mdl_cuts_sparse
from misieve.frames.column import BadCell, Column, absent, from_codes
from misieve.labels import Labels
from misieve.quantities import bin_codes, bound_format, measured, to_numbers

__all__ = ["CONTINUOUS", "SMALL", "Encoder", "encode_numbers"]

# Codes 0 .. 63 are counted as they are; integer columns of at most 64 values are categories even when bins are asked for.
SMALL = 64
# A range of integers this small gets one code for each, without sorting, whatever the number of rows.
NARROW = 1 << 16
MAX_CATEGORIES = 2**31 - 1

CONTINUOUS = (
    "must hold whole numbers, found {value!r}: a continuous column must be cut into bins first, with "
    "discretize= of an estimator, bins= or misieve.MDLDiscretizer"
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
    # Python's integers: a uint64 may lie beyond what code + low can be as int64.
    return Column(codes, None, lambda some: [low + code for code in some.tolist()], high - low + 1)


@dataclass
class Encoder:
    """What the options say about columns, by name; ``cuts`` also collects those that are found.

    bins: for columns of numbers, dates and other quantities that ``own_bins`` does not name, when they are fractional or have
    more than 64 values: into how many quantile bins, or "mdl" for cuts where the class changes, which need the class codes of
    the rows (n,), those from ``n_classes`` on being missing.  names_of_bins: what the bins of known cuts are called.
    """

    bins: int | str | None = None
    own_bins: dict[Any, int | str] = field(default_factory=dict)
    cuts: dict[Any, NDArray[np.float64]] = field(default_factory=dict)
    names_of_bins: dict[Any, Labels] = field(default_factory=dict)
    fractions: frozenset[Any] = frozenset()
    # Columns whose categories the options give: what their own type declares does not count.
    overridden: frozenset[Any] = frozenset()
    weights: NDArray[np.float64] | None = None
    classes: NDArray[Any] | None = None
    n_classes: int = 0

    def must_cut(self, name: Any) -> bool:
        """Whether a column is cut whatever it holds."""
        return name in self.cuts or name in self.own_bins

    def encode(self, name: Any, column: Column) -> Column:
        """Codes of a column whose values are not small whole numbers, or that must be cut."""
        if self.must_cut(name):
            return self._cut(name, column)
        if column.declared and name in self.overridden:
            column = replace(column, declared=False)
        if self.bins is not None and measured(column, SMALL):
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
        numbers = to_numbers(column)
        if name not in self.cuts:
            self.cuts[name] = self.find_cuts(name, np.where(absent(numbers), np.nan, numbers.values))
        cuts = self.cuts[name]
        codes = bin_codes(numbers, cuts)
        names = self.names_of_bins.get(name) or bin_labels(cuts, bound_format(column))
        # Of labels that are all missing nobody knows what kind they are, and so not how their bins are called.
        nameless = column.labels is not None and name not in self.names_of_bins and bool((codes < 0).all())
        return from_codes(codes, names, declared=not nameless)

    def find_cuts(self, name: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Cuts of a column without any; NaN is missing. values: (n,)."""
        bins = self.own_bins.get(name) or self.bins or 2
        if isinstance(bins, int):
            return quantile_cuts(values, bins, self.weights)
        assert self.classes is not None
        known = self.classes < self.n_classes
        rows = slice(None) if known.all() else known
        weights = None if self.weights is None else self.weights[rows]
        return _finite(mdl_cuts(values[rows][:, None], self.classes[rows], weights, n_jobs=1)[0])

    def find_sparse_cuts(self, name: Any, entries: NDArray[np.float64], rows: NDArray[Any], n: int) -> NDArray[np.float64]:
        """The same from the stored entries of a sparse column and their rows: the others are zeros, one weighted group."""
        bins = self.own_bins.get(name) or self.bins or 2
        weights = np.ones(n) if self.weights is None else self.weights
        if isinstance(bins, int):
            zeros = max(weights.sum() - weights[rows].sum(), 0.0) if len(rows) < n else 0.0
            values = np.append(entries, 0.0 if zeros else np.nan)
            return quantile_cuts(values, bins, np.append(weights[rows], zeros))
        assert self.classes is not None
        known = self.classes < self.n_classes
        stored = known[rows]
        entries, codes, own = entries[stored], self.classes[rows][stored], weights[rows][stored]
        everything = np.bincount(self.classes[known], weights[known], self.n_classes)
        zeros = everything - np.bincount(codes, own, self.n_classes)
        # Weighted sums leave rounding behind where every row of a class is stored.
        left = np.bincount(self.classes[known], minlength=self.n_classes) > np.bincount(codes, minlength=self.n_classes)
        zeros = np.where(left, np.maximum(zeros, 0.0), 0.0)
        return _finite(mdl_cuts_sparse(entries, codes, zeros, None if self.weights is None else own))


def _finite(cuts: NDArray[np.float64]) -> NDArray[np.float64]:
    """A cut just above minus infinity as the least number: cuts are finite."""
    return np.maximum(cuts, -np.finfo(np.float64).max)
