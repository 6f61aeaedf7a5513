"""Curves over k: accuracy with the zone in which rules do not differ significantly, and features used or excluded."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import OptionError
from misieve._validate import known_option
from misieve.progressive.result import Prequential

__all__ = ["SHOWN", "draw"]

SHOWN = ("accuracy", "used", "excluded")

_COLOURS = {"forward": "#2f6db5", "empirical": "#d1495b", "backward": "#3f8f5b", "all": "#1b2a41"}
_ZONE = "#dedede"


def draw(p: Prequential, ax: Any, show: str = "accuracy", pair: tuple[str, str] | None = None, alpha: float = 0.05) -> None:
    """Draw one of :data:`SHOWN` against k.

    Several orders become their mean with a band of one standard deviation to either side. Behind accuracies, grey marks the k
    at which the two rules of ``pair`` (by default the first two) do not differ significantly, in at least half of the orders.
    """
    known_option("show", show, SHOWN)
    k = np.arange(1, p.order.shape[1] + 1)
    if show == "accuracy" and (pair is not None or len(p.rules) > 1):
        _zone(p, ax, pair or (p.rules[0], p.rules[1]), alpha)
    for rule in p.rules:
        curves = p.accuracy[rule] if show == "accuracy" else p.selected[rule].astype(np.float64)
        if show == "excluded":
            curves = p.features - curves
        mean = curves.mean(axis=0)
        ax.plot(k, mean, color=_COLOURS[rule], linewidth=1.4, label=rule)
        if len(curves) > 1:
            spread = curves.std(axis=0, ddof=1)
            ax.fill_between(k, mean - spread, mean + spread, color=_COLOURS[rule], alpha=0.15, linewidth=0)
    ax.set_xlim(1, max(len(k), 2))
    ax.set_xlabel("k")
    if show == "accuracy":
        # The first few accuracies are 0 or 1: they must not set the scale.
        late = np.concatenate([p.accuracy[rule][:, len(k) // 20 :].ravel() for rule in p.rules])
        margin = 0.05 * float(np.ptp(late)) + 0.005
        ax.set_ylim(max(float(late.min()) - margin, 0.0), min(float(late.max()) + margin, 1.0))
    ax.set_ylabel({"accuracy": "accuracy on the first k rows", "used": "features used", "excluded": "features excluded"}[show])
    ax.legend(fontsize="small", facecolor="white", edgecolor="none", framealpha=0.85)  # the key of the zone shows against it


def _zone(p: Prequential, ax: Any, pair: tuple[str, str], alpha: float) -> None:
    if len(pair) != 2:
        raise OptionError(f"pair must name two rules, found {pair!r}")
    significant = p.compare(*pair, alpha=alpha).significant
    quiet: NDArray[np.bool_] = significant.mean(axis=0) <= 0.5
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(np.int8))).reshape(-1, 2)
    label = f"{pair[0]} and {pair[1]} not significantly different"
    for place, (first, last) in enumerate(edges.tolist()):
        ax.axvspan(first + 0.5, last + 0.5, color=_ZONE, linewidth=0, zorder=0, label=label if place == 0 else None)
