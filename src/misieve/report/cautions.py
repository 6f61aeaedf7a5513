"""What a reader should be told in words: noise that looks like knowledge, identifiers, leaks, rare classes, what is missing.

Each caution is a dict of ``kind``, ``text``, the ``features`` it is about (the first few) and their ``count``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.decide import Selection
from misieve.posteriors import posterior
from misieve.report.gaps import lacking
from misieve.report.plain import label
from misieve.tables import Tables

__all__ = ["caution"]

# How many features a caution lists, and how many its text names.
LISTED, NAMED = 100, 4

# From this posterior probability on something is called likely.
LIKELY = 0.95

# An identifier: nearly as many values as rows. Many values: more than so many, with fewer rows each than that.
IDENTIFIER, MANY_VALUES, FEW_ROWS_EACH = 0.9, 20, 20.0

# A feature that tells this share of the target's entropy may have been recorded after it.
TOO_GOOD = 0.9

# A class is rare below this share of the rows, or below so many rows.
RARE_SHARE, RARE_ROWS = 0.01, 30
# From this share on a class of few rows is not rare: there are few rows at all.
FREQUENT = 0.2

# So many classes are more than a target of categories mostly has.
MANY_CLASSES = 30


def caution(
    selection: Selection, tables: Tables, columns: Mapping[str, Any], target: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """All that deserves a word, the gravest first; ``columns`` are the facts by feature, ``target`` those of the target."""
    parts = (_of_target(target), _of_columns(selection, columns, target), _of_missing(selection, tables, columns))
    return [one for part in parts for one in part]


def _said(kind: str, text: str, names: Sequence[str] = ()) -> dict[str, Any]:
    return {"kind": kind, "text": text, "features": list(names[:LISTED]), "count": len(names)}


def _of_target(target: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    classes, name = target["classes"], target["name"]
    present = [one for one in classes if one["rows"] > 0]
    if len(present) < 2:
        only = f", {present[0]['value']!r}" if present else ""
        yield _said(
            "one-class", f"The target {name!r} has a single class{only}: nothing can tell about it, so nothing is kept."
        )
        return
    rarest = min(present, key=lambda one: one["rows"])
    share = rarest["rows"] / target["rows"]
    if len(present) > MANY_CLASSES:
        yield _said(
            "many-classes",
            f"The target {name!r} has {len(present):,} classes, the rarest in {_rows(rarest['rows'])}. If it is a number, "
            "cut it into a few ranges first.",
        )
    elif share >= FREQUENT and rarest["rows"] < RARE_ROWS:
        yield _said(
            "rare-class",
            f"The class {rarest['value']!r} has only {_rows(rarest['rows'])}, of {target['rows']:,.6g} in all: so few show "
            "little for sure.",
        )
    elif share < RARE_SHARE or rarest["rows"] < RARE_ROWS:
        yield _said(
            "rare-class",
            f"The class {rarest['value']!r} is rare: {_rows(rarest['rows'])} of {target['rows']:,.6g} "
            f"({100 * share:.2g} %). The target's whole entropy is {target['entropy']:.3g} nats, so that a threshold in nats "
            "means more here than it would elsewhere; a share of the entropy adapts.",
        )


def _of_columns(selection: Selection, columns: Mapping[str, Any], target: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    names, values, rows = np.asarray(columns["name"], object), columns["values"], np.asarray(columns["rows"])
    if target["entropy"] == 0.0 or not len(names):
        return
    each = rows / np.maximum(values, 1)
    seen, open_ones = rows > 0, (values > 1) & (rows > 0)
    plain_cut = np.array([str(name) in {label(one) for one in selection.uncut} for name in names]) if selection.uncut else None
    never = _names(names, ~seen)
    if never:
        yield _said("all-missing", f"{_listed(never)} {_have(never)} no value in any row.", never)
    constant = seen & (values <= 1)
    if plain_cut is not None:
        constant &= ~plain_cut
    if constant.any():
        chosen = _names(names, constant)
        yield _said(
            "constant", f"{_listed(chosen)} {_have(chosen)} the same value in all rows, which can tell nothing.", chosen
        )
    identifier = open_ones & (values >= IDENTIFIER * rows) & (values > MANY_VALUES)
    if identifier.any():
        chosen = _names(names, identifier)
        yield _said(
            "identifier",
            f"{_listed(chosen)} {_have(chosen)} a value of {_their(chosen)} own in nearly each row. Such an identifier tells "
            "all about the rows that were seen and nothing about others: leave it out.",
            chosen,
        )
    share = np.asarray(columns["mean"]) / target["entropy"]
    leaking = open_ones & ~identifier & (share >= TOO_GOOD)
    if leaking.any():
        chosen = _names(names, leaking, -share)
        yield _said(
            "too-good",
            f"{_listed(chosen)} alone {'tells' if len(chosen) == 1 else 'tell'} at least {100 * share[leaking].min():.0f} % of "
            "what is uncertain about the target. Make sure that this is known before the target is.",
            chosen,
        )
    plugin, threshold = np.asarray(columns["plugin"]), np.asarray(selection.threshold)
    independent = np.asarray(columns["independence"])
    noise = open_ones & ~identifier & (independent >= LIKELY) & (plugin > threshold)
    if noise.any():
        chosen = _names(names, noise, -plugin)
        worst = int(np.argmax(np.where(noise, plugin, -1.0)))
        yield _said(
            "noise",
            f"{_listed(chosen)} {'looks' if len(chosen) == 1 else 'look'} informative only because of chance: the estimated "
            f"mutual information of {names[worst]!r} is {plugin[worst]:.3g} nats, above the threshold, but a feature of "
            f"{values[worst]:,} values reaches that without knowing anything about the target "
            f"(P(independent) {_probability(independent[worst])}).",
            chosen,
        )
    many = open_ones & ~identifier & ~noise & (values > MANY_VALUES) & (each < FEW_ROWS_EACH)
    if many.any():
        chosen = _names(names, many, each)
        thinnest = int(np.argmin(np.where(many, each, np.inf)))
        yield _said(
            "many-values",
            f"{_listed(chosen)} {_have(chosen)} many values for the rows there are: {names[thinnest]!r} has "
            f"{values[thinnest]:,}, {each[thinnest]:.1f} rows each on average. Estimates of mutual information from so few "
            "rows are far too high; the posterior allows for that, but values that mean the same are better merged.",
            chosen,
        )


def _of_missing(selection: Selection, tables: Tables, columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Features whose being missing depends on the class: then the rows without them are no random sample."""
    absent = lacking(tables)
    some = np.flatnonzero((absent.sum(axis=1) > 0) & (np.asarray(columns["rows"]) > 0))
    if not len(some) or np.count_nonzero(tables.class_counts) < 2:
        return
    pairs = np.stack([absent[some], np.maximum(tables.class_counts - absent[some], 0)], axis=1)
    depends = posterior(pairs, independence=0.5).sf(np.asarray(selection.threshold)[some]) >= LIKELY
    if not depends.any():
        return
    share = absent[some] / np.maximum(tables.class_counts, 1)
    gap = np.ptp(share, axis=1)
    names = np.asarray(columns["name"], object)[some]
    chosen = _names(names, depends, -gap)
    worst = int(np.argmax(np.where(depends, gap, -1.0)))
    most, least = int(np.argmax(share[worst])), int(np.argmin(share[worst]))
    yield _said(
        "missing-tells",
        f"Whether {_listed(chosen, 'or')} is missing depends on the target: {names[worst]!r} is missing in "
        f"{100 * share[worst, most]:.3g} % of the rows of class {label(tables.classes[most])!r} and in "
        f"{100 * share[worst, least]:.3g} % of class {label(tables.classes[least])!r}. Values are then not missing at random, "
        'which the posterior takes for granted; --missing category (missing="category" in Python) counts being missing as a '
        "value of its own.",
        chosen,
    )


def _names(names: NDArray[np.object_], mask: NDArray[np.bool_], order: NDArray[Any] | None = None) -> list[str]:
    """The names under a mask, in the data's order or in a given one."""
    where = np.flatnonzero(mask)
    if order is not None:
        where = where[np.argsort(order[where], kind="stable")]
    listed: list[str] = names[where].tolist()
    return listed


def _listed(names: Sequence[str], last: str = "and") -> str:
    """The first few names in a row, the others as a number."""
    shown = [repr(name if len(name) <= 60 else name[:59] + "…") for name in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(f"{len(names) - NAMED:,} others")
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" {last} " + shown[-1]


def _have(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _their(names: Sequence[str]) -> str:
    return "its" if len(names) == 1 else "their"


def _rows(number: float) -> str:
    return f"{number:,.6g} row" + ("" if number == 1 else "s")


def _probability(value: float) -> str:
    return "> 0.999" if value > 0.9995 else f"= {value:.3f}"
