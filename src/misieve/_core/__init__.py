"""The kernels: compiled when the native module was built, else their NumPy twin.

``MISIEVE_CORE=twin`` forces the twin, ``MISIEVE_CORE=native`` makes a missing native module an error. Everything that a
caller needs is reached through :data:`kernels`; both cores have the same functions and a test demands equal results.
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


CORE, kernels = _choose(os.environ.get("MISIEVE_CORE", ""))
