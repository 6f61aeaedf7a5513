r"""The columns' share in the variance of mutual information when the columns may be missing.

The column chances :math:`X_j = \sum_i \pi_{i+} q_{ij}` of :mod:`misieve.incomplete.one_sided` are matched by beta variables.
Here stand the coefficients of :math:`g(x) = x \log x` in the orthogonal polynomials of a beta law, and the variance of the
quadratic and cubic parts of :math:`\sum_j g(X_j)`, in O(rs) but for sums of squared covariances of the columns.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from misieve.incomplete.basics import ratio

__all__ = ["Columns", "Rows", "of_columns", "second_coefficient", "third_coefficient"]

Array = NDArray[np.float64]

# Up to this many columns their squared and cubed covariances are summed over all pairs; beyond, squares go through a Gram
# matrix of the rows and cubes are left to the columns alone: two of many hardly share any (a part of about 1 in s^2).
_FEW_COLUMNS = 16


class Rows(NamedTuple):
    """What is known of the rows and of the chances within them, all broadcastable to (k, r, s)."""

    cells: Array  # n_ij
    seen: Array  # n_i+
    total: Array  # N
    chance: Array  # p_i = N_i / N
    within: Array  # expected conditional chance n_ij / n_i+
    away: Array  # its distance from the expected column chance m_j
    square: Array  # E[pi_i+^2]
    cube: Array  # E[pi_i+^3]
    fourth: Array  # E[pi_i+^4]
    per_one: Array  # 1 / (n_i+ + 1)
    per_two: Array  # 1 / ((n_i+ + 1) (n_i+ + 2))


class Columns(NamedTuple):
    """The beta variable matched to each column chance, all (k, s)."""

    mean: Array
    variance: Array
    third: Array  # exact third central moment of the column chance
    a: Array
    b: Array
    c: Array


def second_coefficient(a: Array, c: Array) -> Array:
    r""":math:`\gamma_2 = (c+3)/(2(a+1))`."""
    return 0.5 * (c + 3.0) / (a + 1.0)


def third_coefficient(a: Array, c: Array) -> Array:
    r""":math:`\gamma_3 = -(c+4)(c+5)/(6(a+1)(a+2))`."""
    return -(c + 4.0) * (c + 5.0) / (6.0 * (a + 1.0) * (a + 2.0))


class _Spread(NamedTuple):
    """A covariance matrix of the columns, diagonal plus low rank: diag(own) + sum_d signs_d directions_d directions_d'."""

    own: Array  # (k, s)
    directions: Array  # (k, d, s)
    signs: Array  # (k, d, 1)

    def squares(self, weight: Array) -> Array:
        r""":math:`\sum_{jk} w_j w_k C_{jk}^2`, through the pairs of columns or of directions, whichever are fewer."""
        weighted = self.directions * self.signs
        if weight.shape[-1] <= _FEW_COLUMNS:
            return _between(weight, self.matrix() ** 2)
        gram = (self.directions * weight[..., None, :]) @ np.swapaxes(weighted, -1, -2)
        low = (weighted * self.directions).sum(axis=-2)
        pairs: Array = (gram * np.swapaxes(gram, -1, -2)).sum(axis=(-2, -1))
        alone: Array = (weight**2 * self.own * (self.own + 2.0 * low)).sum(axis=-1)
        return pairs + alone

    def cubes(self, weight: Array) -> Array:
        r""":math:`\sum_{jk} w_j w_k C_{jk}^3`; of many columns only the diagonal."""
        if weight.shape[-1] <= _FEW_COLUMNS:
            return _between(weight, self.matrix() ** 3)
        result: Array = (weight**2 * (self.own + (self.signs * self.directions**2).sum(axis=-2)) ** 3).sum(axis=-1)
        return result

    def matrix(self) -> Array:
        """The matrix itself (k, s, s)."""
        result: Array = np.swapaxes(self.directions, -1, -2) @ (self.directions * self.signs)
        diagonal = np.arange(self.own.shape[-1])
        result[..., diagonal, diagonal] += self.own
        return result


def _between(weight: Array, matrix: Array) -> Array:
    result: Array = (weight[..., None, :] @ matrix @ weight[..., None])[..., 0, 0]
    return result


def of_columns(rows: Rows, columns: Columns, second: Array, third: Array) -> Array:
    r"""Variance of the quadratic and cubic parts of :math:`\sum_j g(X_j)`.

    The quadratic parts as if the columns were components of a Dirichlet vector, but with their exact covariance, put right by
    the fourth moments (:func:`_fourth_moments`); the cubic part is small and taken as :math:`6 C^3`.
    """
    far, near = rows.chance / (rows.total + 1.0), rows.square * rows.per_one
    own = (near * rows.within).sum(axis=-2)
    within = _Spread(own, rows.within, -near)
    both = _Spread(own, np.concatenate([rows.away, rows.within], axis=-2), np.concatenate([far, -near], axis=-2))
    as_beta = _as_beta(columns.a, columns.b, columns.c, columns.variance, second, both)
    return as_beta + 6.0 * both.cubes(third) + _fourth_moments(rows, columns, second, within)


