"""Tables in, what a posterior is made of out: each distinct table once, with its moments and its atom at independence."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from misieve._validate import count_array
from misieve.independence import learn_prior, log_bayes_factor, posterior_mass, prior_option
from misieve.prior import add_prior
from misieve.summary import distinct, summarise

__all__ = ["Batch", "Distinct", "describe", "gather"]

Array = NDArray[np.float64]

_ARRAYS = ("empirical", "mean", "variance", "upper", "freedom", "atom", "observations", "target_entropy")


@dataclass(frozen=True)
class Distinct:
    """The distinct tables of a batch, flat: what the law is fitted to, and the atom at 0."""

    tables: Array | list[Array]  # prior-laden: (batch, r, s), or a list where the tables differ in shape
    empirical: Array
    mean: Array
    variance: Array
    upper: Array
    freedom: Array
    atom: Array
    observations: Array  # sum of the raw counts
    target_entropy: Array  # entropy of the column sums' relative frequencies, in nats

    def take(self, chosen: NDArray[np.int64]) -> "Distinct":
        """Keep some of the distinct tables, by position."""
        tables = self.tables[chosen] if isinstance(self.tables, np.ndarray) else [self.tables[int(i)] for i in chosen]
        return Distinct(
            tables,
            *(getattr(self, name)[chosen] for name in _ARRAYS),
        )


class Batch(NamedTuple):
    """Distinct tables and where they stand: element i of the flattened batch is the distinct table ``rank[i]``."""

    distinct: Distinct
    rank: NDArray[np.int64]
    shape: tuple[int, ...]
    features: tuple[str, ...] | None
    replaced: int  # distinct tables whose series variance was not fit for use
    library: str | None = None  # the frame library that the features came in


def gather(x: Any, *, prior: Any, variance: str, independence: Any) -> Batch:
    """Read tables from an array (..., r, s) or a Tables, find the distinct ones and compute what the laws need of them."""
    mass = prior_option(independence)
    if hasattr(x, "blocks"):
        features, shape, blocks = tuple(x.features), (len(x),), list(x.blocks())
    else:
        counts = count_array(x)
        features, shape = None, counts.shape[:-2]
        blocks = [(np.arange(int(np.prod(shape))), counts.reshape(-1, *counts.shape[-2:]))]
    rank = np.zeros(int(np.prod(shape)), dtype=np.int64)
    parts: list[Distinct] = []
    log_factors: list[Array] = []
    replaced = found = 0
    for where, block in blocks:
        block_of_doubles = np.asarray(block, dtype=np.float64)
        firsts, inverse = distinct(block_of_doubles)
        rank[where] = found + inverse
        found += len(firsts)
        part, log_factor, count = describe(block_of_doubles[firsts], prior, variance, needs_factor=mass != 0.0)
        parts.append(part)
        log_factors.append(log_factor)
        replaced += count
    whole = _join(parts)
    log_factor = np.concatenate(log_factors) if log_factors else np.zeros(0)
    if features is not None:  # one target for all features, whatever rows of it a feature with missing values saw
        whole = replace(whole, target_entropy=np.full(found, float(_entropy(np.asarray(x.class_counts)))))
    whole = replace(whole, atom=_atoms(whole, log_factor, mass, np.bincount(rank, minlength=found)))
    return Batch(whole, rank, shape, features, replaced, getattr(x, "library", None))


def describe(counts: Array, prior: Any, variance: str, *, needs_factor: bool = False) -> tuple[Distinct, Array, int]:
    """Everything about the distinct tables (k, r, s) of one shape, except the atom; their log Bayes factors."""
    k, r, s = counts.shape
    observations, target_entropy = counts.sum(axis=(1, 2)), _entropy(counts.sum(axis=1))
    if r == 0:  # nothing was ever seen of these features
        nothing = np.zeros(k)
        empty = Distinct(counts, *(nothing,) * 6, observations=observations, target_entropy=target_entropy)
        return empty, nothing, 0
    laden = add_prior(counts, prior)
    # Where a prior adds nothing, an empty row or column has probability 0: the table is in truth a smaller one.
    rows = np.count_nonzero(laden.sum(axis=2), axis=1)
    columns = np.count_nonzero(laden.sum(axis=1), axis=1)
    # One row or column: I = 0 for sure, nothing to compute.
    open_ones = (rows > 1) & (columns > 1)
    summary = summarise(counts[open_ones], prior, variance)
    log_factor = np.zeros(k)
    if needs_factor and min(r, s) > 1:
        log_factor = log_bayes_factor(counts, prior)
    empirical, mean, spread = np.zeros((3, k))
    empirical[open_ones], mean[open_ones], spread[open_ones] = summary.empirical, summary.mean, summary.variance
    upper, freedom = np.log(np.minimum(rows, columns)), (rows - 1.0) * (columns - 1.0)
    part = Distinct(laden, empirical, mean, spread, upper, freedom, np.zeros(k), observations, target_entropy)
    return part, log_factor, summary.replaced


def _entropy(counts: NDArray[Any]) -> Array:
    """Entropy of the relative frequencies along the last axis, 0 where nothing was observed."""
    total = counts.sum(axis=-1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    result: Array = entr(share).sum(axis=-1)
    return result


def _join(parts: list[Distinct]) -> Distinct:
    if len(parts) == 1:
        return parts[0]
    tables = [table for part in parts for table in part.tables]
    return Distinct(tables, *(np.concatenate([getattr(p, n) for p in parts]) if parts else np.zeros(0) for n in _ARRAYS))


def _atoms(whole: Distinct, log_factor: Array, mass: float | str, often: NDArray[np.int64]) -> Array:
    """Posterior probability of I = 0: certain where a table has one row or column, else from the Bayes factor."""
    certain = whole.freedom == 0
    if mass == "auto":
        mass = learn_prior(log_factor[~certain], often[~certain].astype(np.float64))
    return np.where(certain, 1.0, posterior_mass(log_factor, float(mass)))
