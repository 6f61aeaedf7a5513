"""How one batch is counted: the kernels see codes, and what they return becomes levels and rows of Tables.

Small whole numbers, the common case, are counted without looking at them first: the kernel reports the columns that hold
something else, and only those are encoded (see :mod:`misieve.encode`) and counted again. Levels that never occur are
dropped afterwards, for all columns at once.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._core import kernels
from misieve._errors import DataError
from misieve.encode import SMALL, Encoder
from misieve.frames import BadCell, Batch, Column
from misieve.frames.column import categories_of
from misieve.labels import Labels, order
from misieve.levels import Levels
from misieve.target import Target

__all__ = ["Part", "Plan", "tally", "tally_columns"]

Features = NDArray[np.int64]
# Above this many cells, the limits of a matrix are looked up instead of being taken for 64; and no more are ever allocated.
MANY_CELLS = 1 << 22
MAX_CELLS = 1 << 31
# A matrix so small is cheaper to look through than the tables of 64 values are.
GLANCE = 1 << 16


@dataclass(frozen=True)
class Part:
    """Some features counted: their levels, the rows of their tables (values, R), and by class what is missing (k, R)."""

    features: Features
    levels: Levels
    counts: NDArray[Any]
    missing: NDArray[Any]


@dataclass(frozen=True)
class Plan:
    """What a batch is counted with. R = ``columns``: the classes, and one more for rows whose class is missing."""

    target: Target
    encoder: Encoder
    weights: NDArray[np.float64] | None
    jobs: int
    # Whether the rows whose class is missing say which values there are.
    unlabelled: bool

    @property
    def columns(self) -> int:
        """R."""
        return len(self.target.classes) + bool(self.target.missing)

    @property
    def counted(self) -> int:
        """The number of columns that make a value occur."""
        return self.columns if self.unlabelled else len(self.target.classes)


def tally(batch: Batch, plan: Plan) -> Part:
    """Count every feature of a batch that is not sparse."""
    if batch.matrix is None or batch.mask is not None or batch.matrix.dtype.kind not in "biuf":
        every = np.arange(batch.width)
        return tally_columns(batch, every, _read(batch, every, plan), plan)
    return _tally_matrix(batch, batch.matrix, plan)


def _tally_matrix(batch: Batch, matrix: NDArray[Any], plan: Plan) -> Part:
    truth = matrix.dtype.kind == "b"
    limits = np.full(batch.width, 2 if truth else _limit(matrix), np.int64)
    if not truth and batch.width * SMALL * plan.columns > MANY_CELLS:
        limits = _tight(matrix)
    allowed(limits, plan)
    counts, missing, bad = kernels.count_dense(
        matrix, plan.target.codes, plan.columns, limits, weights=plan.weights, n_jobs=plan.jobs
    )
    again = bad >= 0
    if plan.encoder.cuts or plan.encoder.own_bins:
        again |= np.fromiter((plan.encoder.must_cut(batch.name(i)) for i in range(batch.width)), bool, batch.width)
    every = np.arange(batch.width)
    if not again.any():
        return small_part(every, counts, limits, missing, plan, truth=truth)
    good = small_part(every, counts, limits, missing, plan, truth=truth, only=~again)
    rest = every[again]
    return join([good, _encoded(batch, rest, _read(batch, rest, plan), plan)], batch.width)


def _limit(matrix: NDArray[Any]) -> int:
    """One limit for all columns: 64, or what a quick look at a small matrix says."""
    if matrix.size > GLANCE:
        return SMALL
    largest = matrix.max()
    return int(largest) + 1 if 0 <= largest < SMALL else SMALL


def _tight(matrix: NDArray[Any]) -> NDArray[np.int64]:
    """For each column the least limit that holds its values, 1 .. 64."""
    with np.errstate(invalid="ignore"):
        largest = np.fmax.reduce(matrix, axis=0)
        return np.where((largest >= 0) & (largest < SMALL), largest + 1, 1).astype(np.int64)


def tally_columns(batch: Batch, features: Features, columns: Sequence[Column], plan: Plan) -> Part:
    """Count separate columns: codes as they are, numbers first as small codes and, where they are not, encoded."""
    parts = []
    plain = [
        i
        for i, (feature, column) in enumerate(zip(features.tolist(), columns, strict=True))
        if column.labels is None and column.values.dtype.kind != "b" and not plan.encoder.must_cut(batch.name(feature))
    ]
    again = set(range(len(columns)))
    if plain:
        limits = np.full(len(plain), SMALL, np.int64)
        allowed(limits, plan)
        counts, missing, bad = _count([columns[i] for i in plain], limits, plan, labelled=False)
        numbers = np.array(plain)
        parts.append(small_part(features[numbers], counts, limits, missing, plan, only=bad < 0))
        again -= set(numbers[bad < 0].tolist())
    if again:
        rest = sorted(again)
        parts.append(_encoded(batch, features[rest], [columns[i] for i in rest], plan))
    return join(parts, len(features), features)


def _read(batch: Batch, features: Features, plan: Plan) -> list[Column]:
    columns = []
    if batch.frame is not None:
        try:
            return batch.columns(features.tolist(), plan.jobs)
        except BadCell as wrong:
            raise located(batch, wrong.column, wrong) from None  # type: ignore[attr-defined]
    for feature in features.tolist():
        try:
            columns += batch.columns([feature], plan.jobs)
        except BadCell as wrong:
            raise located(batch, batch.name(feature), wrong) from None
    return columns


def located(batch: Batch, name: Any, wrong: BadCell) -> DataError:
    """The error of a cell, with the name of its column and the user's number of its row."""
    return DataError(f"column {name!r} {wrong.rule} (row {batch.where(wrong.row)})")


