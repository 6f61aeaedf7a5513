"""The prequential runs that tables and figures share: each data set is run once, with the paper's settings."""

from functools import cache

import misieve
from misieve.progressive import Prequential
from paper.data import DataSet, load
from paper.results import Run

__all__ = ["ORDERS", "QUICK_SETS", "RULES", "TABLE_ORDERS", "data_set", "evaluate"]

RULES = ("forward", "empirical", "backward")
#: Random orders of the rows: for the distribution of significance, and the first ten of them for the tables.
ORDERS, TABLE_ORDERS = 20, 10
#: Small sets, on which the quick version shows what takes minutes on all.
QUICK_SETS = ("lymphography", "vote", "crx")
_SEED = 1


def data_set(name: str, settings: Run) -> DataSet:
    """A data set from the folder of the run, in codes."""
    return load(name, settings.data)


def evaluate(name: str, settings: Run) -> Prequential:
    """All three filters on one data set, over all orders; the quick version has the first two of them."""
    return _evaluate(name, settings.data, settings.orders(ORDERS))


@cache
def _evaluate(name: str, folder: str | None, orders: int) -> Prequential:
    data = load(name, folder)
    # Every word of a text occurs and is absent somewhere, so that there is nothing to declare.
    declared = None if data.X.shape[1] > 1000 else [range(len(values)) for values in data.categories]
    return misieve.prequential(data.X, data.y, rules=RULES, categories=declared, orders=orders, rng=_SEED)
