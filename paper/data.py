"""The ten data sets of the paper by name, prepared as the paper and MLC++ did, and a few more.

The steps, in this order: continuous attributes are cut by Fayyad and Irani's method on the *whole* file, unknowns left out of
the search; an attribute that keeps one interval is dropped; then rows with an unknown value are dropped. The number of values
of an attribute is the number *declared*, which matters to the prior: a declared value that never occurs has its prior count.
"""

import os
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat

from misieve import DataError, OptionError
from misieve.binning import apply_cuts
from misieve.datasets import make_led24
from misieve.discretize import mdl_cuts
from paper import fetch
from paper.readers import CONTINUOUS, READERS, SEED, Declared, arff

__all__ = ["EXTRAS", "PAPER_SETS", "DataSet", "load", "prepare"]

#: In the order of the paper's tables.
PAPER_SETS = (
    "australian",
    "chess",
    "crx",
    "german-org",
    "hypothyroid",
    "led24",
    "lymphography",
    "shuttle-small",
    "spam",
    "vote",
)
EXTRAS = ("mushroom", "soybean", "audiology", "breast.w", "colic", "hepatitis", "supermarket", "BASEHOCK")


@dataclass(frozen=True, eq=False)
class DataSet:
    """A data set in codes.

    ``X`` (n, p) holds the index of each value in ``categories``, -1 where it is unknown; ``y`` (n,) the index in ``classes``.
    """

    name: str
    X: NDArray[Any]
    y: NDArray[np.intp]
    categories: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...]
    features: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def majority(self) -> float:
        """Relative frequency of the most frequent class."""
        return float(np.bincount(self.y).max() / len(self.y))

    def rows(self, index: NDArray[Any]) -> "DataSet":
        """The data set with the rows given, in that order."""
        return DataSet(self.name, self.X[index], self.y[index], self.categories, self.classes, self.features, self.notes)


@cache
def load(name: str, folder: str | os.PathLike[str] | None = None, *, complete: bool = True) -> DataSet:
    """Load one of PAPER_SETS or EXTRAS. Unknown values of the extras stay in as -1, and if not ``complete`` all do."""
    if name not in (*PAPER_SETS, *EXTRAS):
        raise OptionError(f"there is no data set {name!r}; there are {', '.join((*PAPER_SETS, *EXTRAS))}")
    if name == "led24":
        X, y = make_led24(3200, rng=SEED)
        names = tuple(f"segment{i}" for i in range(1, 8)) + tuple(f"irrelevant{i}" for i in range(1, 18))
        return DataSet(name, X, y, (("0", "1"),) * 24, tuple("0123456789"), names, ("generated, 10 % noise",))
    if name == "spam":
        return _spam(folder)
    if name == "BASEHOCK":
        return _basehock(folder)
    reader = READERS.get(name) or (lambda folder: arff(fetch.find(f"extras/{name}.arff.gz", folder)))
    return prepare(name, *reader(folder), complete=complete and name in PAPER_SETS)


def prepare(
    name: str,
    features: list[str],
    declared: list[Declared],
    cells: list[list[str]],
    target: list[str],
    notes: tuple[str, ...],
    *,
    complete: bool,
) -> DataSet:
    """Cut what is continuous, drop what keeps one interval, then, to keep ``complete`` rows only, those with unknown values."""
    classes, y = np.unique(target, return_inverse=True)
    codes, kept, categories, dropped = [], [], [], []
    for feature, values, column in zip(features, declared, zip(*cells, strict=True), strict=True):
        if values is CONTINUOUS:
            numbers = np.array([np.nan if cell == "?" else float(cell) for cell in column])
            cuts = mdl_cuts(numbers[:, None], y)[0]
            if not len(cuts):
                dropped.append(feature)
                continue
            codes.append(apply_cuts(numbers, cuts))
            edges = ["-inf", *(f"{cut:.6g}" for cut in cuts), "inf"]
            categories.append(tuple(f"({low}, {high}]" for low, high in pairwise(edges)))
        else:
            position = {value: i for i, value in enumerate(values)} | ({} if "?" in values else {"?": -1})
            if strange := set(column) - set(position):
                raise DataError(f"{name}: {feature} has the values {sorted(strange)}, which are not declared: {list(values)}")
            codes.append(np.array([position[cell] for cell in column]))
            categories.append(tuple(values))
        kept.append(feature)
    X = np.stack(codes, axis=1).astype(np.int16)
    whole = (X >= 0).all(axis=1) if complete else np.ones(len(X), dtype=bool)
    if dropped:
        notes += (f"one interval, so dropped: {', '.join(dropped)}",)
    if not whole.all():
        notes += (f"{int((~whole).sum())} incomplete rows dropped",)
    return DataSet(name, X[whole], y[whole], tuple(categories), tuple(map(str, classes)), tuple(kept), notes)


def _spam(folder: Any) -> DataSet:
    """Presence of the tokens of subject and body (PU1, lemmatised, with the stop list)."""
    found = fetch.messages(fetch.find("pu1_lemm_stop.tar.gz", folder))
    sets = [set(text.replace("Subject:", " ").split()) for _, text in found]
    tokens = sorted(set().union(*sets), key=int)
    column = {token: j for j, token in enumerate(tokens)}
    X = np.zeros((len(sets), len(tokens)), dtype=np.uint8)
    for row, present in zip(X, sets, strict=True):
        row[[column[token] for token in present]] = 1
    y = np.array(["spmsg" in name for name, _ in found], dtype=np.intp)
    features = tuple(f"token{token}" for token in tokens)
    notes = ("PU1 of Androutsopoulos and others (2000), presence of the tokens of subject and body",)
    return DataSet("spam", X, y, (("absent", "present"),) * len(tokens), ("legitimate", "spam"), features, notes)


def _basehock(folder: Any) -> DataSet:
    """Presence of words in two newsgroups."""
    content = loadmat(fetch.find("extras/BASEHOCK.mat", folder))
    counts = content["X"]
    X = np.asarray((counts.toarray() if hasattr(counts, "toarray") else counts) > 0, dtype=np.uint8)
    classes, y = np.unique(content["Y"].ravel(), return_inverse=True)
    categories = (("absent", "present"),) * X.shape[1]
    features = tuple(f"word{j}" for j in range(X.shape[1]))
    return DataSet("BASEHOCK", X, y, categories, tuple(map(str, classes)), features, ("presence of words",))
