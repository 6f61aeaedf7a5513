r"""A point mass at I = 0: how likely it is that feature and target are independent.

Under a Dirichlet prior the event I = 0 has probability zero, so a noise feature with many values passes any threshold
(:math:`E[I] \approx (r-1)(s-1)/2n`). Giving independence a prior probability :math:`\pi_0` cures it. With raw counts :math:`k`,
the evidence for independence is the Bayes factor

.. math::

   BF_{01} = \frac{m(k_{i+}) \, m(k_{+j})}{m(k_{ij})}, \qquad
   m(k; a) = \frac{\Gamma(\sum a)}{\Gamma(\sum a + \sum k)} \prod \frac{\Gamma(a + k)}{\Gamma(a)},

where the margins' prior parameters are the sums of the cells' (Gunel and Dickey, 1974, doi:10.1093/biomet/61.3.545), and
:math:`P(I = 0 \mid n) = \pi_0 BF_{01} / (\pi_0 BF_{01} + 1 - \pi_0)`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, gammaln, logit

from misieve._errors import OptionError
from misieve._validate import fraction
from misieve.prior import pseudo_count

__all__ = ["learn_prior", "log_bayes_factor", "posterior_mass", "prior_option"]

Array = NDArray[np.float64]

_ROUNDS = 200
_SETTLED = 1e-10


def log_bayes_factor(counts: Array, prior: Any) -> Array:
    """Logarithm of the Bayes factor of independence against dependence, for raw counts (..., r, s).

    The prior must give every cell some mass: with Haldane's the factor is 0/0.
    """
    r, s = counts.shape[-2:]
    cells = np.broadcast_to(np.asarray(pseudo_count(prior, r, s), dtype=np.float64), (r, s))
    if not (cells > 0).all():
        raise OptionError(
            "a point mass at independence needs a prior that gives every cell some mass; "
            f"prior={prior!r} does not: use 'uniform' or 'jeffreys', or independence=0.0"
        )
    rows = _log_products(counts.sum(axis=-1), cells.sum(axis=1), axes=(-1,))
    columns = _log_products(counts.sum(axis=-2), cells.sum(axis=0), axes=(-1,))
    total = gammaln(cells.sum()) - gammaln(cells.sum() + counts.sum(axis=(-2, -1)))
    result: Array = total + rows + columns - _log_products(counts, cells, axes=(-2, -1))
    return result


def _log_products(counts: Array, prior: Array, axes: tuple[int, ...]) -> Array:
    result: Array = (gammaln(prior + counts) - gammaln(prior)).sum(axis=axes)
    return result


def prior_option(independence: Any) -> float | str:
    """Check the option: a prior probability from 0 to below 1, or "auto"."""
    if independence == "auto":
        return "auto"
    if isinstance(independence, str):
        raise OptionError(f"independence must be a prior probability from 0 to below 1, or 'auto', not {independence!r}")
    value = fraction("independence", independence, closed=True)
    if value == 1.0:
        raise OptionError(
            "independence must be below 1: at 1 nothing could ever be learned; use 'auto' to learn it from the features"
        )
    return value


def posterior_mass(log_factor: Array, prior: float) -> Array:
    r"""Posterior probability of independence from its prior probability and the log Bayes factor."""
    if prior == 0.0:
        return np.zeros_like(log_factor)
    result: Array = expit(log_factor + logit(prior))
    return result


def learn_prior(log_factor: Array, weight: Array) -> float:
    r"""The share of independent features in a batch, learned from their Bayes factors (empirical Bayes).

    Expectation maximisation for a mixture of two groups: the posterior masses of the features are averaged, the average is the
    next prior. It is shrunk towards 1/2 by one pseudo-observation of each group, and a batch of B features counts as B - 1:
    what one feature says is already in its own Bayes factor, so a single feature gets 1/2. ``weight`` says how often each
    factor occurs.

    .. math:: \pi_0 \leftarrow \frac{1 + (1 - 1/B) \sum_f P(I_f = 0 \mid n)}{1 + B}
    """
    count = float(weight.sum())
    if count <= 1.0:
        return 0.5
    prior = 0.5
    for _ in range(_ROUNDS):
        masses = float(weight @ posterior_mass(log_factor, prior))
        previous, prior = prior, (1.0 + (1.0 - 1.0 / count) * masses) / (1.0 + count)
        if abs(prior - previous) < _SETTLED:
            break
    return prior
