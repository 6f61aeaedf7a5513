"""Some columns of a file into another file, which is never half written."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from misieve._errors import DataError, OptionError
from misieve._optional import need

__all__ = ["WRITABLE", "replacing", "write_frame", "written_format"]

#: Endings of files that can be written.
WRITABLE = (".parquet", ".csv", ".tsv", ".arrow", ".feather", ".ndjson", ".jsonl")


def written_format(path: Path) -> str:
    """The ending that says the format; OptionError for one that cannot be written."""
    ending = path.suffix.lower()
    if ending not in WRITABLE:
        raise OptionError(f"the name of a file to be written must end in {', '.join(WRITABLE)}, found {path.name!r}")
    return ending


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path``, renamed to it at the end, or removed when something goes wrong."""
    if not path.parent.is_dir():
        raise DataError(f"there is no folder {str(path.parent)!r} to write {path.name!r} into")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def write_frame(path: Path, frames: Callable[[], Iterator[Any]], schema: Any) -> None:
    """Write polars frames of one schema, one after the other, in the format that the name says."""
    pl = need("polars", extra="cli", purpose=f"writing {str(path)!r}")
    ending = written_format(path)

    def source(columns: Any, predicate: Any, rows: Any, size: Any) -> Iterator[Any]:  # noqa: ARG001 sinks ask for all
        for frame in frames():
            yield frame if columns is None else frame.select(columns)

    lazy = pl.io.plugins.register_io_source(source, schema=schema)
    with replacing(path) as temporary:
        if ending == ".parquet":
            lazy.sink_parquet(temporary)
        elif ending in {".arrow", ".feather"}:
            lazy.sink_ipc(temporary)
        elif ending in {".ndjson", ".jsonl"}:
            lazy.sink_ndjson(temporary)
        else:
            lazy.sink_csv(temporary, separator="\t" if ending == ".tsv" else ",")
