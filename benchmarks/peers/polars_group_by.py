"""polars: one lazy group_by per column, all collected at once so that they run in parallel."""

import numpy as np

from benchmarks.peers._needs import needs

NAME = "polars group_by"
TABLES = True


def available() -> str:
    return needs("polars")


def prepare(x, y):
    import polars as pl

    return pl.DataFrame({f"x{j}": x[:, j] for j in range(x.shape[1])} | {"y": y}), y


def run(frame, y):
    import polars as pl

    s = int(y.max()) + 1
    names = frame.columns[:-1]
    groups = pl.collect_all([frame.lazy().select(name, "y").group_by(name, "y").len() for name in names])
    tables = []
    for name, group in zip(names, groups, strict=True):
        table = np.zeros((int(group[name].max()) + 1, s), np.int64)
        table[group[name].to_numpy(), group["y"].to_numpy()] = group["len"].to_numpy()
        tables.append(table)
    return tables
