"""A table of counts as people type or paste it: ``40,10/20,80``."""

import re

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError

__all__ = ["read_counts"]

_HELP = "write the rows as in 40,10/20,80"


def read_counts(text: str) -> NDArray[np.float64]:
    """The counts (r, s) in a text, or a DataError that says which cell or row is wrong.

    Rows end at ``/``, ``;`` or a line break, cells at commas, tabs or spaces. Where commas part the cells, spaces may part the
    rows. What Python prints for a list of lists or an array is read too.

    >>> read_counts("40,10/20,80").tolist() == read_counts("[[40, 10], [20, 80]]").tolist()
    True
    """
    text = re.sub(r"\]\s*,?\s*\[", "/", text.removeprefix("\ufeff"))
    text = re.sub(r"\s*,\s*", ",", re.sub(r"array|[\[\]()]", " ", text)).strip()
    text = re.sub(r"\s*[/;]\s*|\s*[\r\n]\s*", "/", text).strip("/")
    if "/" not in text and "," in text:
        text = re.sub(r"\s+", "/", text)
    if not text:
        raise DataError(f"a table must have counts in it, found none: {_HELP}")
    rows = [[_number(cell, i, j) for j, cell in enumerate(_cells(row), 1)] for i, row in enumerate(text.split("/"), 1)]
    width = len(rows[0])
    for i, row in enumerate(rows, 1):
        if len(row) != width:
            raise DataError(f"the rows of a table must have as many cells as the first, {width}, found {len(row)} in row {i}")
    if min(len(rows), width) < 2:
        found = f"{len(rows)} row{'s' * (len(rows) > 1)} of {width} cell{'s' * (width > 1)}"
        raise DataError(f"a table must have at least two rows and two columns, found {found}: {_HELP}")
    return np.array(rows)


def _cells(row: str) -> list[str]:
    return row.split(",") if "," in row else row.split()


def _number(cell: str, row: int, column: int) -> float:
    where = f"row {row}, cell {column}"
    try:
        number = float(cell)
    except ValueError:
        found = f"{cell!r}" if cell else "an empty one"
        raise DataError(f"a count must be a number, found {found} in {where}: {_HELP}") from None
    if not 0 <= number < np.inf:
        raise DataError(f"a count must be a number from 0 up, found {cell!r} in {where}")
    return number
