"""Beyond the paper: the same test-then-train runs with misieve's defaults and with what people use today.

For each data set the rows come in fifty groups; before each group every method selects features from all earlier rows, and
naive Bayes (one added to each class and each value) predicts the group with them. Log loss and Brier score judge its
probabilities.

- *all*: no selection;
- *F*, *FF*: the paper's filters with the paper's settings;
- *misieve*: the defaults of :func:`misieve.select`;
- *top k*: the k features of the greatest plug-in mutual information, what ``SelectKBest(mutual_info_classif)`` keeps, k being
  the number that *misieve* kept at that point;
- *chi2 FDR*: Pearson's test of independence on each table, Benjamini and Hochberg's procedure at .05.
"""

import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp, xlogy
from scipy.stats import chi2, false_discovery_control

import misieve
from paper.data import PAPER_SETS, DataSet
from paper.experiments import QUICK_SETS, data_set
from paper.published import TITLES
from paper.results import Run
from paper.style import PAGE, figure, panel

__all__ = ["METHODS", "chi2_p_values", "plug_in", "replay", "run"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

METHODS = ("all", "F", "FF", "misieve", "top k", "chi2 FDR")
ORDERS, GROUPS, ALPHA = 3, 50, 0.05
#: Where the panels of the figure begin.
EDGES = (0, -5, -12, -40)
_PAPER: dict[str, Any] = {"epsilon": 0.003, "unit": "nats", "law": "beta", "variance": "series", "independence": 0.0}
_STYLES = {
    "all": ("0.6", "x"),
    "F": ("#d55e00", "s"),
    "FF": ("#56b4e9", "^"),
    "misieve": ("#0072b2", "o"),
    "top k": ("#aa4499", "D"),
    "chi2 FDR": ("#009e73", "v"),
}


def plug_in(counts: Floats, owner: NDArray[np.intp], features: int) -> Floats:
    """Plug-in mutual information of each feature from counts (values of all features, classes), without a prior."""
    by_class = counts[owner == 0].sum(axis=0)
    by_value = counts.sum(axis=1)
    n = by_class.sum()
    terms = xlogy(counts, counts).sum(axis=1) - xlogy(by_value, by_value)
    return np.bincount(owner, terms, features) / n - xlogy(by_class, by_class / n).sum() / n


def chi2_p_values(counts: Floats, owner: NDArray[np.intp], features: int) -> Floats:
    """Pearson's test of independence for each feature; 1 where there is only one value or one class."""
    n = counts[owner == 0].sum()
    by_class = counts[owner == 0].sum(axis=0)
    by_value = counts.sum(axis=1)
    expected = np.outer(by_value, by_class) / n
    terms = np.divide((counts - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0).sum(axis=1)
    freedom = (np.bincount(owner, by_value > 0, features) - 1) * (np.count_nonzero(by_class) - 1)
    statistic = np.bincount(owner, terms, features)
    return np.where(freedom > 0, chi2.sf(statistic, np.maximum(freedom, 1)), 1.0)


def _selections(data: DataSet, seen: NDArray[np.intp], counts: Floats, owner: NDArray[np.intp]) -> dict[str, Mask]:
    """What each method keeps after the rows seen."""
    features = data.X.shape[1]
    declared = [list(range(len(values))) for values in data.categories]
    with warnings.catch_warnings():
        # The first group of a small set may hold one class only.
        warnings.filterwarnings("ignore", message="the target has one class", category=misieve.MisieveWarning)
        tables = misieve.count(data.X[seen], data.y[seen], categories=declared)

    def select(**options: Any) -> Mask:
        with warnings.catch_warnings():
            # Where the series variance is not fit for use the exact one stands in, as in the runs of the tables.
            warnings.filterwarnings("ignore", message="the series variance", category=misieve.MisieveWarning)
            return np.asarray(misieve.select(tables, **options).support)

    kept = {
        "all": np.ones(features, dtype=bool),
        "F": select(rule="empirical", **_PAPER),
        "FF": select(rule="forward", **_PAPER),
        "misieve": select(),
    }
    order = np.argsort(-plug_in(counts, owner, features), kind="stable")
    kept["top k"] = np.isin(np.arange(features), order[: int(kept["misieve"].sum())])
    kept["chi2 FDR"] = false_discovery_control(chi2_p_values(counts, owner, features)) <= ALPHA
    return kept


def replay(data: DataSet, order: NDArray[np.intp], groups: int = GROUPS) -> Iterator[tuple[str, int, Floats, NDArray[np.intp]]]:
    """Yield for each group and method: its name, the number of features kept, log chances of the classes, the classes."""
    sizes = np.array([len(values) for values in data.categories])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    n, classes = len(order), len(data.classes)
    ones = sparse.csr_matrix(
        (np.ones(data.X.size), (data.X + starts).ravel(), np.arange(0, data.X.size + 1, data.X.shape[1])), (n, int(sizes.sum()))
    )
    targets = np.eye(classes)[data.y]
    edges = np.unique(np.linspace(0, n, groups + 1).astype(int))
    for low, high in pairwise(edges[1:]):
        seen, group = order[:low], order[low:high]
        counts = np.asarray(ones[seen].T @ targets[seen])
        by_class = targets[seen].sum(axis=0)
        chances = np.log((counts + 1.0) / (by_class + sizes[owner, None]))
        for method, kept in _selections(data, seen, counts, owner).items():
            scores = np.log(by_class + 1.0) + ones[group] @ (chances * kept[owner, None])
            yield method, int(kept.sum()), scores - logsumexp(scores, axis=1, keepdims=True), data.y[group]


def _judge(data: DataSet, orders: int) -> dict[str, dict[str, float]]:
    """Features kept, accuracy, log loss and Brier score of each method, averaged over rows and orders."""
    sums = {method: np.zeros(5) for method in METHODS}
    rng = np.random.default_rng(1)
    for _ in range(orders):
        for method, kept, chances, truth in replay(data, rng.permutation(len(data.y))):
            right = chances.argmax(axis=1) == truth
            loss = -chances[np.arange(len(truth)), truth]
            brier = ((np.exp(chances) - np.eye(chances.shape[1])[truth]) ** 2).sum(axis=1)
            sums[method] += [len(truth), kept * len(truth), right.sum(), loss.sum(), brier.sum()]
    names = ("features", "accuracy", "log loss", "Brier")
    return {method: dict(zip(names, total[1:] / total[0], strict=True)) for method, total in sums.items()}


def run(settings: Run) -> None:
    """Draw the figure and write the table. The quick version has the smaller sets only."""
    names = QUICK_SETS if settings.quick else PAPER_SETS
    found = {name: _judge(data_set(name, settings), settings.orders(ORDERS)) for name in names}
    sizes = {name: data_set(name, settings).X.shape[1] for name in names}
    draw(settings, found, sizes)
    settings.write("beyond", {"orders": settings.orders(ORDERS), "groups": GROUPS, "sizes": sizes, "found": found})


def draw(settings: Run, found: dict[str, dict[str, dict[str, float]]], sizes: dict[str, int]) -> None:
    """Draw features kept, and what changes against no selection; values beyond the edge are written there."""
    with figure(settings.picture("beyond"), PAGE, 3.6, ncols=4, sharey=True) as (fig, axes):
        for row, name in enumerate(found):
            none = found[name]["all"]
            for place, method in enumerate(METHODS):
                judged = found[name][method]
                color, marker = _STYLES[method]
                y = row + (place - 2.5) * 0.12
                values = (
                    100 * judged["features"] / sizes[name],
                    100 * (judged["accuracy"] - none["accuracy"]),
                    100 * (judged["log loss"] / none["log loss"] - 1),
                    100 * (judged["Brier"] / none["Brier"] - 1),
                )
                for ax, x, low in zip(axes, values, EDGES, strict=True):
                    # A point beyond the edge is left out, and only the legend gets its mark.
                    style = {"markersize": 3.2, "markeredgewidth": 0.9, "color": color, "linewidth": 0, "clip_on": False}
                    ax.plot(x if x >= low else np.nan, y, marker, label=method if row == 0 else None, **style)
            beyond = [
                change for m in found[name].values() if (change := 100 * (m["log loss"] / none["log loss"] - 1)) < EDGES[2]
            ]
            if beyond:
                text = f"\N{MINUS SIGN}{-max(beyond):.0f} to \N{MINUS SIGN}{-min(beyond):.0f}"
                axes[2].annotate(text, (EDGES[2], row), (6, 0), textcoords="offset points", va="center", fontsize=7)
        titles = ("features kept (%)", "accuracy (points)", "log loss (%)", "Brier score (%)")
        for ax, title, letter, limits in zip(axes, titles, "abcd", zip(EDGES, (100, 5, 12, 20), strict=True), strict=True):
            panel(ax, letter, title)
            ax.set_xlim(*limits)
            ax.tick_params(axis="y", length=0)
            for row in range(len(found)):
                ax.axhline(row, color="0.9", linewidth=0.5, zorder=0)
            if letter != "a":
                ax.axvline(0.0, color="0.6", linewidth=0.6, zorder=0)
                ax.set_xlabel("against no selection")
        axes[0].set_xlabel("of all")
        axes[0].set_yticks(range(len(found)), [TITLES[name] for name in found])
        axes[0].invert_yaxis()
        fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(METHODS), handletextpad=0.1)
