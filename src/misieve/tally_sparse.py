"""How a sparse matrix is counted: stored entries only, implicit zeros as the class totals minus what is stored."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._core import kernels
from misieve._errors import DataError
from misieve.binning import apply_cuts, bin_labels
from misieve.encode import CONTINUOUS, SMALL, Encoder
from misieve.frames import BadCell, Batch, Column
from misieve.frames.column import from_codes
from misieve.tally import GLANCE, Features, Part, Plan, allowed, join, labelled_part, located, small_part

__all__ = ["tally_sparse"]


def tally_sparse(batch: Batch, plan: Plan) -> Part:
    """Count every column of a CSR or CSC matrix; DataError when its indices do not fit together."""
    try:
        return _tally(batch, plan)
    except DataError:
        raise
    except ValueError as wrong:
        raise DataError(f"X must be a sound sparse matrix, but {wrong}") from None


def _tally(batch: Batch, plan: Plan) -> Part:
    """Count in as few passes as the values allow.

    Zeros and ones need one pass; columns with larger whole numbers another, with limits of their own; the rest (negative,
    large, or to be cut) is encoded entry by entry.
    """
    matrix = batch.sparse
    truth = matrix.dtype.kind == "b"
    every = np.arange(batch.width)
    odd = np.zeros(batch.width, bool)
    if plan.encoder.cuts or plan.encoder.own_bins:
        odd = np.fromiter((plan.encoder.must_cut(batch.name(i)) for i in range(batch.width)), bool, batch.width)
    limits = np.full(batch.width, 2, np.int64)
    result = None
    if not matrix.data.size or not matrix.data[:GLANCE].max() > 1:
        matrix, result = _counted(matrix, limits, plan)
    if result is None or result[2].max(initial=-1) >= 0:
        if result is None:
            matrix.check_format(full_check=True)  # SciPy follows indices wherever they point
        if result is None and not matrix.has_canonical_format:
            # Entries stored twice add up to more than either: they are added before their largest is looked for.
            matrix = matrix.copy()
            matrix.sum_duplicates()
        maxima = kernels.sparse_maxima(
            matrix.data, matrix.indices, matrix.indptr, n_columns=batch.width, by_row=matrix.format == "csr"
        )
        small = (maxima >= 0) & (maxima < SMALL)
        odd |= ~small
        limits = np.where(small, maxima + 1, 1)
        allowed(limits, plan)
        matrix, result = _counted(matrix, limits, plan)
    counts, missing, _ = result
    if not odd.any():
        return small_part(every, counts, limits, missing, plan, truth=truth)
    good = small_part(every, counts, limits, missing, plan, truth=truth, only=~odd)
    return join([good, _odd_part(batch, matrix, every[odd], plan)], batch.width)


def _counted(matrix: Any, limits: NDArray[np.int64], plan: Plan) -> tuple[Any, Any]:
    """Count, after adding up entries that are stored twice; returns the matrix that was counted, too."""
    *result, canonical = _count(matrix, limits, plan)
    if not canonical:
        matrix = matrix.copy()
        matrix.sum_duplicates()
        *result, _ = _count(matrix, limits, plan)
    return matrix, result


def _count(matrix: Any, limits: NDArray[np.int64], plan: Plan) -> Any:
    return kernels.count_sparse(
        matrix.data,
        matrix.indices,
        matrix.indptr,
        n_columns=matrix.shape[1],
        by_row=matrix.format == "csr",
        y=plan.target.codes,
        n_classes=plan.columns,
        limits=limits,
        weights=plan.weights,
        n_jobs=plan.jobs,
    )


def _odd_part(batch: Batch, matrix: Any, features: Features, plan: Plan) -> Part:
    """Encode the stored entries of some columns, so that code 0 is the value of a row without an entry, and count again."""
    chosen = matrix[:, features].tocsc()
    columns = []
    codes = np.empty(len(chosen.data))
    for i, feature in enumerate(features.tolist()):
        entries = slice(chosen.indptr[i], chosen.indptr[i + 1])
        try:
            column, codes[entries] = _encode(
                batch.name(feature), chosen.data[entries], chosen.indices[entries], chosen.shape[0], plan.encoder
            )
        except BadCell as wrong:
            raise located(batch, batch.name(feature), wrong) from None
        columns.append(column)
    limits = np.array([column.limit for column in columns], np.int64)
    allowed(limits, plan)
    chosen.data = codes
    counts, missing, _, _ = _count(chosen, limits, plan)
    return labelled_part(batch, features, columns, limits, counts, missing, plan)


def _encode(name: Any, data: NDArray[Any], rows: NDArray[Any], n: int, encoder: Encoder) -> tuple[Column, NDArray[np.float64]]:
    """Labels of one column, and the codes of its stored entries: 0 for the value zero, NaN for a missing entry."""
    gone = np.isnan(data) if data.dtype.kind == "f" else np.zeros(len(data), bool)
    cut = encoder.must_cut(name)
    broken = ~gone & ~(np.isfinite(data) & (np.trunc(data) == data)) if data.dtype.kind == "f" else np.zeros(len(data), bool)
    if broken.any() and not cut:
        if encoder.bins is None and name not in encoder.fractions:
            first = np.flatnonzero(broken)[np.argmin(rows[broken])]
            raise BadCell(CONTINUOUS.format(value=float(data[first])), int(rows[first]))
        cut = name not in encoder.fractions
    distinct = np.unique(data[~gone])
    if encoder.bins is not None and len(distinct) + (0 not in distinct) > SMALL:
        cut = True
    if cut:
        return _cut(name, data, gone, rows, n, encoder)
    values = distinct[distinct != 0]
    codes = np.full(len(data), np.nan)
    codes[~gone] = np.where(data[~gone] == 0, 0, np.searchsorted(values, data[~gone]) + 1)
    labels = [type(one)(0) for one in values[:1].tolist()] or [0]
    return from_codes(codes, [*labels, *values.tolist()]), codes


def _cut(
    name: Any, data: NDArray[Any], gone: NDArray[np.bool_], rows: NDArray[Any], n: int, encoder: Encoder
) -> tuple[Column, NDArray[np.float64]]:
    """Bins; the rows without an entry are zeros that stand together as one weighted group."""
    if name not in encoder.cuts:
        encoder.cuts[name] = encoder.find_sparse_cuts(name, data.astype(np.float64), rows, n)
    cuts = encoder.cuts[name]
    bins_of = apply_cuts(data.astype(np.float64), cuts)
    zero = int(apply_cuts(np.zeros(1), cuts)[0])
    # The bin of zero gets code 0, the bins below it move up by one.
    codes = np.where(bins_of == zero, 0, bins_of + (bins_of < zero)).astype(np.float64)
    codes[gone] = np.nan
    labels = bin_labels(cuts)
    labels = [labels[zero], *labels[:zero], *labels[zero + 1 :]]
    return replace(from_codes(codes, labels, declared=True), zero=zero), codes
