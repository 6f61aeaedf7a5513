"""Table 1: the data sets, their number of features, of instances and the relative frequency of the majority class."""

from paper.data import PAPER_SETS
from paper.experiments import data_set
from paper.published import TABLE_1, TITLES
from paper.results import Run

__all__ = ["run"]


def run(settings: Run) -> None:
    """Write the table, ours beside the paper's."""
    table = []
    for name in PAPER_SETS:
        data = data_set(name, settings)
        features, rows, majority = TABLE_1[name]
        table.append(
            {
                "name": TITLES[name],
                "features": data.X.shape[1],
                "rows": data.X.shape[0],
                "majority": data.majority,
                "paper": {"features": features, "rows": rows, "majority": majority},
                "notes": data.notes,
            }
        )
    settings.write("table_1", table)
