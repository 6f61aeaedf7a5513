"""Write ``moments.json``: mean and variance of the mutual information of tables that range over all that is claimed.

    python tests/reference/make_moments.py             # all of it, about eight minutes on one core
    python tests/reference/make_moments.py --check 10  # compare a sample of ten cases with the file

The values come from ``exact_moments``, whose docstring has the method; they are right to about 18 digits.  The allowed errors
are what ``misieve`` promises or better: 1e-12 for the mean, 1e-10 for the variance with n up to 1000 and 1e-8 up to n = 1e10;
1e-10 and 1e-6 beyond, where the rounding of the margins alone shows.  Large tables have few distinct triples of cell, row sum
and column sum, since each of these costs a double integral.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from mpmath import nstr
from numpy.typing import ArrayLike, NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reference.cases import MOMENTS, build
from reference.exact_moments import mean_and_variance

SEED = 2002
MEAN_DIGITS, VARIANCE_DIGITS = 25, 20
Recipe = dict[str, Any]
SHAPES = ((2, 2), (2, 3), (5, 3), (20, 10), (50, 50), (50, 2))


def recipe(name: str, block: ArrayLike, **more: Any) -> Recipe:
    """Return a case without its values, as ``cases.build`` reads it."""
    return {"name": name, "block": np.asarray(block, dtype=np.float64).tolist(), **more}


def all_cases() -> list[Recipe]:
    """Return every case, always the same ones."""
    rng = np.random.default_rng(SEED)
    return [
        *known_tables(),
        *constant_tables(),
        *random_tables(rng),
        *proportional_tables(),
        *nearly_independent_tables(rng),
        *diagonal_tables(),
        *mixed_cells(),
        *one_huge_cell(),
        *columns_of_tiny_cells(),
        *many_levels(rng),
        *repeated_blocks(rng),
        *zero_cells(),
    ]


def known_tables() -> Iterator[Recipe]:
    for block in (
        [[40, 10], [20, 80]],
        [[41, 11], [21, 81]],
        [[20, 5], [10, 40]],
        [[8, 2], [4, 16]],
        [[1, 1], [1, 1]],
        [[101, 1], [51, 1]],
        [[3, 7, 2], [6, 1, 9]],
        [[2, 1], [1, 2]],
        [[1000, 1], [1, 1000]],
        [[0.5, 0.5], [0.5, 1.5]],
        [[0.25, 1.25], [10.25, 0.25]],
        [[500, 300], [100, 100]],
    ):
        yield recipe(f"known {block}", block)


def constant_tables() -> Iterator[Recipe]:
    for (r, s), cell in product(SHAPES, (0.01, 0.02, 0.5, 1.0, 30.0, 1e6)):
        yield recipe(f"constant {r}x{s} of {cell:g}", [[cell]], repeat_rows=[r], repeat_columns=[s])


def random_tables(rng: np.random.Generator) -> Iterator[Recipe]:
    """Multinomial counts of random proportions, plus a prior; the Haldane ones have no zero cell."""
    plan = {
        (2, 2): (10, 100, 1000, 10**4, 10**6, 10**8, 10**10),
        (2, 3): (30, 1000, 10**6, 10**10),
        (3, 3): (50, 10**4, 10**10),
    }
    for (r, s), sizes in {**plan, (5, 3): (300, 10**6)}.items():
        for n, (name, prior) in product(sizes, {"uniform": 1, "jeffreys": 0.5, "perks": 1 / (r * s), "haldane": 0}.items()):
            counts = rng.multinomial(n, rng.dirichlet(np.ones(r * s))).reshape(r, s)
            counts = np.maximum(counts, 1) if name == "haldane" else counts
            yield recipe(f"random {r}x{s} n={n:g} {name}", counts + prior)
    yield recipe("random 20x10 n=2000 jeffreys", rng.multinomial(2000, rng.dirichlet(np.ones(200))).reshape(20, 10) + 0.5)


def proportional_tables() -> Iterator[Recipe]:
    """Outer products, so that the plug-in is 0 and everything of order 1/n cancels in the variance."""
    plan = {
        "2x2": ([0.25, 0.75], [0.5, 0.5]),
        "3x3": ([0.125, 0.25, 0.625], [0.125, 0.375, 0.5]),
        "2x3": ([0.01, 0.99], [0.2, 0.3, 0.5]),
    }
    for (shape, (rows, columns)), exponent in product(plan.items(), (2, 3, 4, 5, 6, 7, 8, 9, 10, 12)):
        yield recipe(f"proportional {shape} n=1e{exponent}", np.outer(rows, columns) * 10.0**exponent)


def nearly_independent_tables(rng: np.random.Generator) -> Iterator[Recipe]:
    """Off proportionality by about one standard error, where every term of mean and variance has the same size."""
    for (r, s), exponent in product(((2, 2), (2, 3)), (2, 3, 4, 5, 6, 7, 8, 9, 10)):
        counts = rng.multinomial(10**exponent, np.outer(rng.dirichlet(5 * np.ones(r)), rng.dirichlet(5 * np.ones(s))).ravel())
        yield recipe(f"nearly independent {r}x{s} n=1e{exponent}", counts.reshape(r, s) + 1)


def diagonal_tables() -> Iterator[Recipe]:
    for k, (count, rest) in product((2, 3, 10, 50), ((5, 0.02), (1000, 0.5), (1e6, 0.01), (1e8, 1))):
        yield recipe(
            f"diagonal {k}x{k} of {count:g} beside {rest}", [[rest]], repeat_rows=[k], repeat_columns=[k], diagonal=count
        )


def mixed_cells() -> Iterator[Recipe]:
    for block in (
        [[1e6, 0.02], [0.5, 1]],
        [[0.02, 1e6], [1e6, 0.5]],
        [[0.01, 0.02], [0.5, 1]],
        [[1e6, 1], [0.01, 1e6]],
        [[1e6, 1e6], [0.02, 0.01]],
        [[0.01, 1e3], [1e6, 0.02]],
        [[1e6, 0.02, 0.5], [1, 0.01, 1e6]],
        [[0.01, 0.02, 0.5], [1, 1e6, 1e3]],
        [[1e6, 1, 0.5], [0.02, 0.01, 1e3], [1, 1e6, 0.02]],
        [[0.01, 0.5, 1], [0.5, 0.02, 1e6], [1, 1e6, 0.01]],
        [[0.02, 0.02, 0.5], [0.5, 0.01, 1], [0.01, 1, 0.02]],
        [[1e10, 0.01], [0.02, 1e3]],
    ):
        yield recipe(f"mixed {block}", block)


def one_huge_cell() -> Iterator[Recipe]:
    for (r, s), huge, rest in product(((2, 2), (5, 3), (20, 10)), (1e3, 1e6, 1e10), (0.01, 0.5)):
        block = [[huge, rest], [rest, rest]]
        name = f"one cell of {huge:g} in {r}x{s} of {rest}"
        yield recipe(name, block, repeat_rows=[1, r - 1], repeat_columns=[1, s - 1])


def columns_of_tiny_cells() -> Iterator[Recipe]:
    for tiny, (name, column) in product(
        (0.01, 0.02), {"small": [1, 4, 0.5], "middle": [30, 70, 11], "large": [1e5, 3e5, 1e6]}.items()
    ):
        yield recipe(f"{name} counts beside a column of {tiny}", [[count, tiny] for count in column])
        yield recipe(f"{name} counts beside four columns of {tiny}", [[x, tiny] for x in column], repeat_columns=[1, 4])


def many_levels(rng: np.random.Generator) -> Iterator[Recipe]:
    """Features of many values against two classes: noise, signal, and a column of unique identifiers, with Perks' prior."""
    for levels, n in ((50, 100), (50, 400), (1000, 500), (1000, 2000)):
        for name, share in {"noise": 0.5, "rare class": 0.1}.items():
            value, label = rng.integers(levels, size=n), rng.random(n) < share
            counts = np.stack([np.bincount(value[label == k], minlength=levels) for k in (False, True)], axis=1)
            rows, repeats = np.unique(np.sort(counts, axis=1) if name == "noise" else counts, axis=0, return_counts=True)
            title = f"{levels} levels x 2, {n} observations, {name}, perks"
            yield recipe(title, rows + 1 / (2 * levels), repeat_rows=repeats.tolist())
    for levels, prior in ((50, 0.01), (1000, 1 / 2000), (1000, 1)):
        half = levels // 2
        yield recipe(f"{levels} identifiers, prior {prior:g}", np.eye(2) + prior, repeat_rows=[half, levels - half])
    yield recipe("1000 levels x 2 without data, perks", [[1 / 2000]], repeat_rows=[1000], repeat_columns=[2])


