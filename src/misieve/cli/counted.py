"""A file of rows -> Tables, at once where memory allows, else in batches, together with what was seen on the way.

Batches are read one ahead: while one is counted, the next one is parsed. At once is better where it is possible, because cut
points of continuous columns are then found in all rows instead of in those of the first batch.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from misieve._errors import DataError
from misieve.cli.progress import Advance, advancing, working
from misieve.cli.targets import Target
from misieve.files import DataFile
from misieve.tables import Tables

__all__ = ["Counted", "count_file"]

# Batches are of at least and at most so many bytes, and so many of them fit into the memory that may be taken.
LEAST_BATCH, LARGEST_BATCH, BATCHES = 1 << 20, 256 << 20, 8


@dataclass
class Counted:
    """The counts of a file, and what it held: rows, and by column its type and its missing values.

    frame: all rows, if they were read at once.  batch: bytes of a batch, if they were not, and ``first`` the rows of the first.
    """

    tables: Tables
    rows: int = 0
    types: dict[str, Any] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    frame: Any = None
    batch: int | None = None
    first: int = 0

    def see(self, frame: Any) -> None:
        """Take down what a frame holds."""
        import polars as pl

        self.first = self.first or frame.height
        self.rows += frame.height
        floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
        nan = frame.select(pl.col(floats).is_nan().sum()).row(0, named=True) if floats else {}
        for name, column in zip(frame.columns, frame.get_columns(), strict=True):
            self.missing[name] = self.missing.get(name, 0) + column.null_count() + (nan.get(name) or 0)
            self.types[name] = column.dtype


def count_file(
    file: DataFile, target: Target, *, like: Tables | None, bins: Any, missing: str, jobs: int | None, memory: int
) -> Counted:
    """Count all columns of a file against its target."""

    def counting(rows: Any) -> Tables:
        from misieve.counting import count

        return count(rows, target.name, like=like, bins=None if like is not None else bins, missing=missing, n_jobs=jobs)

    if file.estimated_bytes() <= memory:
        # What counts and decides takes as long to load as a small file to read, and polars does not hold up Python.
        with working(f"reading {file.label}"), ThreadPoolExecutor(1, "loading") as thread:
            loading = thread.submit(import_module, "misieve.report")
            frame = file.whole()
            loading.result()
        if not frame.height:
            raise DataError("the file must have at least one row below its header, found none")
        with working(f"counting {frame.height:,} rows of {file.label}"):
            seen = Counted(counting(target.prepared(frame)), frame=frame)
            seen.see(frame)
    else:
        size = min(max(memory // BATCHES, LEAST_BATCH), LARGEST_BATCH)
        with advancing(f"reading {file.label}") as advance:
            batches = _Batches(file, target, size, advance)
            tables = counting(batches)
            seen = replace(batches.seen, tables=tables, batch=size)
    target.finish(alone=like is None)
    return seen


class _Batches:
    """The frames of a file; iterating starts anew, as it must when a column turns out to hold more than was seen at first."""

    def __init__(self, file: DataFile, target: Target, size: int, advance: Advance) -> None:
        self._file, self._target, self._size, self._advance = file, target, size, advance

    def __iter__(self) -> Iterator[Any]:
        self.seen = Counted(None)  # type: ignore[arg-type]  # the tables are made elsewhere
        self._target.start()
        for frame, used in _ahead(self._file.batches(self._size), lambda: self._file.used):
            self.seen.see(frame)
            yield self._target.prepared(frame)
            self._advance(self.seen.rows, used)


def _ahead(frames: Iterator[Any], used: Callable[[], float | None]) -> Iterator[tuple[Any, float | None]]:
    """Frames, each with the share of the file used so far; while one is worked on, a thread reads the next."""

    def following() -> tuple[Any, float | None]:
        return next(frames, None), used()

    with ThreadPoolExecutor(1, "reading") as thread:
        coming = thread.submit(following)
        while (found := coming.result())[0] is not None:
            coming = thread.submit(following)
            yield found
