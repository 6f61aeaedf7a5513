"""Seconds of a prequential run, generated data: a sparse set like Spam, a set like Chess; naive NumPy and river beside.

``python -m benchmarks.prequential``. The NumPy version computes all features at each step; river's progressive validation has
naive Bayes without a filter, so it does a part of the work. Both run on fewer rows, and their time is scaled up, as is said.
"""

import time

import numpy as np
import scipy.sparse
from scipy.special import betainc, digamma

import misieve
from benchmarks.peers.river_progressive import progressive
from benchmarks.timing import best_seconds

EPSILON, LEVEL = 0.003, 0.95
RULES = ("forward", "empirical", "backward")


def like_spam(rows: int = 1101, words: int = 21611, ones: float = 0.009) -> tuple[np.ndarray, np.ndarray]:
    """Presence of words with Zipf's frequencies, which differ by class."""
    rng = np.random.default_rng(0)
    y = (rng.random(rows) < 0.44).astype(np.int64)
    frequency = 1.0 / (np.arange(words) + 3.0)
    tilt = np.exp(rng.normal(0.0, 1.0, size=words))
    X = np.empty((rows, words), dtype=np.uint8)
    for row in range(rows):
        chance = frequency * (tilt if y[row] else 1.0 / tilt)
        X[row] = rng.random(words) < np.minimum(chance * (1.27 * ones * words / chance.sum()), 0.95)
    return X, y


def like_chess(rows: int = 3196, features: int = 36) -> tuple[np.ndarray, np.ndarray]:
    """Binary features, one with three values, of which some follow the class and many are nearly constant."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=rows)
    strength = np.repeat([0.4, 0.15, 0.05, 0.0], features // 4)
    share = rng.uniform(0.02, 0.5, size=features)
    X = np.where(rng.random((rows, features)) < strength, y[:, None], rng.random((rows, features)) < share)
    X[:, 0] += rng.integers(0, 2, size=rows)
    return X.astype(np.uint8), y


def all_features_each_step(X: np.ndarray, y: np.ndarray, start: int, stop: int) -> np.ndarray:
    """The three rules with vectorised NumPy and SciPy, every binary feature at each step; how many predictions are right."""
    features = X.shape[1]
    ones = np.stack([X[:start][y[:start] == c].sum(axis=0) for c in (0, 1)]).astype(np.float64)
    classes = np.bincount(y[:start], minlength=2).astype(np.float64)
    right = np.zeros(3)
    for row in range(start, stop):
        laden = np.stack([classes[:, None] - ones + 1.0, ones + 1.0])  # (value, class, feature)
        total, rows, columns = laden[:, :, 0].sum(), laden.sum(axis=1)[:, None], laden.sum(axis=0)[None]
        logs = np.log(laden * total / (rows * columns))
        empirical, squares = ((laden * part).sum(axis=(0, 1)) / total for part in (logs, logs**2))
        psi = digamma(laden + 1) - digamma(rows + 1) - digamma(columns + 1) + digamma(total + 1)
        mean = (laden * psi).sum(axis=(0, 1)) / total
        weight = ((1 - laden / rows - laden / columns + laden / total) * logs).sum(axis=(0, 1))
        rest = weight + 0.5 - empirical - 1.0 + (laden**2 / (rows * columns)).sum(axis=(0, 1))
        variance = (squares - empirical**2) / (total + 1) + rest / ((total + 1) * (total + 2))
        m, v = mean / np.log(2.0), variance / np.log(2.0) ** 2
        total = m * (1.0 - m) / v - 1.0
        below = betainc(m * total, (1.0 - m) * total, EPSILON / np.log(2.0))
        own = np.log(laden / columns)[X[row], :, np.arange(features)]
        for place, kept in enumerate((1.0 - below >= LEVEL, empirical > EPSILON, below < LEVEL)):
            right[place] += np.argmax(np.log(classes + 1.0) + kept @ own) == y[row]
        ones[y[row]] += X[row]
        classes[y[row]] += 1.0
    return right


def beside(X: np.ndarray, y: np.ndarray, rows: int, orders: int = 1) -> None:
    """River on the first rows, scaled up to all of them and to so many orders."""
    label = f"  river, naive Bayes alone ({rows} rows)".ljust(44)
    start = time.perf_counter()
    try:
        progressive(X[:rows], y[:rows])
    except ImportError as missing:
        print(f"{label} skipped: {missing} (pip install river)")
        return
    print(f"{label}{(time.perf_counter() - start) * orders * len(y) / rows:8.1f} s, scaled to {orders} x {len(y)} rows")


def main() -> None:
    """Print the table."""
    X, y = like_spam()
    sparse = scipy.sparse.csr_array(X)
    print(f"like Spam: {X.shape[0]} x {X.shape[1]} binary, {100 * sparse.nnz / X.size:.2f} % ones, one order, three rules")
    for name, data in (("CSR", sparse), ("dense uint8", X)):
        print(
            f"  misieve, {name}".ljust(44) + f"{best_seconds(lambda: misieve.prequential(data, y, rules=RULES), 2.0, 5):8.3f} s"
        )
    start_row, few = len(y) // 2, 20
    start = time.perf_counter()
    all_features_each_step(X, y, start_row, start_row + few)
    taken = (time.perf_counter() - start) * len(y) / few
    print(f"  all features each step, NumPy ({few} rows)".ljust(44) + f"{taken:8.1f} s, scaled to {len(y)} rows")
    beside(X, y, rows=60)
    X, y = like_chess()
    print(f"like Chess: {X.shape[0]} x {X.shape[1]}, 10 orders, three rules")
    seconds = best_seconds(lambda: misieve.prequential(X, y, rules=RULES, orders=10, rng=0), 2.0, 3)
    print("  misieve".ljust(44) + f"{seconds:8.3f} s")
    beside(X, y, rows=1000, orders=10)


if __name__ == "__main__":
    main()