def _count(columns: Sequence[Column], limits: NDArray[np.int64], plan: Plan, *, labelled: bool) -> Any:
    return kernels.count_columns(
        [column.values for column in columns],
        [column.validity for column in columns],
        plan.target.codes,
        plan.columns,
        limits,
        weights=plan.weights,
        minus_one_is_missing=labelled,
        n_jobs=plan.jobs,
    )


def allowed(limits: NDArray[np.int64], plan: Plan) -> None:
    cells = int(limits.sum()) * plan.columns
    if cells > MAX_CELLS:
        raise DataError(
            f"the tables would have {cells:.3g} cells, more than 2^31 "
            f"({plan.columns} classes, {int(limits.sum())} category codes): "
            "leave out columns that are identifiers, or a target that is"
        )


def _encoded(batch: Batch, features: Features, columns: Sequence[Column], plan: Plan) -> Part:
    """Columns that have labels, or get them here, each with its own."""

    def encode(feature: int, column: Column) -> Column:
        name = batch.name(feature)
        try:
            return plan.encoder.encode(name, column)
        except BadCell as wrong:
            raise located(batch, name, wrong) from None

    given = plan.encoder
    settled = given.bins is None and not (given.cuts or given.own_bins or given.overridden)
    if settled and all(column.labels is not None for column in columns):
        coded = list(columns)
    elif plan.jobs > 1 and len(columns) > 1:
        with ThreadPoolExecutor(plan.jobs) as pool:
            coded = list(pool.map(encode, features.tolist(), columns))
    else:
        coded = list(map(encode, features.tolist(), columns))
    limits = np.array([max(column.limit, 1) for column in coded], np.int64)
    allowed(limits, plan)
    counts, missing, bad = _count(coded, limits, plan, labelled=True)
    if (bad >= 0).any():  # only a broken frame has codes beyond its own categories
        first = int(np.argmax(bad >= 0))
        raise DataError(
            f"column {batch.name(int(features[first]))!r} must have codes of its categories, found another in row "
            f"{batch.where(int(bad[first]))}"
        )
    return labelled_part(batch, features, coded, limits, counts, missing, plan)


