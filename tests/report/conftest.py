"""Reports of small data sets, made once."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import misieve
from misieve.decide import Selection
from misieve.report import build_facts
from misieve.tables import Tables


class Made(NamedTuple):
    facts: dict[str, Any]
    selection: Selection
    tables: Tables


@pytest.fixture(scope="session")
def make() -> Callable[..., Made]:
    def made(X: Any, y: Any, *, target: str = "y", read: Any = (), warnings: Any = (), **options: Any) -> Made:
        selector = misieve.MISelector(**options).fit(X, y)
        facts = build_facts(
            selector.selection_,
            selector.tables_,
            data={"source": "a.csv", "format": "csv", "rows": len(y), "target": target, "excluded": [], "read": list(read)},
            settings=selector.get_params(),
            reproduce={"command": "misieve select a.csv --target y", "python": "misieve.MISelector().fit(X, y)"},
            warnings=warnings,
        )
        return Made(facts, selector.selection_, selector.tables_)

    return made


@pytest.fixture(scope="session")
def mixed() -> tuple[pd.DataFrame, list[str]]:
    """Features of every sort against a target of two classes: strong, weak, noise, identifier, constant, missing."""
    rng = np.random.default_rng(3)
    n = 600
    y = rng.integers(0, 2, n)
    missing = rng.random(n) < np.where(y == 1, 0.5, 0.05)
    frame = pd.DataFrame(
        {
            "strong": np.where(rng.random(n) < 0.1, 1 - y, y),
            "weak": np.where(rng.random(n) < 0.4, 1 - y, y),
            "number": rng.normal(y, 1.0),
            "noise": rng.integers(0, 64, n),
            "codes": [f"c{i}" for i in rng.permutation(n)],
            "same": "x",
            "gone": [None] * n,
            "holes": pd.Series(rng.choice(["a", "b", "c"], n)).mask(missing),
            "leak": np.where(y == 1, "yes", "no"),
        }
    )
    return frame, np.where(y == 1, "good", "bad").tolist()
