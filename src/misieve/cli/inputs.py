"""What a command reads: a file by its name or standard input, with errors that name it."""

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from misieve._errors import DataError
from misieve.files import DataFile, Reading, open_data, spooled

__all__ = ["STDIN", "check_column", "naming", "near", "opened"]

#: Stands for standard input.
STDIN = "-"


@contextmanager
def naming(label: str) -> Iterator[None]:
    """Name the file in what is wrong with it."""
    try:
        yield
    except DataError as wrong:
        said = str(wrong)
        raise DataError(said if label in said else f"{label}: {said}") from wrong


@contextmanager
def opened(data: str, reading: Reading, format: str | None = None) -> Iterator[DataFile]:
    """A file of rows; standard input is kept in a temporary file, and is CSV unless another format is given."""
    if data == STDIN:
        with spooled() as path, naming("standard input"):
            yield open_data(path, reading, label="standard input", format=format or "csv")
    else:
        with naming(data):
            yield open_data(Path(data), reading, format=format)


def check_column(name: str, names: Sequence[str]) -> None:
    """DataError unless there is such a column."""
    if name not in names:
        raise DataError(f"there is no column {name!r}: {near(name, names)}")


def near(name: str, names: Sequence[str]) -> str:
    """Which names were perhaps meant, else which there are, in words."""
    folded = {one.casefold(): one for one in reversed(names)}
    close = [folded[one] for one in difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.6)]
    if close:
        return "did you mean " + " or ".join(map(repr, close)) + "?"
    return "there are " + ", ".join(map(repr, names[:8])) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")
