r"""Mean and variance of mutual information where only one variable is ever missing: in closed form.

Rows are the values of the variable that is always seen, columns those of the one that may be missing, and :math:`n_{i?}` counts
the observations with row i whose column was not seen. Under a Dirichlet posterior the row chances and the conditional chances
are then independent,

.. math:: \pi_{i+} \sim \mathrm{Dir}(N_i), \quad N_i = n_{i+} + n_{i?}, \qquad q_{i\cdot} = \pi_{i\cdot}/\pi_{i+} \sim
   \mathrm{Dir}(n_{i\cdot}),

and mutual information is a sum of two parts,

.. math:: I = \sum_i \pi_{i+} h_i - \sum_j g(X_j), \qquad h_i = \sum_j g(q_{ij}), \quad g(x) = x \log x, \quad
   X_j = \pi_{+j} = \sum_i \pi_{i+} q_{ij}.

The moments of the first part are exact. The column chance :math:`X_j` is no beta variable unless nothing is missing, but its
mean, variance and third moment are exact in O(rs), and it is close to the beta variable :math:`\mathrm{Beta}(a_j, b_j)` with
its mean and variance, :math:`a_j + b_j = c_j`. So g is expanded in the polynomials :math:`P_k` (leading coefficient 1) that are
orthogonal under that beta law. By Rodrigues' formula the coefficients and the squared norms are

.. math::

   \gamma_1 &= \psi(a+1) - \psi(c+2) + 1, \qquad
   \gamma_k = \frac{E[g^{(k)}]}{k!} = (-1)^k \frac{(k-2)!}{k!} \frac{(c+k+1)_{k-1}}{(a+1)_{k-1}}, \\
   |P_k|^2 &= \frac{k!\,(a)_k (b)_k}{(c)_{2k} (c+k-1)_k}.

The variance is summed in three steps: that of the linear part L (the terms :math:`\gamma_1`, with digammas where the leading
order has logarithms), exact; its covariance with the quadratic part, from exact third moments; and the variance of what is not
linear: for :math:`\sum \pi_{i+} h_i` exact, for its covariance with the columns and for theirs with k = 2 and 3. Without
missing values :math:`X_j` is that beta variable, the covariance of the linear and the quadratic part is 0, and all that is left
out is k > 3. Near independence, where the leading order vanishes, each step is right in its leading order.

**Accuracy**, against 200,000 exact draws for each of 1,692 random tables of 100 to 400 observations of which 70 to 95 % lack
their column: with 40 complete observations or more the mean was within .006 standard deviations and the variance within 3 %;
with 20 to 40 the mean within .012 and the variance of 99 % of the tables within 3 %; with fewer the mean within .055 and the
variance of 92 % within 3 %. The worst, off by 46 %, are tables near independence with a row of nearly all the mass of which
hardly more observations are complete than there are cells.

The paper's own formula (section "Incomplete Samples") is in :mod:`misieve.incomplete.leading`.
"""

import numpy as np
from numpy.typing import NDArray

from misieve.incomplete.basics import f, ratio
from misieve.incomplete.columns import Columns, Rows, of_columns, second_coefficient, third_coefficient
from misieve.moments import own_variance, plug_in, x_times_f

__all__ = ["mode", "moments"]

Array = NDArray[np.float64]

# The least concentration c of a column at which its beta variable still stands for it: with less the standard deviation was
# off by 13 to 68 % in tables of which only the prior was complete.
_LEAST_KNOWN = 3.5


def mode(counts: Array, row_only: Array) -> Array:
    r"""Posterior mean of the chances (k, r, s), which is also the mode in log-ratio coordinates.

    .. math:: \hat\pi_{ij} = \frac{n_{i+} + n_{i?}}{N} \frac{n_{ij}}{n_{i+}}
    """
    seen = counts.sum(axis=-1)
    known = seen + row_only
    rows = known / known.sum(axis=-1, keepdims=True)
    result: Array = rows[..., None] * ratio(counts, seen[..., None])
    return result


def _rows(counts: Array, row_only: Array) -> Rows:
    seen = counts.sum(axis=-1, keepdims=True)
    known = seen + row_only[..., None]
    total = known.sum(axis=-2, keepdims=True)
    chance, within = known / total, ratio(counts, seen)
    column = (chance * within).sum(axis=-2, keepdims=True)
    square = chance * (known + 1.0) / (total + 1.0)
    cube = square * (known + 2.0) / (total + 2.0)
    away = np.where(seen > 0, within - column, 0.0)
    per_one = 1.0 / (seen + 1.0)
    return Rows(
        counts,
        seen,
        total,
        chance,
        within,
        away,
        square,
        cube,
        cube * (known + 3.0) / (total + 3.0),
        per_one,
        per_one / (seen + 2.0),
    )


def _third_moments(rows: Rows, between: Array, spread: Array, mixed: Array, skew: Array) -> Array:
    r"""E[L (X_j - m_j)^2] for each column, where :math:`L = \sum_i (\pi_i - p_i) e_i + \sum_i \pi_i y_i`, E[y_i] = 0.

    ``between`` is e_i (centred), ``spread`` Var[q_ij] (n_i+ + 1), ``mixed`` Cov[y_i, q_ij] (n_i+ + 1), ``skew`` half of
    E[y_i (q_ij - E q_ij)^2] (n_i+ + 1)(n_i+ + 2).
    """
    n = rows.total
    of_rows = 2.0 / ((n + 1.0) * (n + 2.0)) * rows.chance * between * rows.away**2
    of_both = 2.0 * rows.square * rows.per_one / (n + 2.0) * (between * spread + 2.0 * rows.away * mixed)
    result: Array = (of_rows + of_both + 2.0 * rows.cube * rows.per_two * skew).sum(axis=-2)
    return result


