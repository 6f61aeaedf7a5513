"""Section 5.1: how the distribution of mutual information behaves at its two ends.

The paper gives p(I) ~ I^(nu/2 - 1) near zero and p(I_max - I_c) ~ I_c^((r-3)/2) near the maximum. Both are compared with the
exact law of 2 x 2 tables; what is drawn is the local power d log P / d log e, so that no constant is left to choose.
"""

import numpy as np

import misieve
from misieve.laws.tails import lower_tail, upper_tail_power
from paper.results import Run
from paper.style import PAGE, figure, panel

__all__ = ["run"]

TABLES = (((1, 1), (1, 1)), ((5, 5), (5, 5)), ((8, 2), (4, 16)))
_COLORS = ("#000000", "#0072b2", "#d55e00")


def run(settings: Run) -> None:
    """Draw the figure; write what was compared."""
    e = np.geomspace(1e-6, 0.3, 12 if settings.quick else 40)
    middle = np.sqrt(e[:-1] * e[1:])
    found = []
    with figure(settings.picture("section_5_tails"), PAGE, 2.9, ncols=3) as (_, axes):
        for table, color in zip(TABLES, _COLORS, strict=True):
            p = misieve.posterior(table, prior="haldane", law="quadrature")
            low, high = np.asarray(p.cdf(e)), np.asarray(p.sf(float(p.upper) - e))
            tail, upper = lower_tail(table, e), upper_tail_power(table)
            powers = np.diff(np.log(high)) / np.diff(np.log(e))
            predicted = upper.exponent + upper.log_power / np.log(1.0 / middle)
            label = str(sum(table, ()))
            axes[0].loglog(e, low, color=color, label=label)
            axes[0].loglog(e[tail < 1], tail[tail < 1], color=color, linestyle=(0, (4, 2)), linewidth=0.8)
            axes[1].semilogx(e, low / tail, color=color)
            axes[2].semilogx(middle, powers, color=color)
            near = middle < 0.1
            axes[2].semilogx(middle[near], predicted[near], color=color, linestyle=(0, (4, 2)), linewidth=0.8)
            least = int(np.argmin(middle))
            found.append(
                {
                    "table": table,
                    "exact over formula at I = 1e-6": low[0] / tail[0],
                    "power at zero": (np.log(low[1] / low[0])) / np.log(e[1] / e[0]),
                    "power at zero, paper": 0.5,
                    "power at the maximum": powers[least],
                    "power at the maximum, predicted": predicted[least],
                    "limit, predicted": upper.exponent,
                    "power at the maximum, paper": 0.5,
                }
            )
        axes[1].axhline(1.0, color="0.55", linewidth=0.6, zorder=0)
        axes[1].set_ylim(0.0, 2.0)
        axes[2].axhline(0.5, color="0.4", linewidth=0.9, linestyle=(0, (1, 1)))
        axes[2].annotate("the paper's 1/2", (1.5e-6, 0.5), (0, 3), textcoords="offset points", color="0.4", fontsize=8)
        axes[2].set_ylim(0.0, 13.0)
        panel(axes[0], "a", r"$P(I<\epsilon)$ and its tail formula")
        panel(axes[1], "b", r"their quotient")
        panel(axes[2], "c", r"local power of $P(I_{\max}-I<\epsilon)$")
        for ax in axes:
            ax.set_xlabel(r"$\epsilon$ (nats)")
        axes[0].legend(loc="lower right")
    settings.write("section_5_tails", found)
