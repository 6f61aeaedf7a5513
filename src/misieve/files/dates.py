"""Dates and date-times in cells of text: as ISO 8601 writes them, without a zone, down to microseconds."""

import re
from typing import Any

from misieve._optional import need

__all__ = ["date_type", "to_dates"]

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = r"[0-9]{2}:[0-9]{2}(:[0-5][0-9](\.[0-9]{1,6})?)?"
_ISO = re.compile(f"^{_DAY}([T ]{_CLOCK})?$")


def date_type(cells: Any) -> Any:
    """Date, or Datetime where a cell has a time of day; None where a cell is no date, or none is there.

    Most text is told from dates by its first cell, so this costs next to nothing where there are none.
    """
    pl = need("polars", extra="cli", purpose="reading dates")
    here = cells.is_not_null()
    first = cells[here.arg_max()] if here.any() else ""
    if not _ISO.match(first):
        return None
    dtype = pl.Date if (cells.str.len_bytes() == len("2024-12-31")).all() else pl.Datetime("us")
    return dtype if to_dates(cells, dtype).null_count() == cells.null_count() else None


def to_dates(cells: Any, dtype: Any) -> Any:
    """Cells of text as Date or Datetime, missing where they are none; days count as dates with a time, too, of midnight."""
    pl = need("polars", extra="cli", purpose="reading dates")
    text = pl.col(cells.name)
    if dtype == pl.Date:
        pattern, made = f"^{_DAY}$", text.str.to_date("%Y-%m-%d", strict=False)
    else:
        clock = text.str.slice(11)
        filled = clock + pl.when(clock == "").then(pl.lit("00:00:00")).when(clock.str.len_bytes() == 5).then(
            pl.lit(":00")
        ).otherwise(pl.lit(""))
        whole = text.str.slice(0, 10) + "T" + filled
        pattern, made = _ISO.pattern, whole.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)
    # Python's dates begin with the year 1.
    return (
        cells.to_frame()
        .select(pl.when(text.str.contains(pattern) & (made.dt.year() > 0)).then(made))
        .to_series()
        .alias(cells.name)
    )
