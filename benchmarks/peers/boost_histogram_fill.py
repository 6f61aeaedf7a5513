"""boost-histogram: a two-dimensional histogram of integer axes per column, filled by two threads."""

import numpy as np

from benchmarks.peers._needs import needs

NAME = "boost-histogram"
TABLES = True


def available() -> str:
    return needs("boost_histogram")


def prepare(x, y):
    return x, y


def run(x, y):
    import boost_histogram as bh

    s = int(y.max()) + 1
    tables = []
    for j in range(x.shape[1]):
        axes = [bh.axis.Integer(0, int(x[:, j].max()) + 1), bh.axis.Integer(0, s)]
        histogram = bh.Histogram(*axes, storage=bh.storage.Int64())
        histogram.fill(x[:, j], y, threads=2)
        tables.append(np.asarray(histogram.view()))
    return tables
