"""What a selection found, as a plain dict: what ``--format json`` prints and what the page tells in words.

Everything that is computed for a report is computed here or in :mod:`misieve.report.cautions`; templates only show it. The
dict follows ``facts.schema.json``, which is shipped beside this module.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import entr

import misieve
from misieve.decide import Selection
from misieve.report.cautions import LIKELY, caution
from misieve.report.gaps import counted_as_value, lacking
from misieve.report.plain import label, numbers, plain
from misieve.report.prose import in_words
from misieve.tables import Tables

__all__ = ["build_facts"]

#: Version of the schema; it changes when a key is renamed or removed.
SCHEMA = 1


def build_facts(
    selection: Selection,
    tables: Tables,
    *,
    data: Mapping[str, Any],
    settings: Mapping[str, Any],
    reproduce: Mapping[str, Any],
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """The facts about a selection, ready for JSON.

    Parameters
    ----------
    selection, tables
        What was decided, and the counts that it was decided on.
    data
        What was read: ``source``, ``format``, ``rows``, ``target``, ``excluded``, ``read`` (for each column ``column``,
        ``type``, ``missing`` and perhaps ``note``) and ``notes``.
    settings
        The options of :class:`misieve.MISelector`.
    reproduce
        ``command`` and ``python``: two ways to the same result.
    warnings
        What was said on the way, in words.
    """
    read = {str(one["column"]): one for one in data.get("read", ())}
    columns = _columns(selection, tables, read)
    target = _target(tables, data, read)
    facts: dict[str, Any] = {
        "schema": SCHEMA,
        "version": misieve.__version__,
        "data": plain(data),
        "target": target,
        "settings": plain(settings),
        "threshold": _threshold(selection, target["entropy"]),
        "verdict": {},
        "warnings": [{"kind": "said", "text": str(text), "features": [], "count": 0} for text in warnings],
        "features": _rows(columns),
        "reproduce": plain(reproduce),
    }
    facts["verdict"] = _verdict(selection, columns, facts["threshold"])
    facts["warnings"] += caution(selection, tables, columns, target)
    return facts


def _columns(selection: Selection, tables: Tables, read: Mapping[str, Any]) -> dict[str, Any]:
    """One array or list for each key of a feature's facts, in the data's order."""
    names = [label(name) for name in selection.features]
    p = selection.posterior
    low, high = selection.interval
    mean = np.asarray(selection.mean)
    rank = np.empty(len(names), np.int64)
    rank[np.argsort(-mean, kind="stable")] = np.arange(1, len(names) + 1)
    cut = {label(name) for name in tables.cuts}
    kinds = ["number, cut into bins" if name in cut else "categories" for name in names]
    return {
        "name": names,
        "rank": rank,
        "kept": selection.support,
        "reason": selection.reason,
        "mean": mean,
        "sd": p.std(),
        "lower": low,
        "upper": high,
        "probability": selection.probability,
        "independence": p.independence,
        "plugin": p.empirical,
        "assessed": np.atleast_1d((np.asarray(p.observations) > 0) & (np.asarray(p.upper) > 0)),
        "type": [str(read.get(name, {}).get("type") or kind) for name, kind in zip(names, kinds, strict=True)],
        "values": np.asarray(tables._levels.sizes),
        "rows": p.observations,
        "missing": _missing(tables, names, read),
    }


def _missing(tables: Tables, names: Sequence[str], read: Mapping[str, Any]) -> list[float | int | None]:
    """Rows in which each feature is missing: as they were counted when read, else as the tables know it."""
    from_tables = lacking(tables).sum(axis=1) + counted_as_value(tables)
    whole = tables.dtype.kind == "i"
    known = (read.get(name, {}).get("missing") for name in names)
    return [
        (int(own) if whole else float(own)) if said is None else int(said) for said, own in zip(known, from_tables, strict=True)
    ]


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The features one by one."""
    listed = {
        "name": columns["name"],
        "rank": columns["rank"].tolist(),
        "kept": columns["kept"].tolist(),
        "reason": columns["reason"],
        "mean": numbers(columns["mean"]),
        "sd": numbers(columns["sd"]),
        "interval": [list(pair) for pair in zip(numbers(columns["lower"]), numbers(columns["upper"]), strict=True)],
        "probability": numbers(columns["probability"]),
        "independence": numbers(columns["independence"]),
        "plugin": numbers(columns["plugin"]),
        "assessed": columns["assessed"].tolist(),
        "type": columns["type"],
        "values": columns["values"].tolist(),
        "rows": numbers(columns["rows"]),
        "missing": columns["missing"],
    }
    return [dict(zip(listed, row, strict=True)) for row in zip(*listed.values(), strict=True)]


def _target(tables: Tables, data: Mapping[str, Any], read: Mapping[str, Any]) -> dict[str, Any]:
    """The classes with their rows, the rows without a class, and the entropy in nats."""
    name = str(data.get("target", "target"))
    counts = np.asarray(tables.class_counts, np.float64)
    total = float(counts.sum())
    entropy = float(entr(counts / total).sum()) if total > 0 else 0.0
    missing = read.get(name, {}).get("missing")
    if missing is None and tables.dtype.kind == "i" and data.get("rows") is not None:
        missing = max(int(data["rows"]) - int(total), 0)
    return {
        "name": name,
        "classes": [
            {"value": label(value), "rows": rows}
            for value, rows in zip(tables.classes, tables.class_counts.tolist(), strict=True)
        ],
        "rows": plain(tables.class_counts.sum()),
        "missing": None if missing is None else int(missing),
        "entropy": entropy,
    }


def _threshold(selection: Selection, entropy: float) -> dict[str, Any]:
    nats = selection.epsilon * {"share": entropy, "nats": 1.0, "bits": float(np.log(2.0))}[selection.unit]
    return {
        "rule": selection.rule,
        "epsilon": selection.epsilon,
        "unit": selection.unit,
        "level": selection.level,
        "nats": nats,
        "bits": nats / float(np.log(2.0)),
        "share": nats / entropy if entropy > 0 else None,
    }


def _verdict(selection: Selection, columns: Mapping[str, Any], threshold: Mapping[str, Any]) -> dict[str, Any]:
    """How many are kept, left out and open, and that in a sentence."""
    total, kept = len(columns["name"]), int(columns["kept"].sum())
    independent = int((columns["independence"] >= LIKELY).sum())
    p, level = columns["probability"], max(selection.level, 1.0 - selection.level)
    undecided = int(((p > 1.0 - level) & (p < level)).sum())
    return {
        "features": total,
        "kept": kept,
        "dropped": total - kept,
        "undecided": undecided,
        "independent": independent,
        "not_assessed": int((~columns["assessed"]).sum()),
        "words": in_words(kept, total, threshold),
    }
