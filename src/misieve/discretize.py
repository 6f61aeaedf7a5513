r"""Cuts for continuous columns by Fayyad and Irani's method.

A column with cuts :math:`t_1 < \dots < t_m` has :math:`m + 1` intervals; a value equal to a cut belongs to the interval on
its left. Missing values (NaN) take no part in the search and have no interval.

The method of Fayyad and Irani ("Multi-interval discretization of continuous-valued attributes for classification learning",
IJCAI 1993, 1022-1027) splits an interval S of N rows into S1 and S2 where the class entropy that is left is least, and
keeps the split, then goes on in both parts, if naming it costs less than the bits it saves:

.. math::
    N \bigl(H(S) - \tfrac{N_1}{N} H(S_1) - \tfrac{N_2}{N} H(S_2)\bigr) >
    \log_2(N - 1) + \log_2(3^k - 2) - \bigl(k H(S) - k_1 H(S_1) - k_2 H(S_2)\bigr)

with k, k1, k2 the numbers of classes *present* in S, S1, S2. The conventions are those of the library MLC++:

* The search is on the whole column; each part holds at least one row.
* The cut is half way between adjacent distinct values. Where that rounds up to the upper value, or one of the two is
  infinite and half way is not a number between them, the cut is the lower value. Infinite values are values like others.
* Of splits that leave the same entropy, the one nearest the middle is taken: the least :math:`|N_1 - N_2|`, and of two
  equally near the lower one. Scores that differ by rounding errors only count as the same.
* Weights stand in for counts everywhere, so that a weight of 2 is two rows; :math:`\log_2(N - 1)` is taken as 0 where the
  weights of an interval sum to less than 2. Rows of weight zero do not exist.

Only borders between classes are examined: the entropy is never least inside a run of values of one class (their Theorem 1).
Sorting is by counting, and after it a split costs time in proportion to the rows of its interval at most.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from misieve._core import kernels
from misieve._errors import DataError, OptionError
from misieve._threads import threads
from misieve._validate import known_option

__all__ = ["CRITERIA", "mdl_cuts", "mdl_cuts_sparse"]

Floats = NDArray[np.float64]

CRITERIA = ("mdl", "entropy")


def mdl_cuts(
    x: ArrayLike,
    classes: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    criterion: str = "mdl",
    max_bins: int | None = None,
    n_jobs: int | None = None,
) -> list[Floats]:
    """Find the cuts of every column of ``x``, ascending, as an array for each.

    Parameters
    ----------
    x : array of numbers, shape (n, p)
        NaN is missing. In either memory order; columns that lie in one piece are the quickest.
    classes : array of int, shape (n,)
        Codes from 0.
    weights : array, shape (n,), optional
        Not negative. None counts every row once.
    criterion : {"mdl", "entropy"}
        "mdl" keeps a split if it passes the test above. "entropy" keeps every split that wins information, until there are
        ``max_bins`` intervals.
    max_bins : int, optional
        Greatest number of intervals. The split that wins most bits, over all rows of its interval, is made first.
    n_jobs : int, optional
        Threads; by default all cores, one inside a joblib worker. The cuts do not depend on it.
    """
    test, limit = check_rules(criterion, max_bins)
    table = _numbers(x)
    codes, w = _rows(classes, weights, len(table))
    if w is not None and not w.all():
        kept = w > 0
        table, codes, w = table[kept], codes[kept], w[kept]
    k = int(codes.max()) + 1 if len(codes) else 1
    found = kernels.mdl_cuts(table, codes, np.empty(0) if w is None else w, k, test, limit, threads(n_jobs))
    return [np.array(cuts, dtype=np.float64) for cuts in found]


def mdl_cuts_sparse(
    values: ArrayLike,
    classes: ArrayLike,
    zero_weights: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    criterion: str = "mdl",
    max_bins: int | None = None,
) -> Floats:
    """Find the cuts of one sparse column in time that does not depend on the number of its zeros.

    ``values`` are the stored entries, ``classes`` and ``weights`` those of their rows; ``zero_weights[c]`` is the number, or
    the weight, of the rows of class c whose entry is not stored and therefore zero. They enter as one group of rows for
    each class. The cuts are those of the dense column.
    """
    entries = np.asarray(values, dtype=np.float64).reshape(-1)
    codes, w = _rows(classes, weights, len(entries))
    zeros = check_weights(zero_weights, "zero_weights", np.size(zero_weights))
    found = mdl_cuts(
        np.concatenate([entries, np.zeros(len(zeros))])[:, None],
        np.concatenate([codes, np.arange(len(zeros), dtype=np.uint32)]),
        np.concatenate([np.ones(len(entries)) if w is None else w, zeros]),
        criterion=criterion,
        max_bins=max_bins,
        n_jobs=1,
    )
    return found[0]


def check_rules(criterion: object, max_bins: object) -> tuple[bool, int]:
    """Return whether the MDL test is made and the greatest number of intervals (0: any), or say what is wrong."""
    name = known_option("criterion", criterion, CRITERIA)
    if max_bins is None:
        if name == "entropy":
            raise OptionError("criterion='entropy' needs max_bins: without it nearly every distinct value would be an interval")
        return True, 0
    if isinstance(max_bins, bool) or not isinstance(max_bins, (int, np.integer)) or max_bins < 1:
        raise OptionError(f"max_bins must be None or a whole number from 1 up, not {max_bins!r}")
    return name == "mdl", int(max_bins)


def _numbers(x: ArrayLike) -> NDArray[Any]:
    """``x`` as a matrix of float32 or float64, without a copy if it is one."""
    table = np.asarray(x)
    if table.ndim != 2:
        raise DataError(f"x must have the shape (rows, columns), found the shape {table.shape}; use x[:, None] for one column")
    if table.dtype.kind not in "biuf":
        raise DataError(f"x must be numbers to be cut, found dtype {table.dtype}")
    return table if table.dtype in (np.float32, np.float64) else table.astype(np.float64)


def _rows(classes: ArrayLike, weights: ArrayLike | None, n: int) -> tuple[NDArray[np.uint32], Floats | None]:
    codes = np.asarray(classes)
    if codes.shape != (n,):
        raise DataError(f"classes must have one entry for each of the {n} rows, found the shape {codes.shape}")
    if n and (codes.dtype.kind not in "biu" or codes.min() < 0):
        raise DataError("classes must be codes 0, 1, ...: np.unique(y, return_inverse=True) makes them")
    w = None if weights is None else check_weights(weights, "weights", n)
    return np.ascontiguousarray(codes, dtype=np.uint32), w


def check_weights(weights: ArrayLike, what: str, n: int) -> Floats:
    """Return ``n`` weights as doubles, or say which one is not a weight."""
    w = np.ascontiguousarray(weights, dtype=np.float64)
    if w.shape != (n,):
        raise DataError(f"{what} must have one entry for each of the {n} rows, found the shape {w.shape}")
    wrong = ~(np.isfinite(w) & (w >= 0))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise DataError(f"{what} must be finite and not negative, found {w[row]} in row {row}")
    return w
