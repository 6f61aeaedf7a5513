r"""The most probable chances when both variables may be missing, and the covariance of the chances around them.

The posterior in log-ratio coordinates is, up to a constant, :math:`e^{\ell(\pi)}` with

.. math:: \ell(\pi) = \sum_{ij} n_{ij} \log\pi_{ij} + \sum_i n_{i?} \log\pi_{i+} + \sum_j n_{?j} \log\pi_{+j},

the prior's counts included in :math:`n_{ij}`. It is concave, so its maximum is unique where every row and every column has been
seen completely at least by the prior. The EM algorithm climbs it: each :math:`n_{i?}` is shared out over the columns in
proportion to :math:`\pi_{ij}`, each :math:`n_{?j}` over the rows. Its steps shrink by no more than the missing fraction each,
so that 99 % missing would take thousands; Newton's step, for which the covariance below is all that is needed, is taken in its
place wherever it climbs higher.

**Covariance.** Minus the Hessian of :math:`\ell` is :math:`A = \mathrm{diag}(n_{ij}/\pi_{ij}^2)` plus row blocks
:math:`n_{i?}/\pi_{i+}^2` plus column blocks :math:`w_j = n_{?j}/\pi_{+j}^2`, and :math:`C = A^{-1} - A^{-1} e e' A^{-1} / e'
A^{-1} e` keeps the sum of the chances at 1. The row part is inverted row by row: with :math:`\rho_{ij} = \pi_{ij}^2/n_{ij}`,

.. math:: S_i = \mathrm{diag}(\rho_i) - \tau_i \rho_i \rho_i', \qquad \tau_i = \Big(\frac{\pi_{i+}^2}{n_{i?}} +
\rho_{i+}\Big)^{-1},

and Woodbury's identity adds the columns through one s x s matrix per table. All blocks of C turn out to be

.. math:: C_{ik} = \delta_{ik} S_i - S_i M S_k, \quad M = W^{1/2} (1 + W^{1/2} G W^{1/2})^{-1} W^{1/2} + z z'/z'G1,
   \quad G = \sum_i S_i, \quad z = 1 - (M - z z'/z'G1) G 1,

:math:`W = \mathrm{diag}(w)`: O(s^2 (s + r)) for a table of s columns and r rows. Take the smaller side as columns.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.incomplete.basics import ratio

__all__ = ["Covariance", "Mode", "covariance", "expected_counts", "log_density", "posterior_mode"]

Array = NDArray[np.float64]

# Newton's decrement is the distance from the mode in posterior standard deviations; the step after the last squares it.
_NEAR = 1e-7
_MOST_ITERATIONS = 500
# Lengths of Newton's step that are tried before EM's is taken, each a quarter of the one before.
_LENGTHS = 4


class Covariance(NamedTuple):
    """The covariance of the chances of a batch of tables, in blocks of rows: C_ik = delta_ik S_i - S_i M S_k."""

    blocks: Array  # S (k, r, s, s)
    middle: Array  # M (k, s, s)
    columns: Array  # G, the sum of the blocks (k, s, s)
    log_minor: Array  # log determinant of C without its last row and column (k,)

    def times(self, vector: Array) -> Array:
        """C times a vector (k, r, s)."""
        inner = (self.blocks @ vector[..., None])[..., 0]
        pulled = (self.middle @ inner.sum(axis=-2)[..., None])[..., 0]
        result: Array = inner - (self.blocks @ pulled[..., None, :, None])[..., 0]
        return result


class Mode(NamedTuple):
    """The mode of a batch of posteriors and how it was found."""

    chance: Array  # (k, r, s)
    iterations: NDArray[np.int64]  # (k,)
    converged: NDArray[np.bool_]  # (k,)


def covariance(chance: Array, counts: Array, row_only: Array, col_only: Array) -> Covariance:
    """The covariance at ``chance`` (k, r, s) to leading order, by Woodbury's identity."""
    s = counts.shape[-1]
    rho = ratio(chance**2, counts)
    rows, columns = chance.sum(axis=-1), chance.sum(axis=-2)
    in_row = rho.sum(axis=-1)
    weight = ratio(row_only, rows**2)
    tau = weight / (1.0 + weight * in_row)
    blocks = -tau[..., None, None] * rho[..., :, None] * rho[..., None, :]
    diagonal = np.arange(s)
    blocks[..., diagonal, diagonal] += rho
    total = blocks.sum(axis=-3)
    root = np.sqrt(ratio(col_only, columns**2))
    inside = np.eye(s) + root[..., :, None] * total * root[..., None, :]
    middle = root[..., :, None] * np.linalg.inv(inside) * root[..., None, :]
    ones = total.sum(axis=-1)
    z = 1.0 - (middle @ ones[..., None])[..., 0]
    free = (ones * z).sum(axis=-1)
    middle = middle + z[..., :, None] * z[..., None, :] / free[..., None, None]
    used = rho > 0
    log_minor = np.log(np.where(used, rho, 1.0)).sum(axis=(-2, -1)) - np.log1p(weight * in_row).sum(axis=-1)
    return Covariance(blocks, middle, total, log_minor - np.linalg.slogdet(inside)[1] - np.log(free))


