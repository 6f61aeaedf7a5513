"""One function draws everything: :func:`plot`. Needs matplotlib (extra ``plot``)."""

from typing import TYPE_CHECKING, Any

import numpy as np

from misieve._errors import OptionError
from misieve._optional import need
from misieve.decide import Selection
from misieve.mixture import Posterior
from misieve.progressive import Prequential
from misieve.progressive.drawing import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

_INK, _BODY, _BEYOND, _ATOM, _REST = "#1b2a41", "#9db8d9", "#2f6db5", "#d1495b", "#a3a9b2"

# Points at which a density is drawn: enough to look smooth, few enough for a law that integrates at each.
_GRID = 201

# Rows of a picture of many features, and letters of their names.
_MOST = 40
_LONGEST = 32


def plot(
    x: Any,
    ax: "Axes | None" = None,
    *,
    epsilon: float | None = None,
    level: float = 0.95,
    show: str | None = None,
    pair: tuple[str, str] | None = None,
) -> "Axes":
    """Draw a posterior of mutual information, a selection, or the course of a prequential evaluation; return the axes.

    Parameters
    ----------
    x : Posterior, Selection or Prequential
        Of one table: its density, the atom at independence as a bar, mean and credible interval, and the part beyond
        ``epsilon`` shaded. Of a batch: the interval of each table (or feature) in a row of its own. Of a selection:
        the quantiles that its rule looks at against its threshold, kept features in one colour and others in another; of many
        features, those of greatest mean. Of a prequential evaluation: what ``show`` says.
    ax : matplotlib Axes, optional
        Where to draw; a new figure is made if not given.
    epsilon : float, optional
        A threshold in nats; a selection has its own.
    level : float
        Probability of the credible interval; a selection has its own.
    show : {"accuracy", "used", "excluded"}, optional
        Accuracy by k with the zone in grey where the rules of ``pair`` do not differ significantly, or the number of features
        used or excluded. If neither this nor ``ax`` is given, a figure with accuracy above and features used below; the upper
        axes are returned.
    pair : tuple of two rules, optional
        Of a prequential evaluation: the rules compared by the zone in grey, by default the first two.
    """
    plt = need("matplotlib.pyplot", extra="plot", purpose="plotting")
    if isinstance(x, Prequential):
        return _course(x, ax, show, pair)  # type: ignore[no-any-return]
    if show is not None or pair is not None:
        raise OptionError(f"show and pair are for a Prequential, not for a {type(x).__name__}")
    if epsilon is not None and not (isinstance(epsilon, (int, float, np.integer, np.floating)) and 0 <= epsilon < np.inf):
        raise OptionError(f"epsilon must be a number of nats from 0 up, not {epsilon!r}")
    if not isinstance(x, (Posterior, Selection)):
        raise OptionError(
            f"plot draws a Posterior, a Selection or a Prequential, not {type(x).__name__}; make one "
            "with misieve.posterior(table), misieve.select (or the selection_ of a MISelector), or misieve.prequential"
        )
    axes = plt.subplots(figsize=(7, _height(x)), layout="constrained")[1] if ax is None else ax
    if isinstance(x, Selection):
        _selection(x, axes)
    elif x.shape:
        _intervals(x, axes, epsilon, level)
    else:
        _density(x, axes, epsilon, level)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("mutual information (nats)")
    return axes


def _height(x: Posterior | Selection) -> float:
    """Inches: a row of its own for each feature that is shown."""
    rows = len(x.support) if isinstance(x, Selection) else int(np.prod(x.shape))
    return max(3.6, 1.0 + 0.24 * min(rows, _MOST))


def _label(name: Any) -> str:
    text = str(name)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _course(p: Prequential, ax: Any, show: str | None, pair: tuple[str, str] | None) -> Any:
    plt = need("matplotlib.pyplot", extra="plot", purpose="plotting")
    if ax is not None or show is not None:
        panels = {show or "accuracy": plt.subplots(figsize=(7, 3.6), layout="constrained")[1] if ax is None else ax}
    else:
        upper, lower = plt.subplots(2, figsize=(7, 5.4), sharex=True, layout="constrained")[1]
        panels = {"accuracy": upper, "used": lower}
    for what, axes in panels.items():
        draw(p, axes, what, pair)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    return next(iter(panels.values()))


