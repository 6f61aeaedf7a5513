"""How far the moments of incomplete samples, and P(I > eps) under the law fitted to them, are from Gibbs sampling.

Run ``python -m benchmarks.incomplete_accuracy``. Tables of 2 to 5 rows and 2 or 3 columns, from independent to strongly
dependent, with 100 to 2,000 observations under the uniform prior, lose 0, 10, 50 or 90 % of their columns' values, of their
rows' or of both. The truth is a sample of 40,000 draws for each (10,000 with ``--quick``); its own noise is printed beside: no
error can be seen that is smaller.
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import best_seconds
from misieve import incomplete, laws, moments

Floats = NDArray[np.float64]

FRACTIONS = (0.1, 0.5, 0.9)
EPSILONS = (0.003, 0.01, 0.05)
CHAINS = 250


class Problem(NamedTuple):
    """Prior-laden counts (1, r, s) and the incomplete observations (1, r) and (1, s)."""

    counts: Floats
    row_only: Floats
    col_only: Floats


def make_problem(rng: np.random.Generator, lost_columns: float, lost_rows: float) -> Problem:
    """A random table, each observation of which may lose its column, or else its row."""
    r, s = int(rng.integers(2, 6)), int(rng.integers(2, 4))
    n = int(np.exp(rng.uniform(np.log(100), np.log(2000))))
    strength = rng.uniform() ** 2
    independent = rng.dirichlet(np.full(r, 2.0))[:, None] * rng.dirichlet(np.full(s, 2.0))
    chances = (1 - strength) * independent + strength * rng.dirichlet(np.ones(r * s)).reshape(r, s)
    full = rng.multinomial(n, chances.ravel()).reshape(r, s)
    by_row = rng.binomial(full, lost_columns)
    by_column = rng.binomial(full - by_row, lost_rows)
    counts = (full - by_row - by_column + 1.0)[None]
    return Problem(counts, by_row.sum(axis=1, dtype=float)[None], by_column.sum(axis=0, dtype=float)[None])


def probabilities(counts: Floats, mean: Floats, variance: Floats) -> Floats:
    """P(I > eps) for each eps under the noncentral beta law."""
    r, s = counts.shape[-2:]
    law = laws.fit("noncentral-beta", mean=mean, variance=variance, upper=np.log(min(r, s)), freedom=(r - 1.0) * (s - 1.0))
    return np.array([float(law.sf(eps)[0]) for eps in EPSILONS])


def errors(problem: Problem, draws: int, seed: int) -> tuple[list[float], bool]:
    """Errors of the mean in sd and of the sd relative (second order, leading order), of P(I > eps); and the noise of each."""
    sample = incomplete.gibbs_draws(*problem, draws=draws, rng=np.random.default_rng(seed))[0]
    mean, sd = sample.mean(), sample.std()
    found: list[float] = []
    for order in (2, 1):
        m, v, report = incomplete.moments(*problem, order=order)
        found += [(m[0] - mean) / sd, v[0] ** 0.5 / sd - 1.0]
        if order == 2:
            truth = (sample > np.array(EPSILONS)[:, None]).mean(axis=1)
            counted = (truth > 0.01) & (truth < 0.99)
            off = np.abs(probabilities(problem.counts, m, v) - truth)[counted]
            sampled = bool(report.sampled[0])
    # Draws of one chain stand a multiple of 250 apart, so the columns are independent.
    parts = (sample.reshape(-1, CHAINS) - mean) / sd
    noise = [part.mean(axis=0).std() / CHAINS**0.5 for part in (parts, parts**2 / 2.0)]
    return [*found, off.mean() if off.size else np.nan, off.max() if off.size else np.nan, *noise], sampled


def print_accuracy(tables: int, draws: int) -> None:
    """One line for each side and missing fraction."""
    print(f"{tables} tables a line; root mean square (largest) error against {draws} draws; mean in sd, sd relative")
    heads = f"{'mean':>16}{'sd':>16}{'P(I > eps)':>16}{'leading: mean':>15}{'sd':>8}{'noise: mean':>13}{'sd':>8}{'drawn':>7}"
    print(f"{'missing':<22}{heads}")
    cases = [("nothing", 0.0, 0.0)]
    for fraction in FRACTIONS:
        share = 1 - (1 - fraction) ** 0.5
        cases.append((f"{fraction:.0%} of columns", fraction, 0.0))
        cases.append((f"{fraction:.0%} of rows", 0.0, fraction))
        cases.append((f"{fraction:.0%}, both sides", share, share))
    for line, (label, columns, rows) in enumerate(cases):
        rng = np.random.default_rng(line)
        results = [errors(make_problem(rng, columns, rows), draws, seed) for seed in range(tables)]
        error = np.array([result for result, _ in results])
        root, most = np.sqrt(np.nanmean(error**2, axis=0)), np.nanmax(np.abs(error), axis=0)
        print(
            f"{label:<22}{root[0]:>8.4f} ({most[0]:.3f}){root[1]:>8.4f} ({most[1]:.3f})"
            f"{np.nanmean(error[:, 4]):>8.4f} ({most[5]:.3f}){root[2]:>15.3f}{root[3]:>8.3f}{root[6]:>13.4f}{root[7]:>8.4f}"
            f"{sum(sampled for _, sampled in results):>7}"
        )


def print_speed(repeats: int) -> None:
    """Milliseconds for batches of 1,000 tables."""
    print(f"\nmilliseconds for 1000 tables, best of {repeats} or more")
    for r, s in ((2, 2), (10, 5)):
        rng = np.random.default_rng(r)
        full = rng.multinomial(1000, rng.dirichlet(np.ones(r * s)), size=1000).reshape(-1, r, s)
        by_row = rng.binomial(full, 0.2)
        by_column = rng.binomial(full - by_row, 0.2)
        counts = full - by_row - by_column + 1.0
        row_only, col_only = by_row.sum(axis=2, dtype=float), by_column.sum(axis=1, dtype=float)
        calls: dict[str, Callable[[], object]] = {
            "complete, exact": lambda c=counts: (moments.mean(c), moments.variance_exact(c)),
            "one side": lambda c=counts, a=row_only, b=col_only: incomplete.moments(c, a, 0 * b),
            "both sides, EM": lambda c=counts, a=row_only, b=col_only: incomplete.posterior_mode(c, a, b),
            "both sides": lambda c=counts, a=row_only, b=col_only: incomplete.moments(c, a, b),
        }
        for label, call in calls.items():
            print(f"  {r} x {s:<4}{label:<18}{1e3 * best_seconds(call, least=repeats):>10.1f}")


def main(arguments: list[str] | None = None) -> None:
    """Print accuracy and speed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.incomplete_accuracy", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer tables, draws and repeats")
    quick = parser.parse_args([] if arguments is None else arguments).quick
    print_accuracy(*((10, 10_000) if quick else (40, 40_000)))
    print_speed(3 if quick else 9)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
