"""The posterior of one table drawn with characters: density, atom at independence, credible interval and threshold.

A column of characters shows the mean density over its width, by differences of the cdf, so that a density that is infinite at
0 has a finite height. What lies below the threshold has a lighter character: no colour is needed to see it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from misieve.mixture import Posterior

__all__ = ["density_lines", "ticks"]

_HEIGHT = 8
# Columns to the left of the axis: the bar of the atom, and room.
_BAR, _MARGIN = 2, 4
# The picture goes up to the quantile that leaves so much, and an atom of less is not drawn.
_REST, _LEAST_ATOM = 0.001, 0.0005
_BEYOND, _BELOW, _ATOM = "bright_blue", "bright_black", "bright_red"


@dataclass(frozen=True)
class _Glyphs:
    ramp: str  # of a cell, from empty to full
    below: str
    axis: str
    tick: str
    bar: str
    ends: str
    mean: str
    arrow: str


_BLOCKS = _Glyphs(" ▁▂▃▄▅▆▇█", "░", "─", "┬", "━", "┣┫", "●", "▲")
_ASCII = _Glyphs(" #", ".", "-", "+", "=", "[]", "o", "^")


def density_lines(
    p: Posterior, *, threshold: float, level: float, scale: float, label: str, width: int, ascii_only: bool
) -> list[Text]:
    """Lines of at most ``width`` characters (and 24 at least); numbers below the axis are nats times ``scale``."""
    glyphs = _ASCII if ascii_only else _BLOCKS
    atom = float(p.independence)
    gutter = _MARGIN if atom > _LEAST_ATOM else 0
    columns = max(width - gutter, 24)
    right = min(max(float(p.isf(_REST)), 1.2 * threshold), float(p.upper))
    edges = np.linspace(0.0, right, columns + 1)

    def place(value: float) -> int:
        return min(int(value / right * columns), columns - 1)

    low, high = (float(v) for v in p.interval(level))
    caption = "Density; light: up to the threshold" + ("; bar on the left: P(independent)" if gutter else "")
    lines = [Text(caption, "dim")]
    lines += _area(np.diff(np.asarray(p.cdf(edges))), edges[1:] <= threshold, atom if gutter else None, gutter, glyphs)
    span = Text(" " * gutter)
    for i in range(columns):
        left, last, mean = place(low), place(high), place(float(p.mean()))
        glyph = glyphs.bar if left <= i <= last else " "
        glyph = glyphs.ends[0] if i == left else glyphs.ends[1] if i == last else glyph
        span.append(glyphs.mean if i == mean else glyph)
    lines.append(span)
    lines += _axis(right * scale, columns, gutter, glyphs)
    at = place(threshold)
    words = f"{glyphs.arrow} {label}"
    if at + len(words) > columns:
        words = f"{label} {glyphs.arrow}"
        at = max(at - len(words) + 1, 0)
    lines.append(Text(" " * (gutter + at) + words))
    return lines


def _area(mass: NDArray[np.float64], below: NDArray[np.bool_], atom: float | None, gutter: int, glyphs: _Glyphs) -> list[Text]:
    """The density, highest row first; the atom's bar is as high as its probability is of the picture's height."""
    top = float(mass.max(initial=0.0))
    heights = mass / top * _HEIGHT if top > 0 else mass
    lines = []
    for row in reversed(range(_HEIGHT)):
        line = Text()
        if atom is not None:
            line.append((_cell(atom * _HEIGHT - row, glyphs.ramp) * _BAR).ljust(gutter), _ATOM)
        light = "".join(glyphs.below if height >= 0.5 else " " for height in heights[below] - row)
        line.append(light, _BELOW)
        line.append("".join(_cell(height, glyphs.ramp) for height in heights[~below] - row).rstrip(), _BEYOND)
        lines.append(line)
    return lines


def _cell(height: float, ramp: str) -> str:
    """How a cell looks that is filled up to ``height``."""
    steps = len(ramp) - 1
    return ramp[int(np.clip(np.rint(height * steps), 0, steps))]


def _axis(right: float, columns: int, gutter: int, glyphs: _Glyphs) -> list[Text]:
    """A line with ticks, and their numbers in the line below."""
    line, numbers = [glyphs.axis] * columns, [" "] * (columns + gutter)
    for value, name in ticks(right, max(columns // 14, 2)):
        at = min(round(value / right * columns), columns - 1)
        line[at] = glyphs.tick
        start = min(max(at + gutter - len(name) // 2, 0), len(numbers) - len(name))
        numbers[start : start + len(name)] = name
    return [Text(" " * gutter + "".join(line)), Text(("".join(numbers)).rstrip())]


def ticks(right: float, count: int) -> list[tuple[float, str]]:
    """Round values from 0 to ``right``, about ``count`` of them, and how they are written.

    >>> [name for _, name in ticks(0.25, 5)]
    ['0', '0.05', '0.1', '0.15', '0.2', '0.25']
    """
    rough = right / count
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(power * min((f for f in (1.0, 2.0, 5.0, 10.0) if f * power >= rough * 0.999), default=10.0))
    return [(i * step, f"{i * step:.6g}") for i in range(int(right / step * 1.0001) + 1)]
