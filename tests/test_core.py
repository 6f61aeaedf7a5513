import os
import subprocess
import sys

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


@pytest.mark.parametrize("core", [_core.kernels, _core.twin])
def test_a_level_that_the_machine_lacks_is_refused(core):
    with pytest.raises(OptionError, match=f"MISIEVE_SIMD must be one of {core.simd_levels()[0]}.*not 'mmx'"):
        _core._force_level(core, "mmx")
    with pytest.raises(ValueError, match=f"{core.simd_levels()[0]}.*not 'mmx'"):
        core.set_simd_level("mmx")


@pytest.mark.parametrize("level", _core.kernels.simd_levels())
def test_a_level_is_forced_by_the_environment_and_shown(level):
    code = "import misieve; misieve.show_config()"
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "MISIEVE_SIMD": level}, capture_output=True, text=True, check=True
    )
    assert f"simd          {level} (of " in run.stdout


def test_both_cores_have_the_same_functions():
    native = _core.native_or_none()
    if native is None:
        pytest.skip("the native core was not built")
    assert set(_core.twin.__all__) == {name for name in dir(native) if not name.startswith("_")}
