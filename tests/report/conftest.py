"""Reports of small data sets, made once, and a browser to read them with."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from visits import Visit

import misieve
from misieve.decide import Selection
from misieve.report import build_facts
from misieve.tables import Tables


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; without one the test is skipped, or fails if MISIEVE_REQUIRE_BROWSER=1."""
    from sample_report import chromium

    path = chromium()
    if path is None:
        if os.environ.get("MISIEVE_REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium was found; install it, or name it in MISIEVE_CHROMIUM")
        pytest.skip("no Chromium was found")
    with pytest.importorskip("playwright.sync_api").sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Visit]]:
    """Open a page, as often as needed; what all pages must hold to is checked at the end."""
    open_ones: list[Visit] = []

    def opened(html: str, **options: Any) -> Visit:
        path = tmp_path / f"report{len(open_ones)}.html"
        path.write_text(html, encoding="utf-8")
        open_ones.append(Visit(browser, path, **options))
        return open_ones[-1]

    yield opened
    for one in open_ones:
        one.close()


@pytest.fixture(scope="session")
def sampled() -> str:
    """The report of real data."""
    from sample_report import sample

    return sample()


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
