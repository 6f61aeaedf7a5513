"""Plug-in value, mean and variance of many tables at once, the quick way.

Three things make a batch quick. Each *distinct* table is computed once: in text and streams most tables repeat. Counts are
whole numbers and a prior adds the same to each cell, so digamma and logarithm are looked up rather than computed. And the
series variance serves where the estimate of its error allows it, the exact one elsewhere. What does not fit (weights, a prior
that differs by cell, counts beyond any table) goes through :mod:`misieve.moments` directly, with the same results.
"""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misieve import moments
from misieve._core import kernels
from misieve._validate import known_option
from misieve.prior import add_prior, pseudo_count

__all__ = ["SERIES_TOLERANCE", "VARIANCES", "Summary", "distinct", "look_up_table", "summarise"]

Array = NDArray[np.float64]

#: How the variance is computed: the paper's eq. 4, exactly, or the first where its estimated error allows.
VARIANCES = ("series", "exact", "auto")

#: Largest estimated relative error at which "auto" keeps the series variance.
SERIES_TOLERANCE = 1e-3

# Beyond these estimated errors the exact variance steps in, whatever was asked for.
_ALLOWED_ERROR = {"series": 1.0, "auto": SERIES_TOLERANCE, "exact": -1.0}

_FEW_CELLS = 16  # of a table
_STEPS = 16  # logarithms are split at multiples of 1/16, which add up without rounding
_ALWAYS = 4096  # look-up tables up to this length are made even for a single table: the next call finds them ready
_LONGEST = 2**16  # beyond, a relative error of 1e-12 in the mean could no longer be promised


class Summary(NamedTuple):
    """What the laws need to know of a batch of tables: three arrays of shape (batch,)."""

    empirical: Array
    mean: Array
    variance: Array
    replaced: int  # tables whose series variance, though asked for, was not fit for use


