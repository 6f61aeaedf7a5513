"""The sums of naive Bayes over sparse rows in NumPy: the contract of ``native/sums.hpp``, and its yardstick."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["sum_ones"]


def sum_ones(
    data: NDArray[np.float64],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    table: NDArray[np.float64],
    n_jobs: int = 1,  # noqa: ARG001 the twin has one thread
) -> tuple[NDArray[np.float64], bool]:
    """A CSR matrix of ones times a table (p, s): the sums (n, s), and whether every stored entry is a one.

    data: (nnz,), or empty when the entries are known to be ones; if one of them is not, the sums are not to be used.  indices
    and indptr: both int32 or both int64. ValueError where they point outside the matrix.  The result does not depend on
    ``n_jobs``. A single class is summed in four lanes, by the position of the entry in its row.
    """
    p, s = table.shape
    n = len(indptr) - 1
    if n < 0 or indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] != len(indices):
        raise ValueError("indptr must rise from 0 to the number of stored entries")
    if len(data) not in {0, len(indices)}:
        raise ValueError("there must be one index per stored value")
    if len(indices) and (indices.min() < 0 or indices.max() >= p):
        raise ValueError("sparse indices must lie inside the matrix")
    rows = np.repeat(np.arange(n), np.diff(indptr))
    if s != 1:
        sums = np.empty((n, s))
        for c in range(s):
            sums[:, c] = np.bincount(rows, table[indices, c], n)
        return sums, bool((data == 1.0).all())
    lane = (np.arange(len(indices)) - np.repeat(indptr[:-1], np.diff(indptr))) % 4
    lanes = np.bincount(rows * 4 + lane, table[indices, 0], 4 * n).reshape(n, 4)
    total = (lanes[:, 0] + lanes[:, 1]) + (lanes[:, 2] + lanes[:, 3])
    return total[:, None], bool((data == 1.0).all())
