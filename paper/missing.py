"""Feature values that are missing: the filters when they are deleted at random, and on sets where they are missing in truth.

The paper mentions that "FF outperforms F also when feature values are partially missing" and shows nothing of it. Here a share
of all feature values is deleted at random, each with the same chance, and the three filters run test-then-train, deciding
before each of fifty groups of rows. Three ways to treat what is missing are compared:

- *model*: the filters' posterior is that of incomplete samples, naive Bayes leaves missing values out;
- *pairwise*: both leave them out;
- *category*: missing is a value like any other.

Each run deletes other values and has another order of the rows, the same ones for all three ways. As the series variance is
for complete samples, incomplete ones have theirs to second order.
"""

from collections.abc import Iterable
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

import misieve
from paper.data import PAPER_SETS, DataSet, load
from paper.experiments import QUICK_SETS, RULES
from paper.missing_page import REAL_TITLES
from paper.results import Run
from paper.style import PAGE, figure, panel
from paper.style import RULES as STYLES

__all__ = ["FRACTIONS", "POLICIES", "compare", "delete", "question_marks", "run"]

POLICIES = ("model", "pairwise", "category")
FRACTIONS = (0.1, 0.3, 0.5, 0.7)
#: Spam has fewer orders: with values deleted hardly two of its 21,611 words share a table, which is what makes it quick.
ORDERS, SPAM_ORDERS, GROUPS = 10, 2, 50
# Model and pairwise nearly coincide: the one stands in the other's open squares.
_MARKS: dict[str, dict[str, Any]] = {
    "pairwise": {"color": "#d55e00", "marker": "s", "markersize": 7, "markerfacecolor": "none", "linewidth": 2.2},
    "category": {"color": "#009e73", "marker": "^", "markersize": 3.5},
    "model": {"color": "#0072b2", "marker": "o", "markersize": 3.2, "linewidth": 0.9},
}

Judged = dict[str, dict[str, dict[str, float]]]


def delete(X: NDArray[Any], fraction: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """The codes with NaN where a value is missing (-1) or is deleted, each with the same chance."""
    return np.where((X < 0) | (rng.random(X.shape) < fraction), np.nan, X)


def question_marks(data: DataSet) -> DataSet:
    """The data set with its values "?" missing."""
    X = data.X.copy()
    categories = []
    for column, values in zip(X.T, data.categories, strict=True):
        if "?" in values:
            place = values.index("?")
            column[column == place] = -1
            column[column > place] -= 1
        categories.append(tuple(value for value in values if value != "?"))
    return DataSet(data.name, X, data.y, tuple(categories), data.classes, data.features, data.notes)


def compare(data: DataSet, fraction: float, orders: int) -> Judged:
    """By policy: each filter's accuracy at the end and average number of features used, and how far FF is ahead of F."""
    declared = [range(len(values)) for values in data.categories]
    right: dict[str, dict[str, list[float]]] = {policy: {rule: [] for rule in RULES} for policy in POLICIES}
    used: dict[str, dict[str, list[float]]] = {policy: {rule: [] for rule in RULES} for policy in POLICIES}
    for seed in range(orders):
        X = delete(data.X, fraction, np.random.default_rng((seed, round(100 * fraction))))
        for policy in POLICIES:
            result = misieve.prequential(
                X,
                data.y,
                rules=RULES,
                variance="auto",
                missing=policy,
                categories=declared,
                batch=-(-len(data.y) // GROUPS),
                rng=seed,
            )
            for rule in RULES:
                right[policy][rule].append(float(result.accuracy[rule][0, -1]))
                used[policy][rule].append(float(result.selected[rule][0].mean()))
    found: Judged = {}
    for policy in POLICIES:
        ahead = np.subtract(right[policy]["forward"], right[policy]["empirical"])
        found[policy] = {
            rule: {"accuracy": fmean(right[policy][rule]), "features": fmean(used[policy][rule])} for rule in RULES
        }
        found[policy]["FF - F"] = {"mean": ahead.mean(), "sd": ahead.std(ddof=1) if orders > 1 else 0.0}
    return found


def _real(name: str, settings: Run) -> DataSet:
    data = load(name, settings.data, complete=False)
    return question_marks(data) if name == "vote" else data


def _summary(data: DataSet) -> dict[str, Any]:
    gone = data.X < 0
    return {
        "rows": len(data.y),
        "features": data.X.shape[1],
        "missing": float(gone.mean()),
        "most": float(gone.mean(axis=0).max()),
    }


def run(settings: Run) -> None:
    """Draw the figure and write the tables. The quick version deletes only half of the values, of the smaller sets."""
    orders = settings.orders(ORDERS)
    fractions: Iterable[float] = (0.5,) if settings.quick else FRACTIONS
    names = QUICK_SETS if settings.quick else PAPER_SETS
    deleted = {}
    for name in names:
        data, often = load(name, settings.data), SPAM_ORDERS if name == "spam" else orders
        deleted[name] = {f"{fraction:.0%}": compare(data, fraction, often) for fraction in (0.0, *fractions)}
    sizes = {name: load(name, settings.data).X.shape[1] for name in names}
    real = {}
    for name in ("hepatitis",) if settings.quick else REAL_TITLES:
        data = _real(name, settings)
        real[name] = {**_summary(data), "found": compare(data, 0.0, orders)}
    written = settings.write(
        "missing",
        {"orders": orders, "spam orders": SPAM_ORDERS, "groups": GROUPS, "sizes": sizes, "deleted": deleted, "real": real},
    )
    draw(settings, written)


def draw(settings: Run, written: Any) -> None:
    """Draw accuracy and share of features used against the share that is missing, averaged over the sets."""
    deleted, sizes = written["deleted"], written["sizes"]
    shares = list(next(iter(deleted.values())))
    x = [float(share.rstrip("%")) for share in shares]
    with figure(settings.picture("missing"), PAGE, 3.9, nrows=2, ncols=len(RULES), sharex=True, sharey="row") as (fig, axes):
        for column, (rule, letter) in enumerate(zip(RULES, "abc", strict=True)):
            for policy, marks in _MARKS.items():
                for ax, what in zip(axes[:, column], ("accuracy", "features"), strict=True):
                    by_set = [
                        [
                            np.mean(found[share][policy][rule][what]) * (100 / sizes[name] if what == "features" else 1)
                            for share in shares
                        ]
                        for name, found in deleted.items()
                    ]
                    ax.plot(x, np.mean(by_set, axis=0), label=policy, **marks)
            panel(axes[0, column], letter, STYLES[rule]["label"])
            axes[1, column].set_xlabel("values deleted (%)")
            axes[1, column].set_xticks(x)
        axes[0, 0].set_ylabel("accuracy at the end")
        axes[1, 0].set_ylabel("features used (%)")
        fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(_MARKS))
