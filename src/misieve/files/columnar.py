"""Files that know their types: Parquet, Arrow, and JSON with one object a line."""

import io
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from misieve._errors import DataError
from misieve._optional import need
from misieve.files.datafile import DataFile, Reading, Widened, until_typed
from misieve.files.dates import date_type, to_dates
from misieve.files.packed import line_blocks, packing_of, unpacked

__all__ = ["Columnar", "JsonLines"]


class Columnar(DataFile):
    """A Parquet or Arrow file, of which polars reads the columns and rows that are asked for."""

    def __init__(self, path: Path, label: str, reading: Reading, format: str) -> None:
        super().__init__(path, label, reading)
        self.format = format
        self._pl: Any = need("polars", extra="cli", purpose=f"reading {label}")
        self._names = self.without_excluded(self._called(lambda: self._lazy.collect_schema().names()))

    @cached_property
    def _lazy(self) -> Any:
        source: Any = self.path
        if packing_of(self.path):
            with unpacked(self.path) as (file, _):
                source = io.BytesIO(file.read())
        if self.format == "parquet":
            return self._pl.scan_parquet(source, glob=False)
        try:
            lazy = self._pl.scan_ipc(source, glob=False)
            lazy.collect_schema()
        except self._pl.exceptions.PolarsError:  # Arrow's other format, for streams, has no index at its end
            return self._pl.read_ipc_stream(source).lazy()
        return lazy

    def _called(self, call: Any) -> Any:
        try:
            return call()
        except (self._pl.exceptions.PolarsError, OSError) as wrong:
            raise DataError(f"the file cannot be read as {self.format}: {str(wrong).splitlines()[0]}") from wrong

    @property
    def names(self) -> list[str]:
        """The columns, excluded ones left out."""
        return self._names

    @cached_property
    def _rows(self) -> int:
        return int(self._called(lambda: self._lazy.select(self._pl.len()).collect().item()))

    def estimated_bytes(self) -> int:
        """Eight bytes for each cell."""
        return self._rows * len(self._names) * 8

    def whole(self) -> Any:
        """All rows as one polars frame."""
        return self._called(lambda: self._as_text(self._lazy.select(self._names)).collect())

    def batches(self, size: int) -> Iterator[Any]:
        """Slices of as many rows as fit: polars skips the row groups that a slice does not touch."""
        rows = max(1000, size // (8 * max(len(self._names), 1)))
        for start in range(0, self._rows, rows):
            some = self._lazy.select(self._names).slice(start, rows)
            frame = self._called(lambda some=some: self._as_text(some).collect())
            self.used = min((start + rows) / self._rows, 1.0)
            yield frame

    def _as_text(self, lazy: Any) -> Any:
        return lazy.with_columns(self._pl.col(self.reading.text).cast(self._pl.String)) if self.reading.text else lazy


class JsonLines(DataFile):
    """A file with one JSON object a line (NDJSON)."""

    format = "ndjson"

    def __init__(self, path: Path, label: str, reading: Reading) -> None:
        super().__init__(path, label, reading)
        self._pl: Any = need("polars", extra="cli", purpose=f"reading {label}")
        self._schema: dict[str, Any] = {}
        with unpacked(path) as (file, _):
            first = next(line_blocks(file, 1 << 20), b"")
        if not first.strip():
            raise DataError("the file must have one JSON object a line, found it empty")
        sample = self._parsed(first, 0)
        self._line_bytes = len(first) / max(sample.height, 1)
        self._names = self.without_excluded(sample.columns)
        self._schema = self._types(sample)

    @property
    def names(self) -> list[str]:
        """The columns, excluded ones left out."""
        return self._names

    def estimated_bytes(self) -> int:
        """Eight bytes for each cell of as many lines as a file of this size has."""
        return int(self.path.stat().st_size * (5 if packing_of(self.path) else 1) / self._line_bytes * len(self._names) * 8)

    def whole(self) -> Any:
        """All rows as one polars frame."""
        return until_typed(lambda: self._pl.concat(list(self.batches(16 << 20))))

    def batches(self, size: int) -> Iterator[Any]:
        """Blocks of whole lines."""
        lines = 0
        with unpacked(self.path) as (file, share):
            for block in line_blocks(file, size):
                frame = self._parsed(block, lines)
                self._widen(frame, started=lines > 0)
                lines += block.count(b"\n")
                yield frame.select(self._typed(frame[name]) for name in self._names)
                self.used = share()

    def _parsed(self, block: bytes, before: int) -> Any:
        pl = self._pl
        try:
            frame = pl.read_ndjson(io.BytesIO(block), infer_schema_length=None)
        except pl.exceptions.PolarsError as wrong:
            line = next((i for i, line in enumerate(block.splitlines(), 1) if not self._is_object(line)), 0)
            where = f"line {line + before}" if line else f"lines {before + 1} and on"
            raise DataError(f"{where} must be a JSON object: {str(wrong).splitlines()[0]}") from wrong
        lacking = [pl.lit(None).alias(name) for name in self._schema if name not in frame.columns]
        return frame.with_columns(lacking) if lacking else frame

    def _types(self, frame: Any) -> dict[str, Any]:
        """The type of each column, text that is dates told apart."""
        pl = self._pl
        return {
            name: date_type(frame[name]) or dtype if dtype == pl.String and name not in self.reading.text else dtype
            for name, dtype in frame.schema.items()
        }

    def _typed(self, cells: Any) -> Any:
        wanted = self._schema[cells.name]
        return to_dates(cells, wanted) if cells.dtype == self._pl.String and wanted.is_temporal() else cells.cast(wanted)

    @staticmethod
    def _is_object(line: bytes) -> bool:
        import json

        try:
            return not line.strip() or isinstance(json.loads(line), dict)
        except ValueError:
            return False

    def _widen(self, frame: Any, *, started: bool) -> None:
        """Types that hold for this block too; batches that are out already are then wrong."""
        pl = self._pl
        wider = False
        for name, dtype in self._types(frame).items():
            known = self._schema.get(name)
            if known is None:
                raise DataError(f"all lines must have the keys of the first ones, {name!r} is new")
            text = name in self.reading.text
            if dtype in (known, pl.Null) and not text:
                continue
            wanted = pl.String if text else dtype if known == pl.Null else pl.String
            if known.is_numeric() and dtype.is_numeric() and not text:
                wanted = pl.Float64
            elif known.is_temporal() and dtype.is_temporal() and not text:
                wanted = pl.Datetime("us")
            wider |= wanted != known
            self._schema[name] = wanted
        if wider and started:
            raise Widened
