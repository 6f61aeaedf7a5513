"""What stands beside the features: the target and the weights, as arrays or as columns of the frame itself."""

from collections.abc import Sized
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError
from misieve.frames import BadCell, Batch, Column
from misieve.frames.column import absent, validity
from misieve.frames.single import read_single
from misieve.tally import located

__all__ = ["Beside", "check_lengths", "split"]

Weights = NDArray[np.float64]


class Beside:
    """The target column and what it is called, and the weights if there are any."""

    def __init__(self, target: Column, label: str, weights: Weights | None) -> None:
        self.target, self.label, self.weights = target, label, weights


def split(batch: Batch, y: Any, sample_weight: Any, *, whole: bool) -> tuple[Batch, Beside]:
    """Take target and weights out of a batch, or their part of arrays; leave out rows of weight zero.

    ``whole`` when there is one batch; of several, each takes the rows of the arrays where it stands.
    """
    taken = set()
    if _is_name(y, batch):
        taken.add(y)
        target, label = _named(batch, y, "y"), f"target {y!r}"
    else:
        target, label = _part(_array(y), batch, whole), "y"
    weights = None
    if _is_name(sample_weight, batch):
        taken.add(sample_weight)
        column = _named(batch, sample_weight, "sample_weight")
        weights = _weights(np.where(absent(column), np.nan, column.values) if column.labels is None else ["text"], batch)
    elif sample_weight is not None:
        weights = _weights(sample_weight, batch, None if whole else batch.start)
    if taken:
        assert not isinstance(batch.names, int)
        batch = replace(batch, names=tuple(name for name in batch.names if name not in taken))
    if weights is not None and batch.rows and not weights.all():
        batch, target, weights = _real_rows(batch, target, weights)
    return batch, Beside(target, label, weights)


def check_lengths(y: Any, sample_weight: Any, rows: int) -> None:
    """After the last batch: arrays beside the batches must not go on."""
    for what, array in (("y", y), ("sample_weight", sample_weight)):
        if isinstance(array, Sized) and not isinstance(array, str) and len(array) != rows:
            raise DataError(f"{what} must have one entry for each row, found {len(array)} for {rows} rows")


def _is_name(value: Any, batch: Batch) -> bool:
    """Whether a target or weight is the name of a column: text, or a scalar that X has as a name."""
    if isinstance(value, str):
        if batch.frame is None:
            raise DataError(f"X has no column names, so {value!r} cannot be found: pass an array")
        return True
    if batch.frame is None or value is None or (hasattr(value, "__len__") and not isinstance(value, tuple)):
        return False
    try:
        return value in set(batch.frame.names)
    except TypeError:
        return False


def _named(batch: Batch, name: Any, what: str) -> Column:
    assert batch.frame is not None
    if name not in batch.frame.names:
        shown = ", ".join(map(repr, batch.frame.names[:10])) + (", ..." if len(batch.frame.names) > 10 else "")
        raise DataError(f"{what} must be a column of X, {name!r} is none of {shown}")
    try:
        return batch.pick(name)
    except BadCell as wrong:
        raise located(batch, name, wrong) from None


def _array(y: Any) -> Column:
    """An array, Series or list of classes as a column."""
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu" and y.dtype.isnative and y.flags.c_contiguous:
        return Column(y)
    try:
        return read_single(y, "y")
    except BadCell as wrong:
        raise DataError(f"y {wrong.rule} (row {wrong.row})") from None


def _part(column: Column, batch: Batch, whole: bool) -> Column:
    n, start = len(column.values), 0 if whole else batch.start
    stop = start + batch.rows
    if n != batch.rows if whole else n < stop:
        raise DataError(f"y must have one entry for each row of X, found {n} for {'' if whole else 'at least '}{stop} rows")
    if whole:
        return column
    bits = column.validity
    if bits is not None:
        bits = bits[0], bits[1] + start
    return replace(column, values=column.values[start:stop], validity=bits)


def _weights(given: Any, batch: Batch, start: int | None = None) -> Weights:
    weights = _numbers(given)
    if weights.ndim != 1:
        raise DataError(f"sample_weight must be one-dimensional, found the shape {weights.shape}")
    if start is not None:
        weights = weights[start : start + batch.rows]
    if len(weights) != batch.rows:
        raise DataError(f"sample_weight must have one entry for each row, found {len(weights)} for {batch.rows} rows")
    wrong = ~((weights >= 0) & np.isfinite(weights))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(f"sample_weight must be finite and not negative, found {weights[row]} in row {batch.where(row)}")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise DataError("sample_weight must have a finite sum, found one beyond 1.8e308: divide all weights by the largest")
    return np.ascontiguousarray(weights)


def _numbers(given: Any) -> Weights:
    """Weights as doubles, NaN where they are missing."""
    try:
        array = np.asarray(given)
    except ValueError as ragged:
        raise DataError(f"sample_weight must be one-dimensional, one number for each row: {ragged}") from None
    if array.dtype.kind not in "biufO":
        raise DataError(f"sample_weight must be numbers, one for each row, found the dtype {array.dtype}")
    if array.dtype == object and any(isinstance(weight, (str, bytes)) for weight in array.ravel()):
        raise DataError("sample_weight must be numbers, one for each row, found text")
    try:
        weights = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"sample_weight must be numbers, one for each row, found a {type(given).__name__} of others") from None
    mask = np.ma.getmask(given) if isinstance(given, np.ma.MaskedArray) else None
    return weights if mask is None else np.where(mask, np.nan, weights)


def _real_rows(batch: Batch, target: Column, weights: Weights) -> tuple[Batch, Column, Weights]:
    """Rows of weight zero do not exist: not for categories, nor for classes, nor for errors."""
    real = weights > 0
    present = validity(~absent(target)[real])
    return batch.keep(real), replace(target, values=target.values[real], validity=present), weights[real]
