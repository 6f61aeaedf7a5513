"""What missing values cost: counting and moments with a tenth of the feature values missing, beside complete data.

Run ``python -m benchmarks.missing [--rows N] [--quick]``. The data are like W1 of :mod:`benchmarks.counting`: 200 columns of 2
to 8 values, two classes; as floats, of which NaN is missing, in both memory orders, and as a polars frame of small integers
with nulls. What it takes to find the
mode of tables where both sides are missing is printed by :mod:`benchmarks.incomplete_accuracy`.
"""

import argparse
from typing import Any

import numpy as np

import misieve
from benchmarks.counting import best, columns
from misieve._optional import need

WIDTH, MISSING = 200, 0.1


def matrices(small: Any, order: str) -> tuple[Any, Any]:
    """The values as floats, complete and with some missing."""
    complete = np.asarray(small, dtype=np.float32, order=order)
    lacking = complete.copy(order="K")
    rng = np.random.default_rng(2002)
    for column in lacking.T:
        column[rng.random(len(column)) < MISSING] = np.nan
    return complete, lacking


def frames(small: Any) -> tuple[Any, Any]:
    """The values as a polars frame of UInt8, complete and with some missing."""
    pl = need("polars", extra="bench", purpose="this benchmark")
    complete = pl.DataFrame({f"x{j}": column for j, column in enumerate(small.T)})
    rng = np.random.default_rng(2002)
    holes = [pl.Series(rng.random(len(small)) >= MISSING) for _ in range(WIDTH)]
    lacking = complete.with_columns(pl.when(there).then(complete[f"x{j}"]).alias(f"x{j}") for j, there in enumerate(holes))
    return complete, lacking.rechunk()


def show(complete: Any, lacking: Any, y: Any) -> None:
    """Time counting and moments of complete data and of data with missing values, and print the ratios."""
    print(f"  {'':<28}{'count':>10}{'moments':>10}{'both':>10}{'ratio':>9}")
    counted: list[float] = []
    described: list[float] = []
    for label, X, policy in (
        ("complete", complete, "model"),
        ("a tenth missing, left out", lacking, "pairwise"),
        ("a tenth missing, modelled", lacking, "model"),
    ):
        tables = misieve.count(X, y, missing=policy)
        counted.append(best(lambda X=X, policy=policy: misieve.count(X, y, missing=policy), 5))
        described.append(best(lambda tables=tables: misieve.posterior(tables, variance="exact"), 9))
        both = counted[-1] + described[-1]
        print(
            f"  {label:<28}{1e3 * counted[-1]:>10.1f}{1e3 * described[-1]:>10.2f}{1e3 * both:>10.1f}"
            f"{both / (counted[0] + described[0]):>9.2f}",
            flush=True,
        )


def main(arguments: list[str] | None = None) -> None:
    """Print milliseconds and what they are relative to complete data."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.missing", description=__doc__.split("\n\n")[0])
    parser.add_argument("--rows", type=int, default=300_000, help="rows (default 300,000)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    options = parser.parse_args([] if arguments is None else arguments)
    rows = options.rows // 10 if options.quick else options.rows
    small, y = columns(rows, WIDTH, 8, 2)
    print("milliseconds, best of several")
    for order in ("F", "C"):
        print(f"{rows:,} x {WIDTH} float32, {order} order")
        show(*matrices(small, order), y)
    print(f"{rows:,} x {WIDTH} polars UInt8")
    show(*frames(small), y)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