def distinct(tables: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which tables of a batch (k, r, s) are distinct: the index of each one's first appearance, and the rank of every table."""
    flat = np.ascontiguousarray(tables.reshape(len(tables), int(np.prod(tables.shape[1:]))))
    if flat.dtype != np.int64:
        flat = flat.astype(np.float64, copy=False) + 0.0  # the sum turns -0.0 into 0.0
    firsts, inverse = kernels.distinct_rows(flat.view(np.int64))
    return firsts, inverse


def summarise(counts: NDArray[Any], prior: Any = "uniform", variance: str = "auto") -> Summary:
    """Plug-in value, mean and variance of the posteriors of raw ``counts`` (k, r, s), the prior not yet added.

    A series variance that is not positive, or so far off that its own error estimate exceeds 1, gives way to the exact one
    whatever was asked for.
    """
    known_option("variance", variance, VARIANCES)
    added = pseudo_count(prior, *counts.shape[-2:])
    longest = int(_totals(counts).max(initial=0)) + 1
    if isinstance(added, float) and longest <= _LONGEST and (counts.dtype.kind == "i" or (counts == np.floor(counts)).all()):
        return _by_look_up(counts.astype(np.int64, copy=False), added, variance, longest)
    return _directly(add_prior(counts, prior), variance)


def _directly(laden: Array, variance: str) -> Summary:
    empirical, mean, value, error = moments.leading(laden)
    replaced = error > _ALLOWED_ERROR[variance]
    if replaced.any():
        value[replaced] = moments.variance_exact(laden[replaced])
    return Summary(empirical, mean, value, int(np.count_nonzero(error > 1.0)))


def _totals(counts: NDArray[Any]) -> NDArray[Any]:
    """The total of each table; cell by cell where there are few, as a sum along a short axis costs its length many times."""
    flat = counts.reshape(len(counts), int(np.prod(counts.shape[1:])))
    few = 0 < flat.shape[1] <= _FEW_CELLS
    total: NDArray[Any] = sum((flat[:, j] for j in range(1, flat.shape[1])), start=flat[:, 0]) if few else flat.sum(axis=1)
    return total


def _by_look_up(counts: NDArray[np.int64], added: float, variance: str, longest: int) -> Summary:
    """``longest`` is more than any count, row, column or total."""
    exact = variance == "exact"
    found = kernels.tabled_moments(counts, *_look_up_tables(counts, added, longest, exact), added, exact)
    value, error = found[:, 2].copy(), found[:, 3]
    if exact:
        value = found[:, 4].copy()
    else:
        replaced = error > _ALLOWED_ERROR[variance]
        if replaced.any():
            these = counts[replaced]
            value[replaced] = kernels.tabled_moments(these, *_look_up_tables(these, added, longest, True), added, True)[:, 4]
    return Summary(found[:, 0].copy(), found[:, 1].copy(), value, int(np.count_nonzero(error > 1.0)))


def _look_up_tables(counts: NDArray[np.int64], added: float, longest: int, exact: bool) -> Sequence[Array]:
    """Tables of :func:`look_up_table` for cells, rows, columns and totals, in which all that occurs can be looked up.

    They are kept whole where they are short, or where there are as many cells to look up; else they are filled where it is
    needed only, and hold anything elsewhere. V(x) is there if ``exact``.
    """
    r, s = counts.shape[-2:]
    if longest <= max(_ALWAYS, counts.size):
        return [look_up_table(cells * added, _round_up(longest)) for cells in (1, s, r, r * s)]
    rows = np.einsum("kij->ki", counts)
    sums = (counts, rows, np.einsum("kij->kj", counts), np.einsum("ki->k", rows))
    places = []
    for found in sums:
        occurs = np.zeros(longest, bool)
        occurs[found] = True
        places.append(np.flatnonzero(occurs))
    offsets = (cells * added for cells in (1, s, r, r * s))
    x = np.concatenate([offset + place for offset, place in zip(offsets, places, strict=True)])
    functions = _functions(x, moments.own_variance(x) if exact else np.zeros_like(x))
    tables = np.empty((4, len(functions), longest))
    ends = np.cumsum([len(place) for place in places])[:-1]
    for table, place, values in zip(tables, places, np.split(functions, ends, axis=1), strict=True):
        table[:, place] = values
    return list(tables)


def _round_up(size: int) -> int:
    """The next power of two: the tables of a growing stream are made a few times, not at every step."""
    return max(64, 1 << (size - 1).bit_length())


@lru_cache(maxsize=32)
def look_up_table(offset: float, size: int) -> Array:
    """For x = offset + 0, 1, ..., size - 1 the rows log x (in two parts), x (psi(x+1) - log x), 1/x and V(x): (5, size).

    At x = 0 all are 0, so that an empty cell, row or column (Haldane's prior) carries no weight.
    """
    x = offset + np.arange(size, dtype=np.float64)
    table = _functions(x, moments.own_variance(x))
    table.setflags(write=False)
    return table


def _functions(x: Array, own_variance: Array) -> Array:
    """What is looked up, for each x a column."""
    inverse = np.divide(1.0, x, out=np.zeros_like(x), where=x > 0)
    return np.stack([*_split_logarithm(x), moments.x_times_f(x), inverse, own_variance])


def _split_logarithm(x: Array) -> tuple[Array, Array]:
    """Log x as a multiple of 1/16 plus the small rest, together right to about 1e-17; 0 and 0 where x is 0.

    Mutual information near independence is a tiny difference of logarithms. The multiples of 1/16 cancel without rounding, and
    the rests are small, so the difference keeps its digits.
    """
    y = np.where(x > 0, x, 1.0)
    steps, where = np.unique(np.rint(_STEPS * np.log(y)).astype(np.int64), return_inverse=True)
    high, low = np.array([_exponential(-j) for j in steps.tolist()]).reshape(-1, 2).T[:, where]
    one = np.ones_like(y)
    excess = kernels.product_difference(y, high, one, one) + y * low
    return np.where(x > 0, steps[where] / _STEPS, 0.0), np.where(x > 0, np.log1p(excess), 0.0)


@cache
def _exponential(step: int) -> tuple[float, float]:
    """Exp(step / 16), as a sum of two doubles."""
    with localcontext() as context:
        context.prec = 40
        exact = (Decimal(step) / _STEPS).exp()
        high = float(exact)
        return high, float(exact - Decimal(high))
