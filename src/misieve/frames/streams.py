"""Data that come in batches: files, lazy frames, iterables of frames; never more than one batch in memory.

A Parquet file is read slice by slice (polars skips the row groups that a slice does not touch, and its own batched collection
holds an order of magnitude more in memory), a CSV file in blocks of whole lines, a LazyFrame by polars' streaming engine.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from misieve._errors import DataError
from misieve._optional import need
from misieve.frames.batch import Batch, read

__all__ = ["is_stream", "stream"]

# What one batch may take once it is decoded, taking eight bytes for a cell, and how much of a CSV file is parsed at a time.
BATCH_BYTES = 4 << 20
BLOCK_BYTES = 1 << 20


def is_stream(data: Any) -> bool:
    """Whether data come in batches: a path, a polars LazyFrame, or an iterable that is itself no frame, array or rows."""
    if isinstance(data, (str, os.PathLike)) or _is_lazy(data):
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


def _frames(data: Any) -> Iterator[Any]:
    if isinstance(data, (str, os.PathLike)):
        return _file(Path(data))
    if _is_lazy(data):
        rows = _batch_rows(len(data.collect_schema()))
        found: Iterator[Any] = iter(data.collect_batches(chunk_size=rows, maintain_order=True, engine="streaming"))
        return found
    return iter(data)


def _batch_rows(width: int) -> int:
    return max(1000, BATCH_BYTES // (8 * max(width, 1)))


def _file(path: Path) -> Iterator[Any]:
    pl = need("polars", extra="cli", purpose=f"reading {str(path)!r}")
    suffix = path.suffix.lower()
    if suffix not in {".parquet", ".pq", ".csv", ".tsv"}:
        raise DataError(
            f"a file must end in .parquet, .pq, .csv or .tsv, found {str(path)!r}: read it yourself and pass a frame"
        )
    if not path.is_file():
        raise DataError(f"there is no file {str(path)!r}")
    try:
        yield from _parquet(pl, path) if suffix in {".parquet", ".pq"} else _csv(pl, path, "\t" if suffix == ".tsv" else ",")
    except pl.exceptions.PolarsError as wrong:
        raise DataError(f"{str(path)!r} cannot be read as {suffix}: {wrong}") from wrong


def _parquet(pl: Any, path: Path) -> Iterator[Any]:
    lazy = pl.scan_parquet(path, glob=False)
    rows = _batch_rows(len(lazy.collect_schema()))
    start, last = 0, False
    while not last:
        frame = lazy.slice(start, rows).collect()
        last = frame.height < rows
        start += rows
        yield frame


def _csv(pl: Any, path: Path, separator: str) -> Iterator[Any]:
    """Blocks of whole lines, typed as the first block; a block that does not fit those types is typed on its own."""
    schema = None
    with path.open("rb") as file:
        header = _line(file)
        for block in _blocks(file):
            lines = header + block
            try:
                frame = pl.read_csv(lines, separator=separator, schema=schema, infer_schema_length=None)
            except pl.exceptions.ComputeError:
                if schema is None:
                    raise
                frame = pl.read_csv(lines, separator=separator, infer_schema_length=None)
            # A column that is empty so far has no type yet.
            if schema is None and not any(frame[name].null_count() == frame.height for name in frame.columns):
                schema = frame.schema
            yield frame


def _line(file: IO[bytes]) -> bytes:
    """The header, which may hold quoted line breaks."""
    line = file.readline()
    while line.count(b'"') % 2 and (more := file.readline()):
        line += more
    return line if line.endswith(b"\n") else line + b"\n"


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Cut where a line ends outside quotes: the number of quotes before it is even."""
    rest = b""
    while block := file.read(BLOCK_BYTES):
        rest += block
        cut = rest.rfind(b"\n") + 1
        while cut and rest.count(b'"', 0, cut) % 2:
            cut = rest.rfind(b"\n", 0, cut - 1) + 1
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest
