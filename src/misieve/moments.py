r"""Mean, variance, skewness and kurtosis of mutual information under a Dirichlet posterior.

All functions take *prior-laden* counts :math:`n_{ij}` of shape (..., r, s), the parameters of the Dirichlet, and return arrays
of shape (...). Row sums are :math:`n_{i+}`, column sums :math:`n_{+j}`, the total is :math:`n`.

**The mean** (paper, eq. 3) is known in closed form, but as printed it subtracts numbers of the size of :math:`\log n` to leave
one of the size of :math:`1/n`. With :math:`f(x) = \psi(x+1) - \log x` and :math:`1 + d_{ij} = n_{ij} n / (n_{i+} n_{+j})`, the
summand of the mean is

.. math:: \lambda_{ij} = \log(1 + d_{ij}) + f(n_{ij}) - f(n_{i+}) - f(n_{+j}) + f(n),

where nothing large is left to cancel: :func:`mean`.

**The exact variance** is ours; it is a convergent sum with no cancellation near independence. Take independent gamma variables
:math:`G_{ij} \sim \Gamma(n_{ij})` with total :math:`S`, and :math:`g(x) = x \log x`. Then :math:`F = \sum g(G_{ij}) - \sum
g(G_{i+}) - \sum g(G_{+j}) + g(S)` equals :math:`S \cdot I`, and :math:`S` is independent of :math:`I`, so the moments of
:math:`I` follow from those of :math:`F`. Each :math:`g` of a gamma variable of parameter :math:`p` is expanded in the Laguerre
polynomials :math:`L_k^{(p-1)}`, orthogonal under its law; the coefficients are :math:`-(\psi(p+1) + 1)` for :math:`k = 1` and
:math:`p\,k!/(k(k-1)(p)_k)` for :math:`k \ge 2`. By the addition theorem two sums that share a part :math:`\Gamma(c)` satisfy
:math:`E[L_k^{(p-1)} L_m^{(q-1)}] = \delta_{km} (c)_k / k!`. The terms with :math:`k = 1` make up the spread of
:math:`\lambda_{ij}`, the rest is summed in closed form except where a row meets a column:

.. math::

   \mathrm{Var}[I] &= \frac{1}{n+1} \Big[ \sum_{ij} \frac{n_{ij}}{n} (\lambda_{ij} - E)^2 + \frac{T}{n} \Big], \\
   T &= \sum_{ij} V(n_{ij}) - \sum_i V(n_{i+}) - \sum_j V(n_{+j}) - V(n) + 2 \sum_{ij} X(n_{ij}, n_{i+}, n_{+j}), \\
   V(p) &= p\,[(p+1)\psi'(p+1) - 1], \qquad
   X(a, p, q) = \sum_{k \ge 2} \frac{p\,q\,k!\,(a)_k}{k^2 (k-1)^2 (p)_k (q)_k}.

Both parts are variances, so never negative; :math:`T` is of the order of (r-1)(s-1)/2 and its terms are at most 1/2 each.
:func:`variance_exact` costs O(rs), like everything else here. :func:`variance_series` is the paper's eq. 4.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve._core import kernels

__all__ = [
    "Margins",
    "kurtosis",
    "margins",
    "mean",
    "own_variance",
    "plug_in",
    "series_error",
    "skewness",
    "upper_bound",
    "variance_exact",
    "variance_series",
    "x_times_f",
]

Array = NDArray[np.float64]

# From here on eight terms of the asymptotic series are good to the last digit of a double.
_LARGE = 16.0
_BERNOULLI = special.bernoulli(16)[2::2]  # B_2, B_4, ..., B_16


class Margins(NamedTuple):
    """Prior-laden counts (..., r, s) with their sums (..., r, 1), (..., 1, s) and (..., 1, 1)."""

    cells: Array
    rows: Array
    columns: Array
    total: Array


def margins(counts: Array) -> Margins:
    """Sum the counts (..., r, s) over rows and columns."""
    counts = np.asarray(counts, dtype=np.float64)
    rows: Array = counts.sum(axis=-1, keepdims=True)
    return Margins(counts, rows, counts.sum(axis=-2, keepdims=True), rows.sum(axis=-2, keepdims=True))


def upper_bound(counts: Array) -> Array:
    r"""The largest mutual information that an r x s table allows, :math:`I_\max = \log\min(r, s)`, for each table."""
    return np.full(counts.shape[:-2], float(np.log(min(counts.shape[-2:]))))


def _quotient(numerator: Array, denominator: Array) -> Array:
    """Elementwise quotient, 0 where the denominator is 0: empty cells, rows and columns have no weight."""
    wide, by = np.broadcast_arrays(numerator, denominator)
    result: Array = np.divide(wide, by, out=np.zeros(wide.shape), where=by > 0)
    return result


def _logarithms(table: Margins, d: Array) -> Array:
    r""":math:`l_{ij} = \log(1 + d_{ij})`; 0 for an empty cell, which has no weight."""
    return np.where(table.cells > 0, np.log1p(np.where(table.cells > 0, d, 0.0)), 0.0)


def _elementwise(kernel: Callable[..., Array], *arrays: Array) -> Array:
    """Call a kernel that takes flat arrays of one length on arrays that broadcast against each other."""
    wide = np.broadcast_arrays(*arrays)
    result: Array = kernel(*(np.ravel(x) for x in wide)).reshape(wide[0].shape)
    return result


def x_times_f(x: Array) -> Array:
    r""":math:`x f(x) = x (\psi(x+1) - \log x)`: 0 at 0, and 1/2 - 1/(12x) + ... for large x."""
    large = x > _LARGE
    y = np.where(large, x, 1.0)
    inverse_square = 1.0 / (y * y)
    series = np.polynomial.polynomial.polyval(inverse_square, -_BERNOULLI / (2.0 * np.arange(1, 9))) / y + 0.5
    z = np.where(large, 1.0, x)
    return np.where(large, series, z * special.digamma(z + 1.0) - special.xlogy(z, z))


def own_variance(x: Array) -> Array:
    r""":math:`V(x) = x[(x+1)\psi'(x+1) - 1]`: the variance of one gamma's :math:`g` beyond the first term."""
    y = x + 1.0
    large = x > _LARGE
    z = np.where(large, y, 20.0)
    series = np.polynomial.polynomial.polyval(1.0 / (z * z), _BERNOULLI) / (z * z) + 0.5 / z
    small = np.where(large, 2.0, y)
    return x * np.where(large, series, small * special.polygamma(1, small) - 1.0)


