"""Which categories each feature has, without one Python object per feature.

Features with the same categories share one tuple, their *pool*: 100,000 columns of zeros and ones have one. The rows of all
features' tables stand one below the other in a single array, feature after feature and value after value; aligning two such
arrays means computing, for each row of one, its row in the union.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve.labels import Labels, union

__all__ = ["Levels", "merge"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Levels:
    """The pools, and for each feature the index of its own: (n_features,)."""

    pools: tuple[Labels, ...]
    pool_of: NDArray[np.int64]

    @classmethod
    def of(cls, labels: Iterable[Labels]) -> "Levels":
        """Levels of features listed one by one."""
        known: dict[Any, int] = {}
        pools: list[Labels] = []
        pool_of = []
        for own in labels:
            # True and 1 are the same category but not the same to show: types are part of the key.
            key = (own, tuple(map(type, own)))
            place = known.setdefault(key, len(pools))
            if place == len(pools):
                pools.append(own)
            pool_of.append(place)
        return cls(tuple(pools), np.array(pool_of, np.int64))

    @cached_property
    def sizes(self) -> Rows:
        """How many categories each feature has: (n_features,)."""
        if len(self.pools) == 1:
            return np.full(len(self.pool_of), len(self.pools[0]), np.int64)
        return np.array([len(pool) for pool in self.pools], np.int64)[self.pool_of]

    @cached_property
    def offsets(self) -> Rows:
        """Where each feature's rows start, and where the last ones end: (n_features + 1,)."""
        offsets = np.zeros(len(self.pool_of) + 1, np.int64)
        np.cumsum(self.sizes, out=offsets[1:])
        return offsets

    def __getitem__(self, feature: int) -> Labels:
        return self.pools[self.pool_of[feature]]

    def same(self, other: "Levels") -> bool:
        """Whether both have the same pools in the same places, which is enough (not needed) to be equal."""
        pools = self.pools is other.pools or self.pools == other.pools
        return pools and (self.pool_of is other.pool_of or np.array_equal(self.pool_of, other.pool_of))

    def rows_of(self, features: NDArray[np.int64]) -> Rows:
        """The rows of some features, in the order in which the features are given."""
        sizes = self.sizes[features]
        ends = np.cumsum(sizes)
        rows: Rows = np.arange(int(sizes.sum())) + np.repeat(self.offsets[:-1][features] - (ends - sizes), sizes)
        return rows

    def take(self, features: NDArray[np.int64]) -> "Levels":
        """The levels of some features; pools that none of them uses are dropped."""
        used, pool_of = np.unique(self.pool_of[features], return_inverse=True)
        return Levels(tuple(self.pools[i] for i in used), pool_of.astype(np.int64))


def merge(a: Levels, b: Levels, describe: Callable[[int], str]) -> tuple[Levels, Rows, Rows]:
    """The union of two levels over the same features, and the row in it of every row of a and of b.

    ``describe`` names a feature in the error about values of two kinds.
    """
    pairs, first, pair_of = np.unique(a.pool_of * len(b.pools) + b.pool_of, return_index=True, return_inverse=True)
    merged, maps_a, maps_b = [], [], []
    for pair, feature in zip(pairs.tolist(), first.tolist(), strict=True):
        pool_a, pool_b = a.pools[pair // len(b.pools)], b.pools[pair % len(b.pools)]
        pool = union(pool_a, pool_b, describe(feature))
        place = {value: i for i, value in enumerate(pool)}
        merged.append(pool)
        maps_a.append([place[value] for value in pool_a])
        maps_b.append([place[value] for value in pool_b])
    distinct = Levels.of(merged)
    levels = Levels(distinct.pools, distinct.pool_of[pair_of])
    return levels, _rows(a, levels, maps_a, pair_of), _rows(b, levels, maps_b, pair_of)


def _rows(own: Levels, levels: Levels, maps: Sequence[list[int]], pair_of: NDArray[np.int64]) -> Rows:
    flat = np.array([place for one in maps for place in one], np.int64)
    lengths = np.array([len(one) for one in maps], np.int64)
    starts = np.cumsum(lengths) - lengths
    value = np.arange(own.offsets[-1]) - np.repeat(own.offsets[:-1], own.sizes)
    rows: Rows = np.repeat(levels.offsets[:-1], own.sizes) + flat[np.repeat(starts[pair_of], own.sizes) + value]
    return rows
