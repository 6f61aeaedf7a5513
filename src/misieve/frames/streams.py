"""Data that come in batches: files, lazy frames, iterables of frames; never more than one batch in memory."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from misieve._errors import DataError
from misieve.files import DataFile, open_data
from misieve.frames.batch import Batch, read

__all__ = ["is_stream", "opened", "stream"]

T = TypeVar("T")

# What one batch may take once it is decoded, taking eight bytes for a cell.
BATCH_BYTES = 4 << 20


def is_stream(data: Any) -> bool:
    """Whether data come in batches: a file, a polars LazyFrame, or an iterable that is itself no frame, array or rows."""
    if isinstance(data, (str, os.PathLike, DataFile)) or _is_lazy(data):
        return True
    if hasattr(data, "shape") or hasattr(data, "columns") or hasattr(data, "__array__") or not isinstance(data, Iterable):
        return False
    if isinstance(data, (Mapping, Set)):  # their keys are no frames
        return False
    if isinstance(data, (list, tuple)):
        return bool(data) and (hasattr(data[0], "columns") or hasattr(data[0], "schema") or getattr(data[0], "ndim", 0) == 2)
    return type(data).__module__.partition(".")[0] != "pyarrow" or type(data).__name__ == "RecordBatchReader"


def _is_lazy(data: Any) -> bool:
    return type(data).__name__ == "LazyFrame" and type(data).__module__.partition(".")[0] == "polars"


def stream(data: Any) -> Iterator[Batch]:
    """The batches of a path, a LazyFrame or an iterable, each knowing how many rows came before it."""
    start = 0
    for frame in _frames(data):
        batch = replace(read(frame), start=start)
        start += batch.rows
        yield batch


def opened(data: Any) -> Any:
    """A path as the file there; anything else as it is."""
    return _named(data, lambda: open_data(Path(data))) if isinstance(data, (str, os.PathLike)) else data


def _frames(data: Any) -> Iterator[Any]:
    if isinstance(data, DataFile):
        return _of_file(data)
    if _is_lazy(data):
        rows = _batch_rows(len(data.collect_schema()))
        found: Iterator[Any] = iter(data.collect_batches(chunk_size=rows, maintain_order=True, engine="streaming"))
        return found
    return iter(data)


def _batch_rows(width: int) -> int:
    return max(1000, BATCH_BYTES // (8 * max(width, 1)))


def _of_file(file: DataFile) -> Iterator[Any]:
    batches = file.batches(BATCH_BYTES)
    while (batch := _named(file.label, lambda: next(batches, None))) is not None:
        yield batch


def _named(label: Any, call: Callable[[], T]) -> T:
    """Name the file in what is wrong with it."""
    try:
        return call()
    except DataError as wrong:
        raise DataError(f"{os.fspath(label)}: {wrong}") from wrong
