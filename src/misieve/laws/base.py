"""What every law of mutual information can do, and how a batch of them broadcasts.

A law stands for a whole batch: each of its fields is an array whose first axis is the batch. A method takes values that
broadcast against the batch shape in the trailing dimension, as SciPy's frozen distributions with array parameters do:
``law.cdf(x[:, None])`` has the shape ``(len(x), batch)``. The public methods bring values and fields to one flat length and
hand over to the ``_methods`` of the family, which then work entry by entry; ``take`` is the one place where fields are indexed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from misieve._validate import fraction
from misieve.laws.roots import increasing_root

__all__ = ["Law", "PointMass"]

Floats = NDArray[np.float64]

# Logarithms of probabilities stop here: the least positive double.
TINY = 1e-308


@dataclass(frozen=True, kw_only=True)
class Law(ABC):
    """The distribution of mutual information for each table of a batch.

    ``upper`` is I_max, ``center`` the mean and ``spread`` the variance, all of shape (batch,). ``scalar`` marks the law of one
    table picked out by an integer: its batch shape is ``()``. Fields marked as shared are not indexed by element.
    """

    name: ClassVar[str]
    # How closely quantiles are bracketed, relative to 1 + |logit(x / I_max)|.
    resolution: ClassVar[float] = 1e-13
    upper: Floats
    center: Floats
    spread: Floats
    scalar: bool = field(default=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch shape."""
        return () if self.scalar else self.upper.shape

    @property
    def names(self) -> NDArray[np.str_]:
        """The family in use, for each element of the batch."""
        return np.full(self.upper.shape, self.name).reshape(self.shape)

    def __len__(self) -> int:
        """The number of tables."""
        return int(self.upper.size)

    def take(self, indices: ArrayLike) -> Self:
        """The law of the elements with these indices, repeats allowed: expands a batch of distinct tables."""
        which = np.asarray(indices).ravel()
        kept = [part.name for part in fields(self) if part.name != "scalar" and not part.metadata.get("shared")]
        arrays: dict[str, Any] = {name: getattr(self, name)[which] for name in kept}
        return replace(self, scalar=False, **arrays)

    def __getitem__(self, index: Any) -> Self:
        """The law of a subset (slice, mask, indices), or of one table (an integer): then the batch shape is ()."""
        chosen = np.arange(len(self))[index]
        part = self.take(chosen)
        return replace(part, scalar=True) if np.ndim(chosen) == 0 else part

    def cdf(self, x: ArrayLike) -> Floats:
        """P(I <= x)."""
        return self._inside(x, type(self)._cdf, 0.0, 1.0)

    def sf(self, x: ArrayLike) -> Floats:
        """P(I > x), with small probabilities to their own relative accuracy."""
        return self._inside(x, type(self)._sf, 1.0, 0.0)

    def pdf(self, x: ArrayLike) -> Floats:
        """The density; zero outside the support, and zero for a point mass."""
        return self._inside(x, type(self)._pdf, 0.0, 0.0)

    def ppf(self, q: ArrayLike) -> Floats:
        """The quantile: the x with P(I <= x) = q."""
        return self._quantile(q, type(self)._ppf, lower_at=0.0)

    def isf(self, q: ArrayLike) -> Floats:
        """The x with P(I > x) = q."""
        return self._quantile(q, type(self)._isf, lower_at=1.0)

    def median(self) -> Floats:
        """The quantile at 1/2."""
        return self.ppf(0.5)

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """The equal-tailed interval that holds ``level`` of the probability."""
        tail = (1.0 - fraction("level", level)) / 2.0
        return self.ppf(tail), self.isf(tail)

    def rvs(self, size: int | tuple[int, ...] = 1, rng: np.random.Generator | int | None = None) -> Floats:
        """Draws of shape ``(*size, *batch shape)``."""
        lead = (size,) if isinstance(size, int) else tuple(size)
        law, _, shape = self._spread_out(np.empty((*lead, *(1 for _ in self.shape))))
        return law._rvs(np.random.default_rng(rng)).reshape(shape)

    def support(self) -> tuple[Floats, Floats]:
        """The least and the greatest value that the law allows."""
        lowest, highest = self._support()
        return lowest.reshape(self.shape), highest.reshape(self.shape)

    def mean(self) -> Floats:
        """The mean."""
        return self.center.reshape(self.shape)

    def var(self) -> Floats:
        """The variance."""
        return self.spread.reshape(self.shape)

    def std(self) -> Floats:
        """The standard deviation."""
        return np.sqrt(self.var())

    def skew(self) -> Floats:
        """The skewness of this law (not of the true distribution, unless the law is that)."""
        return self._shape_moments()[0].reshape(self.shape)

    def kurtosis(self) -> Floats:
        """The excess kurtosis of this law: zero for a normal."""
        return self._shape_moments()[1].reshape(self.shape)

    # What a family provides: arrays of one flat length in, the same length out.

    @abstractmethod
    def _cdf(self, x: Floats) -> Floats: ...

    @abstractmethod
    def _pdf(self, x: Floats) -> Floats: ...

    def _sf(self, x: Floats) -> Floats:
        return 1.0 - self._cdf(x)

    def _support(self) -> tuple[Floats, Floats]:
        return np.zeros_like(self.upper), self.upper

    def _to_line(self, x: Floats) -> Floats:
        """Map the support to the real line so that both tails of log-probability become nearly straight."""
        return special.logit(x / self.upper)

    def _from_line(self, u: Floats) -> Floats:
        return self.upper * special.expit(u)

    def _ppf(self, q: Floats) -> Floats:
        return self._solve(q, 1.0 - q)

    def _isf(self, q: Floats) -> Floats:
        return self._solve(1.0 - q, q)

    def _rvs(self, rng: np.random.Generator) -> Floats:
        return self._ppf(rng.uniform(size=len(self)))

    def _solve(self, below: Floats, above: Floats) -> Floats:
        """The x with cdf = below and sf = above, whichever is smaller deciding."""
        lower = below <= above

        def gap(u: Floats, which: NDArray[np.intp]) -> Floats:
            law = self.take(which)
            x, down = law._from_line(u), lower[which]
            value = np.empty_like(u)
            for mask, tail, target, sign in ((down, type(self)._cdf, below, 1.0), (~down, type(self)._sf, above, -1.0)):
                if mask.any():
                    found = tail(law.take(np.flatnonzero(mask)), x[mask])
                    value[mask] = sign * (np.log(np.maximum(found, TINY)) - np.log(np.maximum(target[which][mask], TINY)))
            return value

        # The gamma law of the same mean and variance is near enough to start from.
        shape = self.center**2 / self.spread
        guess = special.gammaincinv(shape, np.clip(below, 1e-12, 1 - 1e-12)) * self.spread / self.center
        guess = np.clip(guess, 1e-12 * self.center, np.minimum(0.999 * self.upper, 40.0 * self.center))
        step = 0.1 / np.sqrt(shape) + 1e-6
        return self._from_line(increasing_root(gap, self._to_line(guess), step, tolerance=self.resolution))

    @abstractmethod
    def _shape_moments(self) -> tuple[Floats, Floats]:
        """Skewness and excess kurtosis."""

    def _spread_out(self, x: ArrayLike) -> tuple[Self, Floats, tuple[int, ...]]:
        """This law and the values, both at one flat length, and the shape of the answer."""
        values = np.asarray(x, dtype=np.float64)
        shape = np.broadcast_shapes(values.shape, self.shape)
        flat = np.broadcast_to(values, shape).ravel()
        if shape == self.upper.shape:
            return self, flat, shape
        which = np.broadcast_to(np.arange(len(self)).reshape(self.shape), shape)
        return self.take(which), flat, shape

    def _inside(self, x: ArrayLike, method: "Callable[[Any, Floats], Floats]", below: float, above: float) -> Floats:
        law, values, shape = self._spread_out(x)
        lowest, highest = law._support()
        result = np.where(values >= highest, above, below)
        inside = (values > lowest) & (values < highest)
        if inside.all():
            result = method(law, values)
        elif inside.any():
            result[inside] = method(law.take(np.flatnonzero(inside)), values[inside])
        result[np.isnan(values)] = np.nan
        return result.reshape(shape)

    def _quantile(self, q: ArrayLike, method: "Callable[[Any, Floats], Floats]", lower_at: float) -> Floats:
        law, values, shape = self._spread_out(q)
        lowest, highest = law._support()
        result = np.where(values == lower_at, lowest, np.where(values == 1.0 - lower_at, highest, np.nan))
        inside = (values > 0) & (values < 1)
        if inside.any():
            result[inside] = method(law.take(np.flatnonzero(inside)), values[inside])
        return result.reshape(shape)


@dataclass(frozen=True, kw_only=True)
class PointMass(Law):
    """All the probability at the mean: tables of one row or column (I = 0 with certainty), or a variance of zero."""

    name: ClassVar[str] = "point-mass"

    def cdf(self, x: ArrayLike) -> Floats:
        """P(I <= x): a step at the mean."""
        law, values, shape = self._spread_out(x)
        return np.where(np.isnan(values), np.nan, law._cdf(values)).reshape(shape)

    def sf(self, x: ArrayLike) -> Floats:
        """P(I > x): zero at the mean itself."""
        return 1.0 - self.cdf(x)

    def _cdf(self, x: Floats) -> Floats:
        return (x >= self.center).astype(np.float64)

    def _pdf(self, x: Floats) -> Floats:
        return np.zeros_like(x)

    def _support(self) -> tuple[Floats, Floats]:
        return self.center, self.center

    def _ppf(self, q: Floats) -> Floats:  # noqa: ARG002
        return self.center

    def _isf(self, q: Floats) -> Floats:  # noqa: ARG002
        return self.center

    def _shape_moments(self) -> tuple[Floats, Floats]:
        return np.full_like(self.center, np.nan), np.full_like(self.center, np.nan)
