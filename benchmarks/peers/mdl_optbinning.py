"""optbinning's MDLP. Its defaults differ from Fayyad and Irani: at least two rows on each side, 32 candidates for each cut."""

import numpy as np
from optbinning import MDLP

NAME = "optbinning"


def cuts(X, y):
    """The cuts of every column."""
    return [np.asarray(MDLP().fit(np.ascontiguousarray(column), y).splits) for column in X.T]
