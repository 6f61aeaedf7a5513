"""Tables in, what a posterior is made of out: each distinct table once, with its moments and its atom at independence."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from misieve import incomplete, moments
from misieve._errors import MisieveWarning
from misieve._validate import count_array
from misieve.independence import learn_prior, log_bayes_factor, posterior_mass, prior_option
from misieve.prior import add_prior
from misieve.summary import distinct, summarise

__all__ = ["Batch", "Distinct", "describe", "describe_incomplete", "gather"]

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
    #: By position, the incomplete samples among them: prior-laden counts, row_only, col_only. Their entry in ``tables`` is the
    #: complete table most like them: the most probable chances, and as many observations as are complete.
    incomplete: dict[int, tuple[Array, Array, Array]] = field(default_factory=dict)

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Where nothing was missing, so that the posterior is the Dirichlet of the table."""
        result = np.ones(len(self.mean), dtype=bool)
        result[list(self.incomplete)] = False
        return result

    def take(self, chosen: NDArray[np.int64]) -> "Distinct":
        """Keep some of the distinct tables, by position."""
        tables = self.tables[chosen] if isinstance(self.tables, np.ndarray) else [self.tables[int(i)] for i in chosen]
        samples = {new: self.incomplete[int(old)] for new, old in enumerate(chosen) if int(old) in self.incomplete}
        arrays = {name: getattr(self, name)[chosen] for name in _ARRAYS}
        return Distinct(tables, incomplete=samples, **arrays)


class Batch(NamedTuple):
    """Distinct tables and where they stand: element i of the flattened batch is the distinct table ``rank[i]``."""

    distinct: Distinct
    rank: NDArray[np.int64]
    shape: tuple[int, ...]
    features: Any  # names of the features, or how many are called x0, x1, ...; None for an array
    replaced: int  # distinct tables whose series variance was not fit for use
    library: str | None = None  # the frame library that the features came in


class _Block(NamedTuple):
    """Tables of one shape: their positions in the batch, raw counts (k, r, s), and incomplete samples (k, r), (k, s) if any."""

    where: NDArray[np.int64]
    counts: NDArray[Any]
    row_only: Array | None = None
    col_only: Array | None = None


def gather(
    x: Any, *, prior: Any, variance: str, independence: Any, row_only: Array | None = None, col_only: Array | None = None
) -> Batch:
    """Read tables from an array (..., r, s) or a Tables, find the distinct ones and compute what the laws need of them.

    Incomplete samples come as ``row_only`` (..., r) and ``col_only`` (..., s), or with the Tables.
    """
    mass = prior_option(independence)
    if hasattr(x, "blocks"):
        features, shape = x.names, (len(x),)
        blocks = _blocks_of(x)
    else:
        counts = count_array(x)
        features, shape = None, counts.shape[:-2]
        flat = counts.reshape(int(np.prod(shape)), *counts.shape[-2:])
        extras = [None if part is None else part.reshape(len(flat), -1) for part in (row_only, col_only)]
        blocks = iter([_Block(np.arange(len(flat)), flat, *extras)])
    rank = np.zeros(int(np.prod(shape)), dtype=np.int64)
    parts: list[Distinct] = []
    log_factors: list[Array] = []
    replaced = found = 0
    for block in blocks:
        for where, tables, rows, columns in _split(block):
            # Two tables are the same if their incomplete samples are, too.
            key = (
                tables
                if rows is None or columns is None
                else np.hstack([tables.reshape(len(tables), -1), rows, columns])[:, None]
            )
            firsts, inverse = distinct(key)
            if len(inverse) == len(rank):  # one block of all
                rank = inverse
            else:
                rank[where] = found + inverse
            found += len(firsts)
            chosen = tables[firsts].astype(np.float64, copy=False)
            if rows is None or columns is None:
                part, log_factor, count = describe(chosen, prior, variance, needs_factor=mass != 0.0)
            else:
                part, log_factor = describe_incomplete(
                    chosen, rows[firsts], columns[firsts], prior, variance, needs_factor=mass != 0.0
                )
                count = 0
            parts.append(part)
            log_factors.append(log_factor)
            replaced += count
    whole = _join(parts)
    log_factor = np.concatenate(log_factors) if log_factors else np.zeros(0)
    if features is not None:  # one target for all features, whatever rows of it a feature with missing values saw
        whole = replace(whole, target_entropy=np.full(found, float(_entropy(np.asarray(x.class_counts)))))
    whole = replace(whole, atom=_atoms(whole, log_factor, mass, rank))
    return Batch(whole, rank, shape, features, replaced, getattr(x, "library", None))


