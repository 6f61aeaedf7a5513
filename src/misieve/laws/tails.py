r"""The two ends of the posterior, to leading order, and the laws there.

**Lower tail**, by expanding I in the deviations of the chances from the product of their margins:

.. math:: P(I < e) \to \frac{(2 \pi e)^{\nu/2}}{\Gamma(\nu/2+1)}\,\frac{\Gamma(n)}{\prod \Gamma(n_{ij})}\,
   \frac{\prod_i \Gamma(n_{i+} - \frac{s-1}{2})}{\Gamma(n - \frac{r(s-1)}{2})}\,
   \frac{\prod_j \Gamma(n_{+j} - \frac{r-1}{2})}{\Gamma(n - \frac{s(r-1)}{2})}

as e goes to 0, nu = (r-1)(s-1). It holds if every :math:`n_{i+} > (s-1)/2` and every :math:`n_{+j} > (r-1)/2`. Otherwise the
cheapest way to I = 0 is to let a row or column vanish: leaving out a set of rows and columns costs their total mass and leaves
:math:`(r'-1)(s'-1)/2` for the rest; the true power is the least such sum (:func:`lower_tail_power`).

**Upper tail.** For r <= s, I near I_max = log r needs the rows equally likely, (r-1)/2, and every cell outside an assignment of
each column to one row, onto the rows, near zero; these multiply in their powers. With :math:`I_c = I_{max} - I`,

.. math:: P(I_c < e) \sim e^{(r-1)/2 + m} / \log(1/e)^m,

m the smallest sum of counts outside such an assignment. This is where the paper's exponent (r-1)/2 (its equation for
:math:`p(I_{max} - I_c)`) does not hold for a Dirichlet posterior.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from misieve._errors import DataError
from misieve._validate import count_array
from misieve.laws.gammas import log_gamma_ratio, stirling_rest
from misieve.moments import plug_in

__all__ = ["UpperTail", "log_lower_constant", "lower_tail", "lower_tail_power", "upper_tail_power"]

Floats = NDArray[np.float64]


class UpperTail(NamedTuple):
    """P(I_max - I < e) goes to zero as e^exponent / log(1/e)^log_power."""

    exponent: float
    log_power: float


def lower_tail(table: ArrayLike, epsilon: ArrayLike) -> Floats:
    """P(I < epsilon) to leading order as epsilon goes to zero, for one prior-laden table; epsilon of any shape.

    The relative error is of the order of epsilon times the largest count over the smallest chance: use it far below the mean.
    """
    counts = _one_table(table)
    empty = np.argwhere(counts == 0)
    if empty.size:
        where = tuple(map(int, empty[0]))
        raise DataError(f"the lower tail needs a positive count in every cell, found 0 at {where}: add a prior")
    for word, axis, other in (("row", 1, counts.shape[1]), ("column", 0, counts.shape[0])):
        sums = counts.sum(axis=axis)
        if (sums <= (other - 1) / 2).any():
            worst = int(np.argmin(sums))
            raise DataError(
                f"the lower tail has its known constant only if every {word} holds more than {(other - 1) / 2:g} counts, the "
                f"prior included; {word} {worst} holds {sums[worst]:g}: use the posterior's law, or ask lower_tail_power"
            )
    power = (counts.shape[0] - 1) * (counts.shape[1] - 1) / 2
    value: Floats = np.exp(log_lower_constant(counts) + special.xlogy(power, np.asarray(epsilon, dtype=np.float64)))
    return value


def log_lower_constant(tables: Floats) -> Floats:
    """log C of P(I < e) -> C e^(nu/2), for tables of shape (..., r, s); NaN where the condition on the margins fails.

    By Stirling's formula the parts of the size of n log n make up -nJ, J the plug-in mutual information, which is known to its
    own digits: so is log C at any n.
    """
    r, s = tables.shape[-2:]
    less_row, less_column = (s - 1) / 2, (r - 1) / 2
    rows, columns, total = tables.sum(axis=-1), tables.sum(axis=-2), tables.sum(axis=(-2, -1))
    holds = (rows > less_row).all(axis=-1) & (columns > less_column).all(axis=-1) & (tables > 0).all(axis=(-2, -1))
    # Where the constant is not known, some harmless table stands in.
    cells = np.where(holds[..., None, None], tables, float(r + s))
    rows, columns, total = cells.sum(axis=-1), cells.sum(axis=-2), cells.sum(axis=(-2, -1))
    half = (r - 1) * (s - 1) / 2

    def rest(x: Floats) -> Floats:
        return stirling_rest(x) - 0.5 * np.log(x)

    value = -special.gammaln(half + 1) - total * plug_in(cells)
    value += rest(rows).sum(axis=-1) + rest(columns).sum(axis=-1) - rest(cells).sum(axis=(-2, -1)) - rest(total)
    value -= log_gamma_ratio(rows - less_row, less_row).sum(axis=-1)
    value -= log_gamma_ratio(columns - less_column, less_column).sum(axis=-1)
    value += log_gamma_ratio(total - r * less_row, r * less_row) + log_gamma_ratio(total - s * less_column, s * less_column)
    return np.where(holds, value, np.nan)


def lower_tail_power(table: ArrayLike) -> float:
    """The power of e with which P(I < e) goes to zero: nu/2, or less if rows or columns are nearly empty.

    Rows and columns are taken out one by one, the one that lowers the power most first, until none does.
    """
    counts = _one_table(table)
    spent, best = 0.0, float((counts.shape[0] - 1) * (counts.shape[1] - 1)) / 2
    while min(counts.shape) > 1:
        r, s = counts.shape
        costs = [counts.sum(axis=1) + (r - 2) * (s - 1) / 2, counts.sum(axis=0) + (r - 1) * (s - 2) / 2]
        axis = int(costs[1].min() < costs[0].min())
        place = int(np.argmin(costs[axis]))
        if spent + costs[axis][place] >= best:
            break
        best = spent + float(costs[axis][place])
        spent += float(counts.take(place, axis=axis).sum())
        counts = np.delete(counts, place, axis=axis)
    return best


def upper_tail_power(table: ArrayLike) -> UpperTail:
    """How P(I_max - I < e) goes to zero, for one prior-laden table.

    The assignment is a rectangular one: each row gets one column of its own by
    :func:`scipy.optimize.linear_sum_assignment`, every other column goes to its fullest row. What a row's own column loses
    against its best row is the cost.
    """
    from scipy import optimize  # takes long to load, and few need it

    counts = _one_table(table)
    if counts.shape[0] > counts.shape[1]:
        counts = counts.T
    best = counts.max(axis=0)
    rows, columns = optimize.linear_sum_assignment(best - counts)
    kept = best.sum() - (best - counts)[rows, columns].sum()
    outside = max(float(counts.sum() - kept), 0.0)
    return UpperTail(exponent=(counts.shape[0] - 1) / 2 + outside, log_power=outside)


def _one_table(table: ArrayLike) -> Floats:
    counts = count_array(table, "table")
    if counts.ndim != 2:
        raise DataError(f"a tail is that of one table of shape (r, s), found the shape {counts.shape}")
    return counts
