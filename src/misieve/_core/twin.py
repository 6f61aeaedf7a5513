"""The readable NumPy twin of every native kernel: same names, same arguments, same results."""

__all__ = ["compiler"]


def compiler() -> str:
    """Name and version of the compiler that built this module: none, it is Python."""
    return "none (pure Python)"
