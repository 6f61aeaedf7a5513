"""Small functions that the modules on incomplete samples share."""

import numpy as np
from numpy.typing import NDArray

from misieve.moments import x_times_f

__all__ = ["f", "ratio"]

Array = NDArray[np.float64]


def ratio(numerator: Array, denominator: Array) -> Array:
    """Elementwise quotient, 0 where the denominator is 0: what was never seen has no weight."""
    wide, by = np.broadcast_arrays(numerator, denominator)
    result: Array = np.divide(wide, by, out=np.zeros(wide.shape), where=by > 0)
    return result


def f(x: Array) -> Array:
    r""":math:`f(x) = \psi(x+1) - \log x`; 0 at 0, where it never has any weight."""
    return ratio(x_times_f(x), x)
