"""Rerun the paper: ``python -m paper [--data FOLDER] [--quick] [names]``."""

import argparse
import importlib
import os
import sys
import time
from pathlib import Path

from misieve import MisieveError
from paper import checks
from paper.results import HERE, Run

EXPERIMENTS = (
    "figure_1",
    "section_2_variance",
    "section_5_tails",
    "table_1",
    "table_2",
    "significance",
    "figure_2",
    "figure_3",
    "figure_4",
    "readings",
    "beyond",
    "missing",
)


def main(arguments: list[str] | None = None) -> int:
    """Run all experiments or those named; return 1 if the data are not there or a check fails."""
    parser = argparse.ArgumentParser(prog="python -m paper", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"which to run, of {', '.join(EXPERIMENTS)}; all if none is named"
    )
    parser.add_argument("--data", help="folder of the raw data; by default MISIEVE_DATA, else they are fetched into a cache")
    parser.add_argument("--out", type=Path, help="where results go; by default paper/results, build/paper in the quick version")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="two random orders, small sets for what is slow (or QUICK=1)",
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(EXPERIMENTS):
        parser.error(f"there is no experiment {sorted(unknown)[0]!r}; there are {', '.join(EXPERIMENTS)}")
    quick = options.quick or os.environ.get("QUICK", "") not in ("", "0")
    settings = Run(options.data, options.out or (Path("build/paper") if quick else HERE), quick)
    chosen = options.names or EXPERIMENTS
    try:
        for name in chosen:
            start = time.perf_counter()
            importlib.import_module(f"paper.{name}").run(settings)
            print(f"{name:<20} {time.perf_counter() - start:6.1f} s", flush=True)
    except MisieveError as error:
        print(f"python -m paper: {error}", file=sys.stderr)
        return 1
    if options.names:
        return 0
    failures = checks.failures(settings)
    for line in failures:
        print(f"does not hold: {line}", file=sys.stderr)
    if failures:
        return 1
    print(f"all checks hold; results are in {settings.out}")
    if settings.out == HERE:
        from paper import report

        report.write(settings)
        print("the page paper/README.md is written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
