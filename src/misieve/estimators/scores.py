"""Mutual information for other libraries' selectors: a score function for scikit-learn, a statistic for river."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from misieve._optional import need
from misieve.counting import count
from misieve.estimators.inputs import bins_of, check_target
from misieve.posteriors import posterior

if TYPE_CHECKING:
    from river.stats.base import Bivariate

__all__ = ["mi_score", "river_statistic"]


def mi_score(X: Any, y: Any, *, prior: Any = "uniform", independence: Any = "auto", discretize: Any = "mdl") -> Any:
    """Posterior mean of the mutual information of each feature with the classes, in nats: (n_features,).

    A score function for ``SelectKBest``, ``SelectPercentile`` and their like in scikit-learn; options go in with
    ``functools.partial``. It corrects the plug-in value for the number of categories, and with the point mass at
    independence noise of many values scores near zero.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.feature_selection import SelectKBest
    >>> from misieve.estimators.scores import mi_score
    >>> X, y = load_iris(return_X_y=True)
    >>> SelectKBest(mi_score, k=2).fit(X, y).get_support().tolist()
    [False, False, True, True]
    """
    labels = check_target(None, y, holes=False)
    tables = count(X, labels, bins=bins_of(discretize, X), missing="pairwise")
    scores: NDArray[np.float64] = posterior(tables, prior=prior, independence=independence).mean()
    return scores


def river_statistic(*, prior: Any = "uniform", independence: Any = 0.5) -> "Bivariate":
    """Mutual information as a bivariate statistic of river, for ``river.feature_selection.SelectKBest(similarity=...)``.

    ``update(x, y)`` counts a pair of categories, ``get()`` is the posterior mean in nats. Continuous features need one of
    river's discretizers before it.
    """
    base = need("river.stats.base", extra="river", purpose="a statistic for river")

    class MutualInformation(base.Bivariate):  # type: ignore[misc, name-defined]
        """Posterior mean of the mutual information of two streams of categories."""

        def __init__(self, prior: Any = prior, independence: Any = independence) -> None:
            self.prior = prior
            self.independence = independence
            self._rows: dict[Any, int] = {}
            self._columns: dict[Any, int] = {}
            self._counts = np.zeros((2, 2))

        def update(self, x: Any, y: Any) -> Any:
            row = self._rows.setdefault(x, len(self._rows))
            column = self._columns.setdefault(y, len(self._columns))
            r, s = self._counts.shape
            if row >= r or column >= s:
                more = np.zeros((2 * r if row >= r else r, 2 * s if column >= s else s))
                more[:r, :s] = self._counts
                self._counts = more
            self._counts[row, column] += 1
            return self

        def get(self) -> float:
            if len(self._rows) < 2 or len(self._columns) < 2:
                return 0.0
            table = self._counts[: len(self._rows), : len(self._columns)]
            return float(posterior(table, prior=self.prior, independence=self.independence).mean())

    statistic: Bivariate = MutualInformation()
    return statistic
