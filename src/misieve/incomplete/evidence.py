r"""How strongly incomplete samples speak for independence: the Bayes factor.

Under independence rows and columns have chances of their own, whose Dirichlet priors add up those of the cells; every
observation of a row counts, complete or not, and so does every one of a column:

.. math:: p(D \mid \text{independent}) = \frac{B(\alpha_{i+} + k_{i+} + n_{i?})}{B(\alpha_{i+})}
   \frac{B(\alpha_{+j} + k_{+j} + n_{?j})}{B(\alpha_{+j})}, \qquad B(a) = \frac{\prod \Gamma(a)}{\Gamma(\sum a)},

k the raw counts. Under dependence, with :math:`n = k + \alpha`, it is :math:`Z / B(\alpha)`,
:math:`Z = \int e^{\ell(\pi)} \prod d\pi_{ij}/\pi_{ij}`. **One side missing**: in
:math:`Z = B(n_{i+} + n_{i?}) \prod_i B(n_{i\cdot})` the incomplete observations meet the same factor as under independence, and
the Bayes factor is that of the complete observations alone. **Both sides missing**: there is no closed form. Laplace's
approximation in log-ratio coordinates,

.. math:: \log Z_L = \ell(\hat\pi) + \tfrac{d-1}2 \log 2\pi + \tfrac12 \log\det C_{-1} - \sum \log\hat\pi_{ij},

d the number of cells and :math:`C_{-1}` the covariance without its last row and column, errs by about
:math:`\sum 1/(12 n_{ij})`. Nearly the same error is made with either side left out, where Z is known, so

.. math:: \log Z \approx \log Z_L + [\log Z - \log Z_L]_{\text{rows}} + [\log Z - \log Z_L]_{\text{columns}} - [\log Z - \log
   Z_L]_{\text{complete}},

which is exact as soon as one side is complete.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve._errors import OptionError
from misieve.incomplete import one_sided
from misieve.incomplete.mode import covariance, log_density, posterior_mode
from misieve.prior import pseudo_count

__all__ = ["log_bayes_factor", "log_marginal", "log_marginal_one_sided"]

Array = NDArray[np.float64]


def log_bayes_factor(counts: Array, row_only: Array, col_only: Array, prior: Any = "uniform") -> Array:
    """Logarithm of the Bayes factor of independence against dependence (k,): above 0 it speaks for independence.

    ``counts`` (k, r, s) are raw, without the prior, which must give every cell something.
    """
    alpha = np.broadcast_to(np.asarray(pseudo_count(prior, *counts.shape[-2:]), dtype=np.float64), counts.shape)
    if (alpha <= 0).any():
        raise OptionError(
            f"the Bayes factor of independence needs a prior that adds something to each cell, found prior={prior!r}: "
            "use 'uniform' or 'jeffreys'"
        )
    independent = sum(
        _log_beta(alpha.sum(axis=axis) + counts.sum(axis=axis) + extra) - _log_beta(alpha.sum(axis=axis))
        for axis, extra in ((-1, row_only), (-2, col_only))
    )
    dependent = log_marginal(counts + alpha, row_only, col_only) - log_marginal_one_sided(alpha, np.zeros_like(row_only))
    result: Array = independent - dependent
    return result


def log_marginal(counts: Array, row_only: Array, col_only: Array) -> Array:
    """Log Z (k,) of prior-laden positive counts: in closed form unless both sides are missing."""
    by_columns = row_only.sum(axis=-1) == 0
    result = np.where(by_columns, *(log_marginal_one_sided(*x) for x in (_turned(counts, col_only), (counts, row_only))))
    both = ~by_columns & (col_only.sum(axis=-1) > 0)
    if both.any():
        result[both] = _log_marginal_two_sided(counts[both], row_only[both], col_only[both])
    return result


def log_marginal_one_sided(counts: Array, row_only: Array) -> Array:
    r""":math:`\log Z = \log B(n_{i+} + n_{i?}) + \sum_i \log B(n_{i\cdot})`, exactly (k,)."""
    result: Array = _log_beta(counts.sum(axis=-1) + row_only) + _log_beta(counts).sum(axis=-1)
    return result


def _log_marginal_two_sided(counts: Array, row_only: Array, col_only: Array) -> Array:
    no_rows, no_columns = np.zeros_like(row_only), np.zeros_like(col_only)
    turned = _turned(counts, col_only)
    by_columns = np.swapaxes(one_sided.mode(*turned), -1, -2)
    complete = counts / counts.sum(axis=(-2, -1), keepdims=True)
    result: Array = (
        _laplace(posterior_mode(counts, row_only, col_only).chance, counts, row_only, col_only)
        + log_marginal_one_sided(counts, row_only)
        - _laplace(one_sided.mode(counts, row_only), counts, row_only, no_columns)
        + log_marginal_one_sided(*turned)
        - _laplace(by_columns, counts, no_rows, col_only)
        - log_marginal_one_sided(counts, no_rows)
        + _laplace(complete, counts, no_rows, no_columns)
    )
    return result


def _laplace(chance: Array, counts: Array, row_only: Array, col_only: Array) -> Array:
    free = counts.shape[-2] * counts.shape[-1] - 1
    width = covariance(chance, counts, row_only, col_only).log_minor
    height = log_density(chance, counts, row_only, col_only)
    result: Array = height + 0.5 * (free * np.log(2.0 * np.pi) + width) - np.log(chance).sum(axis=(-2, -1))
    return result


def _turned(counts: Array, col_only: Array) -> tuple[Array, Array]:
    return np.swapaxes(counts, -1, -2), col_only


def _log_beta(parameters: Array) -> Array:
    result: Array = special.gammaln(parameters).sum(axis=-1) - special.gammaln(parameters.sum(axis=-1))
    return result
