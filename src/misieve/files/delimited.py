"""CSV and TSV: separator, header and types are found out, and what is wrong is told by its line.

Types are those of the first megabyte; a column that later holds something else becomes wider: whole numbers, numbers,
text; dates, dates with a time of day, text.
To compare every cell with all that may stand for a missing value takes time, so the first try is without: text columns, which
are read as categories, lose these afterwards, and a number that cannot be read brings about a second try with comparing.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from misieve._errors import DataError
from misieve._optional import need
from misieve.files.datafile import DataFile, Reading, Widened, until_typed
from misieve.files.dialect import find_dialect
from misieve.files.faults import Opened, blank_lines, explained, unreadable
from misieve.files.packed import first_line, last_end, line_blocks, packing_of, unpacked
from misieve.files.retyped import Retyped, is_padded, without_markers

__all__ = ["Delimited"]

# Types are found in so much of the file; whole files that polars does not unpack are read in batches of so much.
SAMPLE_BYTES = 1 << 20
BATCH_BYTES = 64 << 20
# A frame takes about so many times the bytes of its text, and less text than this is not worth a call.
GROWTH = 4
LEAST_BYTES = 1 << 16
# How many times its size a compressed file of text unpacks to, about.
UNPACKING = 5

_NUMBER = re.compile(r"\s*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf)\s*", re.IGNORECASE)
_DECIMAL_COMMA = r"^[+-]?\d*,\d+$"
_WHOLE_OR_COMMA = r"^[+-]?\d*,?\d+$"


class Delimited(DataFile):
    """A file of lines with separated cells."""

    format = "csv"

    def __init__(self, path: Path, label: str, reading: Reading) -> None:
        super().__init__(path, label, reading)
        self._pl: Any = need("polars", extra="cli", purpose=f"reading {label}")
        with unpacked(path) as (file, _):
            line = first_line(file)
            sample = file.read(SAMPLE_BYTES)
            if file.read(1):
                sample = sample[: last_end(sample)] or sample
        if not line.strip():
            raise DataError("the file must have a first line that names the columns, found it empty")
        if line[:2] in {b"\xff\xfe", b"\xfe\xff"}:
            raise DataError("the file must be UTF-8, found UTF-16: convert it, for example with iconv -f UTF-16 -t UTF-8")
        text = line.decode(errors="replace").removeprefix("\ufeff")
        dialect = find_dialect(text, header=reading.header, separator=reading.separator)
        self.notes += dialect.notes
        self._separator, self._every = dialect.separator, dialect.names
        self._names = self.without_excluded(self._every)
        self._decimal_comma = False
        # Blank lines between the header and the first row.
        self._blank = self._leading(sample) if reading.header else 0
        # Whether cells must be compared: a marker looks like a number, or a number could not be read.
        self._compare = any(map(_NUMBER.fullmatch, reading.missing))
        sample = sample if reading.header else line + sample
        self._schema = self._found_types(sample)
        self._line_bytes = max(len(sample), 1) / max(sample.count(b"\n"), 1)

    @property
    def names(self) -> list[str]:
        """The columns, excluded ones left out."""
        return self._names

    def estimated_bytes(self) -> int:
        """Eight bytes for each cell of as many lines as a file of this size has."""
        text = self.path.stat().st_size * (UNPACKING if packing_of(self.path) else 1)
        return int(text / self._line_bytes * len(self._names) * 8)

    # ---- Types ---------------------------------------------------------------------------------------------------------------

    def _found_types(self, sample: bytes) -> dict[str, Any]:
        """The type of each column by a sample; text becomes categories with a pool of their own."""
        pl = self._pl
        frame = self._sampled(sample)
        texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
        if self._separator == ";" and texts:
            cells = frame.select(texts)
            some = cells.select(pl.all().str.contains(_DECIMAL_COMMA).any())
            every = cells.select(pl.all().str.contains(_WHOLE_OR_COMMA).all())
            if any(some[name][0] and every[name][0] for name in texts):
                self._decimal_comma = True
                self.note("numbers have decimal commas")
                frame = self._sampled(sample)
        schema = dict(frame.schema)
        texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
        padded = is_padded(frame.select(texts))
        if padded:
            self.note("spaces around cells are left out")
        self._retyped = Retyped(self.reading, self._categories, padded=padded)
        retyped = {name for name in texts if self._retyped.offer(frame[name])}
        schema |= self._found_later(
            [name for name in schema if name not in retyped and frame[name].null_count() == frame.height]
        )
        schema |= dict.fromkeys(self.reading.text, pl.String)
        return {
            name: self._categories() if dtype == pl.String and name not in self._retyped else dtype
            for name, dtype in schema.items()
        }

    def _sampled(self, sample: bytes) -> Any:
        pl = self._pl
        markers = list(self.reading.missing)
        sample = sample.lstrip(b"\r\n") if self._leading(sample) else sample
        if not sample.strip():
            return pl.DataFrame(schema=dict.fromkeys(self._every, pl.String))
        try:
            frame = pl.read_csv(sample, infer_schema_length=None, null_values=markers, **self._dialect())
        except pl.exceptions.PolarsError as wrong:
            raise self._explained(wrong, self._whole_file, 0) from wrong
        if frame.width != len(self._every):
            raise self._explained(ValueError("the first lines differ in their cells"), self._whole_file, 0)
        return frame.rename(dict(zip(frame.columns, self._every, strict=True)))

    def _found_later(self, empty: list[str]) -> dict[str, Any]:
        """Types of columns that are empty at first, by the first batch in which they are not."""
        pl = self._pl
        found: dict[str, Any] = {}
        schema = dict.fromkeys(self._every, pl.String)
        for whole in self._blocks(SAMPLE_BYTES) if empty else ():
            block = whole.lstrip(b"\r\n") if self._leading(whole) else whole
            frame = self._parsed(block, schema, [name for name in empty if name not in found], compare=True)
            for name in frame.columns:
                cells = frame[name].drop_nulls()
                if len(cells):
                    numbers = cells.cast(pl.Float64, strict=False)
                    found[name] = pl.String if numbers.null_count() else pl.Float64
                    if found[name] == pl.String:
                        self._retyped.offer(cells)
            if len(found) == len(empty):
                break
        return found

    def _categories(self) -> Any:
        return self._pl.Categorical(self._pl.Categories.random())

    # ---- Reading -------------------------------------------------------------------------------------------------------------

    def whole(self) -> Any:
        """All rows as one polars frame."""
        if packing_of(self.path) in {"", ".gz"}:
            return until_typed(self._read_whole)
        return until_typed(lambda: self._pl.concat(list(self.batches(BATCH_BYTES)), rechunk=False))

    def _read_whole(self) -> Any:
        return self._typed(self.path, self._whole_file, 0, restart=False)

    @contextmanager
    def _whole_file(self) -> Iterator[IO[bytes]]:
        with unpacked(self.path) as (file, _):
            yield file

    def batches(self, size: int) -> Iterator[Any]:
        """All rows as polars frames of about ``size`` bytes each."""
        before, started = int(self.reading.header), False
        for whole in self._blocks(max(size // GROWTH, LEAST_BYTES)):
            blank = self._leading(whole)
            block = whole.lstrip(b"\r\n") if blank else whole
            if block:
                frame = self._typed(block, _again(block), before + blank, restart=started)
                started = True
                if frame.height:
                    yield frame
            before += whole.count(b"\n")

    def _blocks(self, size: int) -> Iterator[bytes]:
        """Whole lines below the header."""
        with unpacked(self.path) as (file, share):
            if self.reading.header:
                first_line(file)
            for block in line_blocks(file, size):
                yield block
                self.used = share()

    def _typed(self, source: Any, opened: Opened, before: int, *, restart: bool) -> Any:
        """A frame of the known types, which are widened where they do not hold; then batches that are out are wrong."""
        pl = self._pl
        while True:
            try:
                frame = self._parsed(source, self._schema, self._names, compare=self._compare)
                break
            except pl.exceptions.PolarsError as wrong:
                cell = unreadable(wrong)
                if cell is not None and not self._compare:
                    self._compare = True
                elif cell is not None and not isinstance(self._schema[self._every[cell.place]], pl.Categorical):
                    self._widen(self._every[cell.place], cell.cell)
                    if restart:
                        raise Widened from None
                else:
                    raise self._explained(wrong, opened, before) from wrong
        above = 1 + self._blank if self.reading.header and source is self.path else 0
        blank = blank_lines(frame, above, opened, self._separator, len(self._every), before)
        if blank:
            self.note("blank lines are left out")
            frame = frame.filter(~pl.int_range(pl.len()).is_in(blank))
        frame = frame if self._compare else without_markers(frame, self.reading.missing)
        return self._typed_afterwards(frame, restart)

    def _typed_afterwards(self, frame: Any, restart: bool) -> Any:
        """The columns that were read as text only to find out what they are."""
        for name in frame.columns:
            if name not in self._retyped:
                continue
            column, before = self._retyped.typed(frame[name])
            if before and isinstance(column.dtype, self._pl.Categorical):
                self.note(f"column {name!r} begins as {before} but holds others, too: it is read as text")
            if before and restart:
                raise Widened
            frame = frame.with_columns(column)
        return frame

    def _leading(self, block: bytes) -> int:
        """How many blank lines a block begins with; in a file of one column they are rows, of a missing value."""
        return block[: len(block) - len(block.lstrip(b"\r\n"))].count(b"\n") if len(self._every) > 1 else 0

    def _parsed(self, source: Any, schema: dict[str, Any], names: list[str], *, compare: bool) -> Any:
        markers = list(self.reading.missing) if compare else None
        places = [self._every.index(name) for name in names] if len(names) < len(self._every) else None
        skip = 1 + self._blank if self.reading.header and source is self.path else 0
        return self._pl.read_csv(
            source, schema=schema, columns=places, null_values=markers, skip_rows=skip, glob=False, **self._dialect()
        )

    def _dialect(self) -> dict[str, Any]:
        # The header, if there is one, is skipped: its names have been looked at.
        return {"separator": self._separator, "has_header": False, "decimal_comma": self._decimal_comma}

    def _widen(self, name: str, cell: str) -> None:
        """Whole numbers become numbers, numbers become text."""
        number = _NUMBER.fullmatch(cell) is not None
        self._schema[name] = self._pl.Float64 if number and self._schema[name].is_integer() else self._categories()
        if isinstance(self._schema[name], self._pl.Categorical):
            self.note(f"column {name!r} begins as numbers but also holds {cell!r}: it is read as text")

    def _explained(self, wrong: Exception, opened: Opened, before: int) -> DataError:
        return explained(wrong, opened, self._separator, len(self._every), before)


def _again(block: bytes) -> Opened:
    """A part of a file, to be read once more."""

    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        yield io.BytesIO(block)

    return opened
