"""How tables are filled: frames, arrays, sparse matrices and streams of them against one target."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from misieve._errors import DataError, OptionError, warn
from misieve._threads import threads
from misieve._validate import known_option
from misieve.beside import Beside, check_lengths, split
from misieve.files import until_typed
from misieve.frames import BadCell, Batch, is_stream, opened, read, stream
from misieve.frames.column import absent
from misieve.levels import Levels
from misieve.schema import align, declared_categories, encoder_of, like_earlier, like_first
from misieve.tables import Tables
from misieve.tally import Part, Plan, tally
from misieve.tally_sparse import tally_sparse
from misieve.target import Target, encode_target

__all__ = ["count"]

MISSING = ("error", "category", "pairwise", "model")
ADVICE = "choose missing='category', 'pairwise' or 'model'"
# Cells below which a second thread costs more than it saves.
CELLS_PER_THREAD = 1 << 18
# A column with as many values as rows is worth a warning from here on.
FEW_ROWS = 64


def count(
    X: Any,
    y: Any,
    *,
    like: Tables | None = None,
    categories: Any = None,
    bins: Any = None,
    missing: str = "error",
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> Tables:
    """Count every feature of X against the target.

    Parameters
    ----------
    X : frame, array, sparse matrix, path, or iterable of frames
        pandas, polars, pyarrow or any eager frame that narwhals knows; a 2-D NumPy array (masked or not) or list of rows; a
        SciPy sparse matrix, whose implicit zeros count; in batches of bounded memory: the path of a
        file (CSV, TSV, Parquet, Arrow, NDJSON or ARFF, compressed or not), any iterable of frames or arrays with the same
        columns, a polars LazyFrame (polars itself reads ahead, some hundred megabytes). A row group of Parquet is read as a
        whole. In files of text an empty cell, NA, NaN, null and ? are missing values.
    y : array of shape (n,), or the name of the column of X that holds the target
        Classes of any type of category.
    like : Tables, optional
        An earlier batch: its features, classes, categories and cut points are used; new categories extend them.
    categories : dict of lists by column name, list of lists by position, or one list for all features, optional
        The values that a column may have, in this order; others are an error. By default, those declared by the type of
        the column (pandas Categorical, polars Enum, Arrow dictionary) in their order, else those that occur, sorted.
    bins : int, "mdl", or dict by column name of those or of cut points, optional
        Cut continuous columns (fractions, or more than 64 different numbers, dates, times or durations) into so many quantile
        bins, or where the class changes (:mod:`misieve.discretize`); a dict names the columns to cut and leaves the others
        alone; cut points of dates and times are seconds since 1970. Over batches the first one sets the cuts.
    missing : "error", "category", "pairwise" or "model"
        What becomes of NaN, None, NaT, NA and null: an error; a category of its own, shown as None (of the target: a
        class); left out, feature by feature; or kept as incomplete samples in ``Tables.missing``.
    sample_weight : array of shape (n,), or the name of a column of X, optional
        Not negative. Rows of weight zero do not exist. Tables are then float64.
    n_jobs : int, optional
        Threads; by default all cores, one inside a joblib worker. The result does not depend on it.

    Returns
    -------
    Tables
        Counts of shape (r, s) for each feature: r categories, s classes. Whole numbers are categories however many values
        they have; one value in every row is warned about.
    """
    if like is not None and not isinstance(like, Tables):
        raise OptionError(f"like must be the Tables of an earlier batch, not {type(like).__name__}")
    known_option("missing", missing, MISSING)
    if n_jobs is not None:
        threads(n_jobs)
    request = _Request(y, sample_weight, like, categories, bins, missing, n_jobs)
    if is_stream(X):
        data = opened(X)
        tables, rows = until_typed(lambda: _count_all(request, stream(data)))
    else:
        tables, rows = _count_whole(request, read(X))
    _warn_about(tables, rows, like)
    return tables


@dataclass(frozen=True)
class _Request:
    """The options of a call."""

    y: Any
    sample_weight: Any
    like: Tables | None
    categories: Any
    bins: Any
    missing: str
    n_jobs: int | None

    def jobs(self, batch: Batch) -> int:
        """Threads for a batch: no more than it has work for."""
        if batch.sparse is not None:
            return threads(self.n_jobs)
        worth = batch.rows * batch.width // CELLS_PER_THREAD
        return 1 if worth < 2 else min(threads(self.n_jobs), worth)


def _count_whole(request: _Request, batch: Batch) -> tuple[Tables, int]:
    """Count the only batch there is; returns the number of rows that count, too."""
    batch, beside = split(batch, request.y, request.sample_weight, whole=True)
    if not batch.rows:
        raise DataError(
            "X must have at least one row, found none" + (" of weight above zero" if batch.kept is not None else "")
        )
    return _count_batch(request, batch, beside), batch.rows


def _count_all(request: _Request, batches: Iterator[Batch]) -> tuple[Tables, int]:
    """Count batch after batch and add up; the first one fixes the columns and the cuts."""
    total: Tables | None = None
    rows = given = 0
    new_cuts = False
    for one in batches:
        given = one.start + one.rows
        if not one.rows:
            continue
        batch, beside = split(one, request.y, request.sample_weight, whole=False)
        if not batch.rows:
            continue
        rows += batch.rows
        if total is not None:
            tables = _count_batch(request, like_first(batch, total), beside)
            total = total + tables
            if new_cuts:
                warn(
                    f"the cuts of {_some(tables.cuts)} come from the first batch and stay: shuffle the rows, or give cut points"
                )
                new_cuts = False
            continue
        total = _count_batch(request, batch, beside)
        if total.cuts and request.like is None:
            new_cuts = not isinstance(request.bins, dict) or any(isinstance(own, (int, str)) for own in request.bins.values())
            request = replace(request, bins=None, like=total.zeros())
        else:
            request = replace(request, bins=None)  # what was not cut in the first batch is not cut in a later one
    if total is None:
        raise DataError("X must have at least one row, found none in any batch")
    check_lengths(request.y, request.sample_weight, given)
    return total, rows


def _count_batch(request: _Request, batch: Batch, beside: Beside) -> Tables:
    """Count the features of a batch against the target beside it."""
    if not batch.width:
        raise DataError("X must have at least one feature, found none" + ("" if beside.label == "y" else " besides the target"))
    if request.like is not None:
        batch = like_earlier(batch, request.like)
    named = None if beside.label == "y" else request.y
    declared, classes = declared_categories(batch, request.categories, named)
    target = _target(request, batch, beside, overridden=classes is not None)
    plan = Plan(
        target=target,
        encoder=encoder_of(batch, request.bins, request.like, declared, beside.weights, target),
        weights=beside.weights,
        jobs=request.jobs(batch),
        unlabelled=request.missing == "model",
    )
    part = tally(batch, plan) if batch.sparse is None else tally_sparse(batch, plan)
    tables = _tables(request, batch, part, plan)
    if classes is not None:
        tables = _with_classes(tables, classes, batch, plan.target, beside.label)
    return align(batch, tables, declared, request.like) if declared or request.like is not None else tables


def _target(request: _Request, batch: Batch, beside: Beside, *, overridden: bool) -> Target:
    """Class codes, with missing classes as the options want them; ``overridden``: the options give the classes."""
    label = beside.label
    try:
        target = encode_target(replace(beside.target, declared=beside.target.declared and not overridden), label)
    except BadCell as wrong:
        raise DataError(f"{label} {wrong.rule} (row {batch.where(wrong.row)})") from None
    if target.missing and request.missing == "error":
        row = int(np.argmax(target.codes == len(target.classes)))
        raise DataError(f"{label} must not be missing, found it so in row {batch.where(row)}: {ADVICE}")
    if target.missing and request.missing == "category":
        return Target(target.codes, (*target.classes, None), 0)
    return target


def _with_classes(tables: Tables, classes: tuple[Any, ...], batch: Batch, target: Target, label: str) -> Tables:
    """Declared classes in their order; others are an error."""
    others = [i for i, value in enumerate(target.classes) if value is not None and value not in set(classes)]
    if others:
        row = int(np.argmax(np.isin(target.codes, others)))
        raise DataError(
            f"{label} must have one of its declared categories {list(classes)}, found "
            f"{target.classes[int(target.codes[row])]!r} (row {batch.where(row)})"
        )
    empty = np.zeros((len(tables._counts), len(classes)), np.int64)
    return tables._with(classes, tables._levels, [empty, np.zeros(len(classes), np.int64), None, None]) + tables


def _tables(request: _Request, batch: Batch, part: Part, plan: Plan) -> Tables:
    """What was counted as Tables, with missing values of features as the options want them."""
    s = len(plan.target.classes)
    counts, missing, levels = part.counts, part.missing, part.levels
    # Of any feature, what it shows and what it misses are all the rows of each class.
    class_counts = counts[: len(levels[0]), :s].sum(axis=0) + missing[0, :s]
    modelled = request.missing == "model"
    if request.missing in {"error", "category"} and missing.max(initial=0) > 0:
        holes = np.asarray(missing.any(axis=1))
        if request.missing == "error":
            feature = int(np.argmax(holes))
            raise DataError(
                f"column {batch.name(feature)!r} must not have missing values, found one in row "
                f"{batch.where(_first_missing(batch, feature))}: {ADVICE}"
            )
        counts = np.insert(counts, levels.offsets[1:][holes], missing[holes], axis=0)
        levels = Levels.of((*levels[i], None) if hole else levels[i] for i, hole in enumerate(holes.tolist()))
    return Tables(
        batch.names,
        plan.target.classes,
        levels,
        counts if counts.shape[1] == s else np.ascontiguousarray(counts[:, :s]),
        class_counts=class_counts,
        by_class=np.ascontiguousarray(missing[:, :s]) if modelled else None,
        by_value=np.ascontiguousarray(counts[:, s]) if modelled and plan.target.missing else None,
        cuts=plan.encoder.cuts,
        library=batch.library,
    )


def _first_missing(batch: Batch, feature: int) -> int:
    if batch.sparse is not None:
        column = batch.sparse[:, [feature]].tocoo()
        return int(column.row[np.isnan(column.data)].min())
    return int(np.argmax(absent(batch.columns([feature], 1)[0])))


def _warn_about(tables: Tables, rows: int, like: Tables | None) -> None:
    """Warn about what a user may not expect."""
    present = tables.class_counts > 0
    if len(tables.classes) < 2 if like is not None else np.count_nonzero(present) < 2:
        only = [value for value, here in zip(tables.classes, present.tolist(), strict=True) if here]
        warn(
            f"the target has one class, {only[0]!r}: no feature can tell anything about it"
            if only
            else "no row has both its class and a value: nothing was counted"
        )
    lengths = list(map(len, tables._levels.pools))
    if min(lengths) > 0 and (rows <= FEW_ROWS or max(lengths) < rows):
        return
    sizes = tables._levels.sizes
    if not sizes.all():
        warn(f"{_some(tables.features[i] for i in np.flatnonzero(sizes == 0))} has no value in any row")
    if rows > FEW_ROWS and (sizes >= rows).any():
        many = [tables.features[i] for i in np.flatnonzero(sizes >= rows)]
        warn(f"{_some(many)} has as many values as there are rows: an identifier says nothing about new rows")


def _some(names: Iterable[Any]) -> str:
    listed = [repr(name) for name in names]
    return f"column {listed[0]}" + (f" (and {len(listed) - 1} more)" if len(listed) > 1 else "")
