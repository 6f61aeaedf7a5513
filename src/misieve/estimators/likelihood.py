r"""The sums of naive Bayes: :math:`\log P(c) + \sum_f \log P(x_f \mid c)` over rows that are dense, sparse or in frames.

With counts :math:`n_{vc}` of value v and class c and pseudo-counts :math:`a_{vc}` of the prior,

.. math:: P(x_f = v \mid c) = \frac{n_{vc} + a_{vc}}{n_{+c} + a_{+c}} .

What a row lacks, or what was never counted, is left out of the sum. A sparse row starts from the sum of a row of zeros and
corrects it at each stored entry, so that its cost does not depend on the number of features.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from misieve._core import kernels
from misieve._errors import DataError, OptionError
from misieve.estimators.places import UNSEEN, place_of, places
from misieve.frames import BadCell, Batch, Column
from misieve.frames.column import absent, from_array
from misieve.prior import pseudo_count
from misieve.tables import Tables
from misieve.tally import located

__all__ = ["Likelihood", "likelihood", "refuse_missing"]

Array = NDArray[np.float64]

# Values up to which the sum over them goes value by value.
FEW = 4
# Columns of a matrix that are laid out along memory at a time.
TOGETHER = 64


@dataclass(frozen=True)
class Likelihood:
    """Logarithms class by class, in the order of the tables' rows: (s, values of all features); the features used, (p,)."""

    tables: Tables
    logarithms: Array
    used: NDArray[np.bool_]

    @cached_property
    def contrast(self) -> "Likelihood":
        """The same relative to the first class: all that probabilities and decisions need, and one class less to add up."""
        return replace(self, logarithms=self.logarithms - self.logarithms[0])

    def sums(self, batch: Batch, start: Array, jobs: int, *, refuse: bool) -> Array:
        """Add the features of each row to ``start`` (s,): (n, s). ``refuse`` makes a value that was never counted an error."""
        if batch.sparse is not None:
            return start + self._sparse(batch, jobs, refuse)
        total = np.repeat(start[:, None], batch.rows, axis=1)
        chosen = np.flatnonzero(self.used)
        offsets = self.tables._levels.offsets
        for feature, column in zip(chosen.tolist(), _columns(batch, chosen.tolist(), jobs), strict=True):
            try:
                found = self._places(feature, column)
            except BadCell as wrong:
                raise located(batch, batch.name(feature), wrong) from None
            if refuse and (found == UNSEEN).any():
                self._refuse(batch, feature, found == UNSEEN)
            for c, logarithms in enumerate(self.logarithms[:, offsets[feature] : offsets[feature + 1]]):
                if logarithms.any():
                    total[c] += np.append(logarithms, (0.0, 0.0))[found]  # the last two are for what is left out
        return np.ascontiguousarray(total.T)

    def _places(self, feature: int, column: Column) -> NDArray[np.intp]:
        name = self.tables.features[feature]
        return places(column, self.tables._levels[feature], self.tables.cuts.get(name), f"column {name!r}")

    def _refuse(self, batch: Batch, feature: int, unseen: NDArray[np.bool_]) -> None:
        name, row = self.tables.features[feature], int(np.argmax(unseen))
        raise DataError(
            f"column {name!r} must hold values that were there when the model was fitted, found another one in row "
            f"{batch.where(row)}: unseen='ignore' leaves such values out"
        )

    # ---- Sparse rows -------------------------------------------------------------------------------------------------------

    @cached_property
    def _zeros(self) -> tuple[Array, Array]:
        """The logarithms of the value zero by feature (s, p), nothing where it was never counted; and their sum (s,)."""
        own = self._of(0.0)
        return own, own.sum(axis=1)

    @cached_property
    def _ones(self) -> Array:
        """What a one adds to the sum of a row of zeros: (s, p)."""
        return self._of(1.0) - self._zeros[0]

    def _of(self, value: float) -> Array:
        """The logarithms of one value by feature: (s, p), nothing where it was never counted."""
        pools = self.tables._levels.pools
        if len(pools) == 1 and value in pools[0] and not self.tables.cuts and self.used.all():  # without looking anything up
            return self.logarithms.reshape(len(self.logarithms), -1, len(pools[0]))[:, :, pools[0].index(value)]
        rows = self._rows_of(value)
        known = np.flatnonzero((rows >= 0) & self.used)
        chosen = np.zeros((len(self.logarithms), len(rows)))
        chosen[:, known] = self.logarithms[:, rows[known]]
        return chosen

    def _rows_of(self, value: float) -> NDArray[np.int64]:
        """The row of one value in each feature, -1 where it was never counted: (p,)."""
        levels = self.tables._levels
        place = np.array([place_of(value, pool) for pool in levels.pools], np.int64)[levels.pool_of]
        for name, cuts in self.tables.cuts.items():
            place[self.tables._place[name]] = int(np.searchsorted(cuts, value, side="left"))
        return np.where(place >= 0, levels.offsets[:-1] + place, -1)

    def _sparse(self, batch: Batch, jobs: int, refuse: bool) -> Array:
        matrix = batch.sparse.tocsr()
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        zeros, base = self._zeros
        data = matrix.data
        if not refuse and (data == 1).all():
            return base + _product(matrix, self._ones, jobs)
        found = self._entries(matrix)
        unseen = found < 0
        if refuse and ((found == UNSEEN).any() or (self._rows_of(0.0)[self.used] < 0).any()):
            self._refuse_sparse(batch, matrix)
        # One column for each row of the tables and, behind them, one for each feature: its entry takes back the zero.
        gain = np.hstack([self.logarithms * np.repeat(self.used, self.tables._levels.sizes), -zeros])
        back = self.logarithms.shape[1] + matrix.indices.astype(np.int64)
        seen = np.where(unseen, back, found)
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        entries = np.concatenate([seen, back[~unseen]])
        where = np.concatenate([rows, rows[~unseen]])
        chosen = sp.csr_array((np.ones(len(entries)), (where, entries)), shape=(matrix.shape[0], gain.shape[1]))
        return base + _product(chosen, gain, jobs)

    def _entries(self, matrix: Any) -> NDArray[np.int64]:
        """The row in the tables of each stored entry, below zero where it has none: (nnz,). Entries of one pool go together."""
        levels = self.tables._levels
        group = levels.pool_of.copy()
        cut = [self.tables._place[name] for name in self.tables.cuts]
        group[cut] = len(levels.pools) + np.arange(len(cut))
        of_entry = group[matrix.indices]
        order = np.argsort(of_entry, kind="stable")
        _, starts = np.unique(of_entry[order], return_index=True)
        found = np.empty(len(order), np.int64)
        for entries in np.split(order, starts[1:]) if len(order) else []:
            feature = int(matrix.indices[entries[0]])
            found[entries] = self._places(feature, Column(matrix.data[entries]))
        return np.where(found >= 0, levels.offsets[:-1][matrix.indices] + found, found)

    def _refuse_sparse(self, batch: Batch, matrix: Any) -> None:
        """Name the first feature with a value that was never counted, whether it is stored or one of the zeros."""
        for feature in np.flatnonzero(self.used).tolist():
            column = np.asarray(matrix[:, [feature]].todense()).ravel()
            strange = self._places(feature, Column(column)) == UNSEEN
            if strange.any():
                self._refuse(batch, feature, strange)


