r"""Mutual information from incomplete samples: rows of the data where a feature, the class or either is missing.

Besides the complete observations :math:`n_{ij}` there are :math:`n_{i?}`, seen with their row only, and :math:`n_{?j}`, seen
with their column only (paper, section "Incomplete Samples"). Values are taken to be missing at random. Three cases differ in
what is known, and a batch may mix them: nothing missing (:mod:`misieve.moments`), one side missing
(:mod:`misieve.incomplete.one_sided`, closed form), both sides (:mod:`misieve.incomplete.two_sided`, expansion around the mode
that :mod:`misieve.incomplete.mode` finds). :mod:`misieve.incomplete.gibbs` draws from the posterior,
:mod:`misieve.incomplete.evidence` compares independence with dependence.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from misieve import moments as complete
from misieve._errors import DataError, OptionError
from misieve.incomplete import one_sided, two_sided
from misieve.incomplete.evidence import log_bayes_factor
from misieve.incomplete.gibbs import gibbs_draws
from misieve.incomplete.leading import leading_order_one_sided, leading_order_two_sided
from misieve.incomplete.mode import posterior_mode

__all__ = ["Report", "gibbs_draws", "log_bayes_factor", "moments", "posterior_mode"]

Array = NDArray[np.float64]

# Squared covariances of this many cells are held at a time.
_BLOCK = 2**17


class Report(NamedTuple):
    """How the moments of each table were found: arrays of shape (k,)."""

    missing: NDArray[np.str_]  # "none", "rows", "columns" (which side is seen alone) or "both"
    iterations: NDArray[np.int64]  # steps to the mode, 0 where it is known in closed form
    converged: NDArray[np.bool_]


def moments(counts: Array, row_only: Array, col_only: Array, order: int = 2) -> tuple[Array, Array, Report]:
    """Mean and variance of mutual information (k,), and a report.

    ``counts`` (k, r, s) are prior-laden; ``row_only`` (k, r) and ``col_only`` (k, s) are raw counts of observations of which
    only the row or the column was seen, 0 where nothing is missing. ``order`` 1 gives the leading order in 1/N, as the paper
    has it; 2 is what the modules describe. A table without incomplete observations gets the exact moments (the leading order of
    them if ``order`` is 1).
    """
    if order not in (1, 2):
        raise OptionError(f"order must be 1 (leading order) or 2, not {order!r}")
    _check(counts, row_only, col_only)
    by_row, by_column = row_only.any(axis=-1), col_only.any(axis=-1)
    k = len(counts)
    missing = np.array(["none", "rows", "columns", "both"])[by_row + 2 * by_column]
    mean, variance = np.zeros(k), np.zeros(k)
    iterations, converged = np.zeros(k, dtype=np.int64), np.ones(k, dtype=np.bool_)
    # With a single row or column I is 0 for certain.
    rows = (counts.sum(axis=-1) > 0).sum(axis=-1)
    open_ = (rows > 1) & ((counts.sum(axis=-2) > 0).sum(axis=-1) > 1)
    turned = np.swapaxes(counts, -1, -2)
    none, first, second, both = (np.flatnonzero(open_ & (missing == name)) for name in ("none", "rows", "columns", "both"))
    one = one_sided.moments if order == 2 else leading_order_one_sided
    if order == 2:
        mean[none], variance[none] = complete.mean(counts[none]), complete.variance_exact(counts[none])
    else:
        mean[none], variance[none] = one(counts[none], row_only[none])
    mean[first], variance[first] = one(counts[first], row_only[first])
    mean[second], variance[second] = one(turned[second], col_only[second])
    for some in _blocks(both, counts.shape):
        tables = (turned[some], col_only[some], row_only[some])
        if counts.shape[-1] <= counts.shape[-2]:
            tables = (counts[some], row_only[some], col_only[some])
        if order == 2:
            mean[some], variance[some], mode = two_sided.moments(*tables)
        else:
            mode = posterior_mode(*tables)
            mean[some], variance[some] = leading_order_two_sided(mode.chance, *tables)
        iterations[some], converged[some] = mode.iterations, mode.converged
    upper = complete.upper_bound(counts)
    mean = np.clip(mean, 0.0, upper)
    # No variable on [0, upper] varies more than one that takes the two ends only.
    return mean, np.clip(variance, 0.0, mean * (upper - mean)), Report(missing, iterations, converged)


def _blocks(which: NDArray[np.intp], shape: tuple[int, ...]) -> list[NDArray[np.intp]]:
    size = max(1, _BLOCK // (max(shape[-2:]) * (min(shape[-2:]) + 1) ** 2))
    return [which[start : start + size] for start in range(0, len(which), size)]


def _check(counts: Array, row_only: Array, col_only: Array) -> None:
    k, r, s = counts.shape
    for extra, what, size in ((row_only, "row_only", r), (col_only, "col_only", s)):
        if extra.shape != (k, size):
            raise DataError(
                f"{what} must have the shape {(k, size)}, a count for each {what[:3]} of each table; found {extra.shape}"
            )
    for array, what in ((counts, "counts"), (row_only, "row_only"), (col_only, "col_only")):
        wrong = ~(np.isfinite(array) & (array >= 0))
        if wrong.any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise DataError(f"{what} must be finite and not negative, found {array[where]} at index {where}")
    empty = counts.sum(axis=(-2, -1)) == 0
    if empty.any():
        raise DataError(
            f"a table needs complete observations or a prior, found neither at index {int(np.argmax(empty))}: "
            "use prior='uniform', 'jeffreys' or 'perks'"
        )
    for extra, axis, what in ((row_only, -1, "row"), (col_only, -2, "column")):
        blind = (extra > 0) & (counts.sum(axis=axis) == 0)
        if blind.any():
            table, line = (int(i) for i in np.argwhere(blind)[0])
            raise DataError(
                f"{what} {line} of table {table} was only ever seen incompletely, and a prior that adds nothing says nothing "
                "about its chances: use prior='uniform', 'jeffreys' or 'perks', or leave it out"
            )
