"""DuckDB: one GROUP BY per column over a table of its own."""

import numpy as np

from benchmarks.peers._needs import needs

NAME = "DuckDB group by"
TABLES = True


def available() -> str:
    return needs("duckdb") or needs("pyarrow")


def prepare(x, y):
    import duckdb
    import pyarrow as pa

    arrays = pa.table({f"x{j}": x[:, j] for j in range(x.shape[1])} | {"y": y})
    connection = duckdb.connect()
    connection.register("arrays", arrays)
    connection.execute("create table data as select * from arrays")
    return (connection, x.shape[1]), y


def run(prepared, y):
    connection, p = prepared
    s = int(y.max()) + 1
    tables = []
    for j in range(p):
        found = connection.execute(f"select x{j}, y, count(*) as n from data group by x{j}, y").fetchnumpy()
        table = np.zeros((int(found[f"x{j}"].max()) + 1, s), np.int64)
        table[found[f"x{j}"], found["y"]] = found["n"]
        tables.append(table)
    return tables
