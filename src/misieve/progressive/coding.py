"""Rows of small codes for the walk: what a data set looks like to :mod:`misieve.progressive`.

Features are put into blocks of the same number of values. In a block each row lists the features whose code is not 0, so that
sparse data stay sparse.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, MisieveWarning, OptionError
from misieve._validate import known_option

__all__ = ["Block", "Coded", "codes"]

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

MISSING = ("error", "category", "pairwise")


@dataclass(frozen=True)
class Block:
    """Features with the same number of values r: row i owns the entries from ``starts[i]`` to ``starts[i + 1]``.

    An entry is a feature (its position in the block) and its code, from 1; where cells may be missing, the code r says so.
    """

    size: int
    r: int
    with_missing: bool
    starts: Int64
    features: Int32
    values: Int32


@dataclass(frozen=True)
class Coded:
    """A data set in codes. Features of one value are only counted: they tell nothing."""

    features: int
    classes: tuple[Any, ...]
    labels: Int32
    blocks: tuple[Block, ...]
    constant: int
    library: str | None


def codes(X: Any, y: Any, categories: Any, missing: str) -> Coded:
    """Read features and target; ``categories`` and ``missing`` as in :func:`misieve.count`."""
    if missing == "model":
        raise OptionError(
            "missing='model' is not for prequential, whose naive Bayes leaves missing cells out: choose missing='pairwise', "
            "'category' or 'error'"
        )
    known_option("missing", missing, MISSING)
    matrix = X if hasattr(X, "tocsr") else np.asarray(X)
    if matrix.ndim != 2:
        raise DataError(f"X must be two-dimensional, rows by features, found an array of shape {matrix.shape}")
    rows, width = matrix.shape
    if not rows or not width:
        raise DataError(f"X must have at least one row and one feature, found the shape {matrix.shape}")
    classes, labels = _target(y, rows)
    declared = _declared(categories, width)
    if hasattr(matrix, "tocsr"):
        blocks, constant = _sparse(matrix, declared)
    else:
        blocks, constant = _dense(matrix, declared, missing)
    if len(classes) < 2:
        warnings.warn(
            f"the target has one class, {classes[0]!r}: no feature can tell anything about it", MisieveWarning, stacklevel=3
        )
        blocks, constant = [], width
    return Coded(width, classes, labels, tuple(blocks), constant, None)


def _target(y: Any, rows: int) -> tuple[tuple[Any, ...], Int32]:
    target = np.asarray(y)
    if target.ndim != 1:
        raise DataError(f"y must be one-dimensional, found the shape {target.shape}")
    if len(target) != rows:
        raise DataError(f"y must have one entry for each row of X, found {len(target)} for {rows} rows")
    gone = np.array([v is None or v != v for v in target.tolist()])
    if gone.any():
        raise DataError(f"y must not be missing, found it so in row {int(np.argmax(gone))}: leave out the rows without a class")
    classes, labels = np.unique(target, return_inverse=True)
    return tuple(classes.tolist()), labels.astype(np.int32)


def _declared(categories: Any, width: int) -> dict[int, list[Any]]:
    """The values that features may have, by position."""
    if categories is None:
        return {}
    if isinstance(categories, dict):
        places = {f"x{i}": i for i in range(width)}
        unknown = [name for name in categories if name not in places]
        if unknown:
            raise OptionError(f"categories names a column that X does not have: {unknown[0]!r}")
        return {places[name]: list(values) for name, values in categories.items()}
    lists = list(categories)
    if not any(isinstance(entry, (list, tuple, range, np.ndarray)) for entry in lists):
        return {i: lists for i in range(width)}
    if len(lists) != width:
        raise OptionError(f"categories must have one list for each feature, or be one list, found {len(lists)} for {width}")
    return {i: list(values) for i, values in enumerate(lists)}


def _dense(matrix: NDArray[Any], declared: dict[int, list[Any]], missing: str) -> tuple[list[Block], int]:
    """Blocks of a dense array."""
    binary = _binary(matrix, declared)
    coded = matrix if binary is None else np.zeros(0)
    if binary is not None:
        sizes, holes, table = binary, np.zeros(matrix.shape[1], dtype=bool), matrix
    else:
        table = np.empty(coded.shape, dtype=np.int32)
        sizes, holes = np.zeros(coded.shape[1], dtype=np.int64), np.zeros(coded.shape[1], dtype=bool)
        for i in range(coded.shape[1]):
            table[:, i], sizes[i] = _column(coded[:, i], i, declared.get(i), missing)
            holes[i] = (table[:, i] == sizes[i]).any()
    blocks = []
    for r, gaps in sorted({(int(r), bool(gaps)) for r, gaps in zip(sizes, holes, strict=True) if r > 1}):
        own = np.flatnonzero((sizes == r) & (holes == gaps))
        part = table if len(own) == table.shape[1] else table[:, own]
        flat = np.ascontiguousarray(part).ravel()
        entries = np.flatnonzero(flat)
        row, feature = np.divmod(entries, len(own))
        starts = np.zeros(len(part) + 1, dtype=np.int64)
        np.cumsum(np.bincount(row, minlength=len(part)), out=starts[1:])
        blocks.append(Block(len(own), r, gaps, starts, feature.astype(np.int32), flat[entries].astype(np.int32)))
    return blocks, int(np.count_nonzero(sizes < 2))


def _binary(matrix: NDArray[Any], declared: dict[int, list[Any]]) -> Int64 | None:
    """The number of values of each column where all are 0 or 1 and nothing is declared, else None."""
    if declared or matrix.dtype.kind not in "bui":
        return None
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    if (low.min() < 0) or (high.max() > 1):
        return None
    result: Int64 = 1 + (low != high).astype(np.int64)
    return result


def _column(values: NDArray[Any], place: int, declared: list[Any] | None, missing: str) -> tuple[Int32, int]:
    """Codes of one column, r where a cell is missing, and r."""
    cells = values.tolist()
    gone = np.array([v is None or v != v for v in cells])
    if gone.any() and missing == "error":
        raise DataError(
            f"column 'x{place}' must not have missing values, found one in row {int(np.argmax(gone))}: "
            "choose missing='category' or 'pairwise'"
        )
    present = values[~gone]
    levels = sorted(set(present.tolist())) if declared is None else declared
    places = {value: code for code, value in enumerate(levels)}
    found = np.full(len(values), len(levels), dtype=np.int32)
    for row in np.flatnonzero(~gone).tolist():
        if cells[row] not in places:
            raise DataError(
                f"column 'x{place}' must have one of its declared categories {list(levels)}, found {cells[row]!r} (row {row})"
            )
        found[row] = places[cells[row]]
    return found, len(levels) + (missing == "category" and bool(gone.any()))


def _sparse(matrix: Any, declared: dict[int, list[Any]]) -> tuple[list[Block], int]:
    """Blocks of a sparse matrix whose values are whole numbers; what is not stored is 0."""
    rows = matrix.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    height, width = rows.shape
    values, columns = rows.data.astype(np.int64), rows.indices.astype(np.int64)
    if (values != rows.data).any():
        entry = int(np.argmax(values != rows.data))
        row = int(np.searchsorted(rows.indptr, entry, side="right")) - 1
        raise DataError(f"column 'x{columns[entry]}' must hold whole numbers, found {rows.data[entry]} (row {row})")
    has_zero = np.bincount(columns, minlength=width) < height
    least = int(values.min(initial=1))
    span = int(values.max(initial=1)) - least + 1
    if span == 1:
        levels = np.unique(columns)
        rank_of_entry = np.zeros(len(values), dtype=np.int64)
    else:
        keys, place = np.unique(columns * span + (values - least), return_inverse=True)
        levels = keys // span
        rank_of_entry = (np.arange(len(keys)) - np.searchsorted(levels, levels))[place]
    others = np.bincount(levels, minlength=width)
    sizes = others + has_zero
    codes = rank_of_entry + has_zero[columns]
    if declared:
        _recode(codes, sizes, rows, has_zero, declared)
    row_of_entry = np.repeat(np.arange(height), np.diff(rows.indptr))
    blocks = []
    for r in np.unique(sizes[sizes > 1]).tolist():
        own = np.flatnonzero(sizes == r)
        position = np.full(width, -1, dtype=np.int32)
        position[own] = np.arange(len(own))
        entries = np.flatnonzero((sizes[columns] == r) & (codes > 0))
        starts = np.zeros(height + 1, dtype=np.int64)
        np.cumsum(np.bincount(row_of_entry[entries], minlength=height), out=starts[1:])
        blocks.append(Block(len(own), r, False, starts, position[columns[entries]], codes[entries].astype(np.int32)))
    return blocks, int(np.count_nonzero(sizes < 2))


def _recode(codes: Int64, sizes: Int64, rows: Any, has_zero: NDArray[np.bool_], declared: dict[int, list[Any]]) -> None:
    """Put declared categories in the place of those found; 0 comes first, then the others in their order."""
    by_column = np.argsort(rows.indices, kind="stable")
    ends = np.searchsorted(rows.indices[by_column], np.arange(rows.shape[1] + 1))
    for column, listed in declared.items():
        own = by_column[ends[column] : ends[column + 1]]
        order = [0] * (0 in listed) + [value for value in listed if value != 0]
        places = {value: code for code, value in enumerate(order)}
        for entry in own.tolist():
            codes[entry] = places.get(rows.data[entry].item(), -1)
        if (has_zero[column] and 0 not in places) or (codes[own] < 0).any():
            wrong = int(own[np.argmax(codes[own] < 0)]) if (codes[own] < 0).any() else -1
            found = 0 if wrong < 0 else rows.data[wrong].item()
            raise DataError(f"column 'x{column}' must have one of its declared categories {listed}, found {found!r}")
        sizes[column] = len(listed)
