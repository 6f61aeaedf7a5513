"""Figure 2: prediction accuracies of naive Bayes with the filters F and FF on the Chess data set."""

from paper.curves import accuracies, differences
from paper.experiments import evaluate
from paper.results import Run
from paper.style import PAGE, RULES, figure, panel

__all__ = ["run"]


def run(settings: Run) -> None:
    """Draw one order, as the paper does, and the difference over all orders."""
    found = evaluate("chess", settings)
    comparison = found.compare("forward", "empirical")
    with figure(settings.picture("figure_2"), PAGE, 2.7, ncols=2) as (_, axes):
        accuracies(axes[0], found, ("forward", "empirical"), ("forward", "empirical"))
        axes[0].set_ylim(0.7, 0.95)
        axes[0].legend(loc="lower right")
        panel(axes[0], "a", "Chess, one order")
        differences(axes[1], comparison, RULES["forward"]["color"])
        axes[1].set_ylim(-6, 12)
        axes[1].set_ylabel("FF minus F (percentage points)")
        panel(axes[1], "b", f"{len(comparison.difference)} orders, coloured where significant")
    accuracy = {rule: found.accuracy[rule] for rule in found.rules}
    settings.write(
        "figure_2",
        {
            "at the end": {rule: accuracy[rule][:, -1] for rule in accuracy},
            "at 422": {rule: accuracy[rule][:, 421] for rule in accuracy},
        },
    )
