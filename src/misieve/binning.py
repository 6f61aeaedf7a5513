"""Plain quantile bins for continuous columns: as nearly equal numbers of rows as ties allow.

Cuts stand half way between neighbouring distinct values, and a value equal to a cut belongs to the bin on its left.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from misieve._errors import OptionError

__all__ = ["apply_cuts", "bin_labels", "checked_bins", "quantile_cuts"]

# So few cuts are faster compared with, one after the other, than searched for.
FEW_CUTS = 16

Floats = NDArray[np.float64]


def quantile_cuts(values: ArrayLike, bins: int, weights: ArrayLike | None = None) -> Floats:
    """At most ``bins - 1`` ascending cuts; fewer where ties are large. NaN takes no part. values, weights: (n,)."""
    x = np.asarray(values, np.float64)
    here = ~np.isnan(x)
    if weights is not None:  # rows of weight zero do not exist
        here &= np.asarray(weights, np.float64) > 0
    distinct, place = np.unique(x[here], return_inverse=True)
    if len(distinct) < 2:
        return np.empty(0)
    below = np.cumsum(np.bincount(place, None if weights is None else np.asarray(weights, np.float64)[here]))
    wanted = below[-1] * np.arange(1, bins) / bins
    # The first value at which the share is reached is the last on the left; rounding of weighted sums must not delay it.
    left = np.searchsorted(below, wanted * (1 - 1e-12), side="left")
    left = np.unique(left[left < len(distinct) - 1])
    lower, upper = distinct[left], distinct[left + 1]
    with np.errstate(invalid="ignore"):
        middle = lower / 2 + upper / 2
    cuts: Floats = np.where((middle > lower) & (middle < upper), middle, lower)
    return cuts


def apply_cuts(values: ArrayLike, cuts: ArrayLike) -> NDArray[np.int32]:
    """The bin of each value, 0 .. len(cuts); -1 for NaN. A value equal to a cut goes left."""
    column, bounds = np.asarray(values), np.asarray(cuts, dtype=np.float64)
    if len(bounds) <= FEW_CUTS:
        codes = np.zeros(column.shape, np.int32)
        for bound in bounds:
            codes += column > bound
    else:
        codes = np.searchsorted(bounds, column, side="left").astype(np.int32)
    if column.dtype.kind == "f":
        codes[np.isnan(column)] = -1
    return codes


def bin_labels(cuts: Floats, bound: Callable[[float], str] | None = None) -> list[str]:
    """How the bins are called: their bounds, the upper one included, as ``bound`` writes them."""
    try:
        bounds = ["-inf", *map(bound or "{:.15g}".format, cuts.tolist()), "inf"]
    except OverflowError:  # a cut point of one's own that is beyond all dates
        bounds = []
    if len(set(bounds)) < len(cuts) + 2:
        bounds = ["-inf", *map(repr, cuts.tolist()), "inf"]
    labels = [f"({low}, {high}]" for low, high in itertools.pairwise(bounds)]
    labels[-1] = labels[-1][:-1] + ")"
    return labels


def checked_bins(bins: Any) -> int | str | Floats:
    """A number of bins, "mdl" for cuts where the class changes, or cuts of one's own: finite and ascending."""
    if isinstance(bins, str) and bins == "mdl":
        return "mdl"
    if isinstance(bins, (int, np.integer)) and not isinstance(bins, bool):
        if bins < 2:
            raise OptionError(f"bins must be at least 2, not {bins}")
        return int(bins)
    if isinstance(bins, (list, tuple, np.ndarray)):
        cuts = np.asarray(bins)
        if cuts.ndim == 1 and cuts.dtype.kind in "iuf" and all(map(math.isfinite, cuts)) and (np.diff(cuts) > 0).all():
            return cuts.astype(np.float64)
        raise OptionError(f"cut points must be finite numbers in ascending order, not {bins!r}")
    raise OptionError(f"bins must be a number of bins, 'mdl', or a dict of those or of cut points by column, not {bins!r}")
