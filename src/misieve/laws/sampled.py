"""The empirical law of draws from the Dirichlet: for any shape, to within its own sampling error."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.laws.base import Law

__all__ = ["DRAWS", "Sampled", "draws_of_information", "empirical_law", "fit_sampled", "in_standard_order"]

Floats = NDArray[np.float64]

# Draws for each table unless told otherwise: the standard error of a probability is then at most .005.
DRAWS = 10_000
# Gamma variates held at a time.
BLOCK = 1_000_000
# Cells of the histogram that the density smooths, over sqrt(I / I_max).
CELLS = 1024


@dataclass(frozen=True, kw_only=True)
class Sampled(Law):
    """Empirical law on [0, I_max]: ``cdf`` counts draws, ``ppf`` picks the draw that first reaches q, ``rvs`` resamples.

    Mean and variance are those of the draws. ``pdf`` is a kernel estimate in sqrt(I), where the density is bounded at zero for
    every shape of table: normal kernel of Silverman's width, reflected at both ends. ``pool`` holds the sorted draws of the
    distinct tables, ``row`` says which of its rows belongs to an element of the batch.
    """

    name: ClassVar[str] = "sampled"
    row: NDArray[np.intp]
    pool: Floats = field(metadata={"shared": True})

    def _cdf(self, x: Floats) -> Floats:
        result = np.empty_like(x)
        for row in np.unique(self.row):
            mine = self.row == row
            result[mine] = np.searchsorted(self.pool[row], x[mine], side="right")
        share: Floats = result / self.pool.shape[1]
        return share

    def _sf(self, x: Floats) -> Floats:
        size = self.pool.shape[1]
        above: Floats = np.rint((1.0 - self._cdf(x)) * size) / size
        return above

    def _pdf(self, x: Floats) -> Floats:
        result = np.empty_like(x)
        for row in np.unique(self.row):
            mine = np.flatnonzero(self.row == row)
            upper = self.upper[mine[0]]
            s = np.sqrt(x[mine] / upper)
            middles, density = _smooth(np.sqrt(self.pool[row] / upper))
            with np.errstate(divide="ignore"):
                result[mine] = np.interp(s, middles, density) / (2.0 * s * upper)
        return result

    def _ppf(self, q: Floats) -> Floats:
        size = self.pool.shape[1]
        # A quantile k / size, computed, may lie a rounding error above it.
        place = np.ceil(q * size * (1.0 - 4e-16)).astype(np.intp) - 1
        chosen: Floats = self.pool[self.row, np.clip(place, 0, size - 1)]
        return chosen

    def _isf(self, q: Floats) -> Floats:
        size = self.pool.shape[1]
        place = size - 1 - np.floor(q * size * (1.0 + 4e-16)).astype(np.intp)
        chosen: Floats = self.pool[self.row, np.clip(place, 0, size - 1)]
        return chosen

    def _rvs(self, rng: np.random.Generator) -> Floats:
        chosen: Floats = self.pool[self.row, rng.integers(self.pool.shape[1], size=self.row.size)]
        return chosen

    def _shape_moments(self) -> tuple[Floats, Floats]:
        scaled = (self.pool - self.pool.mean(axis=1, keepdims=True)) / self.pool.std(axis=1, keepdims=True)
        return (scaled**3).mean(axis=1)[self.row], ((scaled**4).mean(axis=1) - 3.0)[self.row]


def _smooth(s: Floats) -> tuple[Floats, Floats]:
    """The kernel estimate of the density of sorted values in [0, 1], on the middles of a grid."""
    from scipy import ndimage  # takes long to load, and few need it

    quartiles = np.quantile(s, [0.25, 0.75])
    spread = min(s.std(), (quartiles[1] - quartiles[0]) / 1.349) or s.std()
    width = 0.9 * spread * s.size**-0.2 * CELLS
    counts, edges = np.histogram(s, bins=CELLS, range=(0.0, 1.0))
    density = ndimage.gaussian_filter1d(counts * (CELLS / s.size), max(width, 0.5), mode="reflect", truncate=6.0)
    return (edges[1:] + edges[:-1]) / 2.0, density


def draws_of_information(tables: Floats, rng: np.random.Generator) -> Floats:
    """One draw of I for each of the tables of shape (k, r, s)."""
    k, r, s = tables.shape
    result = np.empty(k)
    block = max(1, BLOCK // (r * s))
    for start in range(0, k, block):
        gammas = rng.standard_gamma(tables[start : start + block])
        total = gammas.sum(axis=(1, 2), keepdims=True)
        # Cells of .01 and less may underflow all at once: then one cell held everything, and I = 0 comes out.
        chances = gammas / np.where(total > 0.0, total, 1.0)
        entropies = special.entr(chances.sum(axis=1)).sum(axis=1) + special.entr(chances.sum(axis=2)).sum(axis=1)
        result[start : start + block] = entropies - special.entr(chances).sum(axis=(1, 2))
    return np.maximum(result, 0.0)


def in_standard_order(table: Floats) -> Floats:
    """The table or its transpose with rows and columns sorted, so that tables with the same I get the same draws."""
    ways = [_sorted(way) for way in ((table, table.T) if table.shape[0] == table.shape[1] else (table,))]
    if table.shape[0] > table.shape[1]:
        ways = [_sorted(table.T)]
    return min(ways, key=lambda way: tuple(way.ravel()))


def _sorted(table: Floats) -> Floats:
    """Rows by their sorted entries, then columns and rows as words; what is still tied then is alike."""
    table = table[np.lexsort(np.sort(table, axis=1).T[::-1])]
    table = table[:, np.lexsort(table[::-1])]
    return table[np.lexsort(table.T[::-1])]


def fit_sampled(upper: Floats, tables: Sequence[Floats], draws: int, rng: np.random.Generator | int) -> Sampled:
    """Draw ``draws`` times from the posterior of each table; with a seed for ``rng`` each table starts from it anew."""
    pool = np.empty((len(tables), draws))
    for row, table in zip(pool, tables, strict=True):
        row[:] = draws_of_information(np.broadcast_to(table, (draws, *np.shape(table))), np.random.default_rng(rng))
        row.sort()
    return empirical_law(upper, pool)


def empirical_law(upper: Floats, pool: Floats) -> Sampled:
    """The law of given draws, a sorted row (draws,) for each table."""
    row_of = np.arange(len(pool))
    return Sampled(upper=upper, center=pool.mean(axis=1), spread=pool.var(axis=1), row=row_of, pool=pool)