def _dependence(table: Margins) -> Array:
    r""":math:`d_{ij} = (n_{ij} n - n_{i+} n_{+j}) / (n_{i+} n_{+j})`, -1 for an empty cell, 0 in an empty row or column.

    The numerator is a difference of products that may agree in all but their last digits: each product is taken without error
    as the sum of two doubles, so that the difference is right at any total.
    """
    difference = _elementwise(kernels.product_difference, table.cells, table.total, table.rows, table.columns)
    return _quotient(difference, table.rows * table.columns)


def _divergence(d: Array) -> Array:
    r""":math:`\varphi(d) = (1+d)\log(1+d) - d`, by the series of the logarithm in d/(2+d) where d is small."""
    near = np.abs(d) < 0.4
    t = np.where(near, d / (2.0 + np.where(near, d, 0.0)), 0.0)
    odd = np.polynomial.polynomial.polyval(t * t, 1.0 / np.arange(3.0, 31.0, 2.0))
    series = 2.0 * t * t * (1.0 + t * (1.0 + t) * odd) / (1.0 - t)
    far = np.where(near, 1.0, 1.0 + d)
    return np.where(near, series, special.xlogy(far, far) - d)


def _digamma_difference(table: Margins, d: Array) -> Array:
    r""":math:`\lambda_{ij}`, the summand of the mean; 0 for an empty cell, which has no weight."""
    cells, rows, columns, total = (_quotient(x_times_f(x), x) for x in table)
    return np.where(table.cells > 0, _logarithms(table, d) + (cells - rows - columns + total), 0.0)


