"""Files of Tables as the data of a selection: the counts are there already, and no row is read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from misieve._errors import DataError, OptionError
from misieve._validate import near
from misieve.cli.inputs import listed
from misieve.cli.selecting import Found, Inputs
from misieve.report.plain import label
from misieve.tables import Tables

__all__ = ["counted_state"]

# What the target is called where it is not named.
UNNAMED = "target"


@contextmanager
def counted_state(inputs: Inputs, settings: Mapping[str, Any], earlier: Tables | None) -> Iterator[Found]:  # noqa: ARG001
    """The counts of a file of Tables, without the features that are excluded."""
    path = Path(inputs.data)
    if not path.is_file():
        raise DataError(f"there is no file {inputs.data!r}")
    tables = Tables.load(path)
    names = {label(name): name for name in tables.features}
    if inputs.target in names:
        raise DataError(f"{inputs.data} holds {inputs.target!r} as a feature, so its counts are against another target")
    excluded = listed(inputs.exclude, list(names))
    for name in excluded:
        if name not in names:
            raise DataError(f"{inputs.data}: there is no feature {name!r} for --exclude: {near(name, list(names))}")
    lines = [f"tables = misieve.Tables.load({inputs.data!r})"]
    if excluded:
        kept = [own for name, own in names.items() if name not in set(excluded)]
        if not kept:
            raise OptionError("--exclude must leave a feature, found all of them named")
        tables = tables[kept]
        lines.append(f"tables = tables[[name for name in tables if name not in {[names[name] for name in excluded]!r}]]")
    total = tables.class_counts.sum()
    yield Found(
        tables,
        {
            "source": inputs.data,
            "format": "counts",
            "rows": int(total) if tables.dtype.kind == "i" else None,
            "target": inputs.target or UNNAMED,
            "excluded": list(excluded),
            "read": [{"column": label(name), "type": _kind(tables, name), "missing": None} for name in tables.features],
            "notes": [],
        },
        lines,
        _no_rows,
    )


def _kind(tables: Tables, name: Any) -> str:
    """What a column was taken for when it was counted."""
    if name in tables.cuts:
        return "number in bins"
    kinds = {type(value) for value in tables.categories[name] if value is not None}
    known = {bool: "true or false", int: "whole number", float: "number", str: "text"}
    return known.get(next(iter(kinds)), "categories") if len(kinds) == 1 else "categories"


def _no_rows(*given: Any) -> None:
    raise OptionError(f"--output {given[0]} needs the rows, and a file of counts has none")