def _columns(batch: Batch, features: list[int], jobs: int) -> Iterator[Column]:
    """Some columns, one after the other; an error names the one that cannot be read."""
    if batch.matrix is not None:
        for start in range(0, len(features), TOGETHER):
            some = features[start : start + TOGETHER]
            block = np.ascontiguousarray(batch.matrix[:, some].T)  # columns of a matrix in C order are slow to walk one by one
            for feature, values in zip(some, block, strict=True):
                try:
                    yield from_array(values)
                except BadCell as wrong:
                    raise located(batch, batch.name(feature), wrong) from None
        return
    try:
        yield from batch.columns(features, jobs) if features else []
    except BadCell as wrong:
        raise located(batch, wrong.column, wrong) from None  # type: ignore[attr-defined]


def refuse_missing(batch: Batch) -> None:
    """DataError if a value is missing."""
    if batch.sparse is not None:
        entries = batch.sparse.tocoo()
        holes = np.isnan(entries.data) if entries.data.dtype.kind == "f" else np.zeros(entries.nnz, np.bool_)
        found = [(int(entries.row[holes][0]), int(entries.col[holes][0]))] if holes.any() else []
    else:
        gone = (absent(column) for column in _columns(batch, list(range(batch.width)), 1))
        found = [(int(np.argmax(here)), feature) for feature, here in enumerate(gone) if here.any()][:1]
    for row, feature in found:
        raise DataError(
            f"column {batch.name(feature)!r} must not have missing values, found one in row {batch.where(row)}: "
            "missing='ignore' leaves them out"
        )


def _product(matrix: Any, table: Array, jobs: int) -> Array:
    """A CSR matrix whose entries are all ones times the transpose of a table (s, p): (n, s).

    A first class of zeros, as in a contrast, is not added up.
    """
    rest = np.ascontiguousarray((table if table[:1].any() else table[1:]).T)
    found = kernels.sum_ones(matrix.indices, matrix.indptr, rest, jobs)
    return found if rest.shape[1] == len(table) else np.hstack([np.zeros((len(found), 1)), found])


def likelihood(tables: Tables, prior: Any, used: NDArray[np.bool_]) -> Likelihood:
    """The logarithms of the chances of every value given every class; ``used`` (p,) marks the features that take part."""
    levels = tables._levels
    sizes, s = levels.sizes, len(tables.classes)
    # Class by class, so that what is done to all values runs along memory, however few classes there are.
    counts = np.array(tables._counts.T, dtype=np.float64, order="C")
    logarithms = np.empty_like(counts)
    heights = sorted({len(pool) for pool in levels.pools} - {0})
    for r in heights:
        added = pseudo_count(prior, r, s)
        if not (np.asarray(added) > 0).all():
            raise OptionError(
                f"naive Bayes needs a prior that gives every cell some mass; prior={prior!r} does not, and a value that a "
                "class never showed would rule it out for good: use 'uniform', 'jeffreys', 'perks' or a positive number"
            )
        rows = slice(None) if len(levels.pools) == 1 else levels.rows_of(np.flatnonzero(sizes == r))
        cells = counts[:, rows].reshape(s, -1, r)
        cells += added if isinstance(added, float) else added.T[:, None, :]
        if r > FEW:
            chances = np.log(cells) - np.log(cells.sum(axis=2, keepdims=True))
        else:  # value by value: the loops of NumPy are slow along axes this short
            totals = np.log(sum((cells[..., v] for v in range(1, r)), cells[..., 0]))
            chances = np.log(cells, out=cells)
            for v in range(r):
                chances[..., v] -= totals
        logarithms[:, rows] = chances.reshape(s, -1)
    return Likelihood(tables, logarithms, used)
