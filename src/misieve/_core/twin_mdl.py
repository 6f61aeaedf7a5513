"""The readable twin of ``native/mdl.hpp``: Fayyad and Irani's discretisation, a column at a time.

Every x log2 x is rounded to a multiple of a power of two coarse enough for all sums to be exact (see the header), so that
splits which mirror one another score exactly alike here and there.
"""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["mdl_cuts"]

Floats = NDArray[np.float64]


class _Terms:
    """f(x) = x log2 x, rounded; ``tie`` is how far apart equal sums of it can come out."""

    def __init__(self, total: float, k: int) -> None:
        bound = float(_information(np.array(total))) + k + 1.0
        self.unit = math.ldexp(1.0, math.ceil(math.log2(bound)) - 51)
        self.tie = 8.0 * (k + 1.0) * self.unit

    def __call__(self, x: Floats) -> Floats:
        return np.rint(_information(x) / self.unit) * self.unit


def _information(x: Floats) -> Floats:
    safe = np.where(x > 0.0, x, 1.0)
    return np.asarray(safe * np.log2(safe))


def mdl_cuts(
    x: NDArray[np.floating],
    classes: NDArray[np.uint32],
    weights: Floats,
    k: int,
    test: bool,
    max_bins: int,
    threads: int,  # noqa: ARG001  the twin works alone
) -> list[list[float]]:
    """Cuts of every column of x (n, p) by Fayyad and Irani's method; weights may be empty."""
    if len(classes) != len(x) or len(weights) not in (0, len(x)):
        raise ValueError("classes and weights must have one entry for each row of x")
    if len(classes) and classes.max() >= k:
        raise ValueError("classes must be below k")
    w = weights if len(weights) else np.ones(len(x))
    f = _Terms(float(w.sum()), k)
    return [
        _column_cuts(x[:, j].astype(np.float64), classes.astype(np.intp), w, k, f, test, max_bins) for j in range(x.shape[1])
    ]


def _column_cuts(
    x: Floats, classes: NDArray[np.intp], weights: Floats, k: int, f: _Terms, test: bool, max_bins: int
) -> list[float]:
    known = ~np.isnan(x)
    values, position = np.unique(x[known] + 0.0, return_inverse=True)
    tally = np.bincount(position * k + classes[known], weights[known], minlength=len(values) * k)
    table = tally.astype(np.float64).reshape(-1, k)
    # A border lies between two values unless all rows of both are of one and the same class.
    pure = np.where((table > 0).sum(axis=1) == 1, table.argmax(axis=1), -1)
    border = (pure[1:] != pure[:-1]) | (pure[1:] < 0)

    cuts: list[float] = []
    open_intervals: list[tuple[float, int, int, int]] = []

    def consider(low: int, high: int) -> None:
        gain, middle = _best_split(table[low:high], border[low : high - 1], f, test)
        if middle:
            open_intervals.append((gain, low, low + middle, high))

    consider(0, len(values))
    while open_intervals and (max_bins == 0 or len(cuts) + 1 < max_bins):
        most = max(interval[0] for interval in open_intervals)
        chosen = min((i for i in open_intervals if i[0] >= most - f.tie), key=lambda interval: interval[1])
        open_intervals.remove(chosen)
        _, low, middle, high = chosen
        cuts.append(_cut_between(float(values[middle - 1]), float(values[middle])))
        consider(low, middle)
        consider(middle, high)
    return sorted(cuts)


def _best_split(table: Floats, border: NDArray[np.bool_], f: _Terms, test: bool) -> tuple[float, int]:
    """The gain in bits over all rows of an interval, and how many of its values go left (0: it is not split)."""
    candidates = np.flatnonzero(border)
    if not len(candidates):
        return 0.0, 0
    totals = table.sum(axis=0)
    weight, information, _ = whole = _summary(table, f)
    left = np.cumsum(table, axis=0)[candidates]
    before = left.sum(axis=1)
    score = f(left).sum(axis=1) + f(totals - left).sum(axis=1) - f(before) - f(weight - before)
    tied = score >= score.max() - f.tie
    distance = np.where(tied, np.abs(2.0 * before - weight), np.inf)
    middle = int(candidates[np.flatnonzero(distance <= distance.min() + 1e-9 * weight)[0]]) + 1
    gain = float(information + score.max())
    accepted = _pays(whole, _summary(table[:middle], f), _summary(table[middle:], f), gain) if test else gain > f.tie
    return gain, middle if accepted else 0


def _summary(table: Floats, f: _Terms) -> tuple[float, float, int]:
    """N, N H and the number of classes present."""
    totals = table.sum(axis=0)
    weight = float(totals.sum())
    return weight, float(f(np.array(weight)) - f(totals).sum()), int((totals > 0).sum())


def _pays(whole: tuple[float, float, int], one: tuple[float, float, int], two: tuple[float, float, int], gain: float) -> bool:
    """N gain > log2(N - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)."""
    n, _, k = whole
    entropies = [present * information / weight for weight, information, present in (whole, one, two)]
    partition = k * math.log2(3.0) + math.log2(1.0 - 2.0 * 3.0**-k)
    return gain > math.log2(max(n - 1.0, 1.0)) + partition - (entropies[0] - entropies[1] - entropies[2])


def _cut_between(lower: float, upper: float) -> float:
    """The middle between two neighbours, or the lower one where the middle is not below the upper one."""
    middle = (lower + upper) / 2.0
    if math.isinf(middle):
        middle = lower / 2.0 + upper / 2.0
    return middle if lower <= middle < upper else lower
