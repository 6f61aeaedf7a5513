"""Twins of the kernels behind the moments (native/moments.hpp, native/distinct.hpp)."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct_rows", "overlap_sum", "product_difference", "tabled_moments"]

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

_SPLITTER = 2.0**27 + 1.0  # cuts a double into two halves whose products are exact (Veltkamp)
_LAST_TERM = 64  # where the tail of the overlap sum takes over
_TAIL_TERMS = 6


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    """a * b as an unevaluated sum of two doubles (Dekker 1971)."""
    product = a * b
    a_high = _SPLITTER * a
    a_high = a_high - (a_high - a)
    b_high = _SPLITTER * b
    b_high = b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def product_difference(a: Array, b: Array, c: Array, d: Array) -> Array:
    """a b - c d, elementwise, right to the last digits even where the two products nearly agree."""
    ab, ab_error = _product(a, b)
    cd, cd_error = _product(c, d)
    return (ab - cd) + (ab_error - cd_error)


def overlap_sum(a: Array, p: Array, q: Array) -> Array:
    r"""Elementwise :math:`X(a, p, q) = \sum_{k \ge 2} p q\, k! (a)_k / (k^2 (k-1)^2 (p)_k (q)_k)`, for 0 <= a <= min(p, q).

    The covariance that a row of parameter p and a column of parameter q owe to the cell a that they share (see
    :mod:`misieve.moments`). Terms are added until they no longer count; the ratio of successive terms is
    (k-1)^2 (a+k) / ((k+1)(p+k)(q+k)). Where p and q are small the terms fall only like k^-(3+p+q-a), and after 64 of them the
    rest is :func:`_tail` times the next term.
    """
    term = a * (a + 1.0) / (2.0 * (p + 1.0) * (q + 1.0))
    total = np.zeros_like(term)
    for k in range(2, _LAST_TERM):
        total += term
        term = term * ((k - 1.0) ** 2 * (a + k) / ((k + 1.0) * (p + k) * (q + k)))
        if not (term > 1e-18 * total).any():
            break
    slow = term > 1e-18 * total
    total[slow] += term[slow] * _tail(a[slow], p[slow], q[slow])
    return total


def _tail(a: Array, p: Array, q: Array) -> Array:
    r"""The sum of all terms from k = x = 64 on, over the term at x.

    As a function u of x it satisfies u(x) - ratio(x) u(x+1) = 1; with u(x) = sum_i c_i x^(1-i) and the ratio's denominator
    multiplied out, comparing powers of x gives c_0 = 1 / (2 + p + q - a) and each further c_i from those before it.
    """
    below = [p * q, p + q + p * q, 1.0 + p + q, np.ones_like(a)]  # (x+1)(x+p)(x+q), from x^0 to x^3
    above = [a, 1.0 - 2.0 * a, a - 2.0, np.ones_like(a)]  # (x-1)^2 (x+a)
    coefficients: list[Array] = []
    for i in range(_TAIL_TERMS):
        # The power x^(3-i): what the known coefficients contribute to the left side must make up `below` on the right.
        rest = below[3 - i].copy() if i <= 3 else np.zeros_like(a)
        for j, c in enumerate(coefficients):
            rest -= c * _contribution(below, above, j, i)
        coefficients.append(rest / _contribution(below, above, i, i))
    x = float(_LAST_TERM)
    result: Array = np.sum([c * x ** (1 - i) for i, c in enumerate(coefficients)], axis=0)
    return result


def _contribution(below: list[Array], above: list[Array], j: int, i: int) -> Array:
    """Coefficient of x^(3-i) in below(x) x^(1-j) - above(x) (x+1)^(1-j)."""
    result = np.zeros_like(below[0])
    for power in range(4):
        # x^(1-j+power) and, by the binomial series, x^(1-j+power-m) for m = 0, 1, ...
        m = (1 - j + power) - (3 - i)
        if m == 0:
            result += below[power]
        if m >= 0:
            binomial = float(np.prod([(1 - j - u) / (u + 1.0) for u in range(m)]))
            result -= binomial * above[power]
    return result


def tabled_moments(
    counts: Integers, cells: Array, rows: Array, columns: Array, total: Array, offset: float, exact: bool
) -> Array:
    """Moments of integer tables (k, r, s) by look-up: J, mean, series variance, its error, exact variance: (k, 5).

    ``cells``, ``rows``, ``columns`` and ``total`` are the tables of :func:`misieve.summary.look_up_table` for cells with the
    prior ``offset`` and for their sums; each must be longer than the largest count looked up in it, which the caller sees to.
    The exact variance is 0 unless asked for. An estimate that is not positive has an infinite error.
    """
    k, r, s = counts.shape
    row_sums, column_sums = counts.sum(axis=2, keepdims=True), counts.sum(axis=1, keepdims=True)
    sums = row_sums.sum(axis=1, keepdims=True)
    at_cell, at_row, at_column, at_total = cells[:, counts], rows[:, row_sums], columns[:, column_sums], total[:, sums]
    a, n = offset + counts, (r * s * offset + sums)[:, 0, 0]
    everywhere = (at_cell, at_row, at_column, at_total)
    high, low = ((at_cell[c] - at_row[c]) - (at_column[c] - at_total[c]) for c in (0, 1))
    logs = np.where(a > 0, high + low, 0.0)
    per_n = at_total[3][:, 0, 0]
    j = np.maximum((a * logs).sum(axis=(1, 2)) * per_n, 0.0)
    mean = j + sum(sign * x[2].sum(axis=(1, 2)) for sign, x in zip((1, -1, -1, 1), everywhere, strict=True)) * per_n
    spread = (a * (logs - j[:, None, None]) ** 2).sum(axis=(1, 2)) * per_n
    in_row, in_column = a * at_row[3], a * at_column[3]
    m = ((1.0 - in_row - in_column + a * at_total[3]) * logs).sum(axis=(1, 2))
    association = (in_row * in_column).sum(axis=(1, 2))
    weight = ((1.0 - in_row) * (1.0 - in_column) * at_cell[3]).sum(axis=(1, 2))
    variance = (spread * (n + 2.0) + m + (r - 1.0) * (s - 1.0) * (0.5 - j) - (1.0 - association)) / ((n + 1.0) * (n + 2.0))
    error = np.full(k, np.inf)
    np.divide(2.0 * weight * per_n * per_n, variance, out=error, where=variance > 0)
    result = np.column_stack([j, mean, variance, error, np.zeros(k)])
    if exact:
        own = sum(sign * x[4].sum(axis=(1, 2)) for sign, x in zip((1, -1, -1, -1), everywhere, strict=True))
        f = (x[2] * x[3] for x in everywhere)
        digammas = logs + np.where(a > 0, next(f) - next(f) - next(f) + next(f), 0.0)
        spread_digamma = (a * (digammas - mean[:, None, None]) ** 2).sum(axis=(1, 2))
        parameters = np.broadcast_arrays(a, s * offset + row_sums, r * offset + column_sums)
        shared = overlap_sum(*(x.ravel() for x in parameters)).reshape(a.shape).sum(axis=(1, 2))
        result[:, 4] = (spread_digamma + np.maximum(own + 2.0 * shared, 0.0)) * per_n / (n + 1.0)
    return result


def distinct_rows(rows: Integers) -> tuple[Integers, Integers]:
    """Which rows of a matrix are distinct: the index of each one's first appearance, in order, and the rank of every row."""
    if rows.shape[0] == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    _, firsts, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return firsts[order], rank[np.ravel(inverse)]
