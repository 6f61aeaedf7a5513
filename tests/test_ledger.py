"""Each function and each test that docs/formulas.md names exists."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[-4:-1]]
    for line in (ROOT / "docs" / "formulas.md").read_text(encoding="utf-8").splitlines()
    if "::test_" in line
]


def named_in(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_the_ledger_has_all_its_rows():
    assert len(ROWS) >= 24
    assert all(named_in(functions) and named_in(tests) for _, functions, tests in ROWS)


@pytest.mark.parametrize("name", sorted({name for _, functions, _ in ROWS for name in named_in(functions)}))
def test_each_function_of_the_ledger_exists(name):
    module, _, function = f"misieve.{name}".rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


@pytest.mark.parametrize("name", sorted({name for _, _, tests in ROWS for name in named_in(tests)}))
def test_each_test_of_the_ledger_exists(name):
    file, _, test = name.partition("::")
    assert f"def {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")
