"""Section 4.2: on which data sets, and for which k, the accuracies of the filters differ significantly.

The paper tests the first k instances for each k, two-tailed at level .05, on one order of the rows. A test that is repeated at
each k is passed by chance somewhere much more often than one time in twenty, and the order matters; so the distribution over
many orders is shown.
"""

import numpy as np

from paper.data import PAPER_SETS
from paper.experiments import evaluate
from paper.published import PAPER_SHARES, SIGNIFICANT, STATEMENTS, TITLES
from paper.results import Run
from paper.style import PAGE, RULES, figure, panel

__all__ = ["PAIRS", "run"]

PAIRS = (("forward", "empirical"), ("empirical", "backward"))


def run(settings: Run) -> None:
    """Draw the shares of k with a significant difference; write them, with the greatest difference and where it is."""
    found = []
    with figure(settings.picture("significance"), PAGE, 3.0, ncols=2, sharey=True) as (_, axes):
        for ax, pair, letter in zip(axes, PAIRS, "ab", strict=True):
            for place, name in enumerate(PAPER_SETS):
                comparison = evaluate(name, settings).compare(*pair)
                shares = comparison.significant.mean(axis=1)
                better = (comparison.significant & (comparison.difference > 0)).mean(axis=1)
                greatest = comparison.greatest
                found.append(
                    {
                        "name": TITLES[name],
                        "key": name,
                        "pair": pair,
                        "orders": len(shares),
                        "orders without a significant difference": int((shares == 0).sum()),
                        "orders significant at the end": int(comparison.significant[:, -1].sum()),
                        "share of k": shares,
                        "share of k with the first better": better,
                        "greatest": [{"k": k, "difference": difference} for k, difference in greatest],
                        "ranges of the first order": comparison.ranges[0],
                        "mean difference at the end": float(comparison.difference[:, -1].mean()),
                        "paper": STATEMENTS.get((name, *pair), "never significant"),
                    }
                )
                jitter = np.linspace(-0.25, 0.25, len(shares)) if len(shares) > 1 else np.zeros(1)
                color = RULES[pair[0]]["color"] if name in SIGNIFICANT else "0.35"
                ax.plot(100 * np.sort(shares), place + jitter, "o", markersize=2.2, color=color, alpha=0.8, linewidth=0)
                ax.plot([100 * np.median(shares)] * 2, [place - 0.32, place + 0.32], color=color, linewidth=1.2)
                none = f"{int((shares == 0).sum())} of {len(shares)}"
                ax.text(1.02, place, none, transform=ax.get_yaxis_transform(), ha="left", va="center", fontsize=7, color="0.35")
                if (stated := PAPER_SHARES.get((name, *pair), 0.0)) is not None:
                    ax.plot(100 * stated, place, "D", markersize=4.5, markerfacecolor="none", markeredgecolor="#000000")
            ax.text(1.02, -1.0, "none", transform=ax.get_yaxis_transform(), ha="left", va="center", fontsize=7, color="0.35")
            first, second = (RULES[rule]["label"] for rule in pair)
            panel(ax, letter, f"{first} against {second}")
            ax.set_xlabel(r"share of $k$ with a significant difference (%)")
            ax.set_xlim(-3, 106)
            for place in range(len(PAPER_SETS)):
                ax.axhline(place, color="0.9", linewidth=0.5, zorder=0)
        axes[0].set_yticks(range(len(PAPER_SETS)), [TITLES[name] for name in PAPER_SETS])
        axes[0].invert_yaxis()
        axes[0].tick_params(axis="y", length=0)
        axes[1].tick_params(axis="y", length=0)
    settings.write("significance", found)
