"""What runs here: versions, the core in use, and how it was built."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

import misieve
from misieve._core import CORE, kernels

__all__ = ["config", "show_config"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "narwhals", "pandas", "polars", "pyarrow", "matplotlib")


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def config() -> dict[str, str]:
    """The facts that :func:`show_config` prints, as a plain dict."""
    return {
        "misieve": misieve.__version__,
        "core": CORE,
        "compiler": kernels.compiler(),
        "simd": f"{kernels.simd_level()} (of {', '.join(kernels.simd_levels())})",
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        **{library: _version(library) for library in _LIBRARIES},
    }


def show_config() -> None:
    """Print which core runs, how it was built, and the versions of the libraries around it."""
    facts = config()
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name:<{width}}  {value}")
