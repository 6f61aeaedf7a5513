"""Make ``reference_probabilities.npz``: what a million draws say about the posterior of a few hundred random tables.

Run ``python -m benchmarks.reference_probabilities`` to make it anew (some five minutes). Each of the
:data:`BANDS` of sample sizes gets :data:`TABLES_PER_BAND` seeded tables, from independent to strongly dependent, and each of
them is seen under each of the :data:`PRIORS`. The sampler is written on its own, so that it checks the library's instead of
repeating it.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BANDS = ((10, 30), (30, 100), (100, 300), (300, 2000))
PRIORS = ("uniform", "jeffreys", "perks")
EPSILONS = (0.003, 0.01, 0.05)
LEVELS = (0.05, 0.5, 0.95)
TABLES_PER_BAND = 100
DRAWS = 1_000_000
CHUNK = 50_000
STORE = Path(__file__).with_name("reference_probabilities.npz")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One table under one prior with what its draws gave: P(I > eps) for each of EPSILONS, the quantiles at LEVELS."""

    band: int
    prior: str
    table: Floats
    probabilities: Floats
    quantiles: Floats


def random_table(rng: np.random.Generator, band: tuple[int, int]) -> NDArray[np.int64]:
    """Draw raw counts: 2 to 5 rows, 2 to 3 columns, a total from the band, any strength of dependence."""
    rows, columns = rng.integers(2, 6), rng.integers(2, 4)
    total = int(np.exp(rng.uniform(np.log(band[0]), np.log(band[1]))))
    chances = np.outer(rng.dirichlet(np.full(rows, 1.5)), rng.dirichlet(np.full(columns, 2.0)))
    strength = rng.uniform() ** 2 if rng.uniform() < 0.8 else 0.0
    chances = (1.0 - strength) * chances + strength * rng.dirichlet(np.ones(rows * columns)).reshape(rows, columns)
    return rng.multinomial(total, chances.ravel()).reshape(rows, columns)


def random_tables() -> list[tuple[int, NDArray[np.int64]]]:
    """All the raw tables, each with the index of its band."""
    rng = np.random.default_rng(20020801)
    return [(index, random_table(rng, band)) for index, band in enumerate(BANDS) for _ in range(TABLES_PER_BAND)]


def pseudo_count(prior: str, shape: tuple[int, ...]) -> float:
    """The prior's count per cell."""
    return {"uniform": 1.0, "jeffreys": 0.5, "perks": 1.0 / (shape[0] * shape[1])}[prior]


def _surprise(chance: NDArray[np.float32]) -> NDArray[np.float32]:
    return chance * np.log(np.maximum(chance, np.float32(1e-37)))


def draws_of_information(table: Floats, draws: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Mutual information of ``draws`` tables of chances from the Dirichlet, in single precision (error about 1e-7)."""
    rows, columns = table.shape
    found = np.empty(draws, dtype=np.float32)
    for start in range(0, draws, CHUNK):
        stop = min(start + CHUNK, draws)
        gammas = np.empty((rows, columns, stop - start), dtype=np.float32)
        for i in range(rows):
            for j in range(columns):
                rng.standard_gamma(table[i, j], dtype=np.float32, out=gammas[i, j])
        gammas /= gammas.sum(axis=(0, 1))
        found[start:stop] = (
            _surprise(gammas).sum(axis=(0, 1))
            - _surprise(gammas.sum(axis=0)).sum(axis=0)
            - _surprise(gammas.sum(axis=1)).sum(axis=0)
        )
    return found


def measure(seed: int, table: Floats, draws: int) -> tuple[list[float], list[float]]:
    """P(I > eps) and quantiles of one prior-laden table."""
    found = draws_of_information(table, draws, np.random.default_rng([20020801, seed]))
    probabilities = [float(np.mean(found > epsilon)) for epsilon in EPSILONS]
    return probabilities, np.quantile(found, LEVELS).tolist()


def make(draws: int = DRAWS, path: Path = STORE) -> None:
    """Measure every table under every prior and write the file."""
    raw = random_tables()
    cases = [(band, prior, counts + pseudo_count(prior, counts.shape)) for band, counts in raw for prior in PRIORS]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda item: measure(item[0], item[1][2], draws), enumerate(cases)))
    padded = np.full((len(raw), 5, 3), -1, dtype=np.int16)
    for target, (_, counts) in zip(padded, raw, strict=True):
        target[: counts.shape[0], : counts.shape[1]] = counts
    shape = (len(raw), len(PRIORS), -1)
    np.savez_compressed(
        path,
        counts=padded,
        band=np.array([band for band, _ in raw], dtype=np.int8),
        probabilities=np.array([p for p, _ in results], dtype=np.float32).reshape(shape),
        quantiles=np.array([q for _, q in results], dtype=np.float32).reshape(shape),
        draws=draws,
    )


def load(path: Path = STORE) -> list[Case]:
    """Read the stored cases; absent cells of the padded counts are -1."""
    cases = []
    with np.load(path) as stored:
        columns = (stored["band"], stored["counts"], stored["probabilities"], stored["quantiles"])
        for band, padded, probabilities, quantiles in zip(*columns, strict=True):
            counts = padded[(padded >= 0).any(axis=1)][:, (padded >= 0).any(axis=0)].astype(float)
            for index, prior in enumerate(PRIORS):
                table = counts + pseudo_count(prior, counts.shape)
                cases.append(Case(int(band), prior, table, probabilities[index].astype(float), quantiles[index].astype(float)))
    return cases


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--out", type=Path, default=STORE)
    arguments = parser.parse_args()
    make(arguments.draws, arguments.out)