def _as_beta(a: Array, b: Array, c: Array, variance: Array, weight: Array, spread: _Spread) -> Array:
    r""":math:`\sum_{jk} w_j w_k E[P_2 P_2']` for components of a Dirichlet vector.

    For these :math:`E[P_k P_k'] = (-1)^k k! (a)_k (a')_k / ((c)_{2k} (c+k-1)_k)`; in terms of their covariance C that is, for
    k = 2, :math:`2 C^2 (1+1/a)(1+1/a') c^3/((c+2)^2(c+3))`; in a square, the complement takes the place of the other column.
    """
    more, other = ratio(a + 1.0, a), ratio(b + 1.0, b)
    weight = weight * np.sqrt(2.0 * ratio(c * c * c, (c + 2.0) ** 2 * (c + 3.0)))
    alone: Array = (weight**2 * variance**2 * more * (other - more)).sum(axis=-1)
    return spread.squares(weight * more) + alone


def _fourth_moments(rows: Rows, columns: Columns, weight: Array, within: _Spread) -> Array:
    r"""What the exact third and fourth moments of the columns, given :math:`q_{ij}` alone varies, add to the beta's.

    With :math:`x_{ij} = q_{ij} - E q_{ij}`, :math:`B = \mathrm{diag}(q) - q q'` of one row and n its count,

    .. math:: E[x_j^2 x_k^2] = \frac{6 M_{jk} + n (B_{jj} B_{kk} + 2 B_{jk}^2)}{(n+1)(n+2)(n+3)}, \quad
       M_{jk} = q_j q_k (q_j + q_k - 3 q_j q_k), \; M_{jj} = q_j (1-q_j)(1 - 3 q_j + 3 q_j^2),

    and the rows' chances enter by their fourth moments. Sums over pairs of columns factor by row, so this is O(rs) but for one
    sum of squared covariances. It matters near independence where one row, little observed, holds most of the mass: there the
    parts of rows and columns cancel almost wholly. Where nothing is missing and the variables are independent it is 0.
    """
    q, n, total = rows.within, rows.seen, rows.total[..., 0, 0]
    mean, g = columns.mean, weight[..., None, :]
    variance = within.own - (rows.square * rows.per_one * q**2).sum(axis=-2)
    free = np.where(variance > 0, mean * (1.0 - mean), 2.0)
    c = free / np.where(variance > 0, variance, 1.0) - 1.0
    a, b = c * mean, c * (1.0 - mean)
    lean = 2.0 * ratio(b - a, c * (c + 2.0))
    fewer = total * (total + 1.0) / ((total + 2.0) * (total + 3.0))
    per_three = rows.per_two / (n + 3.0)
    first, squared = (g * q).sum(axis=-1, keepdims=True), (g * q * q).sum(axis=-1, keepdims=True)
    single = q - q * q
    m = 2.0 * first * squared - 3.0 * squared**2
    m = m + (g * g * (single * (1.0 - 3.0 * single) - q**3 * (2.0 - 3.0 * q))).sum(axis=-1, keepdims=True)
    bb = (first - squared) ** 2 + 2.0 * squared**2 + (g * g * 2.0 * (single**2 - q**4)).sum(axis=-1, keepdims=True)
    excess = 6.0 * rows.fourth * per_three * m
    excess = excess + bb * (rows.fourth * n * per_three - fewer[..., None, None] * (rows.square * rows.per_one) ** 2)
    middle = (weight * variance).sum(axis=-1)
    squares = excess.sum(axis=(-2, -1)) - middle**2 * (4.0 * total + 6.0) / ((total + 2.0) * (total + 3.0))
    squares = squares + 2.0 * fewer * within.squares(weight)
    # The polynomials P_2 also carry a linear term, lean (X - m): its covariance with the squares, and its own variance.
    g_lean = g * lean[..., None, :]
    tilted = -((g * q * (1.0 - 2.0 * q)).sum(axis=-1) * (g_lean * q).sum(axis=-1)) + (g * g_lean * q * (1.0 - 2.0 * q)).sum(
        axis=-1
    )
    cross = (2.0 * rows.cube * rows.per_two * tilted[..., None]).sum(axis=(-2, -1))
    straight = (weight**2 * lean**2 * within.own).sum(axis=-1)
    straight = straight - (rows.square * rows.per_one * (g_lean * q).sum(axis=-1, keepdims=True) ** 2).sum(axis=(-2, -1))
    result: Array = squares - 2.0 * cross + straight - _as_beta(a, b, c, variance, weight, within)
    return result
