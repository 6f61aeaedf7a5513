"""What a prequential comparison of rules found, as a plain dict, and printed as tables and curves."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

import misieve
from misieve.cli.course import course_lines
from misieve.cli.discrete import Discrete
from misieve.progressive import Prequential
from misieve.report.plain import label, plain

__all__ = ["evaluated", "print_evaluation"]

ALPHA = 0.05
# So many points of the curves are in the facts, and so many ranges and names in the tables.
_POINTS, _RANGES, _NAMES = 200, 1, 5
_WIDEST, _LONGEST = 110, 40


def evaluated(p: Prequential, data: Discrete, settings: Mapping[str, Any], warnings: Sequence[str]) -> dict[str, Any]:
    """Accuracies and features used at the end, significant differences, and the curves at some k; ready for JSON."""
    rows = np.bincount(p.truth[0], minlength=len(p.classes))
    facts = {
        "version": misieve.__version__,
        "data": {
            "source": data.source,
            "format": data.format,
            "rows": data.total,
            "rows_without_class": data.total - len(data.rows),
            "features": p.features,
            "target": data.target,
            "classes": [{"value": label(c), "rows": n} for c, n in zip(p.classes, rows.tolist(), strict=True)],
            "cut": data.cut,
            "uncut": data.uncut,
            "notes": data.notes,
        },
        "settings": {**settings, "orders": len(p.order), "batch": p.batch},
        "warnings": list(warnings),
        "rules": [
            {"rule": rule, "accuracy": _spread(p.accuracy[rule][:, -1]), "features": _spread(p.selected[rule][:, -1])}
            for rule in p.rules
        ],
        "comparisons": [_compared(p, a, b) for a, b in combinations(p.rules, 2)],
        "curves": _curves(p),
    }
    result: dict[str, Any] = plain(facts)
    return result


def _spread(ends: Any) -> dict[str, Any]:
    """Mean and standard deviation over the orders (of one order there is none), and the value of each."""
    sd = float(np.std(ends, ddof=1)) if len(ends) > 1 else None
    return {"mean": float(np.mean(ends)), "sd": sd, "orders": ends}


def _compared(p: Prequential, a: str, b: str) -> dict[str, Any]:
    """The difference at the end, in how many orders it is significant there, and where it is so in most orders."""
    found = p.compare(a, b, alpha=ALPHA)
    most = found.significant.mean(axis=0) > 0.5
    edges = np.flatnonzero(np.diff(np.concatenate([[False], most, [False]]).astype(np.int8))).reshape(-1, 2)
    return {
        "a": a,
        "b": b,
        "alpha": ALPHA,
        "difference": float(found.difference[:, -1].mean()),
        "significant_orders": int(found.significant[:, -1].sum()),
        "significant_share": float(found.significant.mean()),
        "ranges": [[int(first) + 1, int(last)] for first, last in edges],
    }


def _curves(p: Prequential) -> dict[str, Any]:
    n = p.order.shape[1]
    k = np.unique(np.rint(np.linspace(1, n, min(n, _POINTS))).astype(np.int64))
    curves = {
        rule: {"accuracy": p.accuracy[rule].mean(axis=0)[k - 1], "features": p.selected[rule].mean(axis=0)[k - 1]}
        for rule in p.rules
    }
    return {"k": k, **curves}


def print_evaluation(console: Console, p: Prequential, facts: Mapping[str, Any]) -> None:
    """What was read and done, the rules, their differences, and the curves of accuracy."""
    _print_data(console, facts)
    _print_rules(console, facts)
    if facts["comparisons"]:
        _print_comparisons(console, facts)
    console.print("Accuracy on the first k rows" + (", mean of the orders" if len(p.order) > 1 else ""), style="bold")
    lines = course_lines(
        {rule: p.accuracy[rule].mean(axis=0) for rule in p.rules},
        width=min(console.width, _WIDEST),
        braille=console.color_system is not None and not console.options.ascii_only,
        ascii_only=console.options.ascii_only,
    )
    for line in lines:
        console.print(line, no_wrap=True, overflow="crop")


def _print_data(console: Console, facts: Mapping[str, Any]) -> None:
    data, settings = facts["data"], facts["settings"]
    rows = data["rows"] - data["rows_without_class"]
    features = f"{data['features']:,} feature{'s' * (data['features'] > 1)}"
    classes = _some([f"{one['value']} ({one['rows']:,})" for one in data["classes"]], "")
    said = [
        f"{data['source']}: {rows:,} row{'s' * (rows > 1)}, {features}, target {_short(data['target'])!r}: {classes}.",
        *(f"{note[:1].upper()}{note[1:]}." for note in data["notes"]),
    ]
    if data["rows_without_class"]:
        said.append(f"{data['rows_without_class']:,} rows without a class are left out.")
    if data["cut"]:
        said.append(f"Cut into bins by MDL on all rows, as in the paper: {_some(data['cut'])}.")
    if data["uncut"]:
        said.append(f"Left out, as no cut tells the classes apart: {_some(data['uncut'])}.")
    orders = settings["orders"]
    how = (
        f"in {orders} random order{'s' * (orders > 1)} (seed {settings['seed']})"
        if settings["seed"] is not None
        else "as they stand"
    )
    said.append(
        f"The rows come {how}. Threshold {settings['epsilon']:g} {settings['unit']}, level {settings['level']:g}, "
        f"prior {settings['prior']}, law {settings['law']}."
    )
    for line in said:
        console.print(Text(line))
    console.print()


def _print_rules(console: Console, facts: Mapping[str, Any]) -> None:
    several = facts["settings"]["orders"] > 1
    table = _table("rule", "accuracy", *(["sd"] if several else []), "features used", *(["sd"] if several else []))
    for one in facts["rules"]:
        accuracy, features = one["accuracy"], one["features"]
        cells = [one["rule"] + (" (no filter)" if one["rule"] == "all" else ""), f"{100 * accuracy['mean']:.2f} %"]
        cells += [f"{100 * accuracy['sd']:.2f}"] if several else []
        cells += [f"{features['mean']:,.1f}" if several else f"{features['mean']:,.0f}"]
        cells += [f"{features['sd']:,.1f}"] if several else []
        table.add_row(*cells)
    console.print(table, "")


def _print_comparisons(console: Console, facts: Mapping[str, Any]) -> None:
    orders = facts["settings"]["orders"]
    console.print(f"Significant differences[not bold] (paired t test, p < {ALPHA:g})[/]", style="bold")
    table = _table("", "accuracy", *(["at the end"] if orders > 1 else []))
    table.add_column("at k" + (", in most orders" if orders > 1 else ""))
    for one in facts["comparisons"]:
        cells = [f"{one['a']} - {one['b']}", f"{100 * one['difference']:+.2f} %"]
        cells += [f"{one['significant_orders']} of {orders}"] if orders > 1 else []
        table.add_row(*cells, _longest(one["ranges"]))
    console.print(table, "")


def _longest(ranges: list[list[int]]) -> str:
    """The longest ranges of k, from the first on."""
    shown = sorted(sorted(ranges, key=lambda ends: ends[0] - ends[1])[:_RANGES])
    words = ", ".join(f"{first:,} to {last:,}" if last > first else f"{first:,}" for first, last in shown)
    return words + (f" and {len(ranges) - _RANGES} shorter" if len(ranges) > _RANGES else "") if ranges else "nowhere"


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."


def _some(names: Sequence[str], quote: str = "'", most: int = _NAMES) -> str:
    shown = ", ".join(f"{quote}{_short(name)}{quote}" for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")
