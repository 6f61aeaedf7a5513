"""All rows of a file as categories: continuous columns are cut by MDL on the whole of it, as the paper does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve import count
from misieve._errors import DataError
from misieve.binning import apply_cuts
from misieve.cli.inputs import naming, opened
from misieve.cli.progress import working
from misieve.cli.rows import chosen, reading_of
from misieve.cli.selecting import Inputs, check_inputs, is_svmlight
from misieve.cli.sparse import file_of, first_index, labels_of
from misieve.cli.targets import Target
from misieve.files import TARGET, read_svmlight
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


def read_discrete(inputs: Inputs, missing: str) -> Discrete:
    """Read and cut a file; rows without a class are left out unless ``missing`` is "error"."""
    sparse = is_svmlight(inputs)
    check_inputs(inputs, sparse=sparse)
    return _entries(inputs, missing) if sparse else _rows(inputs, missing)


def _rows(inputs: Inputs, missing: str) -> Discrete:
    assert inputs.target is not None
    plain = reading_of(inputs)
    with opened(inputs.data, plain, inputs.format) as whole, naming(inputs.label), working(f"reading {inputs.label}"):
        file = chosen(whole, inputs, plain)
        target = Target(inputs.target, inputs.positive, text=inputs.target in file.reading.text)
        frame = target.prepared(file.whole())
        if not frame.height:
            raise DataError("the file must have at least one row below its header, found none")
        target.finish()
        tables = _counted(frame, target.name, missing)
        labels = frame[target.name]
        known = (labels.fill_nan(None) if labels.dtype.is_float() else labels).is_not_null().to_numpy()
        cut, uncut = _cuts(tables)
        _refuse_nothing(len(tables) - len(uncut))
        rows = np.flatnonzero(known)
        X = _cut_frame(frame, cut).drop(uncut)
        X = X if len(rows) == len(known) else X.filter(known)
        notes = tuple(file.notes)
        return Discrete(file.label, file.format, X, target.name, target.name, rows, len(known), tuple(cut), uncut, notes)


def _entries(inputs: Inputs, missing: str) -> Discrete:
    """The same of an svmlight file: what is not stored is zero."""
    with file_of(inputs) as path, naming(inputs.label), working(f"reading {inputs.label}"):
        X, y = read_svmlight(path)
        if not X.shape[0]:
            raise DataError("the file must have at least one row, found none")
        labels = labels_of(y, inputs.positive)
        names = list(range(first_index(X), X.shape[1]))
        tables = _counted(X, labels, missing).take(np.array(names, np.int64))
        cut, uncut = _cuts(tables)
        X = _cut_sparse(X, cut)[:, [i for i in names if f"x{i}" not in uncut]]
        _refuse_nothing(X.shape[1])
        return Discrete(inputs.label, "svmlight", X.tocsr(), labels, TARGET, np.arange(len(y)), len(y), tuple(cut), uncut, ())


def _counted(X: Any, y: Any, missing: str) -> Tables:
    """Counting finds the cuts, and warns of what is odd in the data."""
    return count(X, y, bins="mdl", missing="error" if missing == "error" else "pairwise")


def _cuts(tables: Tables) -> tuple[dict[str, NDArray[np.float64]], tuple[str, ...]]:
    """Cut points by name, and the names of the columns without any."""
    ordered = {name: tables.cuts[name] for name in tables if name in tables.cuts}  # threads find them in any order
    return {name: cuts for name, cuts in ordered.items() if len(cuts)}, tuple(n for n, cuts in ordered.items() if not len(cuts))


def _refuse_nothing(features: int) -> None:
    """There must be a feature left."""
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
