"""Rows of small codes for the walk: what a data set looks like to :mod:`misieve.progressive`.

Features are put into blocks of the same number of values. In a block each row lists the features whose code is not 0, so that
sparse data stay sparse. :mod:`~misieve.progressive.dense` and :mod:`~misieve.progressive.sparse` find the codes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, warn
from misieve._validate import known_option
from misieve.beside import Beside, split
from misieve.frames import BadCell, Batch, is_stream, read
from misieve.labels import Labels
from misieve.progressive.dense import dense_entries
from misieve.progressive.entries import Entries
from misieve.progressive.sparse import sparse_entries
from misieve.schema import declared_categories
from misieve.target import encode_target

__all__ = ["Block", "Coded", "codes"]

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

MISSING = ("error", "category", "pairwise", "model")


@dataclass(frozen=True)
class Block:
    """Features with the same number of values r: row i owns the entries from ``starts[i]`` to ``starts[i + 1]``.

    An entry is a feature (its position in the block) and its code, from 1; where cells may be missing, the code r says so.
    """

    size: int
    r: int
    with_missing: bool
    starts: Int64
    features: Int32
    values: Int32


@dataclass(frozen=True)
class Coded:
    """A data set in codes. Features of one value are only counted: they tell nothing."""

    features: int
    classes: Labels
    labels: Int32
    blocks: tuple[Block, ...]
    constant: int
    library: str | None
    modelled: bool  # the filters learn from rows whose cell is missing, too


def codes(X: Any, y: Any, categories: Any, missing: str) -> Coded:
    """Read features and target; ``categories`` and ``missing`` as in :func:`misieve.count`."""
    known_option("missing", missing, MISSING)
    if is_stream(X):
        raise DataError(f"X must be in memory, as its rows may come in any order, found {type(X).__name__}: read it first")
    batch, beside = split(read(X), y, None, whole=True)
    if not batch.rows or not batch.width:
        raise DataError(f"X must have at least one row and one feature, found {batch.rows} rows and {batch.width} features")
    declared, classes = declared_categories(batch, categories, None if beside.label == "y" else y)
    names, labels = _target(batch, beside, classes)
    if len(names) < 2:
        warn(f"the target has one class, {names[0]!r}: no feature can tell anything about it")
        return Coded(batch.width, names, labels, (), batch.width, batch.library, False)
    find = dense_entries if batch.sparse is None else sparse_entries
    entries = find(batch, declared, missing)
    constant = int(np.count_nonzero(entries.sizes < 2))
    return Coded(batch.width, names, labels, _blocks(entries), constant, batch.library, missing == "model")


def _target(batch: Batch, beside: Beside, declared: Labels | None) -> tuple[Labels, Int32]:
    """The classes and the class of each row."""
    try:
        target = encode_target(beside.target, beside.label)
    except BadCell as wrong:
        raise DataError(f"{beside.label} {wrong.rule} (row {batch.where(wrong.row)})") from None
    if target.missing:
        row = int(np.argmax(target.codes == len(target.classes)))
        raise DataError(
            f"{beside.label} must not be missing, found it so in row {batch.where(row)}: leave out the rows without a class"
        )
    labels = target.codes.astype(np.int32)
    if declared is None:
        return target.classes, labels
    places: Mapping[Any, int] = {value: place for place, value in enumerate(declared)}
    table = np.array([places.get(value, -1) for value in target.classes], dtype=np.int32)
    if (table[labels] < 0).any():
        row = int(np.argmax(table[labels] < 0))
        raise DataError(
            f"{beside.label} must have one of its declared categories {list(declared)}, found "
            f"{target.classes[int(labels[row])]!r} (row {batch.where(row)})"
        )
    return declared, table[labels]


def _blocks(entries: Entries) -> tuple[Block, ...]:
    """Features of the same number of values together, and by themselves those of which cells are missing."""
    kind = np.where(entries.sizes > 1, 2 * entries.sizes + entries.holes, -1)
    blocks = []
    for one in np.unique(kind[kind >= 0]).tolist():
        own = np.flatnonzero(kind == one)
        row, feature, code = entries.row, entries.feature, entries.code
        if len(own) < len(kind):
            chosen = np.flatnonzero(kind[feature] == one)
            position = np.zeros(len(kind), dtype=np.int32)
            position[own] = np.arange(len(own), dtype=np.int32)
            row, feature, code = row[chosen], position[feature[chosen]], code[chosen]
        starts = np.zeros(entries.rows + 1, dtype=np.int64)
        np.cumsum(np.bincount(row, minlength=entries.rows), out=starts[1:])
        features, values = (np.ascontiguousarray(v, dtype=np.int32) for v in (feature, code))
        blocks.append(Block(len(own), one // 2, bool(one % 2), starts, features, values))
    return tuple(blocks)
