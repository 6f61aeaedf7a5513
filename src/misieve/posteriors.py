"""Counts to posteriors of mutual information: prior, moments, law and the point mass at independence put together.

:func:`posterior` takes one table, a batch of tables or a :class:`misieve.Tables`, and returns a :class:`misieve.Posterior`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, OptionError, warn
from misieve._validate import count_array, generator, known_option
from misieve.batch import gather
from misieve.laws import LAWS
from misieve.mixture import Posterior
from misieve.summary import VARIANCES

__all__ = ["incomplete_posterior", "posterior"]

Array = NDArray[np.float64]


def posterior(
    x: Any,
    *,
    prior: Any = "uniform",
    law: str = "noncentral-beta",
    variance: str = "auto",
    independence: Any = 0.0,
    draws: int | None = None,
    rng: Any = None,
) -> Posterior:
    """The posterior distribution of the mutual information of feature and target, given their contingency table.

    Parameters
    ----------
    x : array of shape (..., r, s), or Tables
        Raw counts without the prior, whole or fractional and not negative: one table, or a batch of them. Or the Tables of
        :func:`misieve.count`: one batch over its features, whose tables may differ in shape.
    prior : {"uniform", "jeffreys", "haldane", "perks"}, number, or array of shape (r, s)
        Pseudo-counts of the Dirichlet prior: 1, 1/2, 0 or 1/(rs) per cell, or whatever is given.
    law : {"noncentral-beta", "beta", "gamma", "normal", "noncentral-chi2", "sampled", "quadrature"}
        The law fitted to mean and variance (the first one to the lower tail, too, where that matters); "sampled" draws from
        the Dirichlet itself, "quadrature" (2 x 2) integrates.
    variance : {"auto", "exact", "series"}
        The paper's series (eq. 4), the exact variance, or the series where :func:`misieve.moments.series_error` is below 1e-3.
    independence : float or "auto"
        Prior probability that I = 0. "auto" learns it from the batch of features.
    draws, rng
        Number of draws and random generator (or seed) of the sampled law.

    Returns
    -------
    Posterior
        Of batch shape (...), or (number of features,).

    Examples
    --------
    >>> import misieve
    >>> p = misieve.posterior([[40, 10], [20, 80]])
    >>> print(f"{p.mean():.4f} +- {p.std():.4f}, P(I > 0.003) = {p.sf(0.003):.4f}")
    0.1662 +- 0.0418, P(I > 0.003) = 1.0000
    """
    options = {"prior": prior, "variance": variance, "independence": independence}
    return _posterior(x, None, None, options, law, draws, rng)


def incomplete_posterior(
    counts: Any,
    row_only: Any = None,
    col_only: Any = None,
    *,
    prior: Any = "uniform",
    law: str = "noncentral-beta",
    variance: str = "auto",
    independence: Any = 0.0,
    draws: int | None = None,
    rng: Any = None,
) -> Posterior:
    """The posterior of mutual information when in some observations the feature or the class is missing (at random).

    Parameters
    ----------
    counts : array of shape (..., r, s)
        Raw counts of the complete observations.
    row_only : array of shape (..., r), optional
        Counts of observations of which only the row (the feature's value) was seen.
    col_only : array of shape (..., s), optional
        Counts of observations of which only the column (the class) was seen.
    prior, law, independence, draws, rng
        As for :func:`posterior`. The sampled law draws by data augmentation (Gibbs sampling).
    variance : {"auto", "exact", "series"}
        "series" gives mean and variance to leading order, as the paper has them; else they are to second order. Tables without
        incomplete observations are treated as by :func:`posterior`.

    Examples
    --------
    >>> import misieve
    >>> p = misieve.incomplete_posterior([[40, 10], [20, 80]], row_only=[250, 500])
    >>> bool(p.std() < misieve.posterior([[40, 10], [20, 80]]).std())
    True
    """
    table = count_array(counts)
    parts: list[Array | None] = []
    for extra, what, size in ((row_only, "row_only", table.shape[-2]), (col_only, "col_only", table.shape[-1])):
        if extra is None:
            parts.append(None)
            continue
        array = count_array(np.asarray(extra)[..., None, :] if np.ndim(extra) else extra, what)[..., 0, :]
        wanted = (*table.shape[:-2], size)
        if array.shape != wanted:
            raise DataError(
                f"{what} must have the shape {wanted}, one count for each {what[:3]} of each table; found {array.shape}"
            )
        parts.append(array)
    options = {"prior": prior, "variance": variance, "independence": independence}
    return _posterior(table, parts[0], parts[1], options, law, draws, rng)


def _posterior(
    x: Any, row_only: Array | None, col_only: Array | None, options: dict[str, Any], law: str, draws: int | None, rng: Any
) -> Posterior:
    known_option("law", law, LAWS)
    if draws is not None and (isinstance(draws, bool) or not isinstance(draws, (int, np.integer)) or draws < 1):
        raise OptionError(f"draws must be a whole number from 1 up, not {draws!r}")
    if law == "sampled":
        generator(rng)  # draws come later, but what is wrong with it is said now
    variance = known_option("variance", options["variance"], VARIANCES)
    batch = gather(x, row_only=row_only, col_only=col_only, **options)
    if law == "quadrature" and batch.distinct.incomplete:
        raise OptionError("the law 'quadrature' is for complete samples: use law='noncentral-beta' or law='sampled'")
    if batch.replaced and variance == "series":
        warn(
            f"the series variance of {batch.replaced} of {len(batch.distinct.mean)} tables is not positive or far off, "
            "the exact one stands in"
        )
    result = Posterior(batch.distinct, batch.rank, batch.shape, law, batch.features, draws, rng, batch.library)
    if law == "quadrature":
        _ = result._law  # costs nothing yet, and refuses other tables than 2 x 2
    return result
