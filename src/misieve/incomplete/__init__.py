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
from misieve.incomplete.mode import Mode, posterior_mode

__all__ = ["Report", "gibbs_draws", "log_bayes_factor", "moments", "posterior_mode"]

Array = NDArray[np.float64]

_CASES = np.array(["none", "rows", "columns", "both"])
_BY_ROW, _BY_COLUMN = 1, 2

# Draws where no expansion holds, always the same ones: mean and standard deviation to within about 2 % of the latter.
_DRAWS = 4_000

# Squared covariances of this many cells are held at a time.
_BLOCK = 2**17


class Report(NamedTuple):
    """How the moments of each table were found: arrays of shape (k,), and where the posterior is highest."""

    missing: NDArray[np.str_]  # "none", "rows", "columns" (which side is seen alone) or "both"
    iterations: NDArray[np.int64]  # steps to the mode, 0 where it is known in closed form
    converged: NDArray[np.bool_]
    sampled: NDArray[np.bool_]  # moments of draws: too little is complete for any expansion
    chance: Array  # the most probable chances (k, r, s)


def moments(counts: Array, row_only: Array, col_only: Array, order: int = 2) -> tuple[Array, Array, Report]:
    """Mean and variance of mutual information (k,), and a report.

    ``counts`` (k, r, s) are prior-laden; ``row_only`` (k, r) and ``col_only`` (k, s) are raw counts of observations of which
    only the row or the column was seen, 0 where nothing is missing. ``order`` 1 gives the leading order in 1/N, as the paper
    has it; 2 is what the modules describe. A table without incomplete observations gets the exact moments (their leading order
    if ``order`` is 1). Where so little is complete that no expansion holds, the moments are those of draws from the posterior.
    """
    if order not in (1, 2):
        raise OptionError(f"order must be 1 (leading order) or 2, not {order!r}")
    _check(counts, row_only, col_only)
    k = len(counts)
    case = np.asarray(row_only.any(axis=-1) + 2 * col_only.any(axis=-1), dtype=np.intp)
    flags = np.ones(k, dtype=np.bool_), np.zeros(k, dtype=np.bool_)
    report = Report(_CASES[case], np.zeros(k, dtype=np.int64), *flags, _closed_modes(case, counts, row_only, col_only))
    mean, variance = np.zeros(k), np.zeros(k)
    # With a single row or column I is 0 for certain.
    uncertain = np.minimum((counts.sum(axis=-1) > 0).sum(axis=-1), (counts.sum(axis=-2) > 0).sum(axis=-1)) > 1
    none, by_row, by_column, both = (np.flatnonzero(uncertain & (case == which)) for which in range(4))
    compute = _second_order if order == 2 else _leading_order
    for some, name in ((none, "none"), (by_row, "rows"), (by_column, "columns"), *((x, "both") for x in _blocks(both, counts))):
        if not some.size:
            continue
        mean[some], variance[some] = compute(name, some, (counts[some], row_only[some], col_only[some]), report)
    for i in np.flatnonzero(report.sampled):
        table = counts[i : i + 1], row_only[i : i + 1], col_only[i : i + 1]
        drawn = gibbs_draws(*table, draws=_DRAWS, rng=np.random.default_rng(0))
        mean[i], variance[i] = drawn.mean(), drawn.var()
    upper = complete.upper_bound(counts)
    mean = np.clip(mean, 0.0, upper)
    # No variable on [0, upper] varies more than one that takes the two ends only.
    return mean, np.clip(variance, 0.0, mean * (upper - mean)), report


def _second_order(case: str, some: NDArray[np.intp], tables: tuple[Array, Array, Array], report: Report) -> tuple[Array, Array]:
    counts, row_only, col_only = tables
    if case == "none":
        return complete.mean(counts), complete.variance_exact(counts)
    if case == "both":
        mean, variance, doubtful, found = two_sided.moments(*_narrow(tables))
        _note(report, some, tables, found)
        report.sampled[some] = doubtful | ~found.converged
        return mean, variance
    one_side = (counts, row_only) if case == "rows" else (np.swapaxes(counts, -1, -2), col_only)
    mean, variance, report.sampled[some] = one_sided.moments(*one_side)
    return mean, variance


def _leading_order(
    case: str, some: NDArray[np.intp], tables: tuple[Array, Array, Array], report: Report
) -> tuple[Array, Array]:
    counts, row_only, col_only = tables
    if case == "both":
        narrow = _narrow(tables)
        found = posterior_mode(*narrow)
        _note(report, some, tables, found)
        return leading_order_two_sided(found.chance, *narrow)
    if case == "columns":
        return leading_order_one_sided(np.swapaxes(counts, -1, -2), col_only)
    return leading_order_one_sided(counts, row_only)


def _closed_modes(case: NDArray[np.intp], counts: Array, row_only: Array, col_only: Array) -> Array:
    """The most probable chances where one side at least is complete; with both sides missing, where the search begins."""
    turned = np.flatnonzero(case == _BY_COLUMN)
    chance = one_sided.mode(counts, np.where(case[:, None] == _BY_ROW, row_only, 0.0))
    if turned.size:
        chance[turned] = np.swapaxes(one_sided.mode(np.swapaxes(counts[turned], -1, -2), col_only[turned]), -1, -2)
    return chance


def _note(report: Report, some: NDArray[np.intp], tables: tuple[Array, Array, Array], found: Mode) -> None:
    """Enter a mode that was searched for in the report."""
    report.iterations[some], report.converged[some] = found.iterations, found.converged
    as_given = found.chance.shape[1:] == tables[0].shape[1:]
    report.chance[some] = found.chance if as_given else np.swapaxes(found.chance, -1, -2)


def _narrow(tables: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """The tables turned so that they have no more columns than rows: the cost grows with the columns' cube."""
    counts, row_only, col_only = tables
    return tables if counts.shape[-1] <= counts.shape[-2] else (np.swapaxes(counts, -1, -2), col_only, row_only)


def _blocks(which: NDArray[np.intp], counts: Array) -> list[NDArray[np.intp]]:
    size = max(1, _BLOCK // (max(counts.shape[-2:]) * (min(counts.shape[-2:]) + 1) ** 2))
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
