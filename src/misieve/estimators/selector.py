"""MISelector: the filters of :mod:`misieve.decide` as a scikit-learn feature selector that also learns batch by batch."""

from typing import Any, Self

import narwhals
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted

from misieve._errors import DataError, OptionError, warn
from misieve._validate import known_option
from misieve.counting import MISSING
from misieve.decide import Selection, check_rule, select
from misieve.estimators.inputs import check_features, check_target, count_rows, is_frame, with_classes
from misieve.tables import Tables

__all__ = ["MISelector"]

Array = NDArray[np.float64]


class MISelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    r"""Keep the features whose mutual information with the target surely matters.

    The posterior distribution of the mutual information :math:`I` of each feature with the classes is compared with a
    threshold :math:`\varepsilon`; see :mod:`misieve.decide` for the rules.

    Frames, arrays and sparse matrices are taken as they come, with missing values and categories. What a column is:

    - text, truth values, and categories by their dtype: categories;
    - whole numbers, dates, times and durations of at most 64 distinct values: categories;
    - other numbers, dates, times and durations: continuous; they are cut as ``discretize`` says. The cuts are kept
      (``tables_.cuts``) and used again by ``partial_fit``. A column in which no cut tells the classes apart is dropped, and its
      reason says so.

    Which of these a column was taken for, and how it was decided on, is what ``selection_.to_frame()`` reports.

    Parameters
    ----------
    rule : {"forward", "backward", "empirical", "fdr"}, default="forward"
        Keep a feature iff P(I > epsilon) >= level; unless P(I <= epsilon) >= level; iff the plug-in value exceeds epsilon;
        or keep the largest set whose expected share of features below epsilon is at most 1 - level.
    epsilon : float, default=0.005
        The least mutual information worth keeping.
    unit : {"share", "nats", "bits"}, default="share"
        Unit of ``epsilon``. A share is of the target's entropy: on rare targets a fixed number of nats drops everything.
    level : float, default=0.95
        The probability that the rules ask for.
    prior, law, variance, independence
        How the posterior is made, see :func:`misieve.posterior`. ``independence="auto"`` learns from all features how probable
        it is that one is independent of the target, so that noise with many values is not kept; 0.0 is the paper's filter.
    missing : {"model", "pairwise", "category", "error"}, default="model"
        What becomes of missing values: incomplete samples that still inform the posterior; left out, feature by feature; a
        category of their own; an error.
    discretize : "mdl", int, None, dict, or fitted MDLDiscretizer, default="mdl"
        How continuous columns are cut: where the class changes; into so many quantile bins; not at all, then a fractional
        value is an error; by column name into bins or at cut points, other columns are left alone; or as fitted elsewhere.
    min_features : int, default=0
        Keep at least that many, those of greatest probability first.
    n_jobs : int, optional
        Threads for counting; all cores by default, one inside a joblib worker.

    Attributes
    ----------
    scores_, std_ : arrays of shape (n_features,)
        Posterior mean and standard deviation of I, in nats.
    probability_ : array of shape (n_features,)
        P(I > epsilon).
    interval_ : tuple of two arrays of shape (n_features,)
        The quantiles at 1 - level and level: forward keeps iff the lower exceeds epsilon, backward drops iff the upper does
        not.
    independence_ : array of shape (n_features,)
        Posterior probability that feature and target are independent.
    tables_ : Tables
        The counts; they add up, and can be saved.
    selection_ : Selection
        What is kept and why; ``selection_.to_frame()`` is the whole table, ``misieve.plot(selection_)`` a picture of it.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from misieve import MISelector
    >>> X, y = load_iris(return_X_y=True)
    >>> MISelector(epsilon=0.3).fit(X, y).get_feature_names_out().tolist()
    ['x2', 'x3']
    """

    tables_: Tables
    # The decision, once it is made from the counts as they are: looking at it does not change the model.
    _derived: dict[str, Selection]

    def __init__(
        self,
        *,
        rule: str = "forward",
        epsilon: float = 0.005,
        unit: str = "share",
        level: float = 0.95,
        prior: Any = "uniform",
        law: str = "noncentral-beta",
        variance: str = "auto",
        independence: Any = "auto",
        missing: str = "model",
        discretize: Any = "mdl",
        min_features: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        """Store the options; they are checked by ``fit``."""
        self.rule = rule
        self.epsilon = epsilon
        self.unit = unit
        self.level = level
        self.prior = prior
        self.law = law
        self.variance = variance
        self.independence = independence
        self.missing = missing
        self.discretize = discretize
        self.min_features = min_features
        self.n_jobs = n_jobs

    # ---- Learning ----------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count ``X`` (n, p) against the classes ``y`` (n,) and decide; rows of weight zero do not exist."""
        self._count(X, y, sample_weight, None, more=False)
        self._derived["selection"] = self.decide(self.tables_)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add a batch to the counts; the decision is made anew from all of them when it is next asked for.

        New categories and classes extend the tables. ``classes`` may name classes that are still to come. Cuts come from an
        earlier ``fit`` or from the first batch, and stay: after all discrete batches the result is that of one ``fit``.
        """
        first = not hasattr(self, "tables_")
        self._count(X, y, sample_weight, None if first else self.tables_, classes=classes, more=True)
        if first and self.tables_.cuts and isinstance(self.discretize, (str, int)):
            names = ", ".join(map(repr, list(self.tables_.cuts)[:5])) + (", ..." if len(self.tables_.cuts) > 5 else "")
            warn(
                f"continuous columns ({names}) were cut by the first batch alone, and the cuts stay: fit() on a large sample "
                "first, or give cut points with discretize="
            )
        return self

    def _count(self, X: Any, y: Any, sample_weight: Any, like: Tables | None, *, classes: Any = None, more: bool) -> None:
        """Count a batch after checking the options, so that nothing changes if something is wrong."""
        check_rule(self.rule, self.epsilon, self.unit, self.level)
        known_option("missing", self.missing, MISSING)
        whole = isinstance(self.min_features, (int, np.integer)) and not isinstance(self.min_features, bool)
        if not whole or self.min_features < 0:
            raise OptionError(f"min_features must be a whole number from 0 up, not {self.min_features!r}")
        labels = check_target(self, y, holes=self.missing in {"model", "pairwise"})
        X = check_features(self, X, reset=like is None)
        tables = count_rows(self, X, labels, sample_weight, like, missing=self.missing, more=more)
        tables = tables if like is None else like + tables
        self.tables_ = tables if classes is None else with_classes(tables, classes)
        self._derived = {}

    def decide(self, tables: Tables) -> Selection:
        """Apply the options of this selector to any Tables."""
        return select(
            tables,
            rule=self.rule,
            epsilon=self.epsilon,
            unit=self.unit,
            level=self.level,
            prior=self.prior,
            law=self.law,
            variance=self.variance,
            independence=self.independence,
        ).at_least(int(self.min_features))

    # ---- What was learned --------------------------------------------------------------------------------------------------

    @property
    def selection_(self) -> Selection:
        """What is kept and why, decided from the counts as they are now."""
        if not hasattr(self, "tables_"):
            raise AttributeError("selection_ is there after fit()")
        if "selection" not in self._derived:
            self._derived["selection"] = self.decide(self.tables_)
        return self._derived["selection"]

    @property
    def scores_(self) -> Array:
        """Posterior mean of the mutual information, in nats."""
        return self.selection_.mean

    @property
    def std_(self) -> Array:
        """Posterior standard deviation of the mutual information, in nats."""
        return self.selection_.posterior.std()

    @property
    def probability_(self) -> Array:
        """P(I > epsilon)."""
        return self.selection_.probability

    @property
    def interval_(self) -> tuple[Array, Array]:
        """The quantiles at 1 - level and level."""
        return self.selection_.interval

    @property
    def independence_(self) -> Array:
        """Posterior probability of independence."""
        return self.selection_.posterior.independence

    # ---- Selecting ---------------------------------------------------------------------------------------------------------

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.selection_.support.copy()

    def transform(self, X: Any) -> Any:
        """Keep the selected columns of a frame, an array or a sparse matrix; the kind of container stays the same."""
        support = self._get_support_mask()
        X = check_features(self, X, reset=False)
        if not support.any():
            warn(
                f"No features were selected: none passes the rule {self.rule!r} with epsilon={self.epsilon:g} "
                f"(unit={self.unit!r}) at level={self.level:g}; selection_.to_frame() says why, min_features= keeps the best",
                UserWarning,
            )
        kept = np.flatnonzero(support)
        if not is_frame(X):
            return X[:, kept]
        if hasattr(X, "iloc"):
            chosen = X.iloc[:, kept]
        else:
            frame = narwhals.from_native(X, eager_only=True)
            chosen = frame.select([frame.columns[i] for i in kept]).to_native()
        return _converted(
            chosen, getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        )

    def inverse_transform(self, X: Any) -> Any:
        """Put columns of zeros where :meth:`transform` removed some: an array, or a sparse matrix; missing values stay."""
        if issparse(X):
            return super().inverse_transform(X)
        support = self._get_support_mask()
        X = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_features=0)
        if X.shape[1] != support.sum():
            raise DataError(
                f"X has a different shape than during fitting: it must have the {support.sum()} selected columns, found "
                f"{X.shape[1]}"
            )
        whole = np.zeros((len(X), len(support)), X.dtype)
        whole[:, support] = X
        return whole

    def __sklearn_tags__(self) -> Tags:
        """Say that NaN, categories, text and sparse matrices are welcome, and that ``y`` is needed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _converted(frame: Any, wanted: str) -> Any:
    """A frame in the library that ``set_output`` asks for."""
    if wanted not in {"pandas", "polars"} or type(frame).__module__.partition(".")[0] == wanted:
        return frame
    wrapped = narwhals.from_native(frame, eager_only=True)
    return wrapped.to_pandas() if wanted == "pandas" else wrapped.to_polars()
