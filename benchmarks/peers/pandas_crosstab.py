"""pandas: crosstab of every column with the class."""

from benchmarks.peers._needs import needs

NAME = "pandas crosstab"
TABLES = True


def available() -> str:
    return needs("pandas")


def prepare(x, y):
    return x, y


def run(x, y):
    import pandas as pd

    classes = range(int(y.max()) + 1)
    tables = []
    for j in range(x.shape[1]):
        table = pd.crosstab(x[:, j], y)
        tables.append(
            table.reindex(range(int(x[:, j].max()) + 1), fill_value=0).reindex(columns=classes, fill_value=0).to_numpy()
        )
    return tables
