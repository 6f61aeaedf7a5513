"""How the pictures look: one style for the gallery and for those kept in ``docs/pictures``."""

import matplotlib as mpl

STYLE = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
    "axes.titlelocation": "left",
    "font.size": 10.5,
    "figure.dpi": 110,
    "savefig.dpi": 110,
}


def apply(_settings: object = None, _example: object = None) -> None:
    """Start each example from the same settings, whatever an earlier one changed."""
    mpl.rcdefaults()
    mpl.use("Agg")
    mpl.rcParams.update(STYLE)
