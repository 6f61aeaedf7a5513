"""How often noise of many values and weak signals are kept, with the point mass at independence and without it.

``python -m benchmarks.high_cardinality [--seeds 50]``: 2000 rows, a balanced binary class, noise columns of 2,
10, 100 and 1000 values and a unique identifier, and signals of mutual information .02 in 2 and in 10 values; the defaults of
MISelector, and ``independence=0.0``, the paper's filter. ``docs/examples/plot_high_cardinality.py`` draws one such case.
"""

import argparse
import warnings
from collections import Counter

import numpy as np
import pandas as pd

import misieve
from benchmarks.simulations import noise_and_signals

MASSES = ("auto", 0.0)


def main(arguments: list[str] | None = None) -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.high_cardinality", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=50)
    options = parser.parse_args([] if arguments is None else arguments)
    warnings.simplefilter("ignore")
    kept = {mass: Counter() for mass in MASSES}
    for seed in range(options.seeds):
        columns, y = noise_and_signals(np.random.default_rng(seed))
        tables = misieve.count(pd.DataFrame(columns), y)
        for mass in MASSES:
            kept[mass].update(misieve.select(tables, independence=mass).kept)
    print(f"  {'share of ' + str(options.seeds) + ' seeds in which it is kept':<40}{'auto':>8}{'0.0':>8}")
    for name in columns:
        print(f"  {name:<40}{kept['auto'][name] / options.seeds:8.2f}{kept[0.0][name] / options.seeds:8.2f}")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
