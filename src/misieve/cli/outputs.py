"""Files that a command writes: refused before the work when they cannot be written, never half there."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from misieve._errors import DataError, OptionError
from misieve.cli.counted import Counted
from misieve.cli.inputs import STDIN
from misieve.files import DataFile, write_frame

__all__ = ["check_output", "write_columns"]


def check_output(path: Path, option: str, data: str) -> None:
    """An error if a file cannot be written, or would replace what is read."""
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder, {option} must name a file")
    if not path.parent.is_dir():
        raise DataError(f"there is no folder {str(path.parent)!r} to write {path.name!r} into ({option})")
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"the folder {str(path.parent)!r} must be writable, it is not ({option})")
    if data != STDIN and path.exists() and Path(data).exists() and path.samefile(data):
        raise OptionError(f"{option} must not be the file that is read, {data!r}")


def write_columns(path: Path, file: DataFile, counted: Counted, columns: Sequence[str]) -> None:
    """Write some columns of a file that was counted, as they were read, text as text."""
    import polars as pl

    def chosen(frame: Any) -> Any:
        frame = frame.select(columns)
        pooled = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.Categorical)]
        return frame.with_columns(pl.col(pooled).cast(pl.String)) if pooled else frame

    def frames() -> Iterator[Any]:
        if counted.frame is not None:
            yield chosen(counted.frame)
        else:
            # The types are known by now: none turns out to be wider than it seemed at first.
            assert counted.batch is not None
            yield from map(chosen, file.batches(counted.batch))

    schema = {name: pl.String if isinstance(counted.types[name], pl.Categorical) else counted.types[name] for name in columns}
    write_frame(path, frames, schema)
