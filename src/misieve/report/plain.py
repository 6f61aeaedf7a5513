"""Whatever Python holds as what JSON can hold: no NaN, no NumPy, every name a string."""

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["label", "numbers", "plain"]


def plain(value: Any) -> Any:
    """A value for JSON: null for what is no finite number, text for what JSON does not know.

    >>> plain({"epsilon": np.float64(0.005), 3: (1, float("nan")), "cut": np.array([1.5])})
    {'epsilon': 0.005, '3': [1, None], 'cut': [1.5]}
    """
    if value is None or isinstance(value, (str, bool)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in value]
    return label(value)


def numbers(array: Any) -> list[float | None]:
    """An array of numbers as a list, null for what is not finite."""
    values = np.asarray(array, dtype=np.float64)
    listed: list[float | None] = values.tolist()
    for i in np.flatnonzero(~np.isfinite(values)).tolist():
        listed[i] = None
    return listed


def label(value: Any) -> str:
    """A category, a class or a name as text.

    >>> [label(v) for v in (3, 0.1, None, b"ab", "x")]
    ['3', '0.1', 'missing', 'ab', 'x']
    """
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "missing"
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, (dt.datetime, dt.date, dt.time)):
        return value.isoformat()
    return str(value)