def plug_in(counts: Array) -> Array:
    r"""Mutual information of the relative frequencies, :math:`J = \sum \frac{n_{ij}}{n} \log\frac{n_{ij} n}{n_{i+} n_{+j}}`.

    Written as :math:`\sum e_{ij} \varphi(d_{ij})` with :math:`e_{ij} = n_{i+} n_{+j}/n^2`, a sum of positive terms.
    """
    table = margins(counts)
    return _plug_in(table, _dependence(table))


def _plug_in(table: Margins, d: Array) -> Array:
    expected = (table.rows / table.total) * (table.columns / table.total)
    result: Array = (expected * _divergence(d)).sum(axis=(-2, -1))
    return result


def mean(counts: Array) -> Array:
    r"""Exact posterior mean of mutual information (paper, eq. 3), without its cancellation.

    .. math:: E[I] = J + \frac1n \Big[ \sum n_{ij} f(n_{ij}) - \sum n_{i+} f(n_{i+}) - \sum n_{+j} f(n_{+j}) + n f(n) \Big]
    """
    table = margins(counts)
    return _mean(table, _plug_in(table, _dependence(table)))


def _mean(table: Margins, plug_in: Array) -> Array:
    cells, rows, columns, total = (x_times_f(x).sum(axis=(-2, -1)) for x in table)
    correction: Array = (cells - rows - columns + total) / table.total[..., 0, 0]
    return plug_in + correction


def leading(counts: Array) -> tuple[Array, Array, Array, Array]:
    """Plug-in value, mean, series variance and the estimate of its relative error, each as by its own function."""
    table = margins(counts)
    d = _dependence(table)
    value = _plug_in(table, d)
    variance = _variance_series(table, d, value)
    return value, _mean(table, value), variance, _series_error(table, variance)


def variance_exact(counts: Array) -> Array:
    """Exact posterior variance of mutual information: the convergent sum derived at the head of this module."""
    table = margins(counts)
    return _variance_exact(table, _dependence(table))


def _variance_exact(table: Margins, d: Array) -> Array:
    n = table.total[..., 0, 0]
    spread = _digamma_difference(table, d) - _mean(table, _plug_in(table, d))[..., None, None]
    first = (table.cells * spread * spread).sum(axis=(-2, -1)) / n
    own, rows, columns, total = (own_variance(x).sum(axis=(-2, -1)) for x in table)
    shared = _elementwise(kernels.overlap_sum, table.cells, table.rows, table.columns).sum(axis=(-2, -1))
    # A variance: rounding must not push the remainder of a certain outcome (one cell holds everything) below zero.
    rest = np.maximum(own - rows - columns - total + 2.0 * shared, 0.0)
    result: Array = (first + rest / n) / (n + 1.0)
    return result


def variance_series(counts: Array) -> Array:
    r"""The paper's approximation of the variance (eq. 4), right to :math:`O(n^{-3})`; it may come out zero or negative.

    .. math::

       \mathrm{Var}[I] \approx \frac{K - J^2}{n+1} + \frac{M + (r-1)(s-1)(\tfrac12 - J) - Q}{(n+1)(n+2)}

    with :math:`K = \sum \frac{n_{ij}}{n} l_{ij}^2`, :math:`M = \sum (1 - \frac{n_{ij}}{n_{i+}} - \frac{n_{ij}}{n_{+j}} +
    \frac{n_{ij}}{n}) l_{ij}`, :math:`Q = 1 - \sum \frac{n_{ij}^2}{n_{i+} n_{+j}}`. The first term is evaluated as the spread of
    :math:`l_{ij}` about J, and Q as :math:`-\sum e_{ij} d_{ij}^2`: neither cancels.
    """
    table = margins(counts)
    d = _dependence(table)
    return _variance_series(table, d, _plug_in(table, d))


