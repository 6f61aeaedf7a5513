"""How far P(I > eps) under each law is from the truth, and what a table costs.

Run ``python -m benchmarks.law_accuracy``. The truth is a million draws for each of 400 tables under three priors, kept in
``reference_probabilities.npz`` (made by :mod:`benchmarks.reference_probabilities`; its own noise is .0003 on average). Counted
are the cases with a true probability between .01 and .99.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.reference_probabilities import BANDS, EPSILONS, PRIORS, Case, load
from misieve import laws, moments

Floats = NDArray[np.float64]

# The default law without the tables: what it would be if it did not know the lower tail.
BY_MOMENTS = "noncentral-beta by mean and variance alone"

# The laws of the report: (label, law, variance). The paper's own choice comes first.
REPORT = (
    ("beta, series variance (the paper)", "beta", "series"),
    *((name, name, "exact") for name in ("normal", "gamma", "beta", "noncentral-chi2")),
    (BY_MOMENTS, "noncentral-beta", "exact"),
    ("noncentral-beta", "noncentral-beta", "exact"),
)
TIMED = ("beta", "noncentral-chi2", BY_MOMENTS, "noncentral-beta")


def problem(tables: list[Floats]) -> dict[str, object]:
    """The arguments of ``laws.fit`` for prior-laden tables, with the exact variance."""
    shapes = np.array([table.shape for table in tables])
    return {
        "mean": np.array([float(moments.mean(table)) for table in tables]),
        "variance": np.array([float(moments.variance_exact(table)) for table in tables]),
        "upper": np.log(shapes.min(axis=1)),
        "freedom": (shapes - 1.0).prod(axis=1),
        "tables": tables,
    }


def errors(cases: list[Case]) -> Iterator[tuple[str, Floats, dict[str, int]]]:
    """For each line of the report the absolute errors, (cases, thresholds), NaN where the truth is too near 0 or 1."""
    truth = np.array([case.probabilities for case in cases])
    counted = (truth > 0.01) & (truth < 0.99)
    exact = problem([case.table for case in cases])
    series = np.array([float(moments.variance_series(case.table)) for case in cases])
    for label, name, variance in REPORT:
        arguments = dict(exact)
        if variance == "series":
            # Where the series is not positive the law becomes a point mass at the mean: that is what it would say.
            arguments["variance"] = np.maximum(series, 0.0)
        law = _fitted(label, name, arguments)
        found = law.sf(np.array(EPSILONS)[:, None]).T
        families = dict(zip(*np.unique(law.names, return_counts=True), strict=True))
        yield label, np.where(counted, np.abs(found - truth), np.nan), {str(key): int(value) for key, value in families.items()}


def _fitted(label: str, name: str, batch: dict[str, object]) -> laws.Law:
    return laws.fit(name, **{**batch, "complete": np.zeros(len(batch["mean"]), dtype=bool)} if label == BY_MOMENTS else batch)


def summary(error: Floats) -> tuple[float, float]:
    """Mean and largest of the counted errors."""
    return float(np.nanmean(error)), float(np.nanmax(error))


def print_accuracy(cases: list[Case]) -> None:
    """One block per law: rows are priors, columns are sample sizes."""
    bands, priors = np.array([case.band for case in cases]), np.array([case.prior for case in cases])
    heads = [f"{low}-{high}" for low, high in BANDS] + ["all"]
    print(f"error of P(I > eps), eps = {EPSILONS}: mean / largest over {len(cases)} posteriors of {len(cases) // 3} tables")
    print(" " * 12 + "".join(f"{head:>16}" for head in heads))
    for label, error, families in errors(cases):
        print(f"\n{label}   [{', '.join(f'{count} {family}' for family, count in families.items())}]")
        for prior in PRIORS:
            cells = [summary(error[(priors == prior) & (bands == band)]) for band in range(len(BANDS))]
            cells.append(summary(error[priors == prior]))
            print(f"  {prior:<10}" + "".join(f"  {mean:>6.4f} / {most:>.4f}" for mean, most in cells))


def random_batch(shape: tuple[int, int], size: int) -> NDArray[np.float64]:
    """Distinct prior-laden tables (uniform prior), 30 to 2,000 observations, weakly to strongly dependent."""
    rng = np.random.default_rng(7)
    rows, columns = shape
    totals = np.exp(rng.uniform(np.log(30), np.log(2000), size)).astype(int)
    strength = rng.uniform(size=(size, 1, 1)) ** 2
    independent = rng.dirichlet(np.full(rows, 2.0), size)[:, :, None] * rng.dirichlet(np.full(columns, 2.0), size)[:, None, :]
    chances = (1 - strength) * independent + strength * rng.dirichlet(np.ones(rows * columns), size).reshape(
        size, rows, columns
    )
    return rng.multinomial(totals, chances.reshape(size, -1)).reshape(size, rows, columns) + 1.0


def print_speed(size: int, repeats: int) -> None:
    """Microseconds a table for fit and P(I > .003), the moments known: processor time of the best of some repeats."""
    print(f"\nfit and P(I > .003), microseconds a table over {size} distinct tables (moments known, best of {repeats})")
    print(" " * 46 + "".join(f"{'x'.join(map(str, shape)):>16}" for shape in ((2, 2), (5, 3))))
    columns = []
    for shape in ((2, 2), (5, 3)):
        tables = random_batch(shape, size)
        batch = {
            "mean": moments.mean(tables),
            "variance": moments.variance_exact(tables),
            "upper": np.full(size, np.log(min(shape))),
            "freedom": np.full(size, (shape[0] - 1.0) * (shape[1] - 1.0)),
            "tables": tables,
        }
        columns.append([_best(label, batch, repeats) / size * 1e6 for label in TIMED])
    for label, *costs in zip(TIMED, *columns, strict=True):
        print(f"  {label:<44}" + "".join(f"{cost:>16.2f}" for cost in costs))


def _best(label: str, batch: dict[str, object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        _fitted(label, label.split(maxsplit=1)[0], batch).sf(0.003)
        times.append(time.process_time() - start)
    return min(times)


def main(arguments: list[str] | None = None) -> None:
    """Print accuracy and speed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.law_accuracy", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every fourth table only, fewer repeats")
    quick = parser.parse_args([] if arguments is None else arguments).quick
    cases = load()
    if quick:
        cases = [case for index, case in enumerate(cases) if (index // len(PRIORS)) % 4 == 0]
    print_accuracy(cases)
    print_speed(2_000 if quick else 10_000, 3 if quick else 9)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
