"""A frame in the library of the user's choice, for what misieve gives back."""

import datetime as dt
import importlib.util
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np

from misieve._errors import MissingExtraError
from misieve.labels import kind

__all__ = ["build_frame"]

_ELSE = ("pandas", "polars")
_PLAIN = (bool, int, float, Decimal, str, bytes, dt.date, dt.time, dt.timedelta)


def build_frame(columns: Mapping[str, Any], library: str | None) -> Any:
    """Build a native frame with ``library``, else pandas, else polars; an error when none is installed.

    pandas holds as objects what no type of column holds as it is: values of several kinds, integers beyond 64 bits. Columns of
    polars and pyarrow have one type; such values are text there.
    """
    installed = [name for name in (library, *_ELSE) if name is not None and importlib.util.find_spec(name) is not None]
    if not installed:
        raise MissingExtraError("to_frame() needs a frame library, and none is installed: pip install pandas, or polars")
    if installed[0] == "pandas":
        import pandas as pd

        return pd.DataFrame({name: _objects(cells) for name, cells in columns.items()})
    backend: Any = installed[0]
    return nw.from_dict({name: _series(name, cells, backend) for name, cells in columns.items()}).to_native()


def _objects(cells: Any) -> Any:
    if isinstance(cells, np.ndarray) or (None not in cells and _of_one_type(cells)):
        return cells
    array = np.empty(len(cells), object)
    array[:] = cells
    return array


def _series(name: str, cells: Any, backend: Any) -> Any:
    dtype: Any = None
    if not isinstance(cells, np.ndarray):
        values = [cell for cell in cells if cell is not None]
        if not _of_one_type(values):
            cells = [cell if cell is None else str(cell) for cell in cells]
        elif float in set(map(type, values)):
            cells = [cell if cell is None else float(cell) for cell in cells]
        elif any(type(value) is int and value >= 2**63 for value in values):
            dtype = nw.UInt64()
    return nw.new_series(name, cells, dtype, backend=backend)


def _of_one_type(values: Sequence[Any]) -> bool:
    """Whether a typed column holds all values as they are."""
    types: set[type] = set(map(type, values))
    if not all(issubclass(one, _PLAIN) for one in types):  # names of columns may be anything
        return False
    if len({kind(next(value for value in values if type(value) is one)) for one in types}) > 1:
        return False
    if types == {int}:
        low, high = int(min(values)), int(max(values))
        return low >= -(2**63) and high < (2**64 if low >= 0 else 2**63)
    if float in types:
        return all(abs(value) < 2**1000 and float(value) == value for value in values if type(value) is int)
    if any(issubclass(one, dt.time) for one in types):
        return all(value.tzinfo is None for value in values)
    if any(issubclass(one, dt.datetime) for one in types):
        return len({value.tzinfo is None for value in values}) == 1
    return True
