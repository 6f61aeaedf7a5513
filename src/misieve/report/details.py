"""What the page shows of a single feature: the density of its posterior and its table, summarised where it is long.

With many features the details are kept for some only: those that are kept, undecided or warned about, then those of the
greatest mean.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misieve.binning import bin_labels
from misieve.decide import Selection
from misieve.mixture import Posterior
from misieve.report.gaps import lacking
from misieve.report.plain import label
from misieve.tables import Tables

__all__ = ["Details", "chosen_features", "collect"]

Floats = NDArray[np.float64]

#: So many features get details.
MOST = 1000
#: A table shows so many values and classes; of more, the most frequent ones and the others together.
VALUES, CLASSES = 20, 12
#: Letters of a category that are shown.
LETTERS = 120
#: Points of a density, and the probability left out at each end of it.
POINTS, BEYOND = 96, 0.0005
#: A density may be infinite at 0: heights end a little above this quantile of them.
HIGHEST, ABOVE = 0.995, 1.15


class Details(NamedTuple):
    """Of some features: their positions, densities and tables, flat."""

    #: Names of the classes that the tables show, and of their values: ``labels[pool[i]]`` for detail i.
    classes: list[str]
    labels: list[list[str]]
    arrays: dict[str, NDArray[Any]]


def chosen_features(facts: Mapping[str, Any], selection: Selection) -> NDArray[np.int64]:
    """Positions of the features that get details, in the data's order."""
    features = facts["features"]
    if len(features) <= MOST:
        return np.arange(len(features))
    warned = {name for one in facts["warnings"] for name in one["features"]}
    p, level = selection.probability, max(selection.level, 1.0 - selection.level)
    first = selection.support | ((p > 1.0 - level) & (p < level))
    first |= np.array([one["name"] in warned for one in features])
    rank = np.array([one["rank"] for one in features])
    chosen: NDArray[np.int64] = np.sort(np.lexsort((rank, ~first))[:MOST])
    return chosen


def collect(selection: Selection, tables: Tables, places: NDArray[np.int64]) -> Details:
    """The details of the features at these positions."""
    absent = lacking(tables)
    columns, class_names = _classes(tables)
    pools: dict[tuple[str, ...], int] = {}
    pool, rows, counts, missing, unlabelled = [], [], [], [], []
    for place in places.tolist():
        name = tables.features[place]
        names, merged, by_value = _summarised(tables, place, name)
        pool.append(pools.setdefault(tuple(names), len(pools)))
        rows.append(len(names))
        counts.append(_merged(merged, columns).ravel())
        unlabelled.append(by_value)
        missing.append(_merged(absent[place][None], columns).ravel())
    density, left, right = (
        _densities(selection.posterior[places]) if len(places) else (np.zeros((0, POINTS)),) + (np.zeros(0),) * 2
    )
    arrays: dict[str, NDArray[Any]] = {
        "place": places.astype(np.uint32),
        "pool": np.array(pool, np.uint32),
        "rows": np.array(rows, np.uint32),
        "counts": _joined(counts),
        "absent": _joined(missing),
        "unlabelled": _joined(unlabelled),
        "overall": _merged(np.asarray(tables.class_counts, np.float64)[None], columns).ravel(),
        "density": density.astype(np.uint16),
        "left": left,
        "right": right,
    }
    return Details(class_names, [list(names) for names in pools], arrays)


def _joined(parts: Sequence[NDArray[Any]]) -> Floats:
    return np.concatenate(parts).astype(np.float64) if parts else np.zeros(0)


def _classes(tables: Tables) -> tuple[NDArray[np.int64], list[str]]:
    """Which column of a shown table each class goes to, and what the columns are called."""
    names = [_short(label(value)) for value in tables.classes]
    return _few(np.asarray(tables.class_counts, np.float64), names, CLASSES, "classes")


def _few(often: Floats, names: list[str], most: int, what: str) -> tuple[NDArray[np.int64], list[str]]:
    """Where each goes, and names: all in their order, or the most frequent by frequency and the others together."""
    if len(names) <= most:
        return np.arange(len(names)), names
    order = np.argsort(-often, kind="stable")
    target = np.full(len(names), most - 1, np.int64)
    target[order[: most - 1]] = np.arange(most - 1)
    return target, [*(names[i] for i in order[: most - 1]), f"{len(names) - most + 1:,} other {what}"]


def _summarised(tables: Tables, place: int, name: Any) -> tuple[list[str], Floats, Floats]:
    """Names of values, their counts by class (all of them), their rows without a class; of many values, the most frequent."""
    counts = np.asarray(tables[name], np.float64)
    by_value = np.asarray(tables.missing[name].by_value, np.float64)
    names = [label(value) for value in tables._levels[place]]
    cuts = tables.cuts.get(name)
    if cuts is not None:
        spoken = dict(zip(bin_labels(cuts), bins_in_words(cuts), strict=True))
        names = [spoken.get(one, one) for one in names]
    where, names = _few(counts.sum(axis=1), [_short(one) for one in names], VALUES, "values")
    merged = np.zeros((len(names), counts.shape[1]))
    rest = np.zeros(len(names))
    np.add.at(merged, where, counts)
    np.add.at(rest, where, by_value)
    return names, merged, rest


def bins_in_words(cuts: Floats) -> list[str]:
    """Bins as people write them; the upper bound belongs to the bin.

    >>> bins_in_words(np.array([1.5, 2.0]))
    ['up to 1.5', '1.5 to 2', 'above 2']
    """
    if not len(cuts):
        return ["all values"]
    for digits in (6, 10, 17):
        bounds = [f"{cut:.{digits}g}" for cut in cuts.tolist()]
        if len(set(bounds)) == len(bounds):
            break
    return [f"up to {bounds[0]}", *(f"{a} to {b}" for a, b in itertools.pairwise(bounds)), f"above {bounds[-1]}"]


def _short(text: str) -> str:
    return text if len(text) <= LETTERS else text[: LETTERS - 1] + "…"


def _merged(counts: NDArray[Any], columns: NDArray[np.int64]) -> Floats:
    """Columns that go together added up: (k, s) -> (k, shown)."""
    shown = np.zeros((len(counts), int(columns.max(initial=-1)) + 1))
    np.add.at(shown.T, columns, np.asarray(counts, np.float64).T)
    return shown


def _densities(p: Posterior) -> tuple[Floats, Floats, Floats]:
    """Heights (features, POINTS) from 0 to 65535 in the middle of equal steps from left to right; no width for a point mass."""
    atom = np.asarray(p.independence)
    open_ones = atom < 1.0
    rest = np.where(open_ones, 1.0 - atom, 1.0)
    left = np.where(open_ones, np.maximum(p.ppf(np.minimum(atom + rest * BEYOND, 1.0)), 0.0), 0.0)
    right = np.where(open_ones, p.isf(rest * BEYOND), 0.0)
    left = np.where(left < 0.15 * right, 0.0, left)  # zero is worth seeing where it is near
    steps = (np.arange(POINTS)[:, None] + 0.5) / POINTS
    with np.errstate(over="ignore"):
        heights = np.asarray(p.pdf(left + (right - left) * steps)).T
    heights = np.where(np.isfinite(heights), heights, np.finfo(np.float64).max)
    top = ABOVE * np.quantile(heights, HIGHEST, axis=1, keepdims=True)
    top = np.minimum(top, heights.max(axis=1, keepdims=True))
    scaled = np.divide(np.minimum(heights, top), top, out=np.zeros_like(heights), where=top > 0)
    return np.rint(65535.0 * scaled), left, right
