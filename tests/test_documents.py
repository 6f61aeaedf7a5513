"""What README and docs show is what comes out: Python blocks and commands are run, links lead somewhere."""

import doctest
import importlib
import os
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import misieve

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

from outputs import BLOCK, PAGES, renewed  # noqa: E402


def named(page):
    return page.relative_to(ROOT).as_posix()


def shows(page):
    """A page of commands, each a process of its own, takes seconds."""
    return pytest.param(page, id=named(page), marks=[pytest.mark.slow] if "```console" in page.read_text() else [])


@pytest.mark.parametrize("page", [shows(page) for page in PAGES if BLOCK.search(page.read_text())])
def test_the_examples_of_a_page_do_what_they_say(page):
    if "```console" in page.read_text():
        pytest.importorskip("typer", reason="the commands need misieve[cli]")
    assert renewed(page) == page.read_text()


def test_there_is_something_to_run():
    found = [language for page in PAGES for language, *_ in BLOCK.findall(page.read_text())]
    assert found.count("python") >= 30
    assert found.count("console") >= 5


def test_what_differs_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(6 * 7)\n```\n\n```text\n41\n```\n\n```console\n$ echo one; false\ntwo\n$ echo\n```\n")
    assert renewed(page) == page.read_text().replace("41", "42").replace("two", "one").replace("$ echo\n", "\n$ echo\n")


LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(page):
    """The headings of a page as its readers' links name them."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "paper" / "README.md"], ids=named)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for link in LINK.findall(text):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{named(page)} links to {link}"
        if anchor:
            assert anchor in anchors(target), f"{named(page)} links to {link}"


def test_every_page_can_be_reached():
    listed = set()
    for page in PAGES:
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(), re.DOTALL):
            entries = [line for line in tree.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / f"{entry}.md").resolve() for entry in entries}
    assert {page for page in PAGES if DOCS in page.parents} - listed == {DOCS / "index.md"}


MODULES = sorted(found.name for found in pkgutil.walk_packages(misieve.__path__, "misieve.") if "_native" not in found.name)


def test_the_examples_in_docstrings_do_what_they_say():
    results = [doctest.testmod(importlib.import_module(name)) for name in MODULES]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 10


@pytest.mark.data
@pytest.mark.skipif(not os.environ.get("MISIEVE_DATA"), reason="MISIEVE_DATA does not name the folder of data sets")
def test_the_guide_shows_the_votes_as_they_are():
    pd = pytest.importorskip("pandas")
    votes = pd.read_csv(Path(os.environ["MISIEVE_DATA"]) / "house-votes-84.data")
    counts = pd.crosstab(votes.iloc[:, -1], votes["Class"]).loc[["n", "y", "?"]].to_numpy().tolist()
    assert f"votes = np.array({counts})" in (DOCS / "guides" / "missing.md").read_text()
    assert [round(100 * counts[2][i] / sum(row[i] for row in counts)) for i in (0, 1)] == [31, 13]
