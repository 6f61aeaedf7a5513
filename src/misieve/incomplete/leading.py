r"""Mean and variance of mutual information from incomplete samples to leading order in 1/N, as the paper has them.

Kept for comparison: the mean is too low by O(1/N), and the variance is 0 at independence, where the truth is of order
:math:`N^{-2}`.
"""

import numpy as np
from numpy.typing import NDArray

from misieve.incomplete.basics import ratio
from misieve.incomplete.mode import covariance
from misieve.incomplete.one_sided import mode
from misieve.moments import plug_in

__all__ = ["leading_order_one_sided", "leading_order_two_sided"]

Array = NDArray[np.float64]


def leading_order_one_sided(counts: Array, row_only: Array) -> tuple[Array, Array]:
    r"""Mean and variance to leading order in 1/N: the closed form of the paper.

    .. math::

       E[I] \approx I(\hat\pi), \qquad \mathrm{Var}[I] \approx \frac1N [\tilde K - \tilde J^2/\tilde Q - \tilde P]

    with :math:`\rho_{ij} = N\hat\pi_{ij}^2/n_{ij}`, :math:`\rho_{i?} = N\hat\pi_{i+}^2/n_{i?}`,
    :math:`\tilde Q_{i?} = \rho_{i?}/(\rho_{i?} + \rho_{i+})`, :math:`\tilde Q = \sum_i \rho_{i+} \tilde Q_{i?}`,
    :math:`\tilde K = \sum \rho_{ij} l_{ij}^2`, :math:`\tilde J_{i+} = \sum_j \rho_{ij} l_{ij}`,
    :math:`\tilde J = \sum_i \tilde J_{i+} \tilde Q_{i?}`, :math:`\tilde P = \sum_i \tilde J_{i+}^2 \tilde Q_{i?}/\rho_{i?}` and
    :math:`l_{ij} = \log \hat\pi_{ij}/(\hat\pi_{i+} \hat\pi_{+j})`. Two slips of the paper are put right: its :math:`E[\pi]` is
    :math:`E[I]`, its :math:`Q_{i?}` in :math:`\tilde P` is :math:`\tilde Q_{i?}`; and where its text speaks of missing
    features, :math:`n_{?j}`, these formulas are for :math:`n_{i?}`. The row factors are written with
    :math:`1/\rho_{i?} = n_{i?}/(N \hat\pi_{i+}^2)`, which is 0 where nothing is missing. The mean is too low by O(1/N), and the
    variance is 0 at independence, where the truth is of order :math:`N^{-2}`.
    """
    n = counts.sum(axis=(-2, -1)) + row_only.sum(axis=-1)
    chance = mode(counts, row_only)
    rows, columns = chance.sum(axis=-1, keepdims=True), chance.sum(axis=-2, keepdims=True)
    likelihood_ratio = ratio(chance, rows * columns)
    logs = np.log(np.where(chance > 0, likelihood_ratio, 1.0))
    rho = ratio(n[..., None, None] * chance**2, counts)
    lost = ratio(row_only, n[..., None] * rows[..., 0] ** 2)
    in_row = rho.sum(axis=-1)
    kept = 1.0 / (1.0 + lost * in_row)
    j_row = (rho * logs).sum(axis=-1)
    j, q = (j_row * kept).sum(axis=-1), (in_row * kept).sum(axis=-1)
    spread = (rho * logs**2).sum(axis=(-2, -1)) - j * j / q - (j_row**2 * kept * lost).sum(axis=-1)
    return plug_in(chance), np.maximum(spread, 0.0) / n


def leading_order_two_sided(chance: Array, counts: Array, row_only: Array, col_only: Array) -> tuple[Array, Array]:
    r"""Mean and variance to leading order at the mode ``chance``: :math:`I(\hat\pi)` and :math:`l' C l`.

    The variance is 0 at independence, where the truth is of order :math:`N^{-2}`.
    """
    rows, columns = chance.sum(axis=-1, keepdims=True), chance.sum(axis=-2, keepdims=True)
    logs = np.log(np.where(chance > 0, ratio(chance, rows * columns), 1.0))
    pulled = covariance(chance, counts, row_only, col_only).times(logs)
    return plug_in(chance), np.maximum((logs * pulled).sum(axis=(-2, -1)), 0.0)
