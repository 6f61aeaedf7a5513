"""The readable NumPy twin of every native kernel: same names, same arguments, same results."""

from misieve._core.twin_mdl import mdl_cuts

__all__ = ["compiler", "mdl_cuts"]


def compiler() -> str:
    """Name and version of the compiler that built this module: none, it is Python."""
    return "none (pure Python)"
