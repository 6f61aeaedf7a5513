"""What scikit-learn hands to an estimator -> Tables: its checks of features and target, and the options of counting."""

import warnings
from pathlib import Path
from typing import Any

import narwhals
import numpy as np
from narwhals.dependencies import is_into_dataframe, is_into_lazyframe
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d, validate_data

from misieve._errors import DataError, MisieveWarning, OptionError
from misieve.binning import checked_bins
from misieve.counting import count
from misieve.frames import BadCell, read
from misieve.frames.batch import distinct_names
from misieve.frames.column import absent
from misieve.labels import canonical_labels, is_missing
from misieve.quantities import to_numbers
from misieve.tables import Tables
from misieve.tally import located

__all__ = ["bins_of", "check_features", "check_target", "count_rows", "frame_numbers", "is_frame", "with_classes"]


# More numbers than this, and in most rows another one, measure something rather than name classes.
MANY_CLASSES = 64


def is_frame(X: Any) -> bool:
    """Whether X has named columns of types of their own: pandas, polars, pyarrow and whatever narwhals knows."""
    return bool(is_into_dataframe(X))


def check_features(estimator: Any, X: Any, *, reset: bool, none: bool = False) -> Any:
    """Frames as they are, sparse matrices as CSR or CSC, anything else as an array; scikit-learn's checks of shape and names.

    With ``reset`` the number and the names of the features are remembered, else they must be those remembered. ``none``
    allows for no feature at all.
    """
    _refuse_unread(X)
    if is_frame(X):
        distinct_names(_names(X))
        return validate_data(estimator, X, reset=reset, skip_check_array=True)
    if isinstance(X, np.ma.MaskedArray):
        X = _filled(X)
    elif isinstance(X, (list, tuple)) and np.asarray(X).dtype.kind in "US":
        X = np.array(X, dtype=object)  # numbers beside text stay numbers
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csr", "csc"),
        dtype=None,
        ensure_all_finite=False,
        ensure_min_features=0 if none else 1,
    )


def _refuse_unread(X: Any) -> None:
    """DataError for data that are not in memory, which counting takes but estimators cannot."""
    if isinstance(X, (str, Path)) or is_into_lazyframe(X):
        what = f"the path {str(X)!r}" if isinstance(X, (str, Path)) else f"a lazy frame ({type(X).__name__})"
        raise DataError(
            f"X must be in memory, found {what}: read or collect it first, or count it batch by batch with "
            "misieve.count(X, target) and pass the Tables to misieve.select"
        )


def frame_numbers(X: Any) -> NDArray[Any]:
    """The columns of a frame as numbers (n, p), NaN where one is missing; DataError names a column that holds none."""
    batch = read(X)
    table = []
    for feature in range(batch.width):
        try:
            column = batch.columns([feature], 1)[0]
            numbers = column if column.values.dtype.kind == "b" else to_numbers(column)
        except BadCell as wrong:
            raise located(batch, batch.name(feature), wrong) from None
        dtype = np.float32 if numbers.values.dtype == np.float32 else np.float64
        table.append(np.where(absent(numbers), np.nan, numbers.values).astype(dtype))
    return np.column_stack(table) if table else np.empty((batch.rows, 0))


