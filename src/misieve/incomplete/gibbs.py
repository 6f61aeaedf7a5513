r"""Draws of mutual information from the posterior of incomplete samples: exact, or by data augmentation.

With one side missing the posterior is sampled directly: :math:`\pi_{i+} \sim \mathrm{Dir}(n_{i+} + n_{i?})`,
:math:`\pi_{\cdot|i} \sim \mathrm{Dir}(n_{i\cdot})`. With both, the side that misses fewer is filled in: given the chances, each
:math:`n_{?j}` is shared out over the rows by a multinomial draw, and given the filled-in table the chances are drawn directly
again. The two steps alternate (Gibbs sampling, Tanner & Wong 1987), in many chains at once.

Weighted rows may leave a fraction :math:`f_j` of :math:`n_{?j}` that no multinomial can share out. The whole part is filled in,
and the new chances are accepted with probability :math:`\prod_j (\pi_{+j}^{new}/\pi_{+j}^{old})^{f_j}` (Metropolis-Hastings),
which keeps the posterior exact.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special

from misieve.incomplete.basics import ratio

__all__ = ["gibbs_draws", "information"]

Array = NDArray[np.float64]

# Cells held at a time.
_BLOCK = 2_000_000
# Chains side by side unless told otherwise; more where a chain forgets so slowly that its draws are all but the same.
_CHAINS = 250
_SLOW = 0.95
_MANY_CHAINS = 4_000
# Burn-in: this many times the time in which a chain forgets where it started, but no more than so many sweeps of all chains
# together, as the chains start close to the posterior: at the best of so many proposals for each.
_FORGET = 8.0
_MOST_SWEEPS = 50_000
_PROPOSALS = 40


def gibbs_draws(
    counts: Array,
    row_only: Array,
    col_only: Array,
    draws: int,
    rng: np.random.Generator,
    chains: int | None = None,
    burn_in: int | None = None,
) -> Array:
    """Draws of I (k, draws) for prior-laden ``counts`` (k, r, s) and the incomplete ``row_only`` (k, r), ``col_only`` (k, s).

    Independent where one side at least is complete. Else successive draws of one chain are correlated, the more so the larger
    the missing fraction of the side that misses fewer; they stand ``chains`` apart in the result. By default there are 250
    chains, or 4,000 where that fraction is above .95, and the burn-in is 8/(1 - that fraction) steps, at most 200 or 12.
    """
    result = np.empty((len(counts), draws))
    for table, rows, columns, place in zip(counts, row_only, col_only, result, strict=True):
        place[:] = _of_one_table(table, rows, columns, draws, rng, chains, burn_in)
    return result


def information(chance: Array) -> Array:
    """Mutual information of chances (..., r, s), never below 0."""
    margins = special.entr(chance.sum(axis=-1)).sum(axis=-1) + special.entr(chance.sum(axis=-2)).sum(axis=-1)
    result: Array = np.maximum(margins - special.entr(chance).sum(axis=(-2, -1)), 0.0)
    return result


def _of_one_table(
    counts: Array,
    row_only: Array,
    col_only: Array,
    draws: int,
    rng: np.random.Generator,
    chains: int | None,
    burn_in: int | None,
) -> Array:
    if col_only.sum() > row_only.sum():
        # I is symmetric: turn the table so that the columns' side is the one that misses fewer.
        counts, row_only, col_only = counts.T, col_only, row_only
    if not col_only.any():
        block = max(1, _BLOCK // counts.size)
        sizes = [min(block, draws - start) for start in range(0, draws, block)]
        parts = [information(_draw(np.broadcast_to(counts, (size, *counts.shape)), row_only, rng)) for size in sizes]
        return np.concatenate([np.empty(0), *parts])
    lost = float(ratio(col_only, counts.sum(axis=0) + col_only).max())
    if chains is None:
        chains = _CHAINS if lost < _SLOW else _MANY_CHAINS
    chains = max(1, min(draws, chains))
    if burn_in is None:
        burn_in = 1 + int(min(_FORGET / max(1.0 - lost, 1e-9), _MOST_SWEEPS / chains))
    steps = -(-draws // chains)
    result = np.empty((steps, chains))
    whole = np.floor(col_only)
    state = _start(counts, row_only, col_only, chains, rng)
    for step in range(-burn_in, steps):
        state = _sweep(state, counts, row_only, whole, col_only - whole, rng)
        if step >= 0:
            result[step] = information(state)
    return result.ravel()[:draws]


def _start(counts: Array, row_only: Array, col_only: Array, chains: int, rng: np.random.Generator) -> Array:
    """Draws from the posterior without the columns' side, resampled by the likelihood of that side."""
    size = max(chains, min(_PROPOSALS * chains, _BLOCK // counts.size))
    proposals = _draw(np.broadcast_to(counts, (size, *counts.shape)), row_only, rng)
    height = special.xlogy(col_only, np.maximum(proposals.sum(axis=1), np.finfo(np.float64).tiny)).sum(axis=1)
    weight = np.exp(height - height.max())
    result: Array = proposals[rng.choice(len(proposals), size=chains, p=weight / weight.sum())]
    return result


def _sweep(state: Array, counts: Array, row_only: Array, whole: Array, fraction: Array, rng: np.random.Generator) -> Array:
    """Fill in the columns' incomplete observations, then draw the chances of all chains anew."""
    filled = np.repeat(counts[None], len(state), axis=0)
    for j in np.flatnonzero(whole):
        column = state[:, :, j]
        # A column whose chances have all underflowed gives its observations to its rows as the counts stand.
        shares = np.where(column.sum(axis=1, keepdims=True) > 0, column, counts[:, j])
        filled[:, :, j] += rng.multinomial(int(whole[j]), shares / shares.sum(axis=1, keepdims=True))
    new = _draw(filled, row_only, rng)
    if fraction.any():
        tiny = np.finfo(np.float64).tiny
        gain = (fraction * (np.log(new.sum(axis=1) + tiny) - np.log(state.sum(axis=1) + tiny))).sum(axis=1)
        new = np.where((np.log(rng.random(len(state))) < gain)[:, None, None], new, state)
    return new


def _draw(counts: Array, row_only: Array, rng: np.random.Generator) -> Array:
    """Chances from the posterior with the rows' incomplete observations (size, r, s)."""
    rows = _dirichlet(counts.sum(axis=-1) + row_only, rng)
    return rows[..., None] * _dirichlet(counts, rng)


def _dirichlet(parameters: Array, rng: np.random.Generator) -> Array:
    """Dirichlet draws over the last axis; 0 throughout where all parameters are 0."""
    gammas = rng.standard_gamma(parameters)
    total = gammas.sum(axis=-1, keepdims=True)
    lost = (total[..., 0] <= 0) & (parameters.sum(axis=-1) > 0)
    if lost.any():
        # Tiny parameters: all gammas underflowed. G(a) is about U^(1/a) then, and the largest holds everything.
        few = parameters[lost]
        sizes = np.where(few > 0, ratio(np.log(rng.random(few.shape)), few), -np.inf)
        gammas[lost] = np.eye(few.shape[-1])[sizes.argmax(axis=-1)]
        total = gammas.sum(axis=-1, keepdims=True)
    result: Array = ratio(gammas, total)
    return result
