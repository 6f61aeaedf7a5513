import pytest

from misieve import _core
from misieve._errors import OptionError


def test_an_unknown_core_is_refused():
    with pytest.raises(OptionError, match="must be 'native' or 'twin'.*'fast'"):
        _core._choose("fast")


def test_the_twin_can_be_forced():
    assert _core._choose("twin")[0] == "twin"


def test_a_missing_native_core_is_an_error_when_it_was_asked_for(monkeypatch):
    monkeypatch.setattr(_core, "native_or_none", lambda: None)
    with pytest.raises(OptionError, match="was not built"):
        _core._choose("native")
    assert _core._choose("")[0] == "twin"