def _columns(rows: Rows) -> Columns:
    q = rows.within
    column = (rows.chance * q).sum(axis=-2)
    spread = q * (1.0 - q)
    variance = (rows.chance * rows.away**2 / (rows.total + 1.0) + rows.square * rows.per_one * spread).sum(axis=-2)
    # The third moment is that of L = X_j itself; a column without any spread is certain and gets weight 0 everywhere.
    third = _third_moments(rows, rows.away, spread, spread, spread * (1.0 - 2.0 * q))
    free = np.where(variance > 0, column * (1.0 - column), 2.0)
    c = free / np.where(variance > 0, variance, 1.0) - 1.0
    return Columns(column, variance, third, c * column, c * (1.0 - column), c)


def moments(counts: Array, row_only: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Mean, variance and whether they are doubtful (k,), for prior-laden (k, r, s) and incomplete counts (k, r)."""
    rows = _rows(counts, row_only)
    columns = _columns(rows)
    doubtful = np.any((columns.c < _LEAST_KNOWN) & (columns.variance > 0), axis=-1)
    return _mean(rows, columns), _variance(rows, columns), doubtful


def _mean(rows: Rows, columns: Columns) -> Array:
    r"""The mean: of the rows exact, of the columns by the matched beta and the difference of third moments.

    .. math:: E[I] = I(\hat\pi) + \sum_i p_i \sum_j \tfrac{n_{ij}}{n_{i+}} [f(n_{ij}) - f(n_{i+})]
       - \sum_j m_j [f(a_j) - f(c_j)] - \sum_j \gamma_3 (\kappa_j - \kappa_j^\beta)
    """
    a, b, c = columns.a, columns.b, columns.c
    plain = plug_in(rows.chance * rows.within)
    of_rows = (rows.chance * ratio(x_times_f(rows.cells).sum(axis=-1, keepdims=True) - x_times_f(rows.seen), rows.seen)).sum(
        axis=(-2, -1)
    )
    of_columns = ratio(x_times_f(a) - columns.mean * x_times_f(c), c).sum(axis=-1)
    skew = (third_coefficient(a, c) * (columns.third - columns.variance * 2.0 * ratio(b - a, c * (c + 2.0)))).sum(axis=-1)
    result: Array = plain + of_rows - of_columns - skew
    return result


def _variance(rows: Rows, columns: Columns) -> Array:
    a, b, c = columns.a, columns.b, columns.c
    q = rows.within
    used = rows.cells > 0
    logs = np.log1p(np.where(used, ratio(rows.away, columns.mean[..., None, :]), 0.0))
    of_columns = np.where(c > 0, -f(a) + f(c + 1.0) + np.log1p(ratio(np.ones_like(c), c)), 0.0)
    slope = np.where(used, logs + f(rows.cells) - f(rows.seen) + of_columns[..., None, :], 0.0)
    of_row = (q * slope).sum(axis=-1, keepdims=True)
    between = np.where(rows.seen > 0, of_row - (rows.chance * of_row).sum(axis=-2, keepdims=True), 0.0)
    tilt = np.where(used, slope - of_row, 0.0)
    linear = rows.chance * between**2 / (rows.total + 1.0) + rows.square * rows.per_one * (q * tilt**2).sum(
        axis=-1, keepdims=True
    )
    # Covariance of the linear with the quadratic part: 0 for a beta variable, so the beta's skewness is taken off.
    pull = q * tilt
    shared = (rows.chance * between * rows.away / (rows.total + 1.0) + rows.square * rows.per_one * pull).sum(axis=-2)
    third = _third_moments(rows, between, q * (1.0 - q), pull, pull * (1.0 - 2.0 * q))
    quadratic = second_coefficient(a, c)
    skewed = (quadratic * (third - 2.0 * ratio(b - a, c * (c + 2.0)) * shared)).sum(axis=-1)
    result: Array = linear.sum(axis=(-2, -1)) - 2.0 * skewed + _beyond_linear(rows, columns)
    return result


def _beyond_linear(rows: Rows, columns: Columns) -> Array:
    """Variance of what is not linear: of the rows, less twice the covariance of rows and columns, plus that of the columns."""
    cells, seen = rows.cells, rows.seen
    rest = seen - cells
    a, c = columns.a, columns.c
    own = np.maximum(own_variance(cells).sum(axis=-1, keepdims=True) - own_variance(seen), 0.0)
    of_rows = (rows.square * rows.per_one * ratio(own, seen)).sum(axis=(-2, -1))
    second, third = second_coefficient(a, c), third_coefficient(a, c)
    # Cov[h_i, P_2(q_ij)] and Cov[h_i, P_3(q_ij)] in closed form.
    with_second = rows.within * rest * rows.per_one * rows.per_two
    norm = 6.0 * rows.within * rest * (cells + 1.0) * (cells + 2.0) * (rest + 1.0) * (rest + 2.0)
    lengths = (seen + 1.0) * (seen + 2.0) * (seen + 3.0)
    norm = norm / (lengths * (seen + 4.0) * (seen + 5.0) * (seen + 2.0) * (seen + 3.0) * (seen + 4.0))
    with_third = (third_coefficient(cells, seen) - third_coefficient(rest, seen)) * norm
    shared = rows.cube * second[..., None, :] * with_second + rows.fourth * third[..., None, :] * with_third
    result: Array = of_rows - 2.0 * shared.sum(axis=(-2, -1)) + of_columns(rows, columns, second, third)
    return np.maximum(result, 0.0)
