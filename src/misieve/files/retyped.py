"""Text as it is meant: without what stands for a missing value or spaces around cells (``39, Private, ?``), dates as dates."""

from collections.abc import Callable, Sequence
from typing import Any

from misieve._optional import need
from misieve.files.datafile import Reading
from misieve.files.dates import date_type, to_dates

__all__ = ["Retyped", "is_padded", "without_markers"]


def without_markers(frame: Any, markers: Sequence[str]) -> Any:
    """Categories without what stands for missing values, which is seen in their pools."""
    pl = need("polars", extra="cli", purpose="reading a file of text")
    marked = [
        name
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.Categorical) and frame[name].dtype.categories.to_series().is_in(markers).any()
    ]
    return frame.with_columns(pl.when(~pl.col(name).cast(pl.String).is_in(markers)).then(name).alias(name) for name in marked)


def is_padded(texts: Any) -> bool:
    """Whether a cell of a frame of text begins or ends with a space."""
    pl = need("polars", extra="cli", purpose="reading a file of text")
    return bool(texts.width and texts.select(pl.any_horizontal(pl.all().str.contains(r"^[ \t]|[ \t]$").any())).item())


class Retyped:
    """Columns that are read as text and typed afterwards: those with dates, and where cells are padded all with text.

    Their types are those of a sample, which may widen.
    """

    def __init__(self, reading: Reading, categories: Callable[[], Any], *, padded: bool) -> None:
        self._pl: Any = need("polars", extra="cli", purpose="reading a file of text")
        self._reading, self._categories, self._padded = reading, categories, padded
        self._types: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._types

    def offer(self, cells: Any) -> bool:
        """Take a column of text on if that is called for, with the type of these cells."""
        text = cells.name in self._reading.text
        bare = self._bare(cells)
        if self._padded or (not text and date_type(bare) is not None):
            self._types[cells.name] = self._categories() if text else self._narrowest(bare)
        return cells.name in self._types

    def typed(self, cells: Any) -> tuple[Any, str]:
        """A column in its type, and what it was taken for before if that had to widen: "numbers", "dates" or ""."""
        bare, known = self._bare(cells), self._types[cells.name]
        if not isinstance(known, self._pl.Categorical) and bare.null_count() < len(bare):
            self._types[cells.name] = self._wider(known, self._narrowest(bare))
        wanted = self._types[cells.name]
        column = to_dates(bare, wanted) if wanted.is_temporal() else bare.cast(wanted)
        return column, "" if wanted == known else "dates" if known.is_temporal() else "numbers"

    def _bare(self, cells: Any) -> Any:
        """Text without the spaces around it; what stands for a missing value is missing."""
        pl = self._pl
        bare = cells.str.strip_chars(" \t") if self._padded else cells
        missing = bare.is_in(["", *self._reading.missing])
        return cells.to_frame().select(pl.when(~missing).then(bare).alias(cells.name)).to_series()

    def _narrowest(self, bare: Any) -> Any:
        here = bare.drop_nulls()
        for dtype in (self._pl.Int64, self._pl.Float64):
            if len(here) and not here.cast(dtype, strict=False).null_count():
                return dtype
        return date_type(here) or self._categories()

    def _wider(self, known: Any, here: Any) -> Any:
        """The narrowest type of cells of both."""
        if known == here:
            return known
        if known.is_numeric() and here.is_numeric():
            return self._pl.Float64
        if known.is_temporal() and here.is_temporal():
            return self._pl.Datetime("us")
        return self._categories()
