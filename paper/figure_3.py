"""Figure 3: prediction accuracies of naive Bayes with the filters FF, F and BF on the Spam data set."""

from paper.curves import accuracies, differences
from paper.experiments import evaluate
from paper.results import Run
from paper.style import PAGE, RULES, figure, panel

__all__ = ["POINTS", "run"]

#: Numbers of instances at which accuracies are written down; at 59 the paper has .797 and .559 for FF and F.
POINTS = (59, 100, 300)


def run(settings: Run) -> None:
    """Draw one order, as the paper does, and the difference over all orders."""
    found = evaluate("spam", settings)
    comparison = found.compare("forward", "empirical")
    with figure(settings.picture("figure_3"), PAGE, 2.7, ncols=2) as (_, axes):
        accuracies(axes[0], found, ("forward", "empirical", "backward"), ("forward", "empirical"))
        axes[0].set_ylim(0.4, 1.0)
        axes[0].legend(loc="lower right")
        panel(axes[0], "a", "Spam, one order")
        differences(axes[1], comparison, RULES["forward"]["color"])
        axes[1].set_ylim(-10, 30)
        axes[1].set_ylabel("FF minus F (percentage points)")
        panel(axes[1], "b", f"{len(comparison.difference)} orders, coloured where significant")
    points = {f"at {k}": {rule: found.accuracy[rule][:, k - 1] for rule in found.rules} for k in POINTS}
    points["at the end"] = {rule: found.accuracy[rule][:, -1] for rule in found.rules}
    settings.write("figure_3", points)
