"""Codes of sparse matrices: code 0 is the value 0 where it occurs, which then needs no entry."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError
from misieve.encode import CONTINUOUS
from misieve.frames import Batch
from misieve.labels import Labels
from misieve.progressive.entries import Entries, missing_cell, undeclared

__all__ = ["sparse_entries"]

Int64 = NDArray[np.int64]
Truth = NDArray[np.bool_]


def sparse_entries(batch: Batch, declared: Mapping[Any, Labels], missing: str) -> Entries:
    """The entries of a SciPy matrix of whole numbers; what is not stored is 0."""
    assert batch.sparse is not None
    matrix = batch.sparse.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    rows, width = matrix.shape
    row = np.repeat(np.arange(rows), np.diff(matrix.indptr))
    column = matrix.indices.astype(np.int64)
    values, gone = _whole_numbers(batch, matrix.data, row, column)
    if gone.any() and missing == "error":
        first = int(np.argmax(gone))
        raise missing_cell(batch, int(column[first]), int(row[first]))
    stored = gone | (values != 0)
    if not stored.all():
        row, column, values, gone = row[stored], column[stored], values[stored], gone[stored]
    has_zero = np.bincount(column, minlength=width) < rows
    code, others = _ranked(column, values, gone, width)
    code += has_zero[column]
    sizes = others + has_zero
    holes = np.zeros(width, dtype=bool)
    if declared:
        _declare(batch, declared, (row, column, values, gone), has_zero, code, sizes)
    if gone.any():
        code[gone] = sizes[column[gone]]
        holes[column[gone]] = True
        if missing == "category":
            sizes += holes
            holes[:] = False
    return Entries(rows, *_entries(row, column, code), sizes, holes)


def _entries(row: Int64, column: Int64, code: Int64) -> tuple[Int64, Int64, Int64]:
    """Drop what has the code 0: the first value of columns without zeros."""
    if not (code == 0).any():
        return row, column, code
    chosen = np.flatnonzero(code)
    return row[chosen], column[chosen], code[chosen]


def _whole_numbers(batch: Batch, data: NDArray[Any], row: Int64, column: Int64) -> tuple[Int64, Truth]:
    """The stored values as integers, and which are missing."""
    gone = np.isnan(data) if data.dtype.kind == "f" else np.zeros(len(data), dtype=bool)
    if data.dtype.kind != "f":
        return data.astype(np.int64), gone
    broken = ~gone & ~(np.isfinite(data) & (np.trunc(data) == data) & (np.abs(data) < 2.0**62))
    if broken.any():
        first = int(np.argmax(broken))
        rule = CONTINUOUS.format(value=float(data[first]))
        raise DataError(f"column {batch.name(int(column[first]))!r} {rule} (row {batch.where(int(row[first]))})")
    return np.where(gone, 0, data).astype(np.int64), gone


def _ranked(column: Int64, values: Int64, gone: Truth, width: int) -> tuple[Int64, Int64]:
    """The rank of each value among the others of its column, and how many there are."""
    present = np.flatnonzero(~gone)
    code = np.zeros(len(column), dtype=np.int64)
    if not present.size:
        return code, np.zeros(width, dtype=np.int64)
    if values[present[0]] == 1 and (values[present] == 1).all():
        return code, (np.bincount(column[present], minlength=width) > 0).astype(np.int64)
    distinct, rank = np.unique(values[present], return_inverse=True)
    pairs, place = np.unique(column[present] * len(distinct) + rank, return_inverse=True)
    owner = pairs // len(distinct)
    code[present] = (np.arange(len(pairs)) - np.searchsorted(owner, owner))[place]
    return code, np.bincount(owner, minlength=width)


def _declare(
    batch: Batch,
    declared: Mapping[Any, Labels],
    entries: tuple[Int64, Int64, Int64, Truth],
    has_zero: Truth,
    code: Int64,
    sizes: Int64,
) -> None:
    """Declared categories in place of those found: 0 first, then the others in their order."""
    row, column, values, gone = entries
    by_column = np.argsort(column, kind="stable")
    ends = np.searchsorted(column[by_column], np.arange(batch.width + 1))
    for feature in range(batch.width):
        listed = declared.get(batch.name(feature))
        if listed is None:
            continue
        own = by_column[ends[feature] : ends[feature + 1]]
        own = own[~gone[own]]
        places = {value: place for place, value in enumerate(sorted(listed, key=lambda value: value != 0))}
        found, where = np.unique(values[own], return_inverse=True)
        new = np.array([places.get(value, -1) for value in found.tolist()], dtype=np.int64)
        code[own] = new[where]
        sizes[feature] = len(listed)
        if (new < 0).any():
            first = own[int(np.argmax(new[where] < 0))]
            raise undeclared(batch, feature, int(row[first]), int(values[first]), listed)
        if has_zero[feature] and 0 not in places:
            taken = np.zeros(batch.rows, dtype=bool)
            taken[row[column == feature]] = True
            raise undeclared(batch, feature, int(np.argmin(taken)), 0, listed)
