"""Checks of arguments that several modules share."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, OptionError

__all__ = ["count_array", "fraction", "generator", "known_option", "near"]

# The largest total for which every integer below it is still exact in double precision.
EXACT_TOTAL = 2.0**53


def known_option(name: str, value: object, known: Iterable[str]) -> str:
    """Return ``value`` if it is one of the known names, else say which ones there are."""
    names = list(known)
    if isinstance(value, str) and value in names:
        return value
    near = difflib.get_close_matches(str(value), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise OptionError(f"{name} must be one of {', '.join(map(repr, names))}, not {value!r}{hint}")


def near(name: str, names: Sequence[str]) -> str:
    """Which of the known names was perhaps meant, else which there are, in words.

    >>> near("Ages", ["id", "age", "sex"])
    "did you mean 'age'?"
    """
    folded = {one.casefold(): one for one in reversed(names)}
    close = [folded[one] for one in difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.6)]
    if close:
        return "did you mean " + " or ".join(map(repr, close)) + "?"
    return "there are " + ", ".join(map(repr, names[:8])) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")


def fraction(name: str, value: object, *, closed: bool = False) -> float:
    """Return ``value`` as a float strictly between 0 and 1 (or within [0, 1] if ``closed``)."""
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        number = float(value)
        if 0.0 < number < 1.0 or (closed and 0.0 <= number <= 1.0):
            return number
    bounds = "from 0 to 1" if closed else "strictly between 0 and 1"
    raise OptionError(f"{name} must be a number {bounds}, not {value!r}")


def generator(rng: Any) -> np.random.Generator:
    """Return a NumPy generator: the one given, or one that starts from the seed given, or from anywhere for None."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise OptionError(f"rng must be a seed (a whole number), a NumPy Generator or None, not {rng!r}") from None


def count_array(counts: Any, what: str = "counts") -> NDArray[np.float64]:
    """Return contingency tables of shape (..., r, s) as doubles, or say which entry is not a count.

    Counts are whole or fractional (weighted rows), finite and not negative; their total stays below 2^53, where doubles
    still hold every integer.
    """
    if np.ma.is_masked(counts):
        raise DataError(f"{what} must not be masked: fill the masked entries, or leave their tables out")
    if hasattr(counts, "toarray"):
        raise DataError(f"{what} must be a dense array, found a sparse {type(counts).__name__}: pass its toarray()")
    try:
        array = np.asarray(counts)
    except ValueError as ragged:
        raise DataError(f"{what} must be a rectangular array of shape (..., r, s): {ragged}") from None
    if array.dtype == object and all(isinstance(n, int) for n in array.ravel()):
        array = np.minimum(array, 2**62).astype(np.float64)  # beyond 64 bits, and so beyond what is refused below
    if array.dtype.kind not in "biuf":
        raise DataError(f"{what} must be numbers, found an array of dtype {array.dtype}; count categories with misieve.count")
    if array.ndim < 2:
        raise DataError(f"{what} must have the shape (..., r, s), a table or a batch of tables; found the shape {array.shape}")
    if 0 in array.shape[-2:]:
        raise DataError(f"{what} must have at least one row and one column, found the shape {array.shape}")
    table = np.ascontiguousarray(array, dtype=np.float64)
    for wrong, rule in (
        (np.isnan(table), "must not be NaN"),
        (np.isinf(table), "must be finite"),
        (table < 0, "must not be negative"),
    ):
        if wrong.any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise DataError(f"{what} {rule}, found {table[where]:g} at index {where}")
    with np.errstate(over="ignore"):
        totals = table.sum(axis=(-2, -1))
    if (totals >= EXACT_TOTAL).any():
        raise DataError(f"the total of {what} must stay below 2^53 = 9e15, found {totals.max():.6g}: rescale the weights")
    return table
