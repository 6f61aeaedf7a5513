"""How a file of lines with separated cells is written: separator, names of the columns, decimal commas."""

import csv
from dataclasses import dataclass, field

from misieve._errors import DataError

__all__ = ["Dialect", "find_dialect"]

#: Separators that are looked for; of two that cut the first line into as many cells the earlier one is taken.
SEPARATORS = (",", ";", "\t", "|")
_WORDS = {"\t": "tabs", ";": "semicolons", "|": "bars"}


@dataclass(frozen=True)
class Dialect:
    """What was found, with notes for the user."""

    separator: str
    names: list[str]
    notes: list[str] = field(default_factory=list)


def find_dialect(line: str, *, header: bool, separator: str | None) -> Dialect:
    """Look at the first line of a file, line breaks in quotes included."""
    notes = []
    if separator is None:
        separator = max(SEPARATORS, key=lambda one: len(_cells(line, one)))
        if separator != ",":
            notes.append(f"cells are separated by {_WORDS[separator]}")
    cells = _cells(line, separator)
    if not header:
        return Dialect(separator, [f"column_{i}" for i in range(1, len(cells) + 1)], notes)
    cells = [cell.strip() for cell in cells]
    names = [name or f"column_{i}" for i, name in enumerate(cells, 1)]
    notes += [f"column {i} has no name in the header, it is called 'column_{i}'" for i, cell in enumerate(cells, 1) if not cell]
    if all(_is_number(name) for name in names):
        raise DataError(
            f"the first line must name the columns, found numbers only ({', '.join(names[:4])}{', ...' * (len(names) > 4)}): "
            "if it is data, say --no-header, and columns are called column_1, column_2, ..."
        )
    return Dialect(separator, names, notes)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # quotes that do not fit this separator
        return []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