def _blocks_of(tables: Any) -> Iterator[_Block]:
    if not tables.has_incomplete:
        for where, counts in tables.blocks():
            yield _Block(where, np.asarray(counts))
        return
    for (where, counts), (by_class, by_value) in zip(tables.blocks(), tables.missing_blocks(), strict=True):
        yield _Block(where, np.asarray(counts, dtype=np.float64), by_value.astype(np.float64), by_class.astype(np.float64))


def _split(block: _Block) -> Iterator[_Block]:
    """The complete tables of a block, and those with incomplete samples."""
    k, r, s = block.counts.shape
    if block.row_only is None and block.col_only is None:
        yield block
        return
    rows = np.zeros((k, r)) if block.row_only is None else block.row_only
    columns = np.zeros((k, s)) if block.col_only is None else block.col_only
    # A feature that was never seen (r = 0) leaves nothing to complete.
    lacking = (rows.any(axis=1) | columns.any(axis=1)) & (r > 0)
    if not lacking.all() or not k:
        here = ~lacking
        yield _Block(block.where[here], block.counts[here])
    if lacking.any():
        yield _Block(block.where[lacking], block.counts[lacking], rows[lacking], columns[lacking])


def describe_incomplete(
    counts: Array, row_only: Array, col_only: Array, prior: Any, variance: str, *, needs_factor: bool
) -> tuple[Distinct, Array]:
    """As :func:`describe`, for tables with incomplete samples; "series" is the paper's leading order, else the second order."""
    k, r, s = counts.shape
    laden = add_prior(counts, prior)
    mean, spread, report = incomplete.moments(laden, row_only, col_only, order=1 if variance == "series" else 2)
    if not report.converged.all():
        warn(
            f"the most probable chances of {np.count_nonzero(~report.converged)} of {k} tables with missing values were not "
            f"found in {report.iterations.max()} steps: their plug-in value is that of the last step, their mean and variance "
            "are those of draws, unless variance='series' was asked for",
            MisieveWarning,
            stacklevel=5,
        )
    rows, columns = (np.count_nonzero(laden.sum(axis=axis), axis=1) for axis in (2, 1))
    log_factor = np.zeros(k)
    if needs_factor and min(r, s) > 1:
        log_factor = incomplete.log_bayes_factor(counts, row_only, col_only, prior)
    part = Distinct(
        report.chance * laden.sum(axis=(1, 2), keepdims=True),
        moments.plug_in(report.chance),
        mean,
        spread,
        np.log(np.minimum(rows, columns)),
        (rows - 1.0) * (columns - 1.0),
        np.zeros(k),
        counts.sum(axis=(1, 2)),
        _entropy(counts.sum(axis=1) + col_only),
        incomplete=dict(enumerate(zip(laden, row_only, col_only, strict=True))),
    )
    return part, log_factor


def describe(counts: Array, prior: Any, variance: str, *, needs_factor: bool = False) -> tuple[Distinct, Array, int]:
    """Everything about the distinct tables (k, r, s) of one shape, except the atom; their log Bayes factors."""
    k, r, s = counts.shape
    # Tables are small and many: einsum adds up short axes much faster than a reduction does.
    observations, target_entropy = np.einsum("kij->k", counts), _entropy(np.einsum("kij->kj", counts))
    if r == 0:  # nothing was ever seen of these features
        nothing = np.zeros(k)
        empty = Distinct(counts, *(nothing,) * 6, observations=observations, target_entropy=target_entropy)
        return empty, nothing, 0
    laden = add_prior(counts, prior)
    # Where a prior adds nothing, an empty row or column has probability 0: the table is in truth a smaller one.
    rows = np.count_nonzero(np.einsum("kij->ki", laden), axis=1)
    columns = np.count_nonzero(np.einsum("kij->kj", laden), axis=1)
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
    total = np.einsum("...j->...", counts)[..., None]
    share = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    result: Array = np.einsum("...j->...", entr(share))
    return result


def _join(parts: list[Distinct]) -> Distinct:
    if len(parts) == 1:
        return parts[0]
    tables = [table for part in parts for table in part.tables]
    starts = np.cumsum([0, *(len(part.mean) for part in parts)]).tolist()
    samples = {start + i: one for start, part in zip(starts, parts, strict=False) for i, one in part.incomplete.items()}
    arrays = {n: np.concatenate([getattr(p, n) for p in parts]) if parts else np.zeros(0) for n in _ARRAYS}
    return Distinct(tables, incomplete=samples, **arrays)


def _atoms(whole: Distinct, log_factor: Array, mass: float | str, rank: NDArray[np.int64]) -> Array:
    """Posterior probability of I = 0: certain where a table has one row or column, else from the Bayes factor."""
    certain = whole.freedom == 0
    if mass == "auto":
        often = np.bincount(rank, minlength=len(certain))[~certain]
        mass = learn_prior(log_factor[~certain], often.astype(np.float64))
    return np.where(certain, 1.0, posterior_mass(log_factor, float(mass)))
