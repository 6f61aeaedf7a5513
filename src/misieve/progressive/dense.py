"""Codes of frames and dense arrays. An array of small whole numbers is coded in one go, anything else column by column."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.encode import SMALL, encode_numbers
from misieve.frames import BadCell, Batch, Column
from misieve.frames.column import absent
from misieve.labels import Labels, canonical_labels, order
from misieve.progressive.entries import Entries, missing_cell, undeclared
from misieve.tally import located

__all__ = ["dense_entries"]

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

# Cells looked at in one go, so that what is made of them stays in cache.
_CHUNK = 1 << 16


def dense_entries(batch: Batch, declared: Mapping[Any, Labels], missing: str) -> Entries:
    """The entries of a frame or an array."""
    matrix = batch.matrix
    if matrix is not None and batch.mask is None and not declared and matrix.dtype.kind in "bui":
        low, high = matrix.min(axis=0), matrix.max(axis=0)
        if matrix.dtype.kind == "b" or (low.min() >= 0 and high.max() < SMALL):
            return _small(matrix, low, high)
    codes = np.empty((batch.rows, batch.width), dtype=np.int32)
    sizes, holes = np.zeros(batch.width, dtype=np.int64), np.zeros(batch.width, dtype=bool)
    for feature in range(batch.width):
        codes[:, feature], sizes[feature], holes[feature] = _column(batch, feature, declared, missing)
    row, column = np.nonzero(codes)
    return Entries(batch.rows, row, column, codes[row, column], sizes, holes)


def _small(matrix: NDArray[Any], low: NDArray[Any], high: NDArray[Any]) -> Entries:
    """An array whose values are 0 ... 63: levels that do not occur are skipped."""
    rows, width = matrix.shape
    holes = np.zeros(width, dtype=bool)
    if matrix.dtype.kind == "b" or high.max() < 2:
        # Zeros and ones: a column has both values, or tells nothing.
        flat = np.ascontiguousarray(matrix).ravel()
        row, column = np.divmod(np.flatnonzero(flat.view(bool) if flat.itemsize == 1 else flat), width)
        return Entries(rows, row, column, np.ones(len(row), dtype=np.int32), 1 + (low != high).astype(np.int64), holes)
    present = np.zeros((width, SMALL), dtype=bool)
    place = np.arange(width) * SMALL
    step = max(1, _CHUNK // width)
    for first in range(0, rows, step):
        present.ravel()[(matrix[first : first + step].astype(np.int64) + place).ravel()] = True
    rank = (np.cumsum(present, axis=1) - 1).astype(np.int32).ravel()
    codes = np.empty(matrix.shape, dtype=np.int32)
    for first in range(0, rows, step):
        codes[first : first + step] = rank[matrix[first : first + step].astype(np.int64) + place]
    row, column = np.divmod(np.flatnonzero(codes), width)
    return Entries(rows, row, column, codes[row, column], present.sum(axis=1), holes)


def _column(batch: Batch, feature: int, declared: Mapping[Any, Labels], missing: str) -> tuple[Int32, int, bool]:
    """Codes of one column, its number of values, and whether cells are left out."""
    name = batch.name(feature)
    try:
        column = encode_numbers(batch.columns([feature], 1)[0], fractions=name in declared)
    except BadCell as wrong:
        raise located(batch, name, wrong) from None
    gone = absent(column)
    if gone.any() and missing == "error":
        raise missing_cell(batch, feature, int(np.argmax(gone)))
    values = column.values.astype(np.int64)
    table, size = _table(batch, feature, column, values, gone, declared.get(name))
    codes = np.where(gone, size, table[np.where(gone, 0, values)]) if len(table) else np.full(len(values), size)
    filled = missing == "category" and bool(gone.any())
    return codes.astype(np.int32), size + filled, bool(gone.any()) and not filled


def _table(
    batch: Batch, feature: int, column: Column, values: Int64, gone: NDArray[np.bool_], declared: Labels | None
) -> tuple[Int64, int]:
    """From a column's own codes to those of the walk, and how many values there are."""
    assert column.labels is not None
    found = np.flatnonzero(np.bincount(values[~gone], minlength=column.limit))
    table = np.zeros(max(column.limit, 1), dtype=np.int64)
    if declared is None and column.declared:
        table[column.order] = np.arange(column.limit)
        return table, column.limit
    labels = canonical_labels(column.labels(found), f"column {batch.name(feature)!r}")
    if declared is None:
        table[found[order(labels)]] = np.arange(len(found))
        return table, len(found)
    places = {value: place for place, value in enumerate(declared)}
    for code, value in zip(found.tolist(), labels, strict=True):
        if value not in places:
            row = int(np.argmax(~gone & (values == code)))
            raise undeclared(batch, feature, row, value, declared)
        table[code] = places[value]
    return table, len(declared)
