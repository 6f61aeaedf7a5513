"""Figure 1: the distribution of mutual information of two binary variables, exact and approximated.

The paper's "exact" curves are from Monte Carlo simulation; here they are integrals. The counts are taken as they are, that is
as counts which already include the prior. The variance is the paper's series.
"""

import numpy as np
from numpy.typing import NDArray

import misieve
from paper.results import Run
from paper.style import LINE, PAGE, figure, panel

__all__ = ["run"]

#: (n11, n12, n21, n22), from the upper group to the lower one.
GROUPS = ((40, 10, 20, 80), (20, 5, 10, 40), (8, 2, 4, 16))
LAWS = ("quadrature", "normal", "gamma", "beta", "noncentral-beta")


def _share(counts: tuple[int, ...], law: str, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(I <= x) by the law with the exact variance."""
    p = misieve.posterior(np.reshape(counts, (2, 2)), prior="haldane", law=law, variance="exact")
    return np.asarray(p.cdf(x))


def run(settings: Run) -> None:
    """Draw the figure; write the greatest error of each law."""
    percent = np.linspace(0.0, 100.0, 61 if settings.quick else 241)[1:-1]
    x = percent / 100.0 * np.log(2.0)
    errors: dict[str, dict[str, dict[str, float]]] = {}
    with figure(settings.picture("figure_1"), PAGE, 4.6, nrows=3, ncols=2, sharex=True, width_ratios=(3, 2)) as (_, axes):
        for row, counts in enumerate(GROUPS):
            density, share = {}, {}
            for law in LAWS:
                p = misieve.posterior(np.reshape(counts, (2, 2)), prior="haldane", law=law, variance="series")
                # per percent of I_max
                density[law] = np.asarray(p.pdf(x)) * np.log(2.0) / 100.0
                share[law] = np.asarray(p.cdf(x))
            group = errors.setdefault(str(counts), {})
            for law in LAWS:
                axes[row, 0].plot(percent, density[law], **LINE[law])
                if law == "quadrature":
                    continue
                axes[row, 1].plot(percent, 1000 * (density[law] - density["quadrature"]), **LINE[law])
                group[law] = {
                    "density": float(np.abs(density[law] - density["quadrature"]).max() / density["quadrature"].max()),
                    "probability": float(np.abs(share[law] - share["quadrature"]).max()),
                    "probability, exact variance": float(np.abs(_share(counts, law, x) - share["quadrature"]).max()),
                }
            panel(axes[row, 0], "abc"[row], rf"$n$ = {counts}")
            axes[row, 1].axhline(0.0, color="black", linewidth=0.5)
            axes[row, 0].set_ylim(bottom=0.0)
            axes[row, 0].set_xlim(0.0, 100.0)
        axes[0, 1].set_title("approximation minus exact, × 1000", loc="left", pad=4)
        axes[1, 0].set_ylabel(r"density per percent of $I_{\max}$")
        for ax in axes[-1]:
            ax.set_xlabel(r"mutual information in percent of $I_{\max}$")
        axes[0, 0].legend(loc="upper right")
    settings.write("figure_1", errors)
