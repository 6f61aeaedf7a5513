"""What a posterior of mutual information is: a mixture of an atom at independence and a law, in SciPy's vocabulary.

:class:`Posterior` is a value: a batch of distinct tables with their moments, the way back to the batch as it was given, and the
name of a law that is fitted when first needed. :mod:`misieve.posteriors` makes them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from misieve._errors import OptionError
from misieve._validate import fraction, generator
from misieve.batch import Distinct
from misieve.incomplete import gibbs_draws
from misieve.labels import spelled
from misieve.laws import Law, fit
from misieve.laws.sampled import DRAWS, empirical_law

__all__ = ["Posterior"]

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class Posterior:
    """The posterior of mutual information, in nats: a mixture of an atom at 0 (independence) and a law on (0, upper].

    Mean, variance, quantiles and draws are those of the mixture; :meth:`pdf` is its continuous part, and :meth:`sf` is strict,
    P(I > x). For a batch every method returns arrays of the batch's shape; an ``x`` or ``q`` with dimensions of its own
    broadcasts against it, as with SciPy's distributions.
    """

    _distinct: Distinct
    _rank: NDArray[np.int64]
    #: Shape of the batch, () for one table.
    shape: tuple[int, ...]
    #: Name of the law that was asked for.
    law: str
    _names: Any  # of the features: a tuple, or the number of features called x0, x1, ...
    _draws: int | None = None
    _rng: Any = None
    #: The frame library that the features came in, or None.
    library: str | None = None

    @cached_property
    def features(self) -> tuple[Any, ...] | None:
        """Names of the features, or None if the posterior was made from an array."""
        return None if self._names is None else spelled(self._names)

    # ---- The parts ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _law(self) -> Law:
        """The law given dependence, fitted when first needed."""
        d = self._distinct
        if self.law == "sampled" and d.incomplete:
            return self._drawn_from_incomplete()
        return fit(
            self.law,
            mean=d.mean,
            variance=d.variance,
            upper=d.upper,
            freedom=d.freedom,
            tables=d.tables,
            complete=d.complete,
            draws=self._draws,
            rng=self._rng,
        )

    def _drawn_from_incomplete(self) -> Law:
        """The sampled law where some tables have incomplete observations, which are imputed in turn with the chances."""
        d, rng = self._distinct, generator(self._rng)
        pool = np.empty((len(d.mean), DRAWS if self._draws is None else self._draws))
        for i, row in enumerate(pool):
            counts, row_only, col_only = d.incomplete.get(i) or (d.tables[i], *map(np.zeros, np.shape(d.tables[i])))
            row[:] = np.sort(gibbs_draws(counts[None], row_only[None], col_only[None], pool.shape[1], rng)[0])
        return empirical_law(d.upper, pool)

    @property
    def empirical(self) -> Array:
        """Plug-in mutual information of the prior-laden counts, the score of the empirical filter."""
        return self._spread(self._distinct.empirical)

    @property
    def independence(self) -> Array:
        """Posterior probability that feature and target are independent, P(I = 0)."""
        return self._spread(self._distinct.atom)

    @property
    def upper(self) -> Array:
        """The largest value that mutual information can take, log min(r, s)."""
        return self._spread(self._distinct.upper)

    @property
    def observations(self) -> Array:
        """How many observations each table holds (the sum of the raw counts)."""
        return self._spread(self._distinct.observations)

    @property
    def target_entropy(self) -> Array:
        """Entropy of the target (the tables' columns) in nats, by its observed frequencies."""
        return self._spread(self._distinct.target_entropy)

    @property
    def families(self) -> NDArray[np.str_]:
        """Which law each table really got; where a fit has no solution another stands in."""
        return self._spread(np.asarray(self._law.names))

    def __len__(self) -> int:
        """Length of the batch's first dimension."""
        if not self.shape:
            raise TypeError("the posterior of one table has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator["Posterior"]:
        """Over the batch's first dimension."""
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: Any) -> "Posterior":
        """Part of a batch: by position, slice or mask, or by the name of a feature (or a list of names)."""
        if _are_names(index) and self.features is not None:
            places = {name: i for i, name in enumerate(self.features)}
            unknown = [name for name in np.atleast_1d(np.asarray(index, dtype=object)) if name not in places]
            if unknown:
                raise KeyError(f"no feature is named {unknown[0]!r}")
            index = places[index] if isinstance(index, str) else [places[name] for name in index]
        picked = self._rank.reshape(self.shape)[index]
        used, rank = np.unique(picked, return_inverse=True)
        names = None
        if self._names is not None:
            places_left = np.atleast_1d(np.arange(self.shape[0])[index]).tolist()
            names = tuple(f"x{i}" if isinstance(self._names, int) else self._names[i] for i in places_left)
        return replace(self, _distinct=self._distinct.take(used), _rank=np.ravel(rank), shape=np.shape(picked), _names=names)

    # ---- Moments -----------------------------------------------------------------------------------------------------------

    def mean(self) -> Array:
        """Posterior mean; exact, whatever the law."""
        return self._spread((1.0 - self._distinct.atom) * self._distinct.mean)

    def var(self) -> Array:
        """Posterior variance, by the series or exact as was asked for."""
        d = self._distinct
        return self._spread((1.0 - d.atom) * (d.variance + d.atom * d.mean**2))

    def mean_if_dependent(self) -> Array:
        """Posterior mean given that feature and target are dependent: without the atom."""
        return self._spread(self._distinct.mean)

    def var_if_dependent(self) -> Array:
        """Posterior variance given that feature and target are dependent: without the atom."""
        return self._spread(self._distinct.variance)

    def std(self) -> Array:
        """Posterior standard deviation."""
        return np.sqrt(self.var())[()]

    def skew(self) -> Array:
        """Skewness of the law (with the atom)."""
        return self._standardised(3)

    def kurtosis(self) -> Array:
        """Excess kurtosis of the law (with the atom)."""
        return self._standardised(4)

    def _standardised(self, power: int) -> Array:
        d, law = self._distinct, self._law
        mean, variance = law.mean(), law.var()
        third = law.skew() * variance**1.5
        raw = [mean, variance + mean**2, third + 3 * mean * variance + mean**3]
        raw.append((law.kurtosis() + 3.0) * variance**2 + 4 * mean * third + 6 * mean**2 * variance + mean**4)
        m1, m2, m3, m4 = ((1.0 - d.atom) * moment for moment in raw)
        spread = m2 - m1**2
        central = m3 - 3 * m1 * m2 + 2 * m1**3 if power == 3 else m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4
        scaled = np.divide(central, spread ** (power / 2), out=np.full_like(central, np.nan), where=spread > 0)
        return self._spread(scaled - (3.0 if power == 4 else 0.0))

    # ---- Distribution ------------------------------------------------------------------------------------------------------

    def cdf(self, x: ArrayLike) -> Array:
        """P(I <= x)."""
        return self._evaluate(lambda law, atom, v: np.where(v < 0, 0.0, atom + (1.0 - atom) * law.cdf(v)), _numbers(x))

    def sf(self, x: ArrayLike) -> Array:
        """P(I > x), strictly: the atom at 0 does not count for x = 0."""
        return self._evaluate(lambda law, atom, v: np.where(v < 0, 1.0, (1.0 - atom) * law.sf(v)), _numbers(x))

    def pdf(self, x: ArrayLike) -> Array:
        """Density of the continuous part, which integrates to 1 - P(I = 0)."""
        return self._evaluate(lambda law, atom, v: (1.0 - atom) * law.pdf(v), _numbers(x))

    def ppf(self, q: ArrayLike) -> Array:
        """Quantile: the least x with P(I <= x) >= q; 0 as long as the atom holds q."""

        def quantile(law: Law, atom: Array, v: Array) -> Array:
            rest = np.divide(v - atom, 1.0 - atom, out=np.zeros(np.broadcast_shapes(v.shape, atom.shape)), where=atom < 1.0)
            return np.where(v > atom, np.maximum(law.ppf(np.clip(rest, 0.0, 1.0)), 0.0), 0.0)

        return self._evaluate(quantile, _probabilities(q))

    def isf(self, q: ArrayLike) -> Array:
        """Upper quantile: the least x with P(I > x) <= q."""

        def quantile(law: Law, atom: Array, v: Array) -> Array:
            rest = np.divide(v, 1.0 - atom, out=np.ones(np.broadcast_shapes(v.shape, atom.shape)), where=atom < 1.0)
            return np.where(rest < 1.0, np.maximum(law.isf(np.clip(rest, 0.0, 1.0)), 0.0), 0.0)

        return self._evaluate(quantile, _probabilities(q))

    def median(self) -> Array:
        """The value that I exceeds with probability 1/2."""
        return self.ppf(0.5)

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Equal-tailed credible interval: I lies in it with probability ``level``."""
        outside = (1.0 - fraction("level", level)) / 2.0
        return self.ppf(outside), self.isf(outside)

    def support(self) -> tuple[Array, Array]:
        """Smallest and largest possible value: 0 and log min(r, s)."""
        return self._spread(np.zeros_like(self._distinct.upper)), self.upper

    def rvs(self, size: int | tuple[int, ...] = (), rng: Any = None) -> Array:
        """Random draws of I, in an array of shape ``size`` + the batch's shape."""
        source = generator(rng)
        lead = tuple(size) if isinstance(size, (tuple, list)) else (size,)
        if not all(isinstance(length, (int, np.integer)) and length >= 0 for length in lead):
            raise OptionError(f"size must be a number of draws or a shape, not {size!r}")
        count = int(np.prod(lead))
        expanded = self._law.take(self._rank)
        values = np.maximum(expanded.rvs((count,), rng=source), 0.0)  # the normal law does not know that I >= 0
        independent = source.random(values.shape) < self._distinct.atom[self._rank]
        return np.where(independent, 0.0, values).reshape(lead + self.shape)[()]

    # ---- Help --------------------------------------------------------------------------------------------------------------

    def _spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """From distinct tables to the batch, in its shape."""
        return values.take(self._rank, axis=-1).reshape(values.shape[:-1] + self.shape)[()]

    def _evaluate(self, function: Callable[[Law, Array, Array], Array], x: ArrayLike) -> Array:
        """Apply ``function(law, atom, x)`` with x broadcast against the batch: once per distinct table where x allows it."""
        value = np.asarray(x, dtype=np.float64)
        whole = np.broadcast_shapes(value.shape, self.shape)
        padded = value.reshape((1,) * (len(whole) - value.ndim) + value.shape)
        lead = whole[: len(whole) - len(self.shape)]
        if padded.shape[len(lead) :] == (1,) * len(self.shape):
            flat = np.broadcast_to(padded.reshape(padded.shape[: len(lead)]), lead).reshape(-1, 1)
            return self._spread(function(self._law, self._distinct.atom, flat).reshape((*lead, -1)))
        flat = np.broadcast_to(padded, whole).reshape(int(np.prod(lead)), len(self._rank))
        result = function(self._law.take(self._rank), self._distinct.atom[self._rank], flat)
        return result.reshape(whole)

    def __repr__(self) -> str:
        """One line: mean, sd and interval of a single table, the size of a batch."""
        if self.shape:
            return f"<Posterior of a batch of {' x '.join(map(str, self.shape))} tables, law {self.law}>"
        low, high = self.interval(0.95)
        return f"<Posterior: mean {self.mean():.4g}, sd {self.std():.3g}, 95% interval {low:.4g} to {high:.4g}, law {self.law}>"


def _are_names(index: Any) -> bool:
    return isinstance(index, str) or (
        isinstance(index, (list, tuple)) and bool(index) and all(isinstance(i, str) for i in index)
    )


def _numbers(x: ArrayLike) -> Array:
    try:
        if x is None:  # which NumPy would take for NaN
            raise TypeError
        return np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError(f"a value of mutual information must be a number or an array of numbers, found {x!r}") from None


def _probabilities(q: ArrayLike) -> Array:
    value = _numbers(q)
    if not ((value >= 0) & (value <= 1)).all():
        raise OptionError("a probability must lie from 0 to 1, found " + str(value[~((value >= 0) & (value <= 1))].ravel()[0]))
    return value