def repeated_blocks(rng: np.random.Generator) -> Iterator[Recipe]:
    """Large tables made of a small random one, each of whose cells is repeated."""
    plan = {"20x10": ([8, 7, 5], [1, 2, 7]), "50x50": ([25, 20, 5], [10, 10, 30]), "50x2": ([10, 15, 5, 20], [1, 1])}
    for (shape, (rows, columns)), scale, prior in product(plan.items(), (3, 1e3, 1e6), (0.02, 0.5)):
        block = rng.poisson(scale * rng.gamma(0.5, size=(len(rows), len(columns)))) + prior
        name = f"blocks {shape} of counts near {scale:g}, prior {prior}"
        yield recipe(name, block, repeat_rows=rows, repeat_columns=columns)


def zero_cells() -> Iterator[Recipe]:
    """Haldane's prior on tables with empty cells: these have no posterior mass anywhere but at zero."""
    for block in ([[5, 0], [3, 7]], [[0.5, 0], [0, 1]], [[100, 0, 3], [0, 40, 0]], [[1e6, 0], [1, 1e6]]):
        yield recipe(f"zero cells {block}", block)


def allowed_errors(table: NDArray[np.float64]) -> dict[str, float]:
    """Return the relative errors of mean and variance that an implementation may show."""
    n = table.sum()
    if n > 2e10:
        return {"mean_tolerance": 1e-10, "variance_tolerance": 1e-6}
    return {"mean_tolerance": 1e-12, "variance_tolerance": 1e-10 if n <= 1000 else 1e-8}


def values(case: Recipe) -> dict[str, str]:
    """Return mean and variance of a case as they are stored."""
    mean, variance = mean_and_variance(build(case))
    return {"mean": nstr(mean, MEAN_DIGITS), "variance": nstr(variance, VARIANCE_DIGITS)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", type=int, metavar="K", help="recompute K cases of the file, spread evenly, and compare")
    check = parser.parse_args().check
    cases = all_cases()
    if check:
        stored = {case["name"]: case for case in json.loads(MOMENTS.read_text(encoding="utf-8"))["cases"]}
        for case in cases[:: max(1, len(cases) // check)]:
            same = {**case, **values(case), **allowed_errors(build(case))} == stored[case["name"]]
            print("same" if same else "DIFFERENT", case["name"])
        return
    lines = []
    for case in cases:
        lines.append(json.dumps({**case, **values(case), **allowed_errors(build(case))}))
        print(f"{len(lines)} of {len(cases)}: {case['name']}", file=sys.stderr, flush=True)
    MOMENTS.write_text('{"cases": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
