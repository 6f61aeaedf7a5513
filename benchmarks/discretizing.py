"""MDL cuts of 1,000,000 x 20 doubles against np.argsort of the same columns, and beside the peers that are installed.

python -m benchmarks.discretizing [rows]
"""

import importlib
import sys
import time

import numpy as np

from misieve.binning import apply_cuts
from misieve.discretize import mdl_cuts

PEERS = {"benchmarks.peers.mdl_optbinning": "optbinning", "benchmarks.peers.mdl_orange": "orange3"}


def best_of(repeats, function, *arguments, **options):
    """Shortest time of a few runs, in seconds, and the last result."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function(*arguments, **options)
        times.append(time.perf_counter() - start)
    return min(times), result


def make(rows, classes=2, columns=20, seed=0):
    """Normal columns; the first half follow the class, each more than the one before, the others are noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    X = rng.normal(size=(rows, columns))
    X[:, : columns // 2] += np.outer(y, np.linspace(0.1, 1.0, columns // 2))
    return np.asfortranarray(X), y


def argsort(X):
    """NumPy's default sort of every column, one thread."""
    return [np.argsort(column) for column in X.T]


def kernels(rows):
    """Our cuts in several settings as multiples of argsort on the same columns."""
    X, y = make(rows)
    cases = {
        "2 classes": (X, y, None),
        "2 classes, C order": (np.ascontiguousarray(X), y, None),
        "2 classes, float32": (X.astype(np.float32), y, None),
        "2 classes, weighted": (X, y, np.random.default_rng(1).exponential(size=rows)),
        "2 classes, 1000 distinct values": (np.round(X * 125), y, None),
        "20 classes": (*make(rows, classes=20), None),
    }
    print(f"\n{rows:,} rows x {X.shape[1]} columns; seconds, and the ratio to np.argsort of the same columns")
    print(f"{'':<34}{'argsort':>9}{'1 thread':>10}{'ratio':>7}{'all cores':>11}{'ratio':>7}")
    for name, (table, classes, weights) in cases.items():
        base, _ = best_of(2, argsort, table)
        one, _ = best_of(3, mdl_cuts, table, classes, weights, n_jobs=1)
        every, _ = best_of(3, mdl_cuts, table, classes, weights)
        print(f"{name:<34}{base:>9.2f}{one:>10.2f}{one / base:>7.2f}{every:>11.2f}{every / base:>7.2f}")


def left(column, y, cuts):
    """Class entropy that the cuts leave, in bits a row."""
    codes = apply_cuts(column, cuts)
    table = np.zeros((len(cuts) + 1, int(y.max()) + 1))
    np.add.at(table, (codes, y), 1)
    share = table[table > 0] / table.sum(axis=1, keepdims=True).repeat(table.shape[1], axis=1)[table > 0]
    return float(-(table[table > 0] * np.log2(share)).sum() / len(y))


def peers(rows):
    """Our cuts beside those of other libraries: time, number of cuts, class entropy left (bits a row, summed over columns)."""
    X, y = make(rows)
    print(f"\n{rows:,} rows x {X.shape[1]} columns, one thread")
    print(f"{'':<14}{'seconds':>9}{'times ours':>12}{'cuts':>7}{'entropy left':>14}{'same cuts':>12}")
    ours, found = best_of(3, mdl_cuts, X, y, n_jobs=1)
    entropy = sum(left(c, y, f) for c, f in zip(X.T, found, strict=True))
    print(f"{'misieve':<14}{ours:>9.3f}{1:>12.1f}{sum(map(len, found)):>7}{entropy:>14.4f}")
    for module, package in PEERS.items():
        try:
            peer = importlib.import_module(module)
        except ImportError as missing:
            print(f"{package:<14}skipped: {missing} (pip install {package})")
            continue
        seconds, theirs = best_of(1, peer.cuts, X, y)
        entropy = sum(left(c, y, f) for c, f in zip(X.T, theirs, strict=True))
        same = sum(len(a) == len(b) and np.allclose(a, b) for a, b in zip(found, theirs, strict=True))
        print(
            f"{peer.NAME:<14}{seconds:>9.3f}{seconds / ours:>12.1f}{sum(map(len, theirs)):>7}{entropy:>14.4f}"
            f"{f'{same} of {len(found)}':>12}"
        )


def main(rows=1_000_000):
    """Print both tables."""
    kernels(rows)
    peers(min(rows, 100_000))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
