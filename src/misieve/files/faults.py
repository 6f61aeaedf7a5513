"""What is wrong with a file of lines, and in which line: polars tells the first, this the second."""

import csv
import io
import itertools
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Any

from misieve._errors import DataError

__all__ = ["Opened", "Unreadable", "blank_lines", "explained", "unreadable"]

#: Opens what was read once more: a file or a part of one, from its first line.
Opened = Callable[[], AbstractContextManager[IO[bytes]]]

_UNREADABLE = re.compile(
    r"could not parse `(?P<cell>.*?)` as dtype `(?P<type>.*?)` at column .*\(column number (?P<at>\d+)\)", re.S
)


@dataclass(frozen=True)
class Unreadable:
    """A cell that does not have the type of its column."""

    cell: str
    place: int


def unreadable(wrong: Exception) -> Unreadable | None:
    """The cell that polars could not read; None if it complains of something else."""
    found = _UNREADABLE.search(str(wrong))
    return Unreadable(found["cell"], int(found["at"]) - 1) if found else None


def explained(wrong: Exception, opened: Opened, separator: str, width: int, before: int) -> DataError:
    """What polars complains of, in terms of the file: lines are counted from 1, ``before`` of them are in earlier batches."""
    text = str(wrong)
    if "utf-8" in text.lower():
        line = _first_line(opened, _undecodable)
        return DataError(
            f"the file must be UTF-8, found other bytes in line {line + before}: convert it, for example with "
            "iconv -f WINDOWS-1252 -t UTF-8"
        )
    if unreadable(wrong) is not None:
        return DataError('a quoted cell must be closed, found none that is: look for a lone " in the file')
    line, cells = _odd_line(opened, separator, lambda n: n != width)
    if line:
        return _odd_width(line + before, cells, separator, width)
    return DataError(text.splitlines()[0] if text else type(wrong).__name__)


def blank_lines(frame: Any, above: int, opened: Opened, separator: str, width: int, before: int) -> list[int]:
    """The rows of a frame that are blank lines; DataError if another line has too few cells.

    Polars fills both up with nulls, which would hide that a file was cut short. ``above`` is how many lines stand above the
    first row. Only where the last column has nulls need lines be looked at, and one by one only where a row is empty or
    separators are lacking.
    """
    if width < 2 or not frame.height or not frame[frame.columns[-1]].null_count():
        return []
    if not all(frame[name].null_count() for name in frame.columns):
        with opened() as file:
            found = sum(block.count(separator.encode()) for block in iter(lambda: file.read(1 << 20), b""))
        if found >= (frame.height + min(above, 1)) * (width - 1):
            return []
    blank = []
    with opened() as file:
        text = io.TextIOWrapper(file, "utf-8", errors="replace", newline="")
        reader = csv.reader(text, delimiter=separator)
        for row, cells in enumerate(reader, -above):
            if not cells and row >= 0:
                blank.append(row)
            elif 0 < len(cells) < width:
                raise _odd_width(reader.line_num + before, len(cells), separator, width)
        text.detach()
    return blank


def _odd_width(line: int, cells: int, separator: str, width: int) -> DataError:
    advice = (
        f"put cells that hold {separator!r} into double quotes"
        if cells > width
        else "the file is cut short, or the separators of empty cells at the end of that line are lacking"
    )
    return DataError(f"line {line} must have {width} cells as the first line has, found {cells}: {advice}")


def _odd_line(opened: Opened, separator: str, odd: Callable[[int], bool]) -> tuple[int, int]:
    """The first line with an odd number of cells, and how many it has; (0, 0) if there is none."""
    with opened() as file:
        text = io.TextIOWrapper(file, "utf-8", errors="replace", newline="")
        reader = csv.reader(text, delimiter=separator)
        for cells in reader:
            if cells and odd(len(cells)):
                return reader.line_num, len(cells)
        text.detach()
    return 0, 0


def _first_line(opened: Opened, wanted: Callable[[bytes], bool]) -> int:
    with opened() as file:
        return next((number for number, line in zip(itertools.count(1), file, strict=False) if wanted(line)), 0)


def _undecodable(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return True
    return False
