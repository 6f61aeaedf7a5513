"""The readable NumPy twin of every native kernel: same names, same arguments, same results."""

from misieve._core.twin_counting import (
    count_columns,
    count_dense,
    count_sparse,
    read_bytes,
    set_simd_level,
    simd_level,
    simd_levels,
    sparse_maxima,
)

__all__ = [
    "compiler",
    "count_columns",
    "count_dense",
    "count_sparse",
    "read_bytes",
    "set_simd_level",
    "simd_level",
    "simd_levels",
    "sparse_maxima",
]


def compiler() -> str:
    """Name and version of the compiler that built this module: none, it is Python."""
    return "none (pure Python)"