def _density(p: Posterior, ax: Any, epsilon: float | None, level: float) -> None:
    low, high = (float(v) for v in p.interval(level))
    # Show where all but a thousandth of the mass lies, and the threshold.
    left, right = float(p.ppf(0.0005)), float(p.isf(0.0005))
    if epsilon is not None:
        left, right = min(left, 0.9 * epsilon), max(right, 1.3 * epsilon)
    margin = 0.04 * (right - left)
    grid = np.linspace(max(left - margin, 0.0), min(right + margin, float(p.upper)), _GRID)[1:-1]
    density = np.asarray(p.pdf(grid))
    top = float(np.quantile(density, 0.995)) * 1.15 or 1.0  # a density may be infinite at 0
    ax.fill_between(grid, density, color=_BODY, linewidth=0)
    if epsilon is not None:
        beyond = grid > epsilon
        probability = f"P(I > {epsilon:g}) = {float(p.sf(epsilon)):.3f}"
        ax.fill_between(grid[beyond], density[beyond], color=_BEYOND, linewidth=0, label=probability)
        ax.axvline(epsilon, color=_INK, linestyle=":", linewidth=1.2)
    ax.plot(grid, density, color=_INK, linewidth=1.2)
    atom = float(p.independence)
    if atom > 0.0005:
        width = 0.012 * (max(float(grid[-1]), epsilon or 0.0) or 1.0)  # I = 0 for certain leaves no grid
        ax.bar(0.0, atom * top / 1.15, width=width, color=_ATOM, label=f"P(I = 0) = {atom:.3f}")
    share = f"{100 * level:g}% interval {low:.4g} to {high:.4g}"
    ax.plot([low, high], [-0.03 * top] * 2, color=_INK, linewidth=3, solid_capstyle="butt", label=share, clip_on=False)
    ax.plot([float(p.mean())], [-0.03 * top], "o", color="white", markeredgecolor=_INK, markersize=6, clip_on=False)
    ax.set_ylim(-0.06 * top, top)
    ax.set_ylabel("density")
    ax.legend(frameon=False, fontsize="small")


def _selection(selection: Selection, ax: Any) -> None:
    """A row for each feature, greatest mean first: the quantiles at 1 - level and level, against the threshold."""
    low, high = selection.interval
    order = np.argsort(-selection.mean, kind="stable")[:_MOST]
    kept = selection.support[order]
    rows = np.arange(len(order))
    for chosen, colour, label in ((kept, _BEYOND, "kept"), (~kept, _REST, "left out")):
        if chosen.any():
            some = order[chosen]
            ax.hlines(rows[chosen], low[some], high[some], color=colour, linewidth=2.5, label=label)
            ax.plot(selection.mean[some], rows[chosen], "o", color="white", markeredgecolor=colour, markersize=5, clip_on=False)
    if len(order):  # the threshold is the same for all features, as the target is
        threshold = float(selection.threshold[0])
        ax.axvline(threshold, color=_INK, linestyle=":", linewidth=1.2, label=f"threshold {threshold:.3g}")
        ax.legend(frameon=False, fontsize="small", loc="lower right")
    ax.set_yticks(rows, [_label(selection.features[i]) for i in order])
    ax.invert_yaxis()
    ax.set_xlim(left=0.0)
    if len(order) < len(selection.support):
        ax.set_title(
            f"the {len(order)} of {len(selection.support)} features with the greatest mean", loc="left", fontsize="small"
        )


def _intervals(p: Posterior, ax: Any, epsilon: float | None, level: float) -> None:
    if len(p.shape) != 1:
        raise OptionError(f"plot draws one table or a list of them, not a batch of shape {p.shape}: plot part of it")
    names = p.features or tuple(map(str, range(len(p))))
    low, high = p.interval(level)
    order = np.argsort(-np.asarray(p.mean()), kind="stable")[:_MOST]
    rows = np.arange(len(order))
    if len(order) < len(p):
        ax.set_title(f"the {len(order)} of {len(p)} with the greatest mean", loc="left", fontsize="small")
    ax.hlines(rows, low[order], high[order], color=_BEYOND, linewidth=2.5)
    ax.plot(p.mean()[order], rows, "o", color="white", markeredgecolor=_INK, markersize=5)
    ax.set_yticks(rows, [_label(names[i]) for i in order])
    ax.invert_yaxis()
    ax.set_xlim(left=0.0)
    if epsilon is not None:
        ax.axvline(epsilon, color=_INK, linestyle=":", linewidth=1.2, label=f"threshold {epsilon:g}")
        ax.legend(frameon=False, fontsize="small", loc="lower right")
