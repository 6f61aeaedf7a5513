"""The false discovery rate that the fdr rule promises, and the one that comes out; beside Benjamini-Hochberg.

``python -m benchmarks.fdr [--seeds 20]``: 2000 binary features, 5 % of which depend on a binary class (the chance of a one
shifted by .05 to .25), 500 and 5000 rows. Target .05. False is a kept feature that is independent of the class; power is the
share of the dependent ones that are kept.
"""

import argparse
import warnings

import numpy as np
from scipy.stats import chi2, false_discovery_control

import misieve
from benchmarks.simulations import mixed_features

TARGET = 0.05


def p_values(tables: misieve.Tables) -> np.ndarray:
    """Pearson's chi-square test of each feature, without continuity correction."""
    result = np.ones(len(tables))
    for where, counts in tables.blocks():
        expected = (
            counts.sum(axis=2, keepdims=True) * counts.sum(axis=1, keepdims=True) / counts.sum(axis=(1, 2), keepdims=True)
        )
        r, s = counts.shape[1:]
        if r > 1 and s > 1:
            result[where] = chi2.sf(((counts - expected) ** 2 / expected).sum(axis=(1, 2)), (r - 1) * (s - 1))
    return result


def methods(tables: misieve.Tables) -> dict[str, np.ndarray]:
    """What each method keeps."""
    found = {
        f"fdr, epsilon={epsilon:g}, independence={mass}": misieve.select(
            tables, rule="fdr", level=1 - TARGET, epsilon=epsilon, independence=mass
        ).support
        for epsilon, mass in ((0.0, "auto"), (0.0, 0.5), (0.005, "auto"), (0.005, 0.5))
    }
    found["Benjamini-Hochberg, chi-square"] = false_discovery_control(p_values(tables)) <= TARGET
    return found


def main(arguments: list[str] | None = None) -> None:
    """Print realised rate (mean and largest of the runs) and power of each method."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fdr", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    seeds = parser.parse_args([] if arguments is None else arguments).seeds
    warnings.simplefilter("ignore")
    for n in (500, 5000):
        rates: dict[str, list[float]] = {}
        powers: dict[str, list[float]] = {}
        for seed in range(seeds):
            x, y, depends = mixed_features(np.random.default_rng(seed), n)
            for name, kept in methods(misieve.count(x, y)).items():
                rates.setdefault(name, []).append((kept & ~depends).sum() / max(kept.sum(), 1))
                powers.setdefault(name, []).append((kept & depends).sum() / depends.sum())
        print(f"n = {n}, {seeds} seeds, target {TARGET}")
        print(f"  {'method':<40}{'rate':>8}{'largest':>9}{'power':>8}")
        for name, rate in rates.items():
            print(f"  {name:<40}{np.mean(rate):8.4f}{np.max(rate):9.4f}{np.mean(powers[name]):8.3f}", flush=True)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
