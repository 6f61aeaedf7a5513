"""Category values: what a cell may hold, in which order values stand, and when two of them are the same.

A value is one of Python's own: bool, int, float, str, bytes, date, datetime, time, timedelta, Decimal, or None for the missing
category. Whole floats become ints, NumPy and pandas scalars become the Python value they hold, so the 3 of a pandas int64, a
polars Int32 and a NumPy float64 column is one category. Two values are the same when Python says they are equal: 3 and 3.0,
and also True and 1. Within one column all values are of one kind; numbers and text do not mix.
"""

import datetime as dt
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np

from misieve._errors import DataError

__all__ = [
    "BadLabel", "Unreadable", "Value", "canonical", "canonical_labels", "decode", "encode", "is_missing", "kind", "order",
    "spelled", "union",
]  # fmt: skip

Value = Any
# Up to here a whole double is the int that it prints as.
EXACT = 2**53
Labels = tuple[Value, ...]

_KINDS = {
    bool: "truth values",
    int: "numbers",
    float: "numbers",
    Decimal: "decimals",
    str: "text",
    bytes: "bytes",
    dt.datetime: "times",
    dt.date: "dates",
    dt.time: "times of day",
    dt.timedelta: "durations",
}


TOO_FINE = "a time finer than a microsecond is not a kind of category: round it, or turn the column into text"
OUT_OF_RANGE = "what Python's own dates and times cannot hold is not a kind of category: turn the column into text"


class BadLabel(DataError):
    """A category that cannot be one, and its place among those that were given."""

    def __init__(self, where: str, rule: str, place: int) -> None:
        super().__init__(f"{where} {rule}")
        self.rule, self.place = rule, place


@dataclass(frozen=True)
class Unreadable:
    """Stands in a list of categories for one that Python cannot hold: how to show it, and why."""

    shown: str
    why: str

    def __repr__(self) -> str:
        return self.shown


