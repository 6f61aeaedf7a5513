"""Dirichlet priors on the cells of a contingency table, by name, number or array.

A prior adds pseudo-counts to the observed ones, and the posterior of the chances is Dirichlet again with the sums as its
parameters (paper, section 2.1). Every moment and law downstream takes those sums, "prior-laden" counts.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, OptionError
from misieve._validate import EXACT_TOTAL, known_option

__all__ = ["PRIORS", "add_prior", "pseudo_count"]

#: Names of the priors and what each adds to a cell of an r x s table.
PRIORS: dict[str, Callable[[int, int], float]] = {
    "uniform": lambda _r, _s: 1.0,
    "jeffreys": lambda _r, _s: 0.5,
    "haldane": lambda _r, _s: 0.0,
    "perks": lambda r, s: 1.0 / (r * s),
}


def pseudo_count(prior: Any, r: int, s: int) -> float | NDArray[np.float64]:
    """What ``prior`` adds to the cells of an r x s table: one number for all, or an (r, s) array.

    >>> pseudo_count("perks", 2, 5)
    0.1
    """
    if isinstance(prior, str):
        return float(PRIORS[known_option("prior", prior, PRIORS)](r, s))
    try:
        if prior is None or isinstance(prior, bool):  # which NumPy would take for NaN, and for 1
            raise TypeError
        value = np.asarray(prior, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError(
            f"prior must be one of {', '.join(map(repr, PRIORS))}, a number, or an array of shape (r, s); found {prior!r}"
        ) from None
    if value.ndim and value.shape != (r, s):
        raise OptionError(
            f"a prior given as an array must have the shape of the table, {(r, s)}; found the shape {value.shape}"
        )
    if not np.isfinite(value).all() or (value < 0).any():
        raise OptionError(f"prior counts must be finite and not negative, found {prior!r}")
    with np.errstate(over="ignore"):
        total = float(value.sum() if value.ndim else value * (r * s))
    if total >= EXACT_TOTAL:
        raise OptionError(f"the total of the prior counts must stay below 2^53 = 9e15, found {total:.6g}")
    return value if value.ndim else float(value)


def add_prior(counts: NDArray[np.float64], prior: Any) -> NDArray[np.float64]:
    """Prior-laden counts: ``counts`` of shape (..., r, s) plus the prior's pseudo-counts.

    A table must keep some mass: with Haldane's prior, which adds nothing, an all-zero table has no posterior.
    """
    r, s = counts.shape[-2:]
    laden = counts + pseudo_count(prior, r, s)
    empty = laden.sum(axis=(-2, -1)) <= 0
    if empty.any():
        where = tuple(int(i) for i in np.argwhere(empty)[0])
        place = f" at index {where if len(where) > 1 else where[0]}" if where else ""
        raise DataError(
            f"a table without any observation has no posterior under a prior that adds nothing (prior={prior!r}), "
            f"found one{place}: use prior='uniform', 'jeffreys' or 'perks'"
        )
    return laden