def check_target(estimator: Any, y: Any, *, holes: bool) -> NDArray[Any]:
    """``y`` as a vector of classes; with ``holes`` some may be missing. DataError for what is no class."""
    if y is None:
        raise DataError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None: features are judged by what they "
            "tell about it"
        )
    if isinstance(y, str):
        raise DataError(
            f"y must hold the classes of the rows, found the text {y!r}: if that is a column of X, pass y=X[{y!r}] and leave "
            "the column out of X"
        )
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    gone = np.zeros(len(labels), np.bool_)
    if labels.dtype.kind == "f":
        gone = np.isnan(labels)
    elif labels.dtype.kind == "O":
        gone = np.fromiter(map(is_missing, labels.tolist()), np.bool_, len(labels))
    known = labels[~gone]
    if len(labels) and gone.all():
        raise DataError("y must hold classes, found missing values only: Input y contains NaN")
    if gone.any() and not holes:
        raise DataError(
            f"y must not have missing values, found {np.count_nonzero(gone)} (Input y contains NaN), the first in row "
            f"{np.argmax(gone)}: leave these rows out"
        )
    if known.dtype.kind == "O" and all(isinstance(label, (float, np.floating)) for label in known):
        known = known.astype(np.float64)
    if known.dtype.kind == "f":
        if np.isinf(known).any():
            raise DataError("y must hold classes, found inf: Input y contains infinity")
        broken = known != np.trunc(known)
        if broken.any():
            raise DataError(
                f"y must hold classes, found {known[broken][0]} (Unknown label type: continuous): cut the target itself first, "
                "for example pandas.qcut(y, 4).codes, or convert it to integers or text if its values are classes"
            )
    many = known.dtype.kind in "iuf" and len(known) > MANY_CLASSES and known.max() - known.min() >= MANY_CLASSES
    if many and (found := len(np.unique(known))) > max(MANY_CLASSES, len(known) / 2):
        raise DataError(
            f"y must hold classes, found {found} different numbers in {len(known)} rows: cut the target itself first, for "
            "example pandas.qcut(y, 4).codes, or convert it to text if its values are classes"
        )
    if known.dtype.kind == "c":
        raise DataError("y must hold classes, found complex numbers (Complex data not supported)")
    return labels


def bins_of(discretize: Any, X: Any) -> Any:
    """The option ``discretize=`` as the ``bins=`` of counting."""
    if discretize is None or isinstance(discretize, dict):
        return discretize
    if hasattr(discretize, "cut_points_"):  # a fitted MDLDiscretizer, frozen or not
        names = _names(X)
        if len(discretize.cut_points_) != len(names):
            raise DataError(
                f"the discretizer must have been fitted to the same features, found {len(discretize.cut_points_)} columns "
                f"of cuts for {len(names)} features"
            )
        return {name: np.asarray(cuts) for name, cuts in zip(names, discretize.cut_points_, strict=True)}
    try:
        bins = checked_bins(discretize)
    except OptionError:
        bins = None
    if isinstance(bins, (int, str)):
        return bins
    raise OptionError(
        "discretize must be 'mdl', a number of quantile bins from 2 up, None, a dict of those or of cut points by column name, "
        f"or a fitted MDLDiscretizer; found {discretize!r}"
    )


def count_rows(
    estimator: Any, X: Any, y: NDArray[Any], sample_weight: Any, like: Tables | None, *, missing: str, more: bool
) -> Tables:
    """Count a batch by the options of an estimator; ``like`` holds the categories and cuts of earlier ones.

    ``more`` when other batches may follow: then the first one may well have a single class.
    """
    if isinstance(sample_weight, (int, float, np.number)):
        sample_weight = np.full(len(y), float(sample_weight))
    if X.shape[1] == 0:  # a model without features still has its classes
        ones = np.zeros((X.shape[0], 1), np.uint8)
        tables = count(ones, y, missing=missing, sample_weight=sample_weight).take(np.empty(0, np.int64))
        return tables if like is None else like.zeros() + tables
    bins = bins_of(estimator.discretize, X) if like is None else None
    with warnings.catch_warnings():
        if more:
            warnings.filterwarnings("ignore", "the target has one class", MisieveWarning)
        return count(X, y, like=like, bins=bins, missing=missing, sample_weight=sample_weight, n_jobs=estimator.n_jobs)


def with_classes(tables: Tables, classes: Any) -> Tables:
    """Tables that have the declared classes as well, whether or not they occur."""
    declared = canonical_labels(np.asarray(classes).tolist(), "classes=")
    empty = np.zeros((int(tables._levels.offsets[-1]), len(declared)), np.int64)
    parts = [empty, np.zeros(len(declared), np.int64), None, None]
    return tables._with(declared, tables._levels, parts) + tables


def _filled(X: Any) -> Any:
    """A masked array as one with NaN or None in the masked places."""
    return X.astype(np.float64).filled(np.nan) if X.dtype.kind in "biuf" else X.astype(object).filled(None)


def _names(X: Any) -> list[Any]:
    """The names that counting gives to the features."""
    if is_frame(X):
        return list(X.columns) if type(X).__module__.startswith("pandas") else narwhals.from_native(X, eager_only=True).columns
    return [f"x{i}" for i in range(X.shape[1])]
