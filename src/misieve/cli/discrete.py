"""All rows of a file as categories: continuous columns are cut by MDL on the whole of it, as the paper does."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve import count
from misieve._errors import DataError
from misieve.binning import apply_cuts
from misieve.cli.inputs import STDIN, check_column, naming, opened
from misieve.files import TARGET, Reading, format_of, read_svmlight, spooled
from misieve.frames import read
from misieve.quantities import bin_codes
from misieve.tables import Tables

__all__ = ["Discrete", "read_discrete"]


@dataclass(frozen=True)
class Discrete:
    """Features and target without continuous columns, and what was done to them."""

    source: str
    format: str
    X: Any
    y: Any
    target: str
    #: The rows of the file that X has: those with a class.
    rows: NDArray[np.int64]
    #: Rows of the file.
    total: int
    #: Columns that were cut, and those in which no cut tells the classes apart, which X lacks.
    cut: tuple[str, ...]
    uncut: tuple[str, ...]
    #: What was found out about the file, in words.
    notes: tuple[str, ...]


def read_discrete(data: str, target: str, reading: Reading, *, missing: str, format: str | None = None) -> Discrete:
    """Read and cut a file; rows without a class are left out unless ``missing`` is "error"."""
    if (format or (None if data == STDIN else format_of(Path(data)))) == "svmlight":
        return _sparse(data, target, reading, missing)
    with opened(data, reading, format) as file, naming(file.label):
        check_column(target, file.names)
        frame = file.whole()
        notes = tuple(file.notes)
        tables = _counted(frame, target, missing)
        labels = frame[target]
        known = (labels.fill_nan(None) if labels.dtype.is_float() else labels).is_not_null().to_numpy()
        cut, uncut = _cuts(tables)
        _refuse_nothing(known, target, len(tables) - len(uncut))
        rows = np.flatnonzero(known)
        X = _cut_frame(frame, cut).drop(uncut)
        X = X if len(rows) == len(known) else X.filter(known)
        return Discrete(file.label, file.format, X, target, target, rows, len(known), tuple(cut), uncut, notes)


def _sparse(data: str, target: str, reading: Reading, missing: str) -> Discrete:
    """The same of an svmlight file: what is not stored is zero."""
    label = "standard input" if data == STDIN else data
    if target != TARGET:
        raise DataError(f"{label}: the labels of an svmlight file are called {TARGET!r}, there is no column {target!r}")
    with naming(label):
        if data == STDIN:
            with spooled() as path:
                X, y = read_svmlight(path)
        else:
            X, y = read_svmlight(Path(data))
        tables = _counted(X, y, missing)
        for name in reading.exclude:
            check_column(name, list(tables))
        known = ~np.isnan(y)
        cut, uncut = _cuts(tables)
        gone = {*uncut, *reading.exclude}
        X = _cut_sparse(X, cut)[:, [i for i, name in enumerate(tables) if name not in gone]]
        rows = np.flatnonzero(known)
        _refuse_nothing(known, target, X.shape[1])
        cut = {name: cuts for name, cuts in cut.items() if name not in gone}
        return Discrete(label, "svmlight", X.tocsr()[rows], y[rows], target, rows, len(y), tuple(cut), uncut, ())


def _counted(X: Any, y: Any, missing: str) -> Tables:
    """Counting finds the cuts, and warns of what is odd in the data."""
    return count(X, y, bins="mdl", missing="error" if missing == "error" else "pairwise")


def _cuts(tables: Tables) -> tuple[dict[str, NDArray[np.float64]], tuple[str, ...]]:
    """Cut points by name, and the names of the columns without any."""
    found = {name: cuts for name, cuts in tables.cuts.items() if len(cuts)}
    return found, tuple(name for name in tables.cuts if name not in found)


def _refuse_nothing(known: NDArray[np.bool_], target: str, features: int) -> None:
    """There must be a class and a feature left."""
    if not known.any():
        raise DataError(f"target {target!r} must have a class in some row, found it missing in all {len(known):,}")
    if not features:
        raise DataError(
            "there must be a feature to evaluate, found only continuous ones that no cut makes tell the classes apart"
        )


def _cut_frame(frame: Any, cuts: Mapping[str, NDArray[np.float64]]) -> Any:
    """Bins instead of the values of some columns, null where these are missing."""
    import polars as pl

    if not cuts:
        return frame
    columns_of = read(frame.select(list(cuts))).columns(range(len(cuts)), 1)
    bins = [pl.Series(name, bin_codes(column, own)) for column, (name, own) in zip(columns_of, cuts.items(), strict=True)]
    columns = pl.col(list(cuts))
    return frame.with_columns(bins).with_columns(pl.when(columns >= 0).then(columns))


def _cut_sparse(X: Any, cuts: Mapping[str, NDArray[np.float64]]) -> Any:
    """Whole numbers instead of the values of some columns, 0 for the bin that holds 0."""
    matrix = X.tocsc(copy=True)
    matrix.sum_duplicates()
    for name, own in cuts.items():
        column = int(name.removeprefix("x"))
        cells = slice(matrix.indptr[column], matrix.indptr[column + 1])
        codes = apply_cuts(matrix.data[cells], own)
        zero = apply_cuts([0.0], own)[0]
        matrix.data[cells] = np.where(codes < 0, np.nan, np.where(codes == zero, 0, codes + 1))
    matrix.eliminate_zeros()
    return matrix
