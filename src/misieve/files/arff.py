"""ARFF, the format of Weka: a head that declares the columns with their values, then lines of cells."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from misieve._errors import DataError
from misieve._optional import need
from misieve.files.datafile import DataFile, Reading
from misieve.files.packed import line_blocks, packing_of, unpacked

__all__ = ["Arff"]

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_NOMINAL = re.compile(rf"\{{((?:{_QUOTED}|[^}}])*)\}}")
_VALUE = re.compile(rf"\s*({_QUOTED}|[^,]+?)\s*(?:,|$)")
_NUMERIC = ("numeric", "real", "integer")
_TEXT = ("string", "date")


class Arff(DataFile):
    """An ARFF file; nominal attributes keep their declared values in their order."""

    format = "arff"

    def __init__(self, path: Path, label: str, reading: Reading) -> None:
        super().__init__(path, label, reading)
        self._pl: Any = need("polars", extra="cli", purpose=f"reading {label}")
        self._types: dict[str, Any] = {}
        with unpacked(path) as (file, _):
            self._head = self._read_head(file)
        self._names = self.without_excluded(list(self._types))

    def _read_head(self, file: IO[bytes]) -> int:
        """Fill the types; returns the number of lines up to @data."""
        pl = self._pl
        for number, raw in enumerate(file, 1):
            line = raw.decode(errors="replace").strip()
            if line.lower().startswith("@data"):
                if not self._types:
                    raise DataError("the file must declare its columns with @attribute before @data, found none")
                return number
            found = _ATTRIBUTE.match(line)
            if found is None:
                continue
            name, kind = _unquoted(found[1]), found[2].strip()
            if name in self._types:
                raise DataError(f"columns must have names of their own, found {name!r} twice (line {number}): rename one")
            if kind.startswith("{"):
                inside = _NOMINAL.match(kind)
                if inside is None:
                    raise DataError(f"the values of column {name!r} must stand in {{...}}, found {kind!r} (line {number})")
                values = [_unquoted(value) for value in _VALUE.findall(inside[1])]
                self._types[name] = pl.Enum(list(dict.fromkeys(values)))
            elif kind.lower().split(" ")[0] in _NUMERIC:
                self._types[name] = pl.Float64
            elif kind.lower().split(" ")[0] in _TEXT:
                self._types[name] = pl.String
            else:
                raise DataError(f"column {name!r} must be numeric, nominal, string or date, found {kind!r} (line {number})")
        raise DataError("the file must have a line @data before its rows, found none: is it whole, and is it ARFF?")

    @property
    def names(self) -> list[str]:
        """The columns, excluded ones left out."""
        return self._names

    def estimated_bytes(self) -> int:
        """Four times the text: most cells are a few letters long."""
        return 4 * self.path.stat().st_size * (5 if packing_of(self.path) else 1)

    def whole(self) -> Any:
        """All rows as one polars frame."""
        return self._pl.concat(list(self.batches(16 << 20)))

    def batches(self, size: int) -> Iterator[Any]:
        """Blocks of whole lines."""
        lines = self._head
        with unpacked(self.path) as (file, share):
            for _ in range(self._head):
                file.readline()
            for block in line_blocks(file, size):
                frame = self._parsed(block, lines)
                lines += block.count(b"\n")
                yield frame
                self.used = share()

    def _parsed(self, block: bytes, before: int) -> Any:
        pl = self._pl
        rows = [line.strip() for line in block.splitlines()]
        kept = [(number, row) for number, row in enumerate(rows, before + 1) if row and not row.startswith(b"%")]
        for number, row in kept:
            if row.startswith(b"{"):
                raise DataError(f"sparse ARFF is not read (line {number}): convert it to dense ARFF, CSV or svmlight")
        body = b"\n".join(row for _, row in kept)
        quote = "'" if b"'" in body or b'"' not in body else '"'
        if quote == "'" and b"\\'" in body:
            body = body.replace(b"\\'", b"''")
        body = re.sub(rb"\s*,\s*(?=['\"])|(?<=['\"])\s*,\s*", b",", body)
        width = len(self._types)
        schema = dict.fromkeys(self._types, pl.String)
        try:
            cells = pl.read_csv(io.BytesIO(body), has_header=False, schema=schema, quote_char=quote)
        except pl.exceptions.PolarsError as wrong:
            odd = _odd_line(body, quote, width)
            if odd is None:
                raise DataError(f"lines {before + 1} and on cannot be read: {str(wrong).splitlines()[0]}") from wrong
            cells = None
        else:
            short = cells[cells.columns[-1]].null_count() > 0
            odd = _odd_line(body, quote, width) if short else None
        if odd is not None:
            raise DataError(f"line {kept[odd[0]][0]} must have {width} cells as declared, found {odd[1]}")
        cells = cells.select(pl.col(self._names).str.strip_chars())
        cells = cells.with_columns(pl.when(pl.all() != "?").then(pl.all()))
        return cells.select(self._column(cells[name], kept) for name in self._names)

    def _column(self, cells: Any, kept: list[tuple[int, bytes]]) -> Any:
        """The cells of a column in its declared type; DataError for one that does not have it."""
        name = cells.name
        if name in self.reading.text:
            return cells
        typed = cells.cast(self._types[name], strict=False)
        wrong = (typed.is_null() & cells.is_not_null()).arg_true()
        if len(wrong):
            declared = self._types[name]
            rule = "a number" if declared == self._pl.Float64 else f"one of {declared.categories.to_list()}"
            raise DataError(f"column {name!r} must be {rule} as declared, found {cells[wrong[0]]!r} (line {kept[wrong[0]][0]})")
        return typed


def _odd_line(body: bytes, quote: str, width: int) -> tuple[int, int] | None:
    """The first line that does not have ``width`` cells, and how many it has."""
    lines = csv.reader(io.StringIO(body.decode(errors="replace")), quotechar=quote)
    return next(((i, len(cells)) for i, cells in enumerate(lines) if len(cells) != width), None)


def _unquoted(text: str) -> str:
    text = text.strip()
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] in {"'", '"'} and text[-1:] == text[:1] else text
