"""The readable NumPy twin of every native kernel: same names, same arguments, same results.

The twins stand beside the kernels they mirror: counting, moments, discretisation, test-then-train, sums.
"""

from misieve._core import twin_counting, twin_mdl, twin_moments, twin_progressive, twin_sums
from misieve._core.twin_counting import *  # noqa: F403
from misieve._core.twin_mdl import *  # noqa: F403
from misieve._core.twin_moments import *  # noqa: F403
from misieve._core.twin_progressive import *  # noqa: F403
from misieve._core.twin_sums import *  # noqa: F403

_PARTS = (twin_counting, twin_mdl, twin_moments, twin_progressive, twin_sums)
__all__ = ["compiler", *(name for part in _PARTS for name in part.__all__)]  # noqa: PLE0604


def compiler() -> str:
    """Name and version of the compiler that built this module: none, it is Python."""
    return "none (pure Python)"
