"""Nanoseconds a table: mean and series variance (native, twin, plain SciPy), exact variance, P(I > 0.003).

``python -m benchmarks.kernels.moments``. All tables are distinct; one core.
"""

import numpy as np
from scipy.special import digamma

from benchmarks.timing import best_seconds
from misieve import laws
from misieve._core import native_or_none, twin
from misieve.summary import look_up_table, summarise

SHAPES = ((2, 2), (5, 3), (20, 10))
EPSILON = 0.003


def plain_scipy(n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Paper eq. 3 and 4 as printed, vectorised."""
    total, rows, columns = n.sum((1, 2), keepdims=True), n.sum(2, keepdims=True), n.sum(1, keepdims=True)
    mean = (n / total * (digamma(n + 1) - digamma(rows + 1) - digamma(columns + 1) + digamma(total + 1))).sum((1, 2))
    logs = np.log(n * total / (rows * columns))
    k, j = (n / total * logs**2).sum((1, 2)), (n / total * logs).sum((1, 2))
    m = ((1 / n - 1 / rows - 1 / columns + 1 / total) * n * logs).sum((1, 2))
    q = 1 - (n**2 / (rows * columns)).sum((1, 2))
    size = total[:, 0, 0]
    nu = (n.shape[1] - 1) * (n.shape[2] - 1)
    return mean, (k - j**2) / (size + 1) + (m + nu * (0.5 - j) - q) / ((size + 1) * (size + 2))


def distinct_counts(shape: tuple[int, int], count: int, total: int = 1100) -> np.ndarray:
    """Distinct random tables of one total, from independent to strongly dependent."""
    rng = np.random.default_rng(sum(shape))
    cells = int(np.prod(shape))
    chances = rng.dirichlet(np.ones(cells), size=2 * count)
    counts = np.unique(rng.multinomial(total, chances), axis=0)
    return np.ascontiguousarray(rng.permutation(counts)[:count].reshape(-1, *shape))


def main() -> None:
    """Print the table."""
    native = native_or_none()
    print("ns per table".ljust(34) + "".join(f"{r}x{s}".rjust(12) for r, s in SHAPES))
    rows: dict[str, list[float]] = {}

    def record(name: str, seconds: float, tables: int) -> None:
        rows.setdefault(name, []).append(seconds / tables * 1e9)

    for r, s in SHAPES:
        counts = distinct_counts((r, s), 10_000 if r * s < 100 else 2_000)
        k = len(counts)
        raw, laden = counts.astype(float), counts + 1.0
        tables = [look_up_table(float(size), 2048) for size in (1, s, r, r * s)]
        if native is not None:
            record("series, native kernel", best_seconds(lambda: native.tabled_moments(counts, *tables, 1.0, False)), k)
        record("series, twin", best_seconds(lambda: twin.tabled_moments(counts, *tables, 1.0, False)), k)
        record("series, plain SciPy", best_seconds(lambda: plain_scipy(laden)), k)
        if native is not None:
            record("exact, native kernel", best_seconds(lambda: native.tabled_moments(counts, *tables, 1.0, True)), k)
        record("exact, twin", best_seconds(lambda: twin.tabled_moments(counts, *tables, 1.0, True)), k)
        record("series, whole call", best_seconds(lambda: summarise(raw, "uniform", "series")), k)
        record("exact, whole call", best_seconds(lambda: summarise(raw, "uniform", "exact")), k)
        found = summarise(raw, "uniform", "auto")
        shape = {"upper": np.full(k, np.log(min(r, s))), "freedom": np.full(k, (r - 1.0) * (s - 1.0)), "tables": laden}
        for law in ("noncentral-beta", "beta"):
            probability = best_seconds(
                lambda law=law: laws.fit(law, mean=found.mean, variance=found.variance, **shape).sf(EPSILON)
            )
            record(f"P(I > {EPSILON}), {law}, fit included", probability, k)
    for name, values in rows.items():
        print(name.ljust(34)[:34] + "".join(f"{v:12.1f}" for v in values))


if __name__ == "__main__":
    main()