def is_missing(value: Any) -> bool:
    """Whether a cell is empty: None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    if isinstance(value, (str, int, bytes)):
        return False
    name = type(value).__name__
    if name in {"NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64, Decimal)) and bool(value != value)  # noqa: PLR0124 only NaN and NaT differ from themselves


def canonical(value: Any) -> Value:
    """Return the Python value that a cell holds; TypeError when it cannot be a category."""
    if type(value) in {str, int, bool}:
        return value
    if isinstance(value, Unreadable):
        raise TypeError(value.why)
    if isinstance(value, np.generic):
        value = _moment(value) if isinstance(value, (np.datetime64, np.timedelta64)) else _item(value)
    elif isinstance(value, Enum):
        value = value.value
    if is_missing(value):
        return None
    if hasattr(value, "to_pydatetime") or hasattr(value, "to_pytimedelta"):
        value = _of_pandas(value)
    if isinstance(value, dt.datetime) and type(value.tzinfo) not in {type(None), dt.timezone}:
        value = _fixed(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)
    for known in _KINDS:
        if isinstance(value, known):
            return value if type(value) is known else _plain(value, known)
    if type(value).__name__ in {"Interval", "Period"}:  # of pandas: known by how they print
        return str(value)
    raise TypeError(f"{type(value).__name__} is not a kind of category")


def _plain(value: Any, known: type) -> Value:
    """A subclass gives the plain value, except dates, which have none simpler."""
    return known(value) if known in {str, int, float, bytes} else value


def _item(value: Any) -> Any:
    """The Python value of a scalar; a long double as the double that it is, if it is one."""
    plain = float(value) if isinstance(value, np.longdouble) else value.item()
    if isinstance(value, np.longdouble) and plain != value and plain == plain:  # noqa: PLR0124 not NaN
        raise TypeError("a number that takes more than 64 bits is not a kind of category: round it")
    return plain


def _moment(value: Any) -> Any:
    if np.isnat(value):
        return None
    unit = np.datetime_data(value.dtype)[0]
    if unit in {"ns", "ps", "fs", "as"}:
        coarse = value.astype(type(value)(0, "us").dtype)
        if coarse != value:
            raise TypeError(TOO_FINE)
        value = coarse
    plain = value.item()
    if isinstance(plain, int):  # so NumPy gives back years beyond 9999, and months, which are no fixed time
        raise TypeError(OUT_OF_RANGE)
    return plain


def _of_pandas(value: Any) -> Any:
    """The plain value of a Timestamp or a Timedelta."""
    if getattr(value, "nanosecond", getattr(value, "nanoseconds", 0)):
        raise TypeError(TOO_FINE)
    try:
        return value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value.to_pytimedelta()
    except (OverflowError, ValueError):
        raise TypeError(OUT_OF_RANGE) from None


def _fixed(value: dt.datetime) -> dt.datetime:
    """The same instant on the same clock, with its distance from UTC instead of a zone.

    In a zone, the hour that comes twice in autumn is one value to Python; and no file could hold the zone.
    """
    distance = value.utcoffset()
    return value if distance is None else value.replace(tzinfo=dt.timezone(distance), fold=0)


def kind(value: Value) -> str:
    """The kind of a canonical value, in words; empty for None, which goes with every kind."""
    if value is None:
        return ""
    return _KINDS.get(type(value)) or next(words for known, words in _KINDS.items() if isinstance(value, known))


def order(values: Sequence[Value]) -> list[int]:
    """Positions of the values in ascending order, None last."""
    return sorted(range(len(values)), key=lambda i: (values[i] is None, 0 if values[i] is None else _key(values[i])))


def _key(value: Value) -> Any:
    """Aware and naive times do not compare: put the naive first."""
    if isinstance(value, (dt.datetime, dt.time)):
        return (value.utcoffset() is not None, value)
    return value


def is_sorted(values: Sequence[Value]) -> bool:
    """Whether values ascend, None last; False where they do not compare."""
    try:
        return order(values) == list(range(len(values)))
    except TypeError:
        return False


def union(first: Labels, second: Labels, where: str) -> Labels:
    """All values of both. Sorted values stay sorted; a declared order stays, and gets what is new at its end.

    ``where`` names the column in the error about values of two kinds.
    """
    known = set(first)
    new = [value for value in second if value not in known]
    kinds = {kind(value): value for value in (*reversed(new), *reversed(first)) if value is not None}
    one_kind(kinds, where)
    if not new:
        return first
    merged = (*first, *new)
    if is_sorted(first) and is_sorted(second):
        return tuple(merged[i] for i in order(merged))
    return merged


def one_kind(kinds: dict[str, Value], where: str, row: str = "") -> None:
    """Refuse values of several kinds; truth values go with numbers, as True is 1."""
    found = list(reversed(kinds))
    if len(found) > 1 and set(found) != {"numbers", "truth values"}:
        (a, b) = found[:2]
        raise DataError(
            f"{where} mixes {a} ({kinds[a]!r}) with {b} ({kinds[b]!r}{row}): the values of a column must be of one kind; "
            f"turn them all into text, or into numbers"
        )


def encode(value: Value) -> Any:
    """What JSON can hold of a value; :func:`decode` reads it back."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return ["float", "nan" if math.isnan(value) else value.hex()]
    if isinstance(value, Decimal):
        return ["decimal", str(value)]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if isinstance(value, dt.timedelta):
        return ["timedelta", value.days, value.seconds, value.microseconds]
    for known in (dt.datetime, dt.date, dt.time):
        if isinstance(value, known):
            return [known.__name__, value.isoformat()]
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, tuple):  # the name of a column of pandas, seen as a path
        return ["tuple", *map(encode, value)]
    raise DataError(f"{value!r} of type {type(value).__name__} cannot be stored in a file: rename the column to text")


def decode(stored: Any) -> Value:
    """The value that :func:`encode` put into JSON."""
    if not isinstance(stored, list):
        return stored
    name, *rest = stored
    read: dict[str, Callable[[Any], Value]] = {
        "float": float.fromhex,
        "decimal": Decimal,
        "bytes": bytes.fromhex,
        "datetime": dt.datetime.fromisoformat,
        "date": dt.date.fromisoformat,
        "time": dt.time.fromisoformat,
    }
    if name == "tuple":
        return tuple(map(decode, rest))
    return dt.timedelta(*rest) if name == "timedelta" else read[name](rest[0])


def canonical_labels(values: Iterable[Any], where: str, verb: str = "declares") -> Labels:
    """Categories as canonical values: all of one known kind, none twice. ``where`` names the column in errors."""
    given = tuple(values)
    if len(set(map(type, given))) == 1 and type(given[0]) in {str, int, bool} and len(set(given)) == len(given):
        return given  # the common case: nothing to do
    labels = []
    for place, value in enumerate(given):
        try:
            labels.append(canonical(value))
        except TypeError as wrong:
            raise BadLabel(where, f"{verb} the category {value!r}: {wrong}", place) from None
    if len(set(labels)) < len(labels):
        seen: set[Value] = set()
        for place, value in enumerate(labels):
            if value in seen:
                raise BadLabel(where, f"{verb} the category {value!r} twice", place)
            seen.add(value)
    if len(set(map(type, labels)) - {type(None)}) > 1:
        one_kind({kind(value): value for value in reversed(labels) if value is not None}, where)
    return tuple(labels)


def spelled(names: Sequence[Any] | int) -> tuple[Any, ...]:
    """The names of features; x0, x1, ... if only their number is given."""
    return tuple(f"x{i}" for i in range(names)) if isinstance(names, int) else tuple(names)
