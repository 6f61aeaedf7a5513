"""What a command reads: a file by its name or standard input, with errors that name it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from misieve._errors import DataError
from misieve._validate import near
from misieve.files import DataFile, Reading, open_data, spooled

__all__ = ["STDIN", "check_column", "listed", "naming", "opened", "refuse_others"]

#: Stands for standard input.
STDIN = "-"

# How files of other formats begin, and what spreadsheets are called.
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
_SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")

# A place in the data, which Python counts from 0 and people count from 1.
_ROW = re.compile(r"(?<=\(row )\d+(?=\))|(?<=in row )\d+(?=:)|(?<=\(from row )\d+(?= on\))")


@contextmanager
def naming(label: str) -> Iterator[None]:
    """Name the file in what is wrong with it, and count its rows of data from 1."""
    try:
        yield
    except DataError as wrong:
        said = _ROW.sub(lambda row: f"{int(row[0]) + 1} of the data", str(wrong))
        raise DataError(said if label in said else f"{label}: {said}") from wrong


@contextmanager
def opened(data: str, reading: Reading, format: str | None = None) -> Iterator[DataFile]:
    """A file of rows; standard input is kept in a temporary file, and is CSV unless another format is given."""
    if data == STDIN:
        with spooled() as path, naming("standard input"):
            if format is None:
                _refuse_binary(path)
            yield open_data(path, reading, label="standard input", format=format or "csv")
    else:
        with naming(data):
            refuse_others(Path(data))
            yield open_data(Path(data), reading, format=format)


def _refuse_binary(path: Path) -> None:
    """DataError if what should be CSV is surely not."""
    with path.open("rb") as file:
        start = file.read(4096)
    known = next((format for magic, format in _MAGIC.items() if start.startswith(magic)), None)
    if known is not None:
        raise DataError(f"the data are not CSV, they begin like {known}: say --input-format {known}")
    if b"\0" in start or start.startswith(_PACKED):
        raise DataError(
            "the data are not CSV, they begin with other bytes than text: decompress them, or say their --input-format"
        )


def refuse_others(path: Path) -> None:
    """DataError for what is no file of data, whatever its name."""
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder, not a file")
    if path.suffix.lower() in _SPREADSHEETS:
        raise DataError(f"spreadsheets are not read, found {path.name!r}: save it as CSV or Parquet")


def check_column(name: str, names: Sequence[str]) -> None:
    """DataError unless there is such a column."""
    if name not in names:
        raise DataError(f"there is no column {name!r}: {near(name, names)}")


def listed(given: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, each given by itself or many in one word with commas between them."""
    known = set(names)
    return tuple(dict.fromkeys(one for word in given for one in ([word] if word in known else word.split(","))))
