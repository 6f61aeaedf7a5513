"""Text as it is meant: without what stands for a missing value, and without spaces around cells as in ``39, Private, ?``."""

from collections.abc import Sequence
from typing import Any

from misieve._optional import need

__all__ = ["Padding", "is_padded", "without_markers"]


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


class Padding:
    """Columns that are read as text, and the types that they have without spaces: those of a sample, which may widen."""

    def __init__(self, texts: Any, markers: Sequence[str], categories: Any) -> None:
        self._pl: Any = need("polars", extra="cli", purpose="reading a file of text")
        self._markers, self._categories = ["", *markers], categories
        self._types = {column.name: self._narrowest(self._bare(column)) for column in texts.get_columns()}

    def __contains__(self, name: str) -> bool:
        return name in self._types

    def without(self, cells: Any) -> tuple[Any, bool]:
        """A column without spaces in its type, and whether that had to widen."""
        bare, known = self._bare(cells), self._types[cells.name]
        if not isinstance(known, self._pl.Categorical) and bare.null_count() < len(bare):
            narrowest = self._narrowest(bare)
            if narrowest != self._pl.Int64:  # which is as narrow as it gets
                self._types[cells.name] = narrowest
        wanted = self._types[cells.name]
        return bare.cast(wanted), wanted != known

    def _bare(self, cells: Any) -> Any:
        """Text without the spaces around it; what stands for a missing value is missing."""
        pl = self._pl
        bare = cells.str.strip_chars(" \t")
        return cells.to_frame().select(pl.when(~bare.is_in(self._markers)).then(bare).alias(cells.name)).to_series()

    def _narrowest(self, bare: Any) -> Any:
        here = bare.drop_nulls()
        for dtype in (self._pl.Int64, self._pl.Float64):
            if len(here) and not here.cast(dtype, strict=False).null_count():
                return dtype
        return self._categories()
