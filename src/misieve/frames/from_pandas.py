"""Columns of a pandas frame: categorical codes and numbers as they lie in memory, text through Arrow where it is there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_object_dtype

from misieve.frames.column import BadCell, Column, from_array, from_codes, from_objects, validity

__all__ = ["PandasReader"]


class PandasReader:
    """Reads a pandas DataFrame."""

    library = "pandas"

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.names: list[Any] = list(frame.columns)
        self.rows: int = len(frame)

    def columns(self, names: Sequence[Any], threads: int) -> list[Column]:
        """Read columns; text held by Arrow on several threads."""
        series = {name: self._frame[name] for name in names}
        if any(_by_arrow(one.dtype) for one in series.values()):
            from misieve.frames.from_arrow import read_all

            return read_all(lambda name: pandas_column(series[name]), names, threads)
        columns = []
        for name, one in series.items():
            try:
                columns.append(pandas_column(one))
            except BadCell as wrong:
                wrong.column = name  # type: ignore[attr-defined]
                raise
        return columns

    def keep(self, rows: NDArray[np.bool_]) -> "PandasReader":
        """The marked rows; pandas cannot choose any of Arrow's views, which are text or bytes in another layout."""
        frame = self._frame.copy(deep=False)
        for name, dtype in frame.dtypes.items():
            if isinstance(dtype, pd.ArrowDtype) and str(dtype.pyarrow_dtype).endswith("_view"):
                from misieve.frames.from_arrow import spelled_out

                frame[name] = pd.arrays.ArrowExtensionArray(spelled_out(frame[name].array.__arrow_array__()))
        return PandasReader(frame[rows])


def _by_arrow(dtype: Any) -> bool:
    return isinstance(dtype, pd.ArrowDtype) or (isinstance(dtype, pd.StringDtype) and dtype.storage == "pyarrow")


def lone_column(data: Any) -> Column:
    """A Series, an Index or an array of pandas as a column."""
    if isinstance(data, pd.MultiIndex):
        raise BadCell("must be one-dimensional, found a MultiIndex", 0)
    return pandas_column(data if isinstance(data, pd.Series) else pd.Series(data))


def pandas_column(series: Any) -> Column:
    """A Series as codes, numbers or truth values."""
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return from_codes(series.array.codes, _listed(dtype.categories), declared=True)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return from_array(series.to_numpy())
    if _by_arrow(dtype):
        from misieve.frames.from_arrow import arrow_column

        return arrow_column(series.array.__arrow_array__())
    if isinstance(dtype, pd.SparseDtype):
        return from_array(np.asarray(series.array))
    numpy_dtype = getattr(dtype, "numpy_dtype", None)
    if numpy_dtype is not None and numpy_dtype.kind in "biuf":  # Int64, boolean, Float64: values and a mask
        present = series.notna().to_numpy()
        filled = series.to_numpy(dtype=numpy_dtype, na_value=False if numpy_dtype.kind == "b" else 0)
        return Column(filled, validity(present))
    if is_object_dtype(dtype):
        return from_objects(series.tolist())
    codes, distinct = pd.factorize(series.array)
    return from_codes(codes, list(distinct))


def _listed(categories: Any) -> list[Any]:
    """An Index as a list of Python's objects; what Arrow holds it lists itself, three times as fast."""
    if _by_arrow(categories.dtype):
        listed: list[Any] = categories.array.__arrow_array__().to_pylist()
        return listed
    return list(categories.to_numpy(object).tolist())
