r"""The paired t test of two classifiers on the first k rows, for every k at once.

With :math:`d_i \in \{-1, 0, 1\}` the difference of correctness on row i and :math:`S_1, S_2` the sums of :math:`d_i` and
:math:`d_i^2` up to k, the two-tailed test has

.. math:: t_k = \frac{S_1 / k}{\sqrt{(S_2 - S_1^2/k) / (k (k-1))}}

with k - 1 degrees of freedom: all k in two cumulative sums.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

__all__ = ["Comparison", "compared", "p_values"]

Floats = NDArray[np.float64]


def p_values(difference: NDArray[Any]) -> Floats:
    """Two-tailed p-value of the paired t test on the first k differences, for every k along the last axis.

    NaN where there is no test: at k = 1, and as long as all differences are 0. Where all are the same other number p is 0.
    """
    d = np.asarray(difference, dtype=np.float64)
    k = np.arange(1.0, d.shape[-1] + 1.0)
    total, squares = d.cumsum(axis=-1), (d * d).cumsum(axis=-1)
    # k S2 - S1^2 is a difference of whole numbers: 0 exactly where all differences are equal.
    with np.errstate(divide="ignore", invalid="ignore"):
        t = total * np.sqrt((k - 1.0) / (k * squares - total * total))
        p: Floats = 2.0 * stdtr(k - 1.0, -np.abs(t))
    p[..., 0] = np.nan
    return p


@dataclass(frozen=True, repr=False)
class Comparison:
    """Rule ``a`` against rule ``b``, for each order of the rows: arrays (orders, n), entry k - 1 for the first k rows."""

    a: str
    b: str
    alpha: float
    #: Accuracy of a minus accuracy of b.
    difference: Floats
    #: Two-tailed p-value of the paired t test; NaN where there is no difference to test.
    p_value: Floats

    @property
    def significant(self) -> NDArray[np.bool_]:
        """Where the p-value is below alpha."""
        result: NDArray[np.bool_] = self.p_value < self.alpha
        return result

    @property
    def ranges(self) -> list[list[tuple[int, int]]]:
        """For each order the ranges of k, from 1, first and last included, in which the difference is significant."""
        found = []
        for row in self.significant:
            edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
            found.append([(int(first) + 1, int(last)) for first, last in edges.reshape(-1, 2)])
        return found

    @property
    def greatest(self) -> list[tuple[int, float]]:
        """For each order the k of the greatest significant difference (in size), and that difference; (0, 0.0) without one."""
        size = np.where(self.significant, np.abs(self.difference), -1.0)
        best = size.argmax(axis=1)
        return [
            (int(k) + 1, float(row[k])) if shown[k] >= 0 else (0, 0.0)
            for k, row, shown in zip(best, self.difference, size, strict=True)
        ]

    def __repr__(self) -> str:
        """One line: the rules, and in how much of the run they differ."""
        share = 100.0 * float(self.significant.mean())
        return f"<Comparison of {self.a} with {self.b}: significant (p < {self.alpha:g}) at {share:.0f}% of the rows>"


def compared(a: str, b: str, alpha: float, right_a: NDArray[np.bool_], right_b: NDArray[np.bool_]) -> Comparison:
    """Compare two runs of correctness, (orders, n) each."""
    d = right_a.astype(np.int64) - right_b.astype(np.int64)
    k = np.arange(1, d.shape[1] + 1)
    return Comparison(a, b, alpha, d.cumsum(axis=1) / k, p_values(d))
