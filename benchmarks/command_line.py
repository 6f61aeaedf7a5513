"""`misieve select` on a CSV file beside what polars takes to read it with its text columns as Categorical; and start-up.

``python -m benchmarks.command_line [rows]`` writes two files of 50 columns (all text; and 31 of text, 9 of whole numbers, 10
continuous ones to be cut), then takes turns with both, each in a process of its own that was warmed up. Best of some turns.
"work" is reading, encoding, counting, cutting and selecting; "command" is the whole process, from start to exit.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from misieve._optional import need

ROWS, TURNS = 1_000_000, 4

READ = """
import sys, time
import polars as pl
path = sys.argv[1]
text = [name for name, dtype in pl.read_csv(path, n_rows=100).schema.items() if dtype == pl.String]
start = time.perf_counter()
pl.read_csv(path, schema_overrides=dict.fromkeys(text, pl.Categorical))
print(time.perf_counter() - start)
"""

SELECT = """
import sys, time
import polars
import rich.progress
import misieve.report
from misieve.cli.rows import counted_rows
from misieve.cli.selecting import Inputs
from misieve.estimators.selector import MISelector
start = time.perf_counter()
selector = MISelector()
with counted_rows(Inputs(sys.argv[1], "y"), selector.get_params(), None) as found:
    selection = selector.decide(found.tables)
    selection.probability, selection.interval
    print(time.perf_counter() - start)
"""


def main(rows: int = ROWS) -> None:
    """Print seconds and ratios."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"{rows} rows, 50 columns; seconds, best of {TURNS} turns")
        print(f"  {'file':<22} {'MB':>5} {'polars reads':>13} {'work':>7} {'ratio':>6} {'polars, process':>16} {'command':>8}")
        for name, numbers in (("text", False), ("text and numbers", True)):
            path = Path(folder) / "data.csv"
            write(path, rows, numbers=numbers)
            line = measured(path)
            print(f"  {name:<22} {path.stat().st_size / 1e6:5.0f} {line}", flush=True)
    seconds = min(_timed(lambda: _run("-m", "misieve", "--version")) for _ in range(10))
    print(f"  misieve --version: {seconds:.3f} s")


def measured(path: Path) -> str:
    """One line of the table."""
    read, work, process, command = [], [], [], []
    for _ in range(TURNS):
        process.append(_timed(lambda: read.append(float(_run("-c", READ, str(path))))))
        work.append(float(_run("-c", SELECT, str(path))))
        command.append(_timed(lambda: _run("-m", "misieve", "select", str(path), "--target", "y")))
    best = [min(one) for one in (read, work, process, command)]
    return f"{best[0]:13.2f} {best[1]:7.2f} {best[1] / best[0]:6.2f} {best[2]:16.2f} {best[3]:8.2f}"


def write(path: Path, rows: int, *, numbers: bool) -> None:
    """A file with a target of three classes, of which a third of the columns know something."""
    pl = need("polars", extra="cli", purpose="this benchmark")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, rows)
    columns = {}
    for i in range(30 if numbers else 49):
        k = (2, 3, 5, 8, 12, 20, 40, 100, 300, 1000)[i % 10]
        values = rng.integers(0, k, rows)
        if i % 3 == 0:
            values = np.where(rng.random(rows) < 0.2, y % k, values)
        columns[f"text{i}"] = pl.Series([f"value{j}" for j in range(k)]).gather(values)
    for i in range(9 if numbers else 0):
        columns[f"whole{i}"] = pl.Series(rng.integers(0, (2, 10, 50)[i % 3], rows))
    for i in range(10 if numbers else 0):
        columns[f"number{i}"] = pl.Series(np.round(rng.normal(y * (i % 2) * 0.3), 4))
    pl.DataFrame(columns | {"y": pl.Series(["a", "b", "c"]).gather(y)}).write_csv(path)


def _run(*words: str) -> str:
    return subprocess.run([sys.executable, *words], check=True, capture_output=True, text=True).stdout


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
