"""The walk over the rows, stretch by stretch: tables out, verdicts in, predictions out.

A stretch is as many rounds as keep its tables within a bounded number of cells. Walking (in this thread) only counts, so it
runs ahead; verdicts and naive Bayes of a stretch wait for nobody and are computed in a pool of threads. The results do not
depend on how many there are.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._core import kernels
from misieve._threads import threads
from misieve.progressive.coding import Block, Coded
from misieve.progressive.filters import Filters
from misieve.progressive.verdicts import Tabled, verdicts

__all__ = ["walk"]

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Floats = NDArray[np.float64]

# Cells of all tables of a stretch: 32 MB.
_CELLS = 1 << 22
# Scores that differ by less than this, relative to their size, are equal: what differs is the order of their sums.
_EQUAL = 1e-12


@dataclass(frozen=True)
class _Walked:
    """A block over a stretch: how its groups stood before, and what the kernel found."""

    block: Block
    group: Int32
    tabled: Tabled
    found: tuple[Any, ...]


def walk(
    coded: Coded,
    filters: Filters,
    orders: Int64,
    batch: int,
    rng: np.random.Generator,
    advance: Callable[[int], None],
) -> tuple[Int32, Int64]:
    """Predicted class and number of features used, (rules, orders, rows) each, for rows in the given orders."""
    count, rows = orders.shape
    predicted = np.zeros((len(filters.rules), count, rows), dtype=np.int32)
    used = np.zeros((len(filters.rules), count, rows), dtype=np.int64)
    cells = sum(block.size * block.r for block in coded.blocks) * len(coded.classes)
    length = batch * max(1, _CELLS // max(cells, 1))
    longest = max((block.r for block in coded.blocks), default=0)
    logs = np.log(np.maximum(np.arange(rows + longest + 2), 1))
    jobs = threads(None)
    pending: deque[tuple[int, int, Future[tuple[Int32, Int64]]]] = deque()

    def collect(most: int) -> None:
        while len(pending) > most:
            which, first, future = pending.popleft()
            found, kept = future.result()
            predicted[:, which, first : first + found.shape[1]] = found
            used[:, which, first : first + found.shape[1]] = kept
            advance(found.shape[1])

    with ThreadPoolExecutor(jobs) as pool:
        for which, order in enumerate(orders):
            totals = np.zeros(len(coded.classes), dtype=np.int64)
            states = [_fresh(block, len(coded.classes)) for block in coded.blocks]
            for first in range(0, rows, length):
                stretch = np.ascontiguousarray(order[first : first + length])
                walked = []
                for place, (block, state) in enumerate(zip(coded.blocks, states, strict=True)):
                    walked.append(_follow(block, coded.labels, state, totals, stretch, batch))
                    states[place] = _carried(walked[-1])
                stage = (coded, filters, walked, totals, stretch, batch, logs, rng.spawn(1)[0])
                pending.append((which, first, pool.submit(_judge, *stage)))
                totals = totals + np.bincount(coded.labels[stretch], minlength=len(totals))
                collect(2 * jobs)
        collect(0)
    return predicted, used


def _fresh(block: Block, s: int) -> tuple[Int32, Int32]:
    """Before the first row all features are in one group, whose key is empty."""
    width = block.r if block.with_missing else block.r - 1
    return np.zeros(block.size, dtype=np.int32), np.zeros((1, width, s), dtype=np.int32)


def _follow(block: Block, labels: Int32, state: tuple[Int32, Int32], totals: Int64, stretch: Int64, batch: int) -> _Walked:
    group, keys = state
    found = kernels.walk_tables(
        group, keys, totals, block.r, block.starts, block.features, block.values, labels, stretch, batch
    )
    tables, begins, _, members = found[:4]
    rounds = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    return _Walked(block, group, Tabled(tables, rounds, members), found)


def _carried(walked: _Walked) -> tuple[Int32, Int32]:
    """The groups that have members after a stretch, numbered anew."""
    keys, group = walked.found[5], walked.found[6]
    present = np.bincount(group, minlength=len(keys)) > 0
    return (np.cumsum(present, dtype=np.int32) - np.int32(1))[group], keys[present]


def _completed(walked: _Walked, totals: Int64) -> Tabled:
    """The tables together with the classes of the rows that they leave out, given the classes (rounds, s) of all rows."""
    tabled = walked.tabled
    return replace(tabled, col_only=totals[tabled.rounds] - tabled.tables.sum(axis=1))


def _judge(
    coded: Coded,
    filters: Filters,
    walked: list[_Walked],
    totals: Int64,
    stretch: Int64,
    batch: int,
    logs: Floats,
    rng: np.random.Generator,
) -> tuple[Int32, Int64]:
    """Verdicts and predictions of one stretch: (rules, rows) each."""
    s, rules = len(coded.classes), len(filters.rules)
    firsts = np.arange(0, len(stretch), batch)
    seen = np.zeros((len(stretch) + 1, s), dtype=np.int64)
    seen[np.arange(1, len(stretch) + 1), coded.labels[stretch]] = 1
    by_round = totals + seen.cumsum(axis=0)[firsts]
    tabled = [_completed(part, by_round) if coded.modelled and part.block.with_missing else part.tabled for part in walked]
    kept = verdicts(filters, tabled, filters.thresholds(by_round), rng)
    round_of_row = np.arange(len(stretch)) // batch
    scores = np.repeat(np.log(by_round + 1.0)[round_of_row, None, :], rules, axis=1)
    used = np.zeros((len(firsts), rules), dtype=np.int64)
    used += np.array([coded.constant if rule == "all" else 0 for rule in filters.rules])
    for part, bits in zip(walked, kept, strict=True):
        block = part.block
        _, begins, alive, members, moves, keys, _ = part.found
        score, use = kernels.walk_scores(
            part.group, totals, block.r, block.starts, block.features, block.values, coded.labels, stretch, batch,
            begins, alive, members, moves, keys, bits, rules, logs,
        )  # fmt: skip
        scores += score
        used += use
    best = scores.max(axis=2, keepdims=True)
    equal = scores >= best - _EQUAL * (1.0 + np.abs(best))
    return equal.argmax(axis=2).T.astype(np.int32), used[round_of_row].T
