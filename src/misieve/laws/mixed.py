"""A batch whose elements follow laws of different families: fall-backs and point masses beside the law that was asked for."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from misieve.laws.base import Law

__all__ = ["Mixed", "assemble"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Mixed(Law):
    """Several laws side by side: element i follows element ``place[i]`` of ``parts[family[i]]``."""

    name: ClassVar[str] = "mixed"
    family: NDArray[np.intp]
    place: NDArray[np.intp]
    parts: tuple[Law, ...] = field(metadata={"shared": True})

    @property
    def names(self) -> NDArray[np.str_]:
        """The family in use, for each element of the batch."""
        return np.array([part.name for part in self.parts])[self.family].reshape(self.shape)

    def _each(self, method: str, *values: Floats, rng: np.random.Generator | None = None) -> Floats:
        result = np.empty(self.upper.shape)
        for number, part in enumerate(self.parts):
            mine = np.flatnonzero(self.family == number)
            if mine.size:
                extra = (rng,) if rng is not None else ()
                result[mine] = getattr(part.take(self.place[mine]), method)(*(value[mine] for value in values), *extra)
        return result

    def _cdf(self, x: Floats) -> Floats:
        return self._each("cdf", x)

    def _sf(self, x: Floats) -> Floats:
        return self._each("sf", x)

    def _pdf(self, x: Floats) -> Floats:
        return self._each("pdf", x)

    def _ppf(self, q: Floats) -> Floats:
        return self._each("ppf", q)

    def _isf(self, q: Floats) -> Floats:
        return self._each("isf", q)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return self._each("_rvs", rng=rng)

    def _support(self) -> tuple[Floats, Floats]:
        lowest, highest = np.empty(self.upper.shape), np.empty(self.upper.shape)
        for number, part in enumerate(self.parts):
            mine = self.family == number
            lowest[mine], highest[mine] = part.take(self.place[mine])._support()
        return lowest, highest

    def _shape_moments(self) -> tuple[Floats, Floats]:
        skew, excess = np.empty(self.upper.shape), np.empty(self.upper.shape)
        for number, part in enumerate(self.parts):
            mine = self.family == number
            skew[mine], excess[mine] = part.take(self.place[mine])._shape_moments()
        return skew, excess


def assemble(size: int, parts: list[tuple[NDArray[np.intp], Law]]) -> Law:
    """Put laws together: each part brings the indices of its elements in a batch of ``size``."""
    filled = [(indices, law) for indices, law in parts if indices.size]
    if len(filled) == 1:
        return filled[0][1]
    family, place = np.zeros(size, dtype=np.intp), np.zeros(size, dtype=np.intp)
    upper, center, spread = np.empty(size), np.empty(size), np.empty(size)
    for number, (indices, law) in enumerate(filled):
        family[indices], place[indices] = number, np.arange(indices.size)
        upper[indices], center[indices], spread[indices] = law.upper, law.center, law.spread
    laws = tuple(law for _, law in filled)
    return Mixed(upper=upper, center=center, spread=spread, family=family, place=place, parts=laws)
