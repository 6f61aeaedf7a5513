"""NaiveBayes: discrete naive Bayes on Tables, which learns and forgets row by row and merges."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from misieve._errors import OptionError
from misieve._threads import threads
from misieve._validate import fraction, known_option
from misieve.decide import Selection, check_rule
from misieve.discretize import check_weights
from misieve.estimators.inputs import check_features, check_target, count_rows, with_classes
from misieve.estimators.likelihood import Likelihood, likelihood, refuse_missing
from misieve.estimators.selector import MISelector
from misieve.frames import read
from misieve.tables import Tables

__all__ = ["NaiveBayes"]

Array = NDArray[np.float64]

# What ``missing=`` means for counting: an ignored value is an incomplete sample, which a selector may want.
_COUNTED = {"ignore": "model", "category": "category", "error": "error"}


def aged(weights: Array, decay: float) -> tuple[Array, float]:
    r"""Weights after every later row has made them smaller, and what is left of the weight of rows before these.

    A row of weight w is w rows, the last of them the youngest: :math:`d^L (1 - d^w) / (1 - d)` with L the weight after it.
    """
    through = np.cumsum(weights)
    total = float(through[-1]) if len(through) else 0.0
    own = -np.expm1(weights * np.log(decay)) / (1.0 - decay)
    return own * decay ** (total - through), decay**total


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    r"""Naive Bayes for categories, numbers in bins, and sparse rows.

    .. math:: P(c \mid x) \propto P(c) \prod_f \frac{n_{x_f c} + a}{n_{+c} + r_f a}

    The products run over the values that a row has: missing ones are left out, and so are values that were never counted. Sums
    of logarithms keep the probabilities right with any number of features. What a column is (category or continuous) is
    decided as in :class:`misieve.MISelector`. Two fitted models add up: ``a + b`` is the model of both their samples.

    Parameters
    ----------
    selector : MISelector, optional
        Classify with the features that its filter keeps *now*, by the counts so far; where it keeps none, by the class prior
        alone. Only its rule and its posterior matter: columns are cut, and missing values counted, as told here.
    prior : {"uniform", "jeffreys", "perks"}, number or array, default="uniform"
        Pseudo-counts of each value and class; they must be positive.
    class_prior : {"uniform", "empirical"}, default="uniform"
        "uniform" adds one to the count of each class; "empirical" takes their shares as they are, as CategoricalNB does.
    discretize : "mdl", int, None, dict, or fitted MDLDiscretizer, default="mdl"
        How continuous columns are cut, see :class:`misieve.MISelector`.
    missing : {"ignore", "category", "error"}, default="ignore"
        Missing values are left out, are a category of their own, or are refused.
    decay : float, optional
        Strictly between 0 and 1: every new row multiplies the weight of all earlier ones by it. Rows are then taken in
        the order in which they stand, and the result does not depend on how they are cut into batches. A row of weight 2 is
        two rows.
    unseen : {"ignore", "error"}, default="ignore"
        Values at prediction that were never counted are left out, or refused.
    n_jobs : int, optional
        Threads; all cores by default, one inside a joblib worker.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    class_count_ : array of shape (n_classes,)
    tables_ : Tables
        The counts of all features.
    selection_ : Selection or None
        What the selector keeps now.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from misieve import NaiveBayes
    >>> model = NaiveBayes().fit([["sun", "dry"], ["sun", "dry"], ["rain", "wet"]], ["go", "go", "stay"])
    >>> model.predict([["rain", None], ["sun", "dry"]]).tolist()
    ['stay', 'go']
    """

    tables_: Tables
    _label_dtype: np.dtype[Any] | None
    # What is computed from the counts when first needed: prediction fills it in without changing the model.
    _derived: dict[str, Any]

    def __init__(
        self,
        *,
        selector: Any = None,
        prior: Any = "uniform",
        class_prior: str = "uniform",
        discretize: Any = "mdl",
        missing: str = "ignore",
        decay: float | None = None,
        unseen: str = "ignore",
        n_jobs: int | None = None,
    ) -> None:
        """Store the options; they are checked by ``fit``."""
        self.selector = selector
        self.prior = prior
        self.class_prior = class_prior
        self.discretize = discretize
        self.missing = missing
        self.decay = decay
        self.unseen = unseen
        self.n_jobs = n_jobs

    # ---- Learning ----------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count ``X`` (n, p) against the classes ``y`` (n,)."""
        self._count(X, y, sample_weight, None, more=False)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add a batch to the counts. Classes may be new; ``classes`` names some that are still to come."""
        self._count(X, y, sample_weight, getattr(self, "tables_", None), classes=classes, more=True)
        return self

    def _count(self, X: Any, y: Any, sample_weight: Any, like: Tables | None, *, classes: Any = None, more: bool) -> None:
        self._check_options()
        labels = check_target(self, y, holes=self.missing == "ignore")
        X = check_features(self, X, reset=like is None, none=True)
        weights, left = sample_weight, 1.0
        if self.decay is not None:
            given = np.ones(len(labels)) if weights is None else check_weights(weights, "sample_weight", len(labels))
            weights, left = aged(given, float(self.decay))
        tables = count_rows(self, X, labels, weights, like, missing=_COUNTED[self.missing], more=more)
        tables = tables if like is None else (like if self.decay is None else like.scaled(left)) + tables
        self.tables_ = tables if classes is None else with_classes(tables, classes)
        kinds = {labels.dtype} if like is None else {labels.dtype, self._label_dtype}
        self._label_dtype = kinds.pop() if len(kinds) == 1 else None
        self._derived = {}

    def _check_options(self) -> None:
        known_option("class_prior", self.class_prior, ("uniform", "empirical"))
        known_option("missing", self.missing, _COUNTED)
        known_option("unseen", self.unseen, ("ignore", "error"))
        if self.decay is not None:
            fraction("decay", self.decay)
        if self.selector is None:
            return
        if not isinstance(self.selector, MISelector):
            shown = f"the class {self.selector.__name__}" if isinstance(self.selector, type) else type(self.selector).__name__
            raise OptionError(f"selector must be None or a MISelector, not {shown}")
        check_rule(self.selector.rule, self.selector.epsilon, self.selector.unit, self.selector.level)
        own, asked = self.discretize, self.selector.discretize
        simple = asked is None or isinstance(asked, (str, int))
        if (simple and asked not in ("mdl", own)) or (not simple and type(asked) is not type(own)):
            raise OptionError(
                f"selector must not cut columns in its own way, found discretize={asked!r} beside {own!r} of the model: "
                "give it to NaiveBayes, whose counts the selector looks at"
            )

    def __add__(self, other: "NaiveBayes") -> "NaiveBayes":
        """The model of the samples of both, with the options of the first; their cuts must be the same."""
        if not isinstance(other, NaiveBayes):
            return NotImplemented
        check_is_fitted(self)
        check_is_fitted(other)
        if self.missing != other.missing:
            raise OptionError(
                f"models must treat missing values alike to be added, found missing={self.missing!r} and {other.missing!r}"
            )
        result: NaiveBayes = clone(self)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(result, name, getattr(self, name))
        result.tables_ = self.tables_ + other.tables_
        result._label_dtype = self._label_dtype if self._label_dtype == other._label_dtype else None
        result._derived = {}
        return result

    # ---- What was learned --------------------------------------------------------------------------------------------------

    def _counted(self, what: str) -> Tables:
        if not hasattr(self, "tables_"):
            raise AttributeError(f"{what} is there after fit()")
        return self.tables_

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, sorted, in the type of ``y``."""
        values = list(self._counted("classes_").classes)
        dtype = self._label_dtype
        if dtype is None or dtype.kind == "O" or dtype.kind not in "biufUS":
            array = np.empty(len(values), object)
            array[:] = values
            return array if dtype is not None else np.array(values)
        return np.array(values) if dtype.kind in "US" else np.array(values).astype(dtype)

    @property
    def class_count_(self) -> NDArray[Any]:
        """The number, or the weight, of the rows of each class."""
        return self._counted("class_count_").class_counts

    @property
    def selection_(self) -> Selection | None:
        """What the selector keeps by the counts so far; None without a selector."""
        tables = self._counted("selection_")
        if self.selector is None or not len(tables):
            return None
        if "selection" not in self._derived:
            self._derived["selection"] = self.selector.decide(tables)
        found: Selection = self._derived["selection"]
        return found

    @property
    def class_log_prior_(self) -> Array:
        """Logarithm of the chance of each class."""
        counts = np.asarray(self._counted("class_log_prior_").class_counts, np.float64)
        if self.class_prior == "uniform":
            counts = counts + 1.0
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(counts) - np.log(counts.sum()))

    def _model(self) -> Likelihood:
        if "likelihood" not in self._derived:
            selection = self.selection_
            used = np.ones(len(self.tables_), np.bool_) if selection is None else selection.support
            self._derived["likelihood"] = likelihood(self.tables_, self.prior, used)
        found: Likelihood = self._derived["likelihood"]
        return found

    # ---- Predicting --------------------------------------------------------------------------------------------------------

    def predict_joint_log_proba(self, X: Any) -> Array:
        r"""Return :math:`\log P(c) + \sum_f \log P(x_f \mid c)` for each row and class: (n, n_classes)."""
        return self._joint(X, contrast=False)

    def _joint(self, X: Any, *, contrast: bool) -> Array:
        """Sums of logarithms: all of them, or relative to the first class."""
        check_is_fitted(self)
        X = check_features(self, X, reset=False, none=True)
        if not len(self.tables_):
            return np.tile(self.class_log_prior_, (X.shape[0], 1))
        batch = read(X)
        if self.missing == "error":
            refuse_missing(batch)
        model = self._model().contrast if contrast else self._model()
        return model.sums(batch, self.class_log_prior_, threads(self.n_jobs), refuse=self.unseen == "error")

    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of the probabilities of the classes: (n, n_classes)."""
        joint = self._joint(X, contrast=True)
        return joint - np.asarray(logsumexp(joint, axis=1, keepdims=True))

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes: (n, n_classes)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row; of equally probable ones, the first."""
        joint = self._joint(X, contrast=True)
        chosen: NDArray[Any] = self.classes_[np.argmax(joint, axis=1)]
        return chosen

    def __sklearn_tags__(self) -> Tags:
        """Say that NaN, categories, text and sparse matrices are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
