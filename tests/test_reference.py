"""The reference has an entry for every public name, and each entry all of the name's parameters."""

import inspect
import re
from pathlib import Path

import pytest

import misieve

API = Path(__file__).parent.parent / "docs" / "api"
ENTRY = re.compile(r"^\.\. auto(?:function|class|exception|module):: misieve\.(\w+)$", re.MULTILINE)
NAMES = sorted(set(misieve.__all__) - {"__version__"})
#: Made by functions; nobody calls these.
VALUES = {"Posterior", "Prequential", "Selection", "Tables"}


def documented(thing):
    """Names in the section Parameters of a docstring; one line may stand for several."""
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", inspect.getdoc(thing), re.DOTALL)
    heads = re.findall(r"^(\w.*?)(?: :.*)?$", section.group(1) if section else "", re.MULTILINE)
    return {name.strip() for head in heads for name in head.split(",")}


def test_every_public_name_has_one_entry():
    entries = [
        name for page in sorted(API.glob("*.md")) if page.name != "modules.md" for name in ENTRY.findall(page.read_text())
    ]
    assert [name for name in NAMES if entries.count(name) != 1] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_described(name):
    assert len(inspect.getdoc(getattr(misieve, name)) or "") > 20


def called():
    """Names of functions and estimators, but not of errors."""
    things = {name: getattr(misieve, name) for name in NAMES}
    errors = {name for name, thing in things.items() if inspect.isclass(thing) and issubclass(thing, Exception)}
    return [name for name in NAMES if callable(things[name]) and name not in VALUES | errors]


@pytest.mark.parametrize("name", called())
def test_all_its_parameters_are_described(name):
    thing = getattr(misieve, name)
    assert documented(thing) == set(inspect.signature(thing).parameters)


def test_what_functions_return_has_every_public_member_described():
    for name in sorted(VALUES):
        public = {member: value for member, value in vars(getattr(misieve, name)).items() if not member.startswith("_")}
        described = {member for member, value in public.items() if callable(value) or isinstance(value, property)}
        assert [f"{name}.{member}" for member in sorted(described) if not inspect.getdoc(public[member])] == []
