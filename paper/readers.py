"""How each raw file is read: attribute names, declared values, cells, classes."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paper import fetch

__all__ = ["CONTINUOUS", "READERS", "SEED", "Declared", "Parsed", "arff", "shuttle"]

#: Stands for what the paper drew at random: which tenth of the shuttle data, and the Led24 rows.
SEED = 20020603

CONTINUOUS = None
#: The declared values of an attribute, or None if it is continuous.
Declared = Sequence[str] | None
#: What a reader returns: attribute names, their declarations, the cells of the attributes, the classes, notes.
Parsed = tuple[list[str], list[Declared], list[list[str]], list[str], tuple[str, ...]]

_FLAG = ("f", "t")


def _numbered(columns: int, nominal: dict[int, Sequence[str]]) -> tuple[list[str], list[Declared]]:
    """Attributes A1, A2, ..., continuous unless their values are given."""
    return [f"A{i}" for i in range(1, columns + 1)], [nominal.get(i) for i in range(1, columns + 1)]


def _table(file: str, folder: Any, class_first: bool = False) -> tuple[list[list[str]], list[str]]:
    """The cells of the attributes, and the classes."""
    found = list(fetch.rows(fetch.find(file, folder)))
    if class_first:
        return [row[1:] for row in found], [row[0] for row in found]
    return [row[:-1] for row in found], [row[-1] for row in found]


def _span(first: int, last: int) -> tuple[str, ...]:
    return tuple(map(str, range(first, last + 1)))


def _australian(folder: Any) -> Parsed:
    bit = ("0", "1")
    nominal = {1: bit, 4: _span(1, 3), 5: _span(1, 14), 6: _span(1, 9), 8: bit, 9: bit, 11: bit, 12: _span(1, 3)}
    return *_numbered(14, nominal), *_table("australian.data", folder), ("A6 declares 9 values, 8 occur",)


def _crx(folder: Any) -> Parsed:
    nominal = {
        1: "b a",
        4: "u y l t",
        5: "g p gg",
        6: "c d cc i j k m r q w x e aa ff",
        7: "v h bb j n z dd ff o",
        9: "t f",
        10: "t f",
        12: "t f",
        13: "g p s",
    }
    attributes = _numbered(15, {i: values.split() for i, values in nominal.items()})
    return *attributes, *_table("crx.data", folder), ("A4 declares 4 values, 3 occur",)


def _german(folder: Any) -> Parsed:
    cells, target = _table("german.data-numeric", folder)
    nominal = {i: sorted({row[i - 1] for row in cells}) for i in range(13, 25)}
    return *_numbered(24, nominal), cells, target, ("the numeric file, A1 to A12 continuous, A13 to A24 as they occur",)


def _hypothyroid(folder: Any) -> Parsed:
    names = (
        "age sex on_thyroxine query_on_thyroxine on_antithyroid_medication thyroid_surgery query_hypothyroid "
        "query_hyperthyroid pregnant sick tumor lithium goitre TSH_measured TSH T3_measured T3 TT4_measured TT4 "
        "T4U_measured T4U FTI_measured FTI TBG_measured TBG"
    ).split()
    # The declaration says f, t of the ..._measured attributes; the file has n, y.
    declared = [("n", "y") if name.endswith("_measured") else _FLAG for name in names]
    for continuous in ("age", "TSH", "T3", "TT4", "T4U", "FTI", "TBG"):
        declared[names.index(continuous)] = CONTINUOUS
    declared[names.index("sex")] = ("M", "F")
    notes = ("the five attributes that are constant among complete rows count with their two declared values",)
    return names, declared, *_table("hypothyroid.data", folder, class_first=True), notes


def _lymphography(folder: Any) -> Parsed:
    sizes = {
        "lymphatics": 4,
        "block of affere": 2,
        "block of lymph c": 2,
        "block of lymph s": 2,
        "by pass": 2,
        "extravasates": 2,
        "regeneration of": 2,
        "early uptake in": 2,
        "lymph nodes dimin": 0,
        "lymph nodes enlar": 0,
        "changes in lymph": 3,
        "defect in node": 4,
        "changes in node": 4,
        "changes in stru": 8,
        "special forms": 3,
        "dislocation of": 2,
        "exclusion of no": 2,
        "no of nodes in": 0,
    }
    declared = [_span(1, size) if size else CONTINUOUS for size in sizes.values()]
    notes = ("three attributes are numbers, the others have the declared values",)
    return list(sizes), declared, *_table("lymphography.data", folder, class_first=True), notes


def shuttle(folder: Any, seed: int = SEED) -> Parsed:
    """A random tenth of Statlog's shuttle data."""
    cells, target = (a + b for a, b in zip(_table("shuttle.trn.gz", folder), _table("shuttle.tst.gz", folder), strict=True))
    tenth = np.sort(np.random.default_rng(seed).permutation(len(cells))[: len(cells) // 10])
    notes = ("a random tenth of the 58000 rows of Statlog's shuttle data",)
    return *_numbered(9, {}), [cells[i] for i in tenth], [target[i] for i in tenth], notes


def _vote(folder: Any) -> Parsed:
    names = (
        "handicapped-infants water-project-cost-sharing adoption-of-the-budget-resolution physician-fee-freeze el-salvador-aid "
        "religious-groups-in-schools anti-satellite-test-ban aid-to-nicaraguan-contras mx-missile immigration "
        "synfuels-corporation-cutback education-spending superfund-right-to-sue crime duty-free-exports "
        "export-administration-act-south-africa"
    ).split()
    notes = ("? means neither yea nor nay: a third value, not a missing one",)
    return names, [("n", "y", "?")] * len(names), *_table("house-votes-84.data", folder, class_first=True), notes


def _chess(folder: Any) -> Parsed:
    # Names and declared values in the order of the archive's documentation; a plain copy of the rows has no header.
    names = (
        "bkblk bknwy bkon8 bkona bkspr bkxbq bkxcr bkxwp blxwp bxqsq cntxt dsopp dwipd hdchk katri mulch qxmsq r2ar8 reskd "
        "reskr rimmx rkxwp rxmsq simpl skach skewr skrxp spcop stlmt thrsk wkcti wkna8 wknck wkovl wkpos wtoeg"
    ).split()
    special: dict[str, Declared] = {"dwipd": ("g", "l"), "katri": ("b", "n", "w"), "wtoeg": ("n", "t", "f")}
    return names, [special.get(name, _FLAG) for name in names], *_table("kr-vs-kp.arff", folder), ()


READERS: dict[str, Callable[[Any], Parsed]] = {
    "australian": _australian,
    "chess": _chess,
    "crx": _crx,
    "german-org": _german,
    "hypothyroid": _hypothyroid,
    "lymphography": _lymphography,
    "shuttle-small": shuttle,
    "vote": _vote,
}

_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(\{.*\}|\S+)""", re.IGNORECASE)


def arff(path: Any) -> Parsed:
    """Read an ARFF file whose last attribute is the class."""
    names: list[str] = []
    declared: list[Declared] = []
    for name, kind in _ATTRIBUTE.findall(fetch.text(path)):
        names.append(name.strip("'\""))
        declared.append([v.strip().strip("'\"") for v in kind[1:-1].split(",")] if kind[0] == "{" else CONTINUOUS)
    cells = list(fetch.rows(path))
    target = [row.pop() for row in cells]
    return names[:-1], declared[:-1], cells, target, ("unknown values kept",)
