"""The Python blocks of README and docs run, and where a text block follows, they print it."""

import contextlib
import doctest
import importlib
import io
import pkgutil
import re
from pathlib import Path

import pytest

import misieve

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def lines(text):
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text())], ids=lambda page: page.name)
def test_the_examples_of_a_page_do_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for code, shown in BLOCK.findall(page.read_text()):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page.name, "exec"), names)
        if shown:
            assert lines(printed.getvalue()) == lines(shown)


def test_the_readme_shows_what_it_prints():
    assert sum(bool(shown) for _, shown in BLOCK.findall((ROOT / "README.md").read_text())) >= 2


MODULES = sorted(found.name for found in pkgutil.walk_packages(misieve.__path__, "misieve.") if "_native" not in found.name)


def test_the_examples_in_docstrings_do_what_they_say():
    results = [doctest.testmod(importlib.import_module(name)) for name in MODULES]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 10
