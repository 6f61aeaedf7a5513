"""A frame in the library of the user's choice, for what misieve gives back."""

import importlib.util
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np

from misieve._errors import MissingExtraError
from misieve.labels import kind

__all__ = ["build_frame"]

_ELSE = ("pandas", "polars")


def build_frame(columns: Mapping[str, Any], library: str | None) -> Any:
    """Build a native frame with ``library``, else pandas, else polars; an error when none is installed.

    pandas holds a column of several kinds as objects; polars and pyarrow, whose columns have one type, get text.
    """
    installed = [name for name in (library, *_ELSE) if name is not None and importlib.util.find_spec(name) is not None]
    if not installed:
        raise MissingExtraError("to_frame() needs a frame library, and none is installed: pip install pandas, or polars")
    if installed[0] == "pandas":
        import pandas as pd

        return pd.DataFrame({name: _objects(cells) for name, cells in columns.items()})
    backend: Any = installed[0]
    return nw.from_dict({name: _uniform(cells) for name, cells in columns.items()}, backend=backend).to_native()


def _objects(cells: Any) -> Any:
    if isinstance(cells, np.ndarray) or (len(_kinds(cells)) == 1 and None not in cells):
        return cells
    array = np.empty(len(cells), object)
    array[:] = cells
    return array


def _uniform(cells: Any) -> Any:
    if isinstance(cells, np.ndarray) or len(_kinds(cells)) <= 1:
        return cells
    return [cell if cell is None else str(cell) for cell in cells]


def _kinds(cells: list[Any]) -> set[str]:
    return {kind(cell) if not isinstance(cell, tuple) else "names" for cell in cells} - {""}
