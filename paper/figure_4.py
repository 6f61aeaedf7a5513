"""Figure 4: the number of excluded features for the filters FF, F and BF on the Spam data set.

(The figure's caption in the paper repeats that of figure 2; the text says what it shows.)
"""

import numpy as np

from paper.experiments import data_set, evaluate
from paper.results import Run
from paper.style import COLUMN, RULES, figure

__all__ = ["run"]


def run(settings: Run) -> None:
    """Draw the mean over the orders and the range of single orders."""
    found = evaluate("spam", settings)
    features = data_set("spam", settings).X.shape[1]
    written = {}
    with figure(settings.picture("figure_4"), COLUMN, 2.5) as (_, ax):
        for rule in found.rules:
            excluded = features - np.asarray(found.selected[rule])
            k = np.arange(1, excluded.shape[1] + 1)
            color = RULES[rule]["color"]
            ax.fill_between(k, excluded.min(axis=0), excluded.max(axis=0), color=color, alpha=0.2, linewidth=0)
            ax.plot(k, excluded.mean(axis=0), **RULES[rule])
            written[rule] = {f"at {at}": float(excluded[:, at - 1].mean()) for at in (10, 30, 100, 300, len(k))}
        ax.axhline(features, color="0.5", linewidth=0.6, linestyle=(0, (1, 1)))
        ax.annotate(
            "all features", (len(k), features), (-2, 3), textcoords="offset points", ha="right", fontsize=8, color="0.4"
        )
        ax.set_xlim(0, len(k))
        ax.set_ylim(0, 1.08 * features)
        ax.set_xlabel(r"number of instances $k$")
        ax.set_ylabel("excluded features")
        ax.yaxis.set_major_formatter("{x:,.0f}")
        ax.legend(loc="center left", bbox_to_anchor=(0.12, 0.5))
    settings.write("figure_4", written)
