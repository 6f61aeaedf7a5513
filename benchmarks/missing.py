"""What missing values cost: counting and moments with a tenth of the feature values missing, beside complete data.

Run ``python -m benchmarks.missing [--rows N] [--quick]``. The data are like W1 of :mod:`benchmarks.counting`: 200 columns of 2
to 8 values, two classes; as floats, which can say that a value is missing, in both memory orders. What it takes to find the
mode of tables where both sides are missing is printed by :mod:`benchmarks.incomplete_accuracy`.
"""

import argparse

import numpy as np

import misieve
from benchmarks.counting import best, columns

WIDTH, MISSING = 200, 0.1


def show(rows: int, order: str) -> None:
    """Time counting and moments of one matrix, complete and not, and print the ratios."""
    small, y = columns(rows, WIDTH, 8, 2)
    complete = np.asarray(small, dtype=np.float32, order=order)
    lacking = complete.copy(order="K")
    rng = np.random.default_rng(2002)
    for column in lacking.T:
        column[rng.random(rows) < MISSING] = np.nan
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
    for order in ("F", "C"):
        print(f"{rows:,} x {WIDTH} float32, {order} order; milliseconds, best of several")
        print(f"  {'':<28}{'count':>10}{'moments':>10}{'both':>10}{'ratio':>9}")
        show(rows, order)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
