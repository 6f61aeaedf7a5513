"""Section 2.1: the relative error of the series variance, of order (rs/n)^2 if dependent and rs/n if not.

The paper confirms this by Monte Carlo simulation; here the exact variance is known, so the orders can be measured: the chances
are fixed, the counts are n times the chances, and n runs over five powers of ten.
"""

import numpy as np
from numpy.typing import NDArray

from misieve.moments import variance_exact, variance_series
from paper.results import Run
from paper.style import PAGE, figure, panel

__all__ = ["errors", "run", "slope"]

SHAPES = ((2, 2), (3, 2), (5, 4), (10, 3))
_STYLES = (("#000000", "o"), ("#0072b2", "s"), ("#d55e00", "^"), ("#009e73", "D"))


def chances(r: int, s: int, dependent: bool) -> NDArray[np.float64]:
    """Margins that fall off linearly; if dependent, half of the mass is moved to one cell of each row."""
    rows, columns = np.arange(r, 0, -1.0) + 1.0, np.arange(s, 0, -1.0) + 1.0
    table = np.outer(rows / rows.sum(), columns / columns.sum())
    if dependent:
        favoured = np.zeros((r, s))
        favoured[np.arange(r), np.arange(r) % s] = table.sum(axis=1)
        table = (table + favoured) / 2.0
    return table


def slope(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Slope of log y in log x by least squares."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def errors(r: int, s: int, dependent: bool, per_cell: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative error of the series at n / (rs) observations a cell."""
    counts = (per_cell * r * s)[:, None, None] * chances(r, s, dependent)
    return np.abs(variance_series(counts) / variance_exact(counts) - 1.0)


def run(settings: Run) -> None:
    """Draw the figure; write the slopes measured."""
    per_cell = np.geomspace(1.0, 1e5, 21)  # n / (rs)
    found = []
    with figure(settings.picture("section_2_variance"), PAGE, 2.9, ncols=2, sharex=True) as (_, axes):
        for ax, dependent in zip(axes, (True, False), strict=True):
            order = 2 if dependent else 1
            for (r, s), (color, marker) in zip(SHAPES, _STYLES, strict=True):
                error = errors(r, s, dependent, per_cell)
                # Below this the two agree to the digits that a double has.
                seen = error > 1e-11
                share = 1.0 / per_cell
                label = rf"${r}\times{s}$"
                ax.loglog(share[seen], error[seen], marker=marker, markersize=3, color=color, linewidth=0.8, label=label)
                small = seen & (share < 0.02)
                found.append(
                    {
                        "r": r,
                        "s": s,
                        "dependent": dependent,
                        "slope": slope(share[small], error[small]),
                        "claimed": order,
                        "error at n = 10 rs": float(np.interp(np.log(10.0), np.log(per_cell), error)),
                        "error over (rs/n)^order at the least": float(error[small][-1] / share[small][-1] ** order),
                    }
                )
            guide = np.array([1e-5, 1.0])
            ax.loglog(guide, guide**order, color="0.55", linestyle=(0, (4, 2)), linewidth=0.9, zorder=3)
            power = "^2" if order == 2 else ""
            ax.annotate(rf"$(rs/n){power}$", (1e-3, 1e-3**order), (-44, 10), textcoords="offset points", color="0.4")
            panel(ax, "a" if dependent else "b", "dependent" if dependent else "independent")
            ax.set_xlabel(r"$rs/n$")
            ax.set_xlim(7e-6, 1.5)
            ax.set_ylim(1e-11, 20)
        axes[0].set_ylabel(r"relative error of $\mathrm{Var}[I]$")
        axes[1].legend(loc="lower right")
    settings.write("section_2_variance", found)
