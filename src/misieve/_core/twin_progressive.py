"""The readable twin of ``native/progressive.hpp``: test-then-train over groups of features that share their table.

All features of one call have r values. Row i owns the entries from ``starts[i]`` to ``starts[i + 1]``: the ``features`` whose
value is not 0, and those ``values``. A group's key (width, s) is its table without the row of value 0; with a width of r its
last row counts missing cells, which the table leaves out. The rows of ``order`` come one after the other; groups, tables and
what is learned from them change after each ``batch`` of rows, a round.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["walk_scores", "walk_tables"]

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Floats = NDArray[np.float64]


def walk_tables(
    group: Int32,
    keys: Int32,
    totals: Int64,
    r: int,
    starts: Int64,
    features: Int32,
    values: Int32,
    classes: Int32,
    order: Int64,
    batch: int,
) -> tuple[Int64, Int64, Int32, Int32, Int32, Int32, Int32]:
    """Follow the tables of all features over some rows.

    ``group`` (of each feature), the groups' ``keys`` and the classes' ``totals`` say how things stand before. Returned are, for
    all rounds one after the other, the tables (k, r, s) of the groups that have members; where each round begins in them; the
    groups themselves and how many members they have; then the group to which each entry walked over moves its feature; the
    keys of all groups ever met; and the group of each feature at the end.
    """
    _, width, s = keys.shape
    group, totals = group.copy(), totals.copy()
    known = [key.copy() for key in keys]
    number = {key.tobytes(): g for g, key in enumerate(known)}
    count = np.bincount(group, minlength=len(known)).tolist()
    present: list[int] = []
    _settle(present, range(len(known)), count)
    tables: list[Int64] = []
    begins, alive, members, moves = [0], [], [], []
    for first in range(0, len(order), batch):
        for g in present:
            below = known[g][: r - 1].astype(np.int64)
            tables.append(np.vstack([totals - known[g].sum(axis=0), below]))
            members.append(count[g])
        alive += present
        begins.append(len(alive))
        touched: list[int] = []
        for row in order[first : first + batch].tolist():
            label = int(classes[row])
            for entry in range(int(starts[row]), int(starts[row + 1])):
                old = int(group[features[entry]])
                key = known[old].copy()
                key[values[entry] - 1, label] += 1
                new = number.setdefault(key.tobytes(), len(known))
                if new == len(known):
                    known.append(key)
                    count.append(0)
                count[old] -= 1
                count[new] += 1
                touched += [old, new]
                group[features[entry]] = new
                moves.append(new)
            totals[label] += 1
        _settle(present, touched, count)
    return (
        np.array(tables, dtype=np.int64).reshape(-1, r, s),
        np.array(begins, dtype=np.int64),
        np.array(alive, dtype=np.int32),
        np.array(members, dtype=np.int32),
        np.array(moves, dtype=np.int32),
        np.array(known, dtype=np.int32).reshape(-1, width, s),
        group,
    )


def _settle(present: list[int], touched: "range | list[int]", count: list[int]) -> None:
    """Keep the list of groups with members up to date; the last one takes the place of one that leaves."""
    for g in touched:
        if count[g] > 0 and g not in present:
            present.append(g)
        elif count[g] == 0 and g in present:
            place, last = present.index(g), present.pop()
            if last != g:
                present[place] = last


def walk_scores(
    group: Int32,
    totals: Int64,
    r: int,
    starts: Int64,
    features: Int32,
    values: Int32,
    classes: Int32,
    order: Int64,
    batch: int,
    rounds: Int64,
    alive: Int32,
    members: Int32,
    moves: Int32,
    keys: Int32,
    kept: NDArray[np.uint8],
    rules: int,
    logs: Floats,
) -> tuple[Floats, Int64]:
    """Naive Bayes with the features kept, over the rows of a walk: scores (rows, rules, s) and features used (rounds, rules).

    ``rounds``, ``alive``, ``members``, ``moves`` and ``keys`` are what :func:`walk_tables` returned; bit q of ``kept[p]`` says
    whether rule q keeps the members of ``alive[p]``; ``logs[k]`` is log k. A score is the sum of log P(value | class), one
    added to every count, over the features kept; a missing cell adds nothing.
    """
    s = keys.shape[2]
    group, totals = group.copy(), totals.copy()
    scores = np.zeros((len(order), rules, s))
    used = np.zeros((len(rounds) - 1, rules), dtype=np.int64)
    bits = (kept[:, None] >> np.arange(rules)) & 1
    done = 0
    for index, first in enumerate(range(0, len(order), batch)):
        here = slice(int(rounds[index]), int(rounds[index + 1]))
        now = alive[here]
        known = totals - (keys[now, r - 1] if keys.shape[1] == r else 0)
        at_zero = np.zeros((len(keys), s))
        seen = np.zeros((len(keys), s), dtype=np.int64)
        rule = np.zeros((len(keys), rules))
        seen[now], rule[now] = known, bits[here]
        at_zero[now] = logs[known - keys[now, : r - 1].sum(axis=1) + 1] - logs[known + r]
        weight = bits[here] * members[here, None]
        used[index] = weight.sum(axis=0)
        every_zero = weight.T @ at_zero[now]
        for k in range(first, min(first + batch, len(order))):
            entries = slice(int(starts[order[k]]), int(starts[order[k] + 1]))
            own, value = group[features[entries]], values[entries]
            change = -at_zero[own]
            there = value < r
            change[there] += logs[keys[own[there], value[there] - 1] + 1] - logs[seen[own[there]] + r]
            scores[k] = every_zero + rule[own].T @ change
        for row in order[first : first + batch].tolist():
            entries = slice(int(starts[row]), int(starts[row + 1]))
            size = entries.stop - entries.start
            group[features[entries]] = moves[done : done + size]
            done += size
            totals[classes[row]] += 1
    return scores, used
