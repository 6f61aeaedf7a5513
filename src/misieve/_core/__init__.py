"""The kernels: compiled when the native module was built, else their NumPy twin.

``MISIEVE_CORE=twin`` forces the twin, ``MISIEVE_CORE=native`` makes a missing native module an error. ``MISIEVE_SIMD`` forces
one of the native core's instruction sets (``kernels.simd_levels()``); left alone, it is the best of the machine. Everything
that a caller needs is reached through :data:`kernels`; both cores have the same functions and a test demands equal results.
"""

import importlib
import os
from types import ModuleType

from misieve._core import twin
from misieve._errors import OptionError

__all__ = ["CORE", "kernels", "native_or_none"]


def native_or_none() -> ModuleType | None:
    """The compiled module, or None where it was not built."""
    try:
        return importlib.import_module("misieve._core._native")
    except ImportError:
        return None


def _choose(wanted: str) -> tuple[str, ModuleType]:
    if wanted not in {"", "native", "twin"}:
        raise OptionError(
            f"MISIEVE_CORE must be 'native' or 'twin', not {wanted!r}; unset it to use the native core if it is there"
        )
    native = None if wanted == "twin" else native_or_none()
    if native is not None:
        return "native", native
    if wanted == "native":
        raise OptionError(
            "MISIEVE_CORE=native, but the native core was not built: reinstall with a C++17 compiler, or unset it"
        )
    return "twin", twin


def _force_level(core: ModuleType, wanted: str) -> None:
    levels = core.simd_levels()
    if wanted and wanted not in levels:
        raise OptionError(
            f"MISIEVE_SIMD must be one of {', '.join(levels)} (what this build and machine have), not {wanted!r}; "
            "unset it to use the best"
        )
    if wanted:
        core.set_simd_level(wanted)


CORE, kernels = _choose(os.environ.get("MISIEVE_CORE", ""))
_force_level(kernels, os.environ.get("MISIEVE_SIMD", ""))
