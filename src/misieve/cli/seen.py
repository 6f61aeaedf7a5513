"""What was read, in words and numbers: the ``data`` of the facts about a selection."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from misieve.tables import Tables

__all__ = ["columns_read", "cut_notes", "in_words", "kind"]

# How many names a note lists.
NAMED = 3


def kind(dtype: Any, *, cut: bool, text: bool) -> str:
    """What a column was taken for."""
    import polars as pl

    if cut:
        return "number in bins"
    if text:
        return "categories"
    if dtype == pl.Boolean:
        return "true or false"
    if isinstance(dtype, pl.Enum):
        return "categories"
    if dtype.is_integer():
        return "whole number"
    if dtype.is_numeric():
        return "number"
    if dtype.is_temporal():
        return "time" if dtype in (pl.Time, pl.Duration) else "date"
    return "text" if dtype != pl.Null else "nothing"


def columns_read(
    types: Mapping[str, Any], missing: Mapping[str, int], tables: Tables, text: tuple[str, ...], *, resumed: bool
) -> list[dict[str, Any]]:
    """Column by column its type and how many rows lack it; of a state that was continued, only the tables know the latter."""
    cuts = tables.cuts
    return [
        {
            "column": name,
            "type": kind(dtype, cut=name in cuts, text=name in text),
            "missing": None if resumed and name in tables else missing[name],
        }
        for name, dtype in types.items()
    ]


def cut_notes(tables: Tables, batch_rows: int | None, resumed: str | None) -> list[str]:
    """Where the cut points of continuous columns come from, if not from all rows."""
    if not tables.cuts or (batch_rows is None and resumed is None):
        return []
    names = list(map(repr, tables.cuts))
    some = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")
    source = f"are those of {resumed}" if resumed is not None else f"come from the first batch alone ({batch_rows:,} rows)"
    advice = "" if resumed is not None else "; if the rows are in some order, shuffle them first"
    return [f"the cut points of {some} {source}{advice}"]


def in_words(read: list[dict[str, Any]], target: str) -> str:
    """How many columns there are of each type."""
    counts = Counter(one["type"] for one in read if one["column"] != target)
    return ", ".join(f"{n:,} {kind.replace('number', 'numbers') if n > 1 else kind}" for kind, n in counts.most_common())
