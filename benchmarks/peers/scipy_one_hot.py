"""SciPy: the product of the one-hot codes of value and class."""

import numpy as np
import scipy.sparse as sp

NAME = "SciPy one-hot product"
TABLES = True


def available() -> str:
    return ""


def prepare(x, y):
    return x, y


def _one_hot(codes):
    n = len(codes)
    return sp.csr_array((np.ones(n, np.int64), codes.astype(np.int32), np.arange(n + 1, dtype=np.int32)))


def run(x, y):
    classes = _one_hot(y)
    return [(_one_hot(x[:, j]).T @ classes).toarray() for j in range(x.shape[1])]
