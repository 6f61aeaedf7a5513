"""The sums of naive Bayes over sparse rows in NumPy: the contract of ``native/sums.hpp``, and its yardstick."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["sum_ones"]


def sum_ones(
    indices: NDArray[Any],
    indptr: NDArray[Any],
    table: NDArray[np.float64],
    n_jobs: int = 1,  # noqa: ARG001 the twin has one thread
) -> NDArray[np.float64]:
    """A CSR matrix (n, p) whose stored entries are all ones times a table (p, s): (n, s).

    indices and indptr: both int32 or both int64. ValueError where they point outside the matrix.  The result does not depend
    on ``n_jobs``. A single class is summed in four lanes, by the position of the entry in its row.
    """
    p, s = table.shape
    n = len(indptr) - 1
    if n < 0 or indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] != len(indices):
        raise ValueError("indptr must rise from 0 to the number of stored entries")
    if len(indices) and (indices.min() < 0 or indices.max() >= p):
        raise ValueError("sparse indices must lie inside the matrix")
    rows = np.repeat(np.arange(n), np.diff(indptr))
    sums = np.empty((n, s))
    if s == 1:
        lane = (np.arange(len(indices)) - np.repeat(indptr[:-1], np.diff(indptr))) % 4
        lanes = np.bincount(rows * 4 + lane, table[indices, 0], 4 * n).reshape(n, 4)
        sums[:, 0] = (lanes[:, 0] + lanes[:, 1]) + (lanes[:, 2] + lanes[:, 3])
        return sums
    for c in range(s):
        sums[:, c] = np.bincount(rows, table[indices, c], n)
    return sums
