"""The readable NumPy twin of every native kernel: same names, same arguments, same results."""

from misieve._core.twin_mdl import mdl_cuts
from misieve._core.twin_moments import distinct_rows, overlap_sum, product_difference, tabled_moments

__all__ = ["compiler", "distinct_rows", "mdl_cuts", "overlap_sum", "product_difference", "tabled_moments"]


def compiler() -> str:
    """Name and version of the compiler that built this module: none, it is Python."""
    return "none (pure Python)"
