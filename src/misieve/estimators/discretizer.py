"""MDLDiscretizer: the cuts of :mod:`misieve.discretize` as a scikit-learn transformer."""

from typing import Any, Self, cast

import narwhals
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from misieve import discretize
from misieve._errors import DataError, warn
from misieve.binning import apply_cuts
from misieve.estimators.inputs import check_features, check_target, frame_numbers, is_frame

__all__ = ["MDLDiscretizer"]


class MDLDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Cut continuous columns where the class changes, by Fayyad and Irani's minimum description length method.

    The interval of a value is a code from 0 up; a value equal to a cut goes to the interval on its left. Missing values stay
    missing and take no part in finding the cuts; rows of weight zero do not exist. The method and its conventions are
    described in :mod:`misieve.discretize`. A column without a cut says nothing, on its own, about the class: it is kept, all
    zeros, and its name is in ``no_cut_``.

    Parameters
    ----------
    criterion : {"mdl", "entropy"}, default="mdl"
        "mdl" splits as long as the split is worth its description. "entropy" takes the splits that win most information
        until there are ``max_bins`` intervals.
    max_bins : int, optional
        Greatest number of intervals of a column, the best splits first; needed by ``criterion="entropy"``.

    Attributes
    ----------
    cut_points_ : list of arrays
        The cuts of each column, ascending, as float64; those of dates and times are seconds since 1970.
    n_bins_ : array of int, shape (n_features,)
        Number of intervals of each column.
    no_cut_ : array of str
        Names of the columns with one interval only.
    classes_ : array
        The classes found in ``y``, in rows of positive weight.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from misieve import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> [cuts.round(2).tolist() for cuts in MDLDiscretizer().fit(X, y).cut_points_]
    [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    """

    def __init__(self, *, criterion: str = "mdl", max_bins: int | None = None) -> None:
        """Store the options; they are checked by ``fit``."""
        self.criterion = criterion
        self.max_bins = max_bins

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the cuts of every column of ``X`` (n, p) against the classes ``y`` (n,).

        Frames of numbers, dates, times and durations; arrays and anything that scikit-learn takes. NaN and null are missing.
        """
        discretize.check_rules(self.criterion, self.max_bins)
        labels = check_target(self, y, holes=False)
        table = self._numbers(X, reset=True)
        check_consistent_length(table, labels)
        weights = _sample_weights(sample_weight, len(table))
        if weights is not None:
            kept = weights > 0
            if not kept.any():
                raise DataError(
                    "sample_weight must not be zero in every row: rows of weight zero do not exist, and none is left to cut"
                )
            table, labels, weights = table[kept], labels[kept], weights[kept]
        try:
            self.classes_, codes = np.unique(labels, return_inverse=True)
        except TypeError:
            raise DataError("the classes in y must be of one kind, found several: y.astype(str) makes them so") from None
        if len(self.classes_) == 1:
            warn(f"y has one class only, {self.classes_.tolist()[0]!r}: no column can be cut")
        self.cut_points_ = discretize.mdl_cuts(table, codes, weights, criterion=self.criterion, max_bins=self.max_bins)
        self.n_bins_ = np.array([len(cuts) + 1 for cuts in self.cut_points_])
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = np.array([f"x{j}" for j in range(table.shape[1])], dtype=object)
        self.no_cut_ = names[self.n_bins_ == 1]
        return self

    def transform(self, X: Any) -> Any:
        """Replace values by the codes of their intervals.

        A frame gives a frame of the same library with nullable integers. An array gives an integer array, or a float array
        with NaN where values are missing.
        """
        check_is_fitted(self)
        table = self._numbers(X, reset=False)
        codes = np.empty(table.shape, dtype=np.int64, order="F")
        for j, cuts in enumerate(self.cut_points_):
            codes[:, j] = apply_cuts(table[:, j], cuts)
        container = self._container(X)
        if container == "pandas":
            return _pandas_frame(codes, self.get_feature_names_out(), X)
        if container != "default":
            return _frame(codes, self.get_feature_names_out(), container)
        return np.where(codes < 0, np.nan, codes) if (codes < 0).any() else codes

    def _numbers(self, X: Any, *, reset: bool) -> NDArray[Any]:
        """Columns of numbers (n, p); dates and times as seconds since 1970, NaN where a value is missing."""
        if not is_frame(X):
            return np.asarray(validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite=False))
        X = check_features(self, X, reset=reset)
        return frame_numbers(X)

    def _container(self, X: Any) -> str:
        """What ``set_output`` asks for; by default the kind of container that came in."""
        wanted = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        if wanted != "default":
            return str(wanted)
        if not is_frame(X):
            return "default"
        return str(narwhals.from_native(X, eager_only=True).implementation.value)

    def __sklearn_tags__(self) -> Tags:
        """Say that NaN is welcome and that ``y`` is needed, with classes in it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = []  # codes are integers, or floats where one is missing
        return tags


def _sample_weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    return discretize.check_weights(weights, "sample_weight", n)


def _pandas_frame(codes: NDArray[np.int64], names: NDArray[Any], X: Any) -> Any:
    """Codes as int64 columns, as nullable Int64 where a value is missing, on the index of the frame that came in."""
    import pandas as pd

    columns: dict[Any, Any] = {}
    for j, name in enumerate(names):
        missing = codes[:, j] < 0
        columns[name] = pd.arrays.IntegerArray(np.where(missing, 0, codes[:, j]), missing) if missing.any() else codes[:, j]
    return pd.DataFrame(columns, index=X.index if isinstance(X, pd.DataFrame) else None)


def _frame(codes: NDArray[np.int64], names: NDArray[Any], library: str) -> Any:
    """Codes as integer columns of another library, null where a value is missing."""
    frame: Any = narwhals.from_dict({str(name): codes[:, j] for j, name in enumerate(names)}, backend=cast(Any, library))
    columns = map(narwhals.col, frame.columns)
    return frame.select(*(narwhals.when(column >= 0).then(column) for column in columns)).to_native()
