"""One look for every figure: a journal's column, colours that colour-blind readers can tell apart, PNG and SVG."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

__all__ = ["COLUMN", "GREY", "LINE", "PAGE", "RULES", "figure", "panel"]

#: Widths in inches: one column (86 mm, as in the paper) and the page.
COLUMN, PAGE = 3.386, 7.0
GREY = "#d9d9d9"
_BLACK, _BLUE, _VERMILLION, _GREEN, _PURPLE, _SKY = "#000000", "#0072b2", "#d55e00", "#009e73", "#aa4499", "#56b4e9"

#: Colour and dashes of each filter, the same in every figure.
RULES: dict[str, dict[str, Any]] = {
    "forward": {"color": _BLUE, "linestyle": "-", "label": "FF"},
    "empirical": {"color": _VERMILLION, "linestyle": (0, (4, 1.5)), "label": "F"},
    "backward": {"color": _GREEN, "linestyle": (0, (1, 1)), "label": "BF"},
}
#: Colour and dashes of each law.
LINE: dict[str, dict[str, Any]] = {
    "quadrature": {"color": _BLACK, "linestyle": "-", "linewidth": 1.5, "label": "exact"},
    "normal": {"color": _SKY, "linestyle": (0, (1, 1)), "label": "normal"},
    "gamma": {"color": _GREEN, "linestyle": (0, (6, 1.5, 1, 1.5)), "label": "gamma"},
    "beta": {"color": _VERMILLION, "linestyle": (0, (4, 1.5)), "label": "beta"},
    "noncentral-beta": {"color": _BLUE, "linestyle": (0, (2, 1)), "label": "noncentral beta"},
}

_STYLE = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.labelsize": 9,
    "axes.titlesize": 9,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "lines.linewidth": 1.1,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "figure.dpi": 200,
    "savefig.dpi": 300,
    "svg.hashsalt": "misieve",
    "svg.fonttype": "path",
}


@contextmanager
def figure(path: Path, width: float = COLUMN, height: float = 2.5, **grid: Any) -> Iterator[tuple[Any, Any]]:
    """Yield a figure and its axes, then write it to ``path`` with the endings .png and .svg."""
    with matplotlib.rc_context(_STYLE):
        fig, axes = plt.subplots(figsize=(width, height), layout="constrained", **grid)
        yield fig, axes
        path.parent.mkdir(parents=True, exist_ok=True)
        fig.savefig(path.with_suffix(".png"))
        # Without a date the file changes only when the drawing does.
        fig.savefig(path.with_suffix(".svg"), metadata={"Date": None})
        plt.close(fig)


def panel(ax: Any, letter: str, title: str = "") -> None:
    """Name a panel at its upper left."""
    ax.set_title(rf"$\bf{{{letter}}}$   {title}", loc="left", pad=4)
