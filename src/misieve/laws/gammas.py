r"""Logarithms of gamma functions whose large parts cancel: ratios, and what Stirling's formula leaves over.

.. math:: \log\Gamma(x) = (x - \tfrac12) \log x - x + \tfrac12 \log 2\pi + S(x), \qquad
          S(x) = \frac{1}{12x} - \frac{1}{360x^3} + \dots

Of two logarithms of the size of :math:`n \log n` a plain difference keeps only an absolute 1e-16 of that.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special

__all__ = ["log_gamma_ratio", "stirling_rest"]

Floats = NDArray[np.float64]

# From here on seven terms of the asymptotic series are good to 1e-15.
LARGE = 10.0
_BERNOULLI = special.bernoulli(14)[2::2]  # B_2, B_4, ..., B_14
_SERIES = (_BERNOULLI / (2.0 * np.arange(1, 8) * (2.0 * np.arange(1, 8) - 1.0))).tolist()


def stirling_rest(x: Floats) -> Floats:
    """S(x) for x > 0: 1/(12 x) for large x, without any cancellation there."""
    x = np.asarray(x)
    result = _series(np.maximum(x, LARGE))
    small = x < LARGE
    if small.any():
        z = x[small]
        result[small] = special.gammaln(z) - (z - 0.5) * np.log(z) + z - 0.5 * np.log(2.0 * np.pi)
    return result


def _series(x: Floats) -> Floats:
    per_square = 1.0 / (x * x)
    result = np.full_like(x, _SERIES[-1])
    for coefficient in _SERIES[-2::-1]:
        result *= per_square
        result += coefficient
    result /= x
    return result


def log_gamma_ratio(x: Floats, shift: Floats) -> Floats:
    r""":math:`\log\Gamma(x + h) - \log\Gamma(x)` for x > 0 and h >= 0, to its own digits however large x is."""
    y = np.maximum(x, LARGE)
    series = _series(y + shift) - _series(y)
    result: Floats = np.asarray((y + shift - 0.5) * np.log1p(shift / y) + shift * (np.log(y) - 1.0) + series)
    small = np.broadcast_to(x < LARGE, result.shape)
    if small.any():
        z, h = (np.broadcast_to(part, result.shape)[small] for part in (x, shift))
        result[small] = special.gammaln(z + h) - special.gammaln(z)
    return result
