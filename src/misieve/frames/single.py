"""One column that stands alone, such as a target: an array, a Series, a list."""

from typing import Any

import numpy as np

from misieve._errors import DataError
from misieve.frames.column import BadCell, Column, absent, from_array, from_objects, validity

__all__ = ["read_single"]


def read_single(data: Any, what: str) -> Column:
    """Read an array of shape (n,) or (n, 1), a Series of any frame library, or a list."""
    root = type(data).__module__.partition(".")[0]
    if root == "pandas" and hasattr(data, "columns"):
        data = _only(data.shape, what, lambda: data.iloc[:, 0])
    elif root in {"polars", "pyarrow"} and hasattr(data, "columns"):
        data = _only(data.shape, what, lambda: data[data.columns[0]] if root == "polars" else data.column(0))
    if root == "pandas" and hasattr(data, "dtype"):  # a Series, an Index, or an array of pandas' own, such as a Categorical
        from misieve.frames.from_pandas import lone_column

        return lone_column(data)
    if root == "polars" and hasattr(data, "dtype"):
        from misieve.frames.from_polars import polars_column

        return polars_column(data)
    if root == "pyarrow" and hasattr(data, "null_count"):
        from misieve.frames.from_arrow import arrow_column

        return arrow_column(data)
    if isinstance(data, (list, tuple)):
        column = from_objects(data)
        if any(isinstance(cell, (list, tuple)) for cell in data[:1]):
            raise BadCell("must be one-dimensional, found rows of several values", 0)
        return column
    if root not in {"numpy", "builtins"} and not hasattr(data, "__array__"):
        import narwhals as nw

        series = nw.from_native(data, series_only=True, pass_through=True)
        if isinstance(series, nw.Series):
            return read_single(series.to_arrow(), what)
    if not hasattr(data, "__array__"):
        raise DataError(
            f"{what} must be an array, a Series or a list with one class for each row, or the name of a column, "
            f"not {type(data).__name__}"
        )
    mask = np.ma.getmaskarray(data) if isinstance(data, np.ma.MaskedArray) else None
    array = np.asarray(data)
    if array.ndim == 2 and array.shape[1] == 1:
        array, mask = array[:, 0], None if mask is None else mask[:, 0]
    if array.ndim != 1:
        raise DataError(f"{what} must be one-dimensional, one class for each row, found the shape {array.shape}")
    column = from_array(array, mask)
    return column if mask is None else Column(column.values, validity(~absent(column)), column.labels, column.limit)


def _only(shape: tuple[int, ...], what: str, take: Any) -> Any:
    if shape[1] != 1:
        raise DataError(f"{what} must be one column, found {shape[1]}")
    return take()
