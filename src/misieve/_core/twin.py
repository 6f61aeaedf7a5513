"""The readable NumPy twin of every native kernel: same names, same arguments, same results.

The twins stand beside the kernels they mirror: counting, moments, discretisation, test-then-train.
"""

from misieve._core import twin_counting, twin_mdl, twin_moments, twin_progressive
from misieve._core.twin_counting import *  # noqa: F403
from misieve._core.twin_mdl import *  # noqa: F403
from misieve._core.twin_moments import *  # noqa: F403
from misieve._core.twin_progressive import *  # noqa: F403

__all__ = ["compiler", *twin_counting.__all__, *twin_mdl.__all__, *twin_moments.__all__, *twin_progressive.__all__]  # noqa: PLE0604


def compiler() -> str:
    """Name and version of the compiler that built this module: none, it is Python."""
    return "none (pure Python)"
