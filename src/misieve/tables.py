"""Tables: contingency counts of many features against one target, as a value that adds up.

All counts stand in one array of shape (values of all features, r): feature after feature, one row per category, one column
per class. So the merge of two batches with the same categories is one addition of two arrays; batches with different
categories are first aligned by value, an absent category counting zero.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve import _store
from misieve._byname import ByName, Missing, NoFeature
from misieve._errors import DataError
from misieve.labels import Labels, Value, spelled, union
from misieve.levels import Levels, merge
from misieve.merging import Counts, add, spread, without_rounding

__all__ = ["Missing", "Tables"]


class Tables(Mapping[Any, Counts]):
    """Counts of (value, class) for each feature: a value, never changed once made.

    ``tables[name]`` is the (r, s) array of one feature (r categories, s classes), ``tables[[name, ...]]`` the Tables of some;
    iteration and ``len`` are over the names. ``a + b`` and ``a - b`` merge and unmerge samples; ``a == b`` compares by
    category value, an absent category being zero.
    """

    def __init__(
        self,
        names: Sequence[Any] | int,
        classes: Labels,
        levels: Levels,
        counts: Counts,
        *,
        class_counts: Counts,
        by_class: Counts | None = None,
        by_value: Counts | None = None,
        cuts: Mapping[Any, NDArray[np.float64]] | None = None,
        library: str | None = None,
    ) -> None:
        #: The names of the features; or only how many there are, if they are called x0, x1, ...
        self.names = names if isinstance(names, int) else tuple(names)
        self.classes = classes
        self._levels = levels
        self._counts = counts
        #: Rows of each class (s,), whether or not a feature is missing in them.
        self.class_counts = class_counts
        self._by_class = by_class
        self._by_value = by_value
        self.cuts = dict(cuts or {})
        #: The frame library that the features came in, or None.
        self.library = library
        for array in (counts, class_counts, by_class, by_value):
            if array is not None:
                array.setflags(write=False)

    @cached_property
    def features(self) -> tuple[Any, ...]:
        """The names of the features; columns of an array are called x0, x1, ..."""
        return spelled(self.names)

    @cached_property
    def _place(self) -> dict[Any, int]:
        return {name: i for i, name in enumerate(self.features)}

    @property
    def categories(self) -> Mapping[Any, Labels]:
        """The category values of each feature, by name, in the order of the rows of its table."""
        return ByName(self._index, lambda: self.features, self._levels.__getitem__)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many categories each feature has, in an array of shape (n_features,)."""
        return self._levels.sizes

    @property
    def missing(self) -> Mapping[Any, Missing]:
        """By name, ``by_class`` (s,), the rows whose feature is missing, ``by_value`` (r,), those whose class is missing.

        Filled by ``missing="model"``, else zero.
        """
        return ByName(self._index, lambda: self.features, self._incomplete)

    def _incomplete(self, i: int) -> Missing:
        start, stop = self._levels.offsets[i : i + 2]
        by_class = np.zeros(len(self.classes), self.dtype) if self._by_class is None else self._by_class[i]
        by_value = np.zeros(stop - start, self.dtype) if self._by_value is None else self._by_value[start:stop]
        return Missing(by_class, by_value)

    @property
    def dtype(self) -> np.dtype[Any]:
        """int64, or float64 when rows were weighted."""
        return self._counts.dtype

    def __len__(self) -> int:
        return len(self._levels.pool_of)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.features)

    def __contains__(self, name: object) -> bool:
        return name in self._place

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, (list, np.ndarray)):
            return self.take(np.array([self._index(one) for one in name], np.int64))
        start, stop = self._levels.offsets[self._index(name) :][:2]
        return self._counts[start:stop]

    def _index(self, name: Any) -> int:
        try:
            return self._place[name]
        except (KeyError, TypeError):
            shown = ", ".join(map(repr, self.features[:5])) + (", ..." if len(self) > 5 else "")
            raise NoFeature(f"no feature is named {name!r}; there are {shown}") from None

    def __repr__(self) -> str:
        values = int(self._levels.offsets[-1])
        return f"<Tables of {len(self)} features ({values} categories) against {len(self.classes)} classes, {self.dtype}>"

    def take(self, features: NDArray[np.int64]) -> "Tables":
        """The Tables of the features at some positions."""
        rows = self._levels.rows_of(features)
        names = [self.features[i] for i in features]
        if len(set(names)) < len(names):
            raise DataError("features must be chosen once each, found one twice")
        return Tables(
            names,
            self.classes,
            self._levels.take(features),
            self._counts[rows],
            class_counts=self.class_counts,
            by_class=None if self._by_class is None else self._by_class[features],
            by_value=None if self._by_value is None else self._by_value[rows],
            cuts={name: cut for name, cut in self.cuts.items() if name in set(names)},
            library=self.library,
        )

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], Counts]]:
        """The features of equal shape together: (positions (k,), counts (k, r, s)), fewest categories first.

        One block, a view without any copy, when all features have the same number of categories.
        """
        s = len(self.classes)
        sizes = self._levels.sizes
        if len(sizes) and sizes.min() == sizes.max():
            yield np.arange(len(sizes)), self._counts.reshape(len(sizes), int(sizes[0]), s)
            return
        for r in np.unique(sizes).tolist():
            here = np.flatnonzero(sizes == r)
            yield here, self._counts[self._levels.rows_of(here)].reshape(len(here), r, s)

    @property
    def has_incomplete(self) -> bool:
        """Whether rows are kept in which a feature or the class is missing."""
        return any(part is not None and bool(part.any()) for part in (self._by_class, self._by_value))

    def missing_blocks(self) -> Iterator[tuple[Counts, Counts]]:
        """In step with :meth:`blocks`: the incomplete samples, by class (k, s) and by value (k, r)."""
        for here, counts in self.blocks():
            k, r, s = counts.shape
            rows = self._levels.rows_of(here)
            yield (
                np.zeros((k, s), self.dtype) if self._by_class is None else self._by_class[here],
                np.zeros((k, r), self.dtype) if self._by_value is None else self._by_value[rows].reshape(k, r),
            )

    def __add__(self, other: "Tables") -> "Tables":
        if not isinstance(other, Tables):
            return NotImplemented
        return self._combine(other, add)

    def __radd__(self, other: Any) -> "Tables":
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum(batches) works

    def __sub__(self, other: "Tables") -> "Tables":
        if not isinstance(other, Tables):
            return NotImplemented
        result = self._combine(other, np.subtract)
        parts = [without_rounding(part, self._counts) for part in result._parts()]
        if any(part is not None and (part < 0).any() for part in parts):
            raise DataError(f"a - b must not fall below zero, but {result._culprit()} has more rows in b: b is no part of a")
        return result._with(result.classes, result._levels, parts)

    def _culprit(self) -> str:
        """Where a difference is below zero, in words."""
        below = np.flatnonzero((self._counts < 0).any(axis=1))
        if not len(below):
            return "a count of incomplete rows"
        feature = int(np.searchsorted(self._levels.offsets, below[0], side="right")) - 1
        value = self._levels[feature][below[0] - self._levels.offsets[feature]]
        return f"column {self.features[feature]!r}, category {value!r},"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tables):
            return NotImplemented
        if set(self.features) != set(other.features):
            return False
        try:
            difference = self._combine(other, np.subtract)
        except DataError:  # categories of two kinds, other cut points
            return False
        return not any(part is not None and part.any() for part in difference._parts())

    __hash__ = None  # type: ignore[assignment]

    def _parts(self) -> tuple[Counts | None, ...]:
        return self._counts, self.class_counts, self._by_class, self._by_value

    def zeros(self) -> "Tables":
        """The same features, classes and categories without any row: what a later batch is counted into."""
        parts = [None if part is None else np.zeros_like(part, np.int64) for part in self._parts()]
        return self._with(self.classes, self._levels, parts)

    def scaled(self, factor: float) -> "Tables":
        """Every count times a factor: how earlier rows lose weight."""
        return self._with(self.classes, self._levels, [None if part is None else part * factor for part in self._parts()])

    def _with(self, classes: Labels, levels: Levels, parts: Sequence[Any]) -> "Tables":
        counts, class_counts, by_class, by_value = parts
        return Tables(
            self.names,
            classes,
            levels,
            counts,
            class_counts=class_counts,
            by_class=by_class,
            by_value=by_value,
            cuts=self.cuts,
            library=self.library,
        )

    def _combine(self, other: "Tables", operation: Any) -> "Tables":
        other = self._matched(other)
        classes, levels = self.classes, self._levels
        mine, theirs = self._parts(), other._parts()
        if classes != other.classes or not levels.same(other._levels):
            classes = union(self.classes, other.classes, "the target")
            columns = {value: i for i, value in enumerate(classes)}
            levels, mine_at, theirs_at = merge(
                self._levels, other._levels, lambda feature: f"column {self.features[feature]!r}"
            )
            mine = spread(mine, mine_at, [columns[value] for value in self.classes], levels, len(classes))
            theirs = spread(theirs, theirs_at, [columns[value] for value in other.classes], levels, len(classes))
        parts: list[Counts | None] = []
        for a, b in zip(mine, theirs, strict=True):
            if a is None and b is None:
                parts.append(None)
            else:
                parts.append(operation(np.zeros_like(b) if a is None else a, np.zeros_like(a) if b is None else b))
        return self._with(classes, levels, parts)

    def _matched(self, other: "Tables") -> "Tables":
        """The other tables with the features in the order of these; DataError unless both have the same features."""
        if self.names != other.names and self.features != other.features:
            if set(self.features) != set(other.features):
                lacks = [name for name in self.features if name not in other._place]
                more = [name for name in other.features if name not in self._place]
                found = f"{lacks[0]!r} is absent" if lacks else f"{more[0]!r} is new"
                raise DataError(f"batches must have the same columns, but {found} in the second: choose columns before merging")
            other = other.take(np.array([other._place[name] for name in self.features], np.int64))
        for name in {*self.cuts, *other.cuts}:
            if not np.array_equal(self.cuts.get(name, np.empty(0)), other.cuts.get(name, np.empty(0))):
                raise DataError(
                    f"column {name!r} was cut into bins at different points: "
                    "count the later batch with like= the tables of the first (on the command line --resume)"
                )
        return other

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an .npz file, without pickle: to a temporary file beside it, which is then renamed."""
        _store.save(
            path,
            {"names": self.names, "classes": self.classes, "pools": self._levels.pools, "library": self.library},
            {
                "pool_of": self._levels.pool_of,
                "counts": self._counts,
                "class_counts": self.class_counts,
                "by_class": self._by_class,
                "by_value": self._by_value,
            },
            self.cuts,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Tables":
        """Read what :meth:`save` wrote; DataError when the file is cut short or something else."""
        facts, arrays, cuts = _store.load(path)
        _store.check_shapes(path, facts, arrays)
        return cls(
            facts["names"],
            facts["classes"],
            Levels(facts["pools"], arrays["pool_of"]),
            arrays["counts"],
            class_counts=arrays["class_counts"],
            by_class=arrays.get("by_class"),
            by_value=arrays.get("by_value"),
            cuts=cuts,
            library=facts["library"],
        )

    def to_frame(self) -> Any:
        """One row per feature, value and class with its count, in the frame library of the input, else pandas, else polars."""
        from misieve.frames import build_frame

        s, sizes = len(self.classes), self._levels.sizes
        values: list[Value] = []
        for feature in range(len(self)):
            for value in self._levels[feature]:
                values.extend([value] * s)
        return build_frame(
            {
                "feature": [name for name, r in zip(self.features, sizes.tolist(), strict=True) for _ in range(r * s)],
                "value": values,
                "class": list(self.classes) * int(sizes.sum()),
                "count": self._counts.ravel(),
            },
            self.library,
        )
