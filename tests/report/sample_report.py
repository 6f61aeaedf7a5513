"""A report of real data: breast cancer, with a noise column of 100 values and an id column; and a picture of it.

``python tests/report/sample_report.py docs/report.png`` makes the picture of the guide anew (it needs a Chromium).
"""

import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

import misieve
from misieve.report import build_facts, build_page

#: Where Debian and others put it; MISIEVE_CHROMIUM names another.
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium() -> str | None:
    """The path of a Chromium, if there is one."""
    return os.environ.get("MISIEVE_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)


def data() -> tuple[pd.DataFrame, Any]:
    """Features and diagnosis; of one feature some values are missing, more often where it is malignant."""
    loaded = load_breast_cancer(as_frame=True)
    frame, y = loaded.data.copy(), np.where(loaded.target == 0, "malignant", "benign")
    rng = np.random.default_rng(0)
    frame["noise"] = rng.integers(0, 100, len(frame)).astype(str)
    frame["id"] = [f"p{i:04d}" for i in rng.permutation(len(frame))]
    frame.loc[rng.random(len(frame)) < np.where(y == "malignant", 0.2, 0.02), "mean texture"] = np.nan
    return frame, y


def sample() -> str:
    """The report, with a threshold at which some features are undecided."""
    frame, y = data()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", misieve.MisieveWarning)
        selector = misieve.MISelector(epsilon=0.1).fit(frame, y)
    facts = build_facts(
        selector.selection_,
        selector.tables_,
        data={"source": "breast_cancer.csv", "format": "csv", "rows": len(frame), "target": "diagnosis"},
        settings=selector.get_params(),
        reproduce={
            "command": "misieve select breast_cancer.csv --target diagnosis --epsilon 0.1 --report report.html",
            "python": "import misieve\n\n"
            "tables = misieve.count('breast_cancer.csv', 'diagnosis', bins='mdl', missing='model')\n"
            "selection = misieve.select(tables, epsilon=0.1)",
        },
    )
    return build_page(facts, selector.selection_, selector.tables_)


def picture(target: Path) -> None:
    """What is seen first of the report, in light colours."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "report.html")
        page.write_text(sample(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": 1280, "height": 1180}, color_scheme="light")
        view.goto(page.as_uri())
        view.locator("#intervals svg").wait_for()
        view.get_by_role("button", name="worst smoothness").click()
        view.locator("#density svg").wait_for()
        view.evaluate("document.activeElement.blur(); scrollTo({ top: 0, behavior: 'instant' })")
        view.wait_for_timeout(300)
        view.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    picture(Path(sys.argv[1]))
