"""Table 2: the average number of attributes selected by the filters, over ten random orders of the rows."""

import numpy as np

from paper.data import PAPER_SETS
from paper.experiments import RULES, TABLE_ORDERS, data_set, evaluate
from paper.published import TABLE_2, TITLES
from paper.results import Run

__all__ = ["run", "within"]


def within(mean: float, sd: float, paper: float) -> bool:
    """Whether the paper's value lies within two standard deviations of an order, or rounds to ours where they hardly differ."""
    return abs(mean - paper) <= max(2.0 * sd, 0.05)


def run(settings: Run) -> None:
    """Write the table, ours beside the paper's."""
    table = []
    for name in PAPER_SETS:
        found = evaluate(name, settings)
        line = {"name": TITLES[name], "features": data_set(name, settings).X.shape[1]}
        for rule, paper in zip(RULES, TABLE_2[name], strict=True):
            averages = np.asarray(found.selected[rule][:TABLE_ORDERS]).mean(axis=1)
            mean, sd = float(averages.mean()), float(averages.std(ddof=1))
            line[rule] = {
                "mean": mean,
                "sd": sd,
                "least": float(averages.min()),
                "greatest": float(averages.max()),
                "paper": paper,
                "within 2 sd": within(mean, sd, paper),
                "accuracy": float(found.accuracy[rule][:TABLE_ORDERS, -1].mean()),
            }
        table.append(line)
    settings.write("table_2", table)
