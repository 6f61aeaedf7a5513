"""What was read, in words and numbers: the ``data`` of the facts about a selection."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from misieve.tables import Tables

__all__ = ["columns_read", "in_words", "kind"]

_PLURAL = re.compile(r"\b(number|date|time)\b")


def kind(dtype: Any, *, cut: bool, text: bool) -> str:
    """What a column was taken for."""
    import polars as pl

    if cut:
        return f"{_quantity(dtype)} in bins"
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
        return _quantity(dtype)
    return "text" if dtype != pl.Null else "nothing"


def _quantity(dtype: Any) -> str:
    """What a column measures."""
    import polars as pl

    if dtype.is_temporal():
        return "time" if dtype in (pl.Time, pl.Duration) else "date"
    return "number"


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


def in_words(read: list[dict[str, Any]], target: str) -> str:
    """How many columns there are of each type."""
    counts = Counter(one["type"] for one in read if one["column"] != target)
    plural = {kind: _PLURAL.sub(r"\1s", kind) for kind in counts}
    return ", ".join(f"{n:,} {plural[kind] if n > 1 else kind}" for kind, n in counts.most_common())
