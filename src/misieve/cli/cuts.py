"""Where the cut points of numbers come from, and what those that came from few rows are good for."""

from collections.abc import Iterable
from typing import Any

from misieve.cli.targets import MANY
from misieve.tables import Tables

__all__ = ["cut_notes", "cut_warnings"]

# How many names a note lists.
NAMED = 3


def cut_notes(tables: Tables, batch_rows: int | None, resumed: str | None) -> list[str]:
    """Where the cut points of continuous columns come from, if not from all rows."""
    if not tables.cuts or (batch_rows is None and resumed is None):
        return []
    source = f"are those of {resumed}" if resumed is not None else f"come from the first batch alone ({batch_rows:,} rows)"
    advice = "" if resumed is not None else "; if the rows are in some order, shuffle them first"
    return [f"the cut points of {_listed(tables.cuts)} {source}{advice}"]


def cut_warnings(tables: Tables, *, bins: Any, begun: str | None, resumed: str | None, first: int | None) -> list[str]:
    """What to know of cuts that later rows do not change.

    begun: the state that begins with these tables; resumed: the state that was added to; first: the rows of the first batch, if
    there were more.  Cuts are made once; a number in which none was found then has one value, whatever comes.
    """
    uncut = [name for name, own in tables.cuts.items() if not len(own)]
    cut = [name for name, own in tables.cuts.items() if len(own)]
    advice = "count more rows first" + (", or use --discretize 5" if bins == "mdl" else "")
    if resumed is not None:
        found = []
        if uncut:
            found.append(
                f"No cut was found in {_listed(uncut)} when {resumed} was begun, so {_have(uncut)} 1 value however many rows "
                f"are added: begin anew, and {advice}."
            )
        grown = [] if bins is None else _outgrown(tables)
        if grown:
            have = "has" if len(grown) == 1 else "have"
            found.append(
                f"{_listed(grown)} {have} more than {MANY} different whole numbers by now, but as {resumed} was begun with "
                "fewer, each of them stays a category: begin anew, and count more rows first, so that they are cut."
            )
        return found
    if begun is None and first is None:
        return []
    rows = f"the first {first:,} rows" if first is not None else "these rows"
    later = "later rows" if begun is None else "later runs with --resume"
    found = []
    if cut and begun is not None:
        number = "This number has its cuts" if len(cut) == 1 else f"These {len(cut):,} numbers have their cuts"
        found.append(f"{number} from {rows}, and {later} keep them: {_listed(cut)}.")
    if uncut:
        found.append(f"No cut was found in {_listed(uncut)}, and {later} keep it so: {advice}.")
    return found if begun is None else [" ".join(found)] if found else []


def _outgrown(tables: Tables) -> list[Any]:
    """Columns of whole numbers with more of them than a column of categories has."""
    many = [name for name, size in zip(tables.features, tables.sizes.tolist(), strict=True) if size > MANY]
    return [
        name
        for name in many
        if name not in tables.cuts and all(type(value) is int for value in tables.categories[name] if value is not None)
    ]


def _listed(names: Iterable[Any]) -> str:
    shown = list(map(repr, names))
    return ", ".join(shown[:NAMED]) + (f" and {len(shown) - NAMED:,} more" if len(shown) > NAMED else "")


def _have(names: list[Any]) -> str:
    return "it has" if len(names) == 1 else "they have"
