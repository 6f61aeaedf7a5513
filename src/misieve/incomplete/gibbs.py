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

# Chains run side by side unless told otherwise, and cells held at a time.
_CHAINS = 250
_BLOCK = 1_000_000
# Burn-in: this many times the time in which a chain forgets where it started, but no more than so many steps.
_FORGET = 8.0
_MOST_BURN_IN = 5_000


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
    the missing fraction of the side that misses fewer; they stand ``chains`` apart in the result. ``burn_in`` is by default 8
    times 1/(1 - that fraction), at most 5,000 steps.
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
    chains = min(draws, _CHAINS if chains is None else chains)
    if burn_in is None:
        lost = float(ratio(col_only, counts.sum(axis=0) + col_only).max())
        burn_in = int(min(_FORGET / max(1.0 - lost, 1e-9), _MOST_BURN_IN)) + 1
    steps = -(-draws // chains)
    result = np.empty((steps, chains))
    whole = np.floor(col_only)
    state = _draw(np.broadcast_to(counts + whole * ratio(counts, counts.sum(axis=0)), (chains, *counts.shape)), row_only, rng)
    for step in range(-burn_in, steps):
        state = _sweep(state, counts, row_only, whole, col_only - whole, rng)
        if step >= 0:
            result[step] = information(state)
    return result.ravel()[:draws]


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
