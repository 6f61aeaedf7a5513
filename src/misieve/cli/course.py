"""Curves of accuracy by the number of rows, drawn with characters: braille dots in colour, letters where there is none."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

__all__ = ["course_lines"]

_HEIGHT = 14
_COLOURS = {"forward": "bright_blue", "empirical": "bright_red", "backward": "green", "all": "yellow"}
# A cell of braille has 2 x 4 dots; these are their bits, from the top.
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_AXIS = 7  # columns for the numbers on the left


def course_lines(curves: Mapping[str, NDArray[np.float64]], *, width: int, braille: bool, ascii_only: bool) -> list[Text]:
    """Lines of at most ``width`` characters (and some 40 at least); each curve is (n,), its value for k = 1, ..., n.

    The first twentieth of the rows, where accuracies jump between 0 and 1, does not set the scale.
    """
    names = list(curves)
    n = len(curves[names[0]])
    columns = max(width - _AXIS - 2 - max(map(len, names)), 20)
    low, high = _range([curve[n // 20 :] for curve in curves.values()])
    across, down = (2, 4) if braille else (1, 1)
    k = np.unique(np.rint(np.linspace(1, n, columns * across)).astype(int))
    x = np.rint((k - 1) / max(n - 1, 1) * (columns * across - 1)).astype(int)
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    ends = {}
    for name in names:
        y = np.rint((high - curves[name][k - 1]) / (high - low) * (_HEIGHT * down - 1)).astype(int)
        ends[name] = min(max(int(y[-1]) // down, 0), _HEIGHT - 1)
        own = (
            _braille(x, y) if braille else {(row, column): name[0] for column, row in zip(x.tolist(), y.tolist(), strict=True)}
        )
        for cell, mark in own.items():
            first = cells.get(cell, ("", _COLOURS[name]))  # where curves meet, the first gives the colour
            cells[cell] = _both(first[0], mark), first[1]
    labels, numbers = _spread(ends), _numbers(low, high)
    lines = []
    for row in range(_HEIGHT):
        line = Text().append(numbers.get(row, "").rjust(_AXIS) + ("|" if ascii_only else "│"), "dim")
        for column in range(columns):
            line.append(*cells.get((row, column), (" ", "")))
        if row in labels:
            line.append(f" {labels[row]}", _COLOURS[labels[row]])
        line.rstrip()
        lines.append(line)
    return lines + _axis(n, columns, ascii_only)


def _range(curves: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """The least and the greatest accuracy, with some room."""
    low, high = min(float(curve.min()) for curve in curves), max(float(curve.max()) for curve in curves)
    margin = 0.05 * (high - low) + 0.005
    return max(low - margin, 0.0), min(high + margin, 1.0)


def _braille(x: NDArray[np.int64], y: NDArray[np.int64]) -> dict[tuple[int, int], str]:
    """A curve of dots without gaps, by cell."""
    found: dict[tuple[int, int], int] = {}
    before = y[0]
    for across, down in zip(x.tolist(), y.tolist(), strict=True):
        step = 1 if down >= before else -1
        for dot in range(before if before == down else before + step, down + step, step):
            cell = dot // 4, across // 2
            found[cell] = found.get(cell, 0) | _DOTS[dot % 4][across % 2]
        before = down
    return {cell: chr(0x2800 + dots) for cell, dots in found.items()}


def _both(first: str, second: str) -> str:
    """Two marks in one cell: the dots of both, or the first letter."""
    if not first or ord(first) < 0x2800:
        return first or second
    return chr(ord(first) | ord(second))


def _numbers(low: float, high: float) -> dict[int, str]:
    """Round accuracies and the rows where they are."""
    power = 10.0 ** np.floor(np.log10((high - low) / 5))
    step = power * next(f for f in (1.0, 2.0, 5.0, 10.0) if f * power >= (high - low) / 5)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    rows = {round((high - i * step) / (high - low) * (_HEIGHT - 1)): i * step for i in range(first, last + 1)}
    return {row: f"{100 * value:.4g} % " for row, value in rows.items()}


def _spread(ends: Mapping[str, int]) -> dict[int, str]:
    """A row of its own for each label, near the end of its curve, in the order of the curves."""
    rows: dict[int, str] = {}
    names: Sequence[str] = sorted(ends, key=ends.__getitem__)
    last = -1
    for left, name in zip(range(len(names), 0, -1), names, strict=True):
        last = min(max(ends[name], last + 1), _HEIGHT - left)
        rows[last] = name
    return rows


def _axis(n: int, columns: int, ascii_only: bool) -> list[Text]:
    line, numbers = list(("-" if ascii_only else "─") * columns), [" "] * (columns + 4)
    tick = "+" if ascii_only else "┴"
    for k in sorted({max(round(share * n), 1) for share in (0.0, 0.25, 0.5, 0.75, 1.0)}):
        at = round((k - 1) / max(n - 1, 1) * (columns - 1))
        name = f"{k:,}"
        line[at] = tick
        start = min(max(at - len(name) // 2, 0), len(numbers) - len(name))
        numbers[start : start + len(name)] = name
    corner = "+" if ascii_only else "└"
    return [
        Text(" " * _AXIS + corner + "".join(line), "dim"),
        Text(" " * (_AXIS + 1) + "".join(numbers).rstrip() + " rows", "dim"),
    ]
