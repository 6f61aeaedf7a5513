"""What a file holds, in terms that do not depend on its format."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from misieve._errors import DataError
from misieve._validate import near

__all__ = ["DataFile", "Reading", "Widened", "until_typed"]

T = TypeVar("T")


@dataclass(frozen=True)
class Reading:
    """How to read a file; what a format has no use for is ignored.

    exclude: columns that are not even parsed.  text: columns read as text whatever they look like.  missing: what stands for
    a missing value in a file of text, beside an empty cell.  header, separator: of CSV.
    """

    exclude: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    missing: tuple[str, ...] = ("NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?")
    header: bool = True
    separator: str | None = None


class Widened(Exception):
    """A column turned out to hold more than was seen at first, and batches are already out: read again from the start."""


class DataFile(ABC):
    """A file that was recognised. ``notes`` say in words what was inferred, and grow while it is read."""

    #: What the format is called.
    format = ""

    def __init__(self, path: Path, label: str, reading: Reading) -> None:
        self.path, self.label, self.reading = path, label, reading
        self.notes: list[str] = []

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """The columns, excluded ones left out."""

    @abstractmethod
    def estimated_bytes(self) -> int:
        """About how much memory all rows take as a frame."""

    @abstractmethod
    def whole(self) -> Any:
        """All rows as one polars frame."""

    @abstractmethod
    def batches(self, size: int) -> Iterator[Any]:
        """All rows as polars frames of about ``size`` bytes."""

    #: The share of the file that the batches so far have used; None if that is not known.
    used: float | None = None

    def note(self, words: str) -> None:
        """Say something once."""
        if words not in self.notes:
            self.notes.append(words)

    def without_excluded(self, names: Sequence[str]) -> list[str]:
        """The names that are left, after checking that all are distinct and that those of the reading are among them."""
        known = set(names)
        if len(known) < len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise DataError(f"columns must have names of their own, found {twice!r} twice: rename one")
        for name in (*self.reading.exclude, *self.reading.text):
            if name not in known:
                raise DataError(f"there is no column {name!r}: {near(name, names)}")
        return [name for name in names if name not in set(self.reading.exclude)]


def until_typed(call: Callable[[], T]) -> T:
    """Call again as long as the types of columns widen: each time one of them does for good, so it ends."""
    while True:
        try:
            return call()
        except Widened:
            continue
