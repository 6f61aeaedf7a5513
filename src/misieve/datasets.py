"""Generators of data whose truth is known. They return plain arrays."""

import numpy as np
from numpy.typing import NDArray

from misieve._errors import OptionError

__all__ = ["make_led24"]

# Segments lit by each digit: top, upper left, upper right, middle, lower left, lower right, bottom.
_SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=np.uint8,
)
_IRRELEVANT = 17


def make_led24(
    n: int, noise: float = 0.1, rng: np.random.Generator | int | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Draw digits on a faulty display with seven segments, and 17 bits that have nothing to do with them.

    Each of the ten digits is equally likely. A segment shows the wrong state with probability ``noise``, independently of the
    others; the 17 further bits are fair coins. (Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*,
    1984, pages 43 to 49.)

    Parameters
    ----------
    n : int
        Number of rows.
    noise : float
        Probability that a segment is inverted.
    rng : Generator or seed, optional

    Returns
    -------
    X : array of 0 and 1, shape (n, 24)
        The first seven columns are the segments.
    y : array of int, shape (n,)
        The digits.
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise OptionError(f"n must be a whole number from 0 up, not {n!r}")
    if not 0.0 <= noise <= 1.0:
        raise OptionError(f"noise must be a probability from 0 to 1, not {noise!r}")
    generator = np.random.default_rng(rng)
    digits = generator.integers(10, size=n)
    inverted = generator.random((n, _SEGMENTS.shape[1])) < noise
    bits = generator.integers(2, size=(n, _IRRELEVANT), dtype=np.uint8)
    return np.hstack([_SEGMENTS[digits] ^ inverted.astype(np.uint8), bits]), digits
