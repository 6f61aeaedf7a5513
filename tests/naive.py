"""The slow, obvious counter that everything fast is compared with."""

from collections import Counter
from collections.abc import Sequence
from typing import Any


def naive_count(
    columns: dict[Any, Sequence[Any]], y: Sequence[Any], *, missing: str = "error", weights: Sequence[float] | None = None
) -> tuple[dict[Any, Counter], dict[Any, Counter], dict[Any, Counter]]:
    """Counts of (class, value), of class alone and of value alone, by column; None is the missing value."""
    weights = [1] * len(y) if weights is None else weights
    both, by_class, by_value = {}, {}, {}
    for name, cells in columns.items():
        both[name], by_class[name], by_value[name] = Counter(), Counter(), Counter()
        for cell, label, weight in zip(cells, y, weights, strict=True):
            if weight == 0:
                continue
            if missing == "category" or (cell is not None and label is not None):
                both[name][label, cell] += weight
            elif missing == "model" and label is not None:
                by_class[name][label] += weight
            elif missing == "model" and cell is not None:
                by_value[name][cell] += weight
    return both, by_class, by_value


def as_counters(tables: Any) -> tuple[dict[Any, Counter], dict[Any, Counter], dict[Any, Counter]]:
    """The same view of a Tables: what is not zero."""
    both, by_class, by_value = {}, {}, {}
    for name in tables:
        classes, values = tables.classes, tables.categories[name]
        table, missing = tables[name].tolist(), tables.missing[name]
        both[name] = Counter({(c, v): table[j][i] for i, c in enumerate(classes) for j, v in enumerate(values) if table[j][i]})
        by_class[name] = Counter({c: n for c, n in zip(classes, missing.by_class.tolist(), strict=True) if n})
        by_value[name] = Counter({v: n for v, n in zip(values, missing.by_value.tolist(), strict=True) if n})
    return both, by_class, by_value
