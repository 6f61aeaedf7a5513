"""What figures 2 and 3 have in common: accuracy by k in one order, and the difference over all orders."""

from typing import Any

import numpy as np

from misieve.progressive import Comparison, Prequential
from paper.style import GREY, RULES

__all__ = ["accuracies", "differences"]


def accuracies(ax: Any, found: Prequential, rules: tuple[str, ...], shade: tuple[str, str]) -> None:
    """Draw the accuracies of the first order; grey between two of them where they do not differ significantly."""
    k = np.arange(1, found.order.shape[1] + 1)
    comparison = found.compare(*shade)
    first, second = (found.accuracy[rule][0] for rule in shade)
    ax.fill_between(k, first, second, where=~comparison.significant[0], color=GREY, linewidth=0, label="not significant")
    for rule in rules:
        ax.plot(k, found.accuracy[rule][0], **RULES[rule])
    ax.set_xlabel(r"number of instances $k$")
    ax.set_ylabel("prediction accuracy")
    ax.set_xlim(0, len(k))


def differences(ax: Any, comparison: Comparison, color: str) -> None:
    """Draw the difference of accuracies of every order, in colour where it is significant."""
    k = np.arange(1, comparison.difference.shape[1] + 1)
    for difference, significant in zip(comparison.difference, comparison.significant, strict=True):
        ax.plot(k, 100 * difference, color=GREY, linewidth=0.6, zorder=1)
        ax.plot(k, np.where(significant, 100 * difference, np.nan), color=color, linewidth=0.7, alpha=0.75, zorder=2)
    ax.axhline(0.0, color="black", linewidth=0.5)
    ax.set_xlabel(r"number of instances $k$")
    ax.set_xlim(0, len(k))