def _variance_series(table: Margins, d: Array, j: Array) -> Array:
    n = table.total[..., 0, 0]
    r, s = table.cells.shape[-2:]
    logs, share = _logarithms(table, d), table.cells / table.total
    spread = (share * (logs - j[..., None, None]) ** 2).sum(axis=(-2, -1))
    in_row, in_column = (_quotient(table.cells, sums) for sums in (table.rows, table.columns))
    m = ((1.0 - in_row - in_column + share) * logs).sum(axis=(-2, -1))
    q = -((table.rows / table.total) * (table.columns / table.total) * d * d).sum(axis=(-2, -1))
    result: Array = (spread + (m + (r - 1) * (s - 1) * (0.5 - j) - q) / (n + 2.0)) / (n + 1.0)
    return result


def series_error(counts: Array, variance: Array) -> Array:
    r"""Estimate of the relative error of the series variance: infinite where that is not positive.

    .. math::

       \frac{2}{n^2 \mathrm{Var}} \sum_{ij} \frac{1}{n_{ij}}
       \Big(1 - \frac{n_{ij}}{n_{i+}}\Big) \Big(1 - \frac{n_{ij}}{n_{+j}}\Big)

    The sum is the size of what the series leaves out at the order :math:`n^{-3}`; divided by the variance it is
    :math:`O((rs/n)^2)` for dependent variables and :math:`O(rs/n)` near independence, as the paper says of the true error. On
    72,000 random tables from 2 x 2 to 50 x 2 under three priors it stayed above the true error in each.
    """
    return _series_error(margins(counts), variance)


def _series_error(table: Margins, variance: Array) -> Array:
    in_row, in_column = (_quotient(table.cells, sums) for sums in (table.rows, table.columns))
    weight = ((1.0 - in_row) * (1.0 - in_column) * _quotient(np.ones_like(table.cells), table.cells)).sum(axis=(-2, -1))
    n = table.total[..., 0, 0]
    result: Array = np.divide(2.0 * weight / (n * n), variance, out=np.full(n.shape, np.inf), where=variance > 0)
    return result


def skewness(counts: Array) -> Array:
    r"""Skewness to leading order in 1/n, for dependent variables; 0 where the leading variance is 0.

    .. math:: E[(I-E)^3] \approx \frac{2}{n^2} (2J^3 - 3KJ + L) + \frac{3}{n^2} (K + J^2 - P)

    with :math:`L = \sum \frac{n_{ij}}{n} l_{ij}^3` and :math:`P = \sum_i n J_{i+}^2/n_{i+} + \sum_j n J_{+j}^2/n_{+j}`,
    :math:`J_{i+} = \sum_j \frac{n_{ij}}{n} l_{ij}`, over :math:`((K-J^2)/n)^{3/2}`.
    """
    table = margins(counts)
    logs, share = _logarithms(table, _dependence(table)), table.cells / table.total
    n = table.total[..., 0, 0]
    j = (share * logs).sum(axis=(-2, -1))
    away = logs - j[..., None, None]
    spread, third = ((share * away**power).sum(axis=(-2, -1)) for power in (2, 3))
    in_rows, in_columns = ((share * logs).sum(axis=axis, keepdims=True) for axis in (-1, -2))
    p = sum(
        _quotient(part * part * table.total, sums).sum(axis=(-2, -1))
        for part, sums in ((in_rows, table.rows), (in_columns, table.columns))
    )
    moment = (2.0 * third + 3.0 * (spread + 2.0 * j * j - p)) / n**2
    return _quotient(moment, (spread / n) ** 1.5)


def kurtosis(counts: Array) -> Array:
    r"""Excess kurtosis to leading order in 1/n: 0, since :math:`E[(I-E)^4] \approx 3 [(K-J^2)/n]^2` is a normal law's."""
    return np.zeros(np.shape(counts)[:-2])
