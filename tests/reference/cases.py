"""The reference cases, read from their JSON files: what the tests of moments and laws import.

A table is stored as a ``block`` of counts, how often each of its rows and columns is repeated, and a number added to the
diagonal of the result; most tables are their own block.  Counts are written so that they read back as the same doubles, and
the generator starts from those doubles: a count of .02 is the double nearest to .02, exactly, for both sides of a comparison.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
MOMENTS = HERE / "moments.json"
PROBABILITY = HERE / "probability.json"


@dataclass(frozen=True)
class Case:
    """A table with its prior included, the mean and variance of its mutual information in nats, and the errors allowed."""

    name: str
    table: NDArray[np.float64]  # (r, s)
    mean: float
    variance: float
    mean_tolerance: float  # relative
    variance_tolerance: float  # relative
    mean_digits: Decimal  # the mean as it was stored
    variance_digits: Decimal


@dataclass(frozen=True)
class ProbabilityCase:
    """A 2 x 2 table with its prior included, and P(I <= threshold) under its Dirichlet posterior."""

    name: str
    table: NDArray[np.float64]  # (2, 2)
    threshold: float  # nats
    probability: float
    tolerance: float  # absolute


def build(recipe: dict[str, Any]) -> NDArray[np.float64]:
    """Return the table (r, s) that a stored recipe describes."""
    table = np.array(recipe["block"], dtype=np.float64)
    if "repeat_rows" in recipe:
        table = np.repeat(table, recipe["repeat_rows"], axis=0)
    if "repeat_columns" in recipe:
        table = np.repeat(table, recipe["repeat_columns"], axis=1)
    if "diagonal" in recipe:
        index = np.arange(min(table.shape))
        table[index, index] += recipe["diagonal"]
    return table


def load_moments() -> list[Case]:
    """Return the cases of mean and exact variance."""
    stored = json.loads(MOMENTS.read_text(encoding="utf-8"))
    return [
        Case(
            name=case["name"],
            table=build(case),
            mean=float(case["mean"]),
            variance=float(case["variance"]),
            mean_tolerance=case["mean_tolerance"],
            variance_tolerance=case["variance_tolerance"],
            mean_digits=Decimal(case["mean"]),
            variance_digits=Decimal(case["variance"]),
        )
        for case in stored["cases"]
    ]


def load_probability() -> list[ProbabilityCase]:
    """Return the cases of P(I <= threshold) for 2 x 2 tables."""
    stored = json.loads(PROBABILITY.read_text(encoding="utf-8"))
    return [
        ProbabilityCase(
            name=f"{case['name']} at {threshold}",
            table=np.array(case["table"], dtype=np.float64),
            threshold=float(threshold),
            probability=float(probability),
            tolerance=stored["tolerance"],
        )
        for case in stored["cases"]
        for threshold, probability in case["probability"].items()
    ]
