r"""The counting kernels in NumPy: the contract of ``native/count*.cpp``, and the yardstick it is tested against.

Every kernel counts, for each column j, how many rows have value v and class c. Values are whole numbers 0 .. limits[j]-1,
classes are codes 0 .. n_classes-1. The three kernels differ in where the values come from: a matrix (:func:`count_dense`), a
list of arrays (:func:`count_columns`) or the stored entries of a sparse matrix (:func:`count_sparse`). All return

``counts``
    One flat array of ``limits.sum() * n_classes`` cells, int64, or float64 when ``weights`` are given. Column j owns
    ``counts[start[j] * n_classes : (start[j] + limits[j]) * n_classes]`` with ``start = cumsum(limits) - limits``; reshaped to
    ``(limits[j], n_classes)``, entry [v, c] is the number (or the weight) of rows with value v and class c. When all limits
    are the same, ``counts.reshape(p, limit, n_classes)`` is the whole result.
``missing``
    (p, n_classes), same dtype: rows of each class whose value is missing. NaN is missing in float columns; -1 is missing in
    signed integers if ``minus_one_is_missing``; a cleared validity bit is missing whatever value lies under it.
``bad``
    (p,) int64: -1, or the first row whose value is neither missing nor one of 0 .. limits[j]-1 (negative, too large, not a
    whole number, infinite). Such a column has zeros in ``counts`` and ``missing``; the other columns are not affected.

The caller has checked shapes and types; still, no input makes a kernel read or write where it must not. ValueError is raised
for a class code outside 0 .. n_classes-1, for lengths that differ, and for sparse indices that point outside the matrix.
``n_jobs`` (at least 1) threads share the work; results do not depend on it, weighted sums included (rows are always added in
their order).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "count_columns",
    "count_dense",
    "count_sparse",
    "occurring",
    "read_bytes",
    "set_simd_level",
    "simd_level",
    "simd_levels",
    "sparse_maxima",
]

Counted = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]
Codes = NDArray[Any]
Validity = tuple[NDArray[np.uint8], int]


def count_dense(
    x: NDArray[Any],
    y: Codes,
    n_classes: int,
    limits: NDArray[np.int64],
    *,
    weights: NDArray[np.float64] | None = None,
    minus_one_is_missing: bool = False,
    n_jobs: int = 1,
) -> Counted:
    """Count the columns of a matrix against the classes; returns (counts, missing, bad), see the module.

    x: (n, p), any strides (C order, F order, slices, negative steps): bool, (u)int8 .. (u)int64, float32, float64, in the
    machine's byte order; never copied.  y: (n,) contiguous uint8, uint16 or int32.  limits: (p,) int64, each at least 1 and
    at most 2^31 - 1; a limit above what occurs costs memory, not time (up to 255).  weights: (n,) contiguous float64.
    """
    columns = [x[:, j] for j in range(x.shape[1])]
    nothing = [None] * len(columns)
    return count_columns(
        columns, nothing, y, n_classes, limits, weights=weights, minus_one_is_missing=minus_one_is_missing, n_jobs=n_jobs
    )


def count_columns(
    columns: Sequence[NDArray[Any]],
    validity: Sequence[Validity | None],
    y: Codes,
    n_classes: int,
    limits: NDArray[np.int64],
    *,
    weights: NDArray[np.float64] | None = None,
    minus_one_is_missing: bool = False,
    n_jobs: int = 1,  # noqa: ARG001 the twin has one thread
) -> Counted:
    """Count separate arrays, as a frame stores its columns; returns (counts, missing, bad), see the module.

    columns: p arrays of n values, any mixture of the types of :func:`count_dense`, any stride.  validity: one per column: None,
    or (bits, offset): Arrow's bitmap, where bit ``(offset + i) % 8`` of ``bits[(offset + i) // 8]`` (lowest bit first) is set
    if row i is there.  The rest as in :func:`count_dense`.
    """
    _check_classes(y, n_classes, weights)
    p = len(columns)
    if len(limits) != p or len(validity) != p:
        raise ValueError(f"{p} columns need as many limits ({len(limits)}) and validities ({len(validity)})")
    ends = np.cumsum(limits)
    dtype = np.int64 if weights is None else np.float64
    counts = np.zeros(int(ends[-1]) * n_classes if p else 0, dtype)
    missing = np.zeros((p, n_classes), dtype)
    bad = np.full(p, -1, np.int64)
    for j, (column, bits) in enumerate(zip(columns, validity, strict=True)):
        if column.shape != y.shape:
            raise ValueError(f"column {j} has shape {column.shape}, the classes have {y.shape}")
        absent = _absent(column, minus_one_is_missing, bits)
        outside = ~absent & ~_is_code(column, int(limits[j]))
        if outside.any():
            bad[j] = int(np.argmax(outside))
            continue
        here = ~absent
        cells = column[here].astype(np.int64) * n_classes + y[here]
        counts[(ends[j] - limits[j]) * n_classes : ends[j] * n_classes] = _bincount(
            cells, weights if weights is None else weights[here], int(limits[j]) * n_classes
        )
        missing[j] = _bincount(y[absent], weights if weights is None else weights[absent], n_classes)
    return counts, missing, bad


def count_sparse(
    data: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    *,
    n_columns: int,
    by_row: bool,
    y: Codes,
    n_classes: int,
    limits: NDArray[np.int64],
    weights: NDArray[np.float64] | None = None,
    n_jobs: int = 1,  # noqa: ARG001
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64], bool]:
    """Count a CSR (``by_row``) or CSC matrix without filling it in; returns (counts, missing, bad, canonical).

    data: (nnz,) of the types of :func:`count_dense`; indices, indptr: both int32 or both int64, contiguous.  A row without
    stored entry has value 0, as has one with a stored zero: together they are the class totals minus everything else (with
    weights, exactly 0 where no row is left, and never negative).  ``canonical`` is False, and the rest is not to be used,
    unless the indices of every row (CSC: column) increase strictly: let SciPy ``sum_duplicates()`` on a copy and count that.
    limits as in :func:`count_dense`: all 2 for a matrix of ones, else :func:`sparse_maxima` + 1.
    """
    _check_classes(y, n_classes, weights)
    if len(limits) != n_columns:
        raise ValueError(f"{n_columns} columns need as many limits, not {len(limits)}")
    major, minor, canonical = _check_sparse(indices, indptr, n_columns, by_row, len(y))
    rows, columns = (major, minor) if by_row else (minor, major)
    ends = np.cumsum(limits)
    starts = ends - limits
    dtype = np.int64 if weights is None else np.float64
    counts = np.zeros(int(ends[-1]) * n_classes if n_columns else 0, dtype)
    bad = np.full(n_columns, -1, np.int64)
    if not canonical:
        return counts, np.zeros((n_columns, n_classes), dtype), bad, False
    absent = _absent(data, False, None)
    outside = ~absent & ~_is_code(data, limits[columns])
    # The first offending row is the least: fill backwards from the largest row, so that the least is written last.
    order = np.argsort(-rows[outside], kind="stable")
    bad[columns[outside][order]] = rows[outside][order]
    good = bad[columns] < 0
    rest = good & (absent | (data != 0))
    fine = rest & ~absent
    cells = (starts[columns[fine]] + data[fine].astype(np.int64)) * n_classes + y[rows[fine]]
    counts[:] = _bincount(cells, weights if weights is None else weights[rows[fine]], len(counts))
    gone = good & absent
    cells = columns[gone] * n_classes + y[rows[gone]]
    missing = _bincount(cells, weights if weights is None else weights[rows[gone]], n_columns * n_classes)
    missing = missing.reshape(n_columns, n_classes)
    # The zeros, stored or not: rows of the class that hold nothing else in this column.
    others = columns[rest] * n_classes + y[rows[rest]]
    rows_left = np.bincount(y, minlength=n_classes) - _bincount(others, None, n_columns * n_classes).reshape(-1, n_classes)
    zeros = rows_left
    if weights is not None:
        others_weight = _bincount(others, weights[rows[rest]], n_columns * n_classes).reshape(-1, n_classes)
        zeros = np.where(rows_left > 0, np.maximum(_bincount(y, weights, n_classes) - others_weight, 0.0), 0.0)
    cells = starts[:, None] * n_classes + np.arange(n_classes)
    counts[cells[bad < 0]] = zeros[bad < 0]
    return counts, missing, bad, True


def sparse_maxima(
    data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], *, n_columns: int, by_row: bool
) -> NDArray[Any]:
    """The largest value of each sparse column: (n_columns,) int64, at least 0 (the implicit zero); NaN is passed over.

    -1 for a column with an entry that is negative, not whole, or above 2^31 - 2.
    """
    major, minor, _ = _check_sparse(indices, indptr, n_columns, by_row, None)
    columns = minor if by_row else major
    absent = _absent(data, False, None)
    whole = _is_code(data, 2**31 - 1)
    result = np.zeros(n_columns, np.int64)
    np.maximum.at(result, columns[whole], data[whole].astype(np.int64))
    result[columns[~absent & ~whole]] = -1
    return result


def simd_levels() -> list[str]:
    """The instruction sets this machine and build can count with, slowest first: the twin has none."""
    return ["numpy"]


def simd_level() -> str:
    """The one in use: the last of :func:`simd_levels`, or what MISIEVE_SIMD asks for."""
    return "numpy"


def set_simd_level(name: str) -> None:
    """Use one of :func:`simd_levels` from now on, in the whole process."""
    if name not in simd_levels():
        raise ValueError(f"this build counts on this machine with {', '.join(simd_levels())}, not {name!r}")


def occurring(cells: NDArray[Any], counted: int) -> NDArray[np.bool_]:
    """Which rows of tables, cells (n, R) int64 or float64, have anything in their first ``counted`` cells: (n,)."""
    if counted > cells.shape[1]:
        raise ValueError(f"rows of {cells.shape[1]} cells have no {counted} to count")
    return np.asarray((cells[:, :counted] != 0).any(axis=1))


def read_bytes(x: NDArray[Any], n_jobs: int = 1) -> int:  # noqa: ARG001
    """Sum (modulo 2^64) of the contiguous array's 64-bit words: the least that any count must do, for benchmarks."""
    flat = x.ravel(order="K").view(np.uint8)
    return int(np.add.reduce(flat[: flat.size // 8 * 8].view(np.uint64), dtype=np.uint64)) if flat.size >= 8 else 0


def _check_classes(y: Codes, n_classes: int, weights: NDArray[np.float64] | None) -> None:
    if len(y) and (int(y.min()) < 0 or int(y.max()) >= n_classes):
        raise ValueError(f"class codes must be 0 .. {n_classes - 1}")
    if weights is not None and len(weights) != len(y):
        raise ValueError(f"{len(y)} rows need as many weights, not {len(weights)}")


def _check_sparse(
    indices: NDArray[Any], indptr: NDArray[Any], n_columns: int, by_row: bool, n_rows: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Row (CSC: column) and column (CSC: row) of every stored entry, and whether indices increase strictly."""
    lines = len(indptr) - 1
    if lines < 0 or indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] != len(indices):
        raise ValueError("indptr must rise from 0 to the number of stored entries")
    if n_rows is not None and lines != (n_rows if by_row else n_columns):
        raise ValueError(f"the matrix has {lines} lines, its classes and limits say {n_rows if by_row else n_columns}")
    width = n_columns if by_row else n_rows
    if len(indices) and (int(indices.min()) < 0 or (width is not None and int(indices.max()) >= width)):
        raise ValueError("sparse indices must lie inside the matrix")
    major = np.repeat(np.arange(lines, dtype=np.int64), np.diff(indptr))
    minor = indices.astype(np.int64)
    canonical = bool(((np.diff(minor) > 0) | (np.diff(major) > 0)).all())
    return major, minor, canonical


def _absent(column: NDArray[Any], minus_one_is_missing: bool, bits: Validity | None) -> NDArray[np.bool_]:
    absent = np.zeros(column.shape, bool)
    if column.dtype.kind == "f":
        absent |= np.isnan(column)
    if column.dtype.kind == "i" and minus_one_is_missing:
        absent |= column == -1
    if bits is not None:
        bitmap, offset = bits
        needed = offset + len(column)
        if offset < 0 or needed > 8 * len(bitmap):
            raise ValueError(f"a bitmap of {len(bitmap)} bytes has no bit for every row")
        absent |= np.unpackbits(bitmap, bitorder="little")[offset:needed] == 0
    return absent


def _is_code(column: NDArray[Any], limit: int | NDArray[np.int64]) -> NDArray[np.bool_]:
    if column.dtype.kind == "b":
        return np.asarray(column.astype(np.int64) < limit)
    if column.dtype.kind == "u":  # a uint64 compared with int64 would be compared as floats
        return np.asarray(column < np.asarray(limit, np.uint64))
    if column.dtype.kind == "i":
        return np.asarray((column >= 0) & (column < limit))
    exact = column.astype(np.float64)  # holds every limit, which float32 does not
    return np.asarray((exact >= 0) & (exact < limit) & (np.trunc(exact) == exact))


def _bincount(cells: NDArray[Any], weights: NDArray[np.float64] | None, size: int) -> NDArray[Any]:
    dtype = np.int64 if weights is None else np.float64  # which bincount forgets where there is nothing to count
    return np.bincount(cells, weights, size).astype(dtype, copy=False) if size else np.zeros(0, dtype)