def labelled_part(
    batch: Batch,
    features: Features,
    columns: Sequence[Column],
    limits: NDArray[np.int64],
    counts: NDArray[Any],
    missing: NDArray[Any],
    plan: Plan,
) -> Part:
    """Drop and sort the levels of columns that have labels: declared ones stay as they are."""
    cells = counts.reshape(-1, plan.columns)
    occurs = kernels.occurring(cells, plan.counted)
    ends = np.cumsum(limits).tolist()
    labels: list[Labels] = []
    rows: list[NDArray[np.int64]] = []
    for feature, column, limit, end in zip(features.tolist(), columns, limits.tolist(), ends, strict=True):
        start = end - limit
        codes = column.order if column.declared else np.flatnonzero(occurs[start:end])
        try:
            own = categories_of(column, codes, f"column {batch.name(feature)!r}") if len(codes) else ()
        except BadCell as wrong:
            raise located(batch, batch.name(feature), wrong) from None
        if not column.declared:
            ascending = order(own)
            own, codes = tuple(own[i] for i in ascending), codes[ascending]
        labels.append(own)
        rows.append(codes + start)
    return Part(features, Levels.of(labels), cells[np.concatenate(rows)], missing)


def small_part(
    features: Features,
    counts: NDArray[Any],
    limits: NDArray[np.int64],
    missing: NDArray[Any],
    plan: Plan,
    *,
    truth: bool = False,
    only: NDArray[np.bool_] | None = None,
) -> Part:
    """Drop the levels that never occur of columns whose codes below 64 are their values, without a loop over columns.

    The levels of a column are a 64-bit number, one bit for each value; columns with the same number share a pool.
    """
    cells = counts.reshape(-1, plan.columns)
    occurs = kernels.occurring(cells, plan.counted)
    if only is None and np.logical_and.reduce(occurs) and (limits == limits[0]).all():  # nothing to drop
        pool = (False, True) if truth else tuple(range(int(limits[0])))
        return Part(features, Levels((pool,), np.zeros(len(limits), np.int64)), cells, missing)
    if only is not None:
        occurs &= np.repeat(only, limits)
        features, missing = features[only], missing[only]
    keys = _keys(occurs, limits)
    if only is not None:
        keys = keys[only]
    if len(keys) and (keys == keys[0]).all():
        distinct, pool_of = keys[:1], np.zeros(len(keys), np.int64)
    else:
        distinct, pool_of = np.unique(keys, return_inverse=True)
    pools = [tuple(i for i in range(SMALL) if key >> i & 1) for key in distinct.tolist()]
    if truth:
        pools = [tuple(map(bool, pool)) for pool in pools]
    return Part(features, Levels(tuple(pools), pool_of), cells[occurs], missing)


def _keys(occurs: NDArray[np.bool_], limits: NDArray[np.int64]) -> NDArray[np.uint64]:
    """For each column the values that occur, as the bits of a number."""
    if (limits == limits[0]).all():
        bits = np.zeros((len(limits), SMALL), bool)
        bits[:, : limits[0]] = occurs.reshape(len(limits), -1)
        return np.packbits(bits, axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64, copy=False)
    starts = np.cumsum(limits) - limits
    value = np.arange(len(occurs)) - np.repeat(starts, limits)
    keys: NDArray[np.uint64] = np.bitwise_or.reduceat(
        np.where(occurs, np.uint64(1) << value.astype(np.uint64), np.uint64(0)), starts
    )
    return keys


def join(parts: Sequence[Part], width: int, features: Features | None = None) -> Part:
    """Put parts together, feature by feature in the order in which they stand in the data."""
    if len(parts) == 1:
        return parts[0]
    place = np.arange(width)
    if features is not None:
        place = np.zeros(int(features.max(initial=-1)) + 1, np.int64)
        place[features] = np.arange(width)
    pools: list[Labels] = []
    pool_of = np.zeros(width, np.int64)
    missing = np.zeros((width, parts[0].missing.shape[1]), parts[0].missing.dtype)
    for part in parts:
        pool_of[place[part.features]] = part.levels.pool_of + len(pools)
        pools += part.levels.pools
        missing[place[part.features]] = part.missing
    levels = Levels(tuple(pools), pool_of)
    counts = np.zeros((int(levels.offsets[-1]), parts[0].counts.shape[1]), parts[0].counts.dtype)
    for part in parts:
        counts[levels.rows_of(place[part.features])] = part.counts
    return Part(np.arange(width) if features is None else features, levels, counts, missing)
