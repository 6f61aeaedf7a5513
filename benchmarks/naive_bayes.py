"""NaiveBayes beside scikit-learn's discrete ones: fit and predict on sparse and dense rows, in one run.

``python -m benchmarks.naive_bayes [--quick]``. Sparse: CSR 20,000 x 100,000 with 0.2 % ones (W3 of the counting benchmark),
where CategoricalNB, which takes dense input only, has no entry. Dense: 20,000 x 200 columns of 2 to 8 values. The models take
turns, so that what else the machine does meets all of them, and the best of their rounds counts.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from misieve import NaiveBayes


def rounds(models: dict[str, Callable[[], Any]], X: Any, y: np.ndarray, count: int) -> dict[str, tuple[float, float, float]]:
    """Seconds of the best fit, the best predict, and the best of both together, for each model."""
    best = dict.fromkeys(models, (np.inf, np.inf, np.inf))
    for _ in range(count):
        for name, make in models.items():
            model = make()
            start = time.perf_counter()
            model.fit(X, y)
            middle = time.perf_counter()
            model.predict(X)
            end = time.perf_counter()
            times = (middle - start, end - middle, end - start)
            best[name] = tuple(map(min, best[name], times))
    return best


def show(title: str, models: dict[str, Callable[[], Any]], X: Any, y: np.ndarray, count: int) -> None:
    """Times and ratios to the first model."""
    print(title)
    best = rounds(models, X, y, count)
    ours = next(iter(best.values()))[2]
    for name, (fit, predict, both) in best.items():
        ratio = f"misieve is {both / ours:.1f} x as fast" if both is not ours else ""
        print(f"  {name:<28} fit {fit * 1e3:8.1f} ms   predict {predict * 1e3:8.1f} ms   both {both * 1e3:8.1f} ms   {ratio}")


def main(arguments: list[str] | None = None) -> None:
    """Run both workloads."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.naive_bayes", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    count = 5 if parser.parse_args([] if arguments is None else arguments).quick else 25
    rng = np.random.default_rng(2003)
    X = sp.random(20_000, 100_000, density=0.002, format="csr", rng=rng, dtype=np.float64)
    X.data[:] = 1.0
    y = rng.integers(0, 2, 20_000)
    models = {
        "misieve.NaiveBayes": NaiveBayes,
        "misieve, one thread": lambda: NaiveBayes(n_jobs=1),
        "sklearn BernoulliNB": BernoulliNB,
    }
    show(f"sparse: CSR {X.shape[0]:,} x {X.shape[1]:,}, {X.nnz:,} ones, two classes", models, X, y, count)
    dense = np.column_stack([rng.integers(0, 2 + j % 7, 20_000) for j in range(200)])
    models = {"misieve.NaiveBayes": NaiveBayes, "sklearn CategoricalNB": CategoricalNB}
    show(f"dense: {dense.shape[0]:,} x {dense.shape[1]} int64, two classes", models, dense, y, max(count // 3, 3))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
