"""Quantiles by root finding, for whole arrays at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["increasing_root"]

Floats = NDArray[np.float64]


def increasing_root(
    function: Callable[[Floats, NDArray[np.intp]], Floats],
    start: Floats,
    step: Floats,
    *,
    tolerance: float = 1e-13,
    limit: int = 100,
) -> Floats:
    """The zeros of increasing functions, one for each entry of the flat array ``start``.

    ``function(u, which)`` gives the values at ``u`` of the functions number ``which``. A bracket grows from ``start`` in steps
    that double; Chandrupatla's method (inverse quadratic interpolation where it is safe, else bisection) then closes it.
    Entries leave the loop as they converge: to ``tolerance`` relative to ``1 + abs(u)``, or to an exact zero.
    """
    everyone = np.arange(start.size)
    low, high = start.copy(), start.copy()
    f_low = function(start, everyone)
    f_high = f_low.copy()
    active, stride = everyone, np.broadcast_to(np.asarray(step, dtype=np.float64), start.shape).copy()
    for _ in range(limit):
        rising = f_high[active] < 0
        falling = f_low[active] > 0
        active = active[rising | falling]
        if not active.size:
            break
        up = f_high[active] < 0
        moved = np.where(up, high[active] + stride[active], low[active] - stride[active])
        value = function(moved, active)
        risers, fallers = active[up], active[~up]
        low[risers], f_low[risers] = high[risers], f_high[risers]
        high[risers], f_high[risers] = moved[up], value[up]
        high[fallers], f_high[fallers] = low[fallers], f_low[fallers]
        low[fallers], f_low[fallers] = moved[~up], value[~up]
        stride[active] *= 2.0
    return _chandrupatla(function, (low, f_low), (high, f_high), tolerance=tolerance, limit=limit)


def _chandrupatla(
    function: Callable[[Floats, NDArray[np.intp]], Floats],
    below: tuple[Floats, Floats],
    above: tuple[Floats, Floats],
    *,
    tolerance: float,
    limit: int,
) -> Floats:
    """Chandrupatla (1997), https://doi.org/10.1016/s0965-9978(96)00051-8, on arrays of brackets."""
    (low, f_low), (high, f_high) = below, above
    best = np.where(np.abs(f_low) < np.abs(f_high), low, high)
    which = np.flatnonzero((f_low < 0) & (f_high > 0))
    b, fb, a, fa = low[which], f_low[which], high[which], f_high[which]
    c, fc = b, fb
    fraction = _secant(fa, fb)
    for _ in range(limit):
        if not which.size:
            break
        x = a + fraction * (b - a)
        fx = function(x, which)
        same = np.sign(fx) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        nearer = np.abs(fa) < np.abs(fb)
        root = np.where(nearer, a, b)
        slack = tolerance * (1.0 + np.abs(root)) / np.maximum(np.abs(b - a), 1e-300)
        best[which] = root
        going = (slack < 0.5) & (fa != 0.0) & (fb != 0.0)
        which = which[going]
        a, fa, b, fb, c, fc = (part[going] for part in (a, fa, b, fb, c, fc))
        slack = slack[going]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            quadratic = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            safe = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(quadratic)
        fraction = np.clip(np.where(safe, quadratic, 0.5), slack, 1.0 - slack)
    return best


def _secant(fa: Floats, fb: Floats) -> Floats:
    """The first step, as a fraction of the bracket: the tails are nearly straight lines in the variables used."""
    with np.errstate(divide="ignore", invalid="ignore"):
        guess = fa / (fa - fb)
    return np.clip(np.where(np.isfinite(guess), guess, 0.5), 0.02, 0.98)
