"""NumPy: one bincount of value * classes + class per column, in the narrowest type that holds it."""

import numpy as np

NAME = "NumPy bincount"
TABLES = True


def available() -> str:
    return ""


def prepare(x, y):
    return x, y


def run(x, y):
    s = int(y.max()) + 1
    tables = []
    for j in range(x.shape[1]):
        counts = np.bincount(x[:, j] * np.uint8(s) + y)
        tables.append(np.pad(counts, (0, -len(counts) % s)).reshape(-1, s))
    return tables