def expected_counts(chance: Array, counts: Array, row_only: Array, col_only: Array) -> Array:
    """The counts with the incomplete observations shared out in proportion to ``chance``: the E step."""
    rows, columns = chance.sum(axis=-1, keepdims=True), chance.sum(axis=-2, keepdims=True)
    result: Array = counts + chance * (ratio(row_only[..., None], rows) + ratio(col_only[..., None, :], columns))
    return result


def log_density(chance: Array, counts: Array, row_only: Array, col_only: Array) -> Array:
    r""":math:`\ell(\pi)` for each table (k,)."""
    inside = special.xlogy(counts, chance).sum(axis=(-2, -1))
    rows = special.xlogy(row_only, chance.sum(axis=-1)).sum(axis=-1)
    result: Array = inside + rows + special.xlogy(col_only, chance.sum(axis=-2)).sum(axis=-1)
    return result


def posterior_mode(counts: Array, row_only: Array, col_only: Array, most: int = _MOST_ITERATIONS) -> Mode:
    """The mode in log-ratio coordinates, by EM and Newton steps, whichever climbs higher; each table stops by itself.

    Cells whose count is 0 (Haldane's prior) have no chance: the posterior under a small prior count piles up there.
    """
    chance = counts / counts.sum(axis=(-2, -1), keepdims=True)
    iterations = np.zeros(len(counts), dtype=np.int64)
    converged = np.zeros(len(counts), dtype=np.bool_)
    left = np.arange(len(counts))
    for _ in range(most):
        if not left.size:
            break
        new, near = _step(chance[left], counts[left], row_only[left], col_only[left])
        chance[left] = new
        iterations[left] += 1
        converged[left] = near
        left = left[~near]
    return Mode(chance, iterations, converged)


def _step(chance: Array, counts: Array, row_only: Array, col_only: Array) -> tuple[Array, NDArray[np.bool_]]:
    """One step for each table, and whether it is the last."""
    expected = expected_counts(chance, counts, row_only, col_only)
    total = expected.sum(axis=(-2, -1), keepdims=True)
    by_em = expected / total
    # C takes no notice of a constant: the gradient less the total is small near the mode, and loses no digits.
    gradient = np.where(counts > 0, ratio(expected - total * chance, chance), 0.0)
    step = covariance(chance, counts, row_only, col_only).times(gradient)
    decrement = np.sqrt(np.maximum((gradient * step).sum(axis=(-2, -1)), 0.0))
    shrink = np.max(ratio(-step, chance), axis=(-2, -1), initial=0.0)
    length = np.minimum(1.0, 0.9 / np.maximum(shrink, 1e-300))
    best, height = by_em, log_density(by_em, counts, row_only, col_only)
    near = decrement < _NEAR
    left = np.arange(len(counts))
    for _ in range(_LENGTHS):
        by_newton = chance[left] + length[left, None, None] * step[left]
        by_newton /= by_newton.sum(axis=(-2, -1), keepdims=True)
        higher = near[left] | (log_density(by_newton, counts[left], row_only[left], col_only[left]) > height[left])
        best[left[higher]] = by_newton[higher]
        left = left[~higher]
        if not left.size:
            break
        length[left] /= 4.0
    return best, near
