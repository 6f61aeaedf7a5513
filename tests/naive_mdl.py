"""Fayyad and Irani's discretisation in plain Python, slowly and without rounding, to compare the cores with.

Every border between distinct values is tried. Scores are compared as rational numbers: with class weights L and R at the two
sides of a border, 2^(-N_L H_L - N_R H_R) = prod L^L prod R^R / (N_L^N_L N_R^N_R) is rational where the weights are whole,
and weights are made whole by a common factor, which does not change the order of scores.
"""

import math
from fractions import Fraction
from itertools import pairwise


def naive_cuts(values, classes, weights=None, *, test=True, max_bins=None):
    weights = [Fraction(w) for w in (weights if weights is not None else [1] * len(values))]
    scale = math.lcm(*(w.denominator for w in weights)) if weights else 1
    rows = [(v, c, w) for v, c, w in zip(values, classes, weights, strict=True) if w > 0 and not math.isnan(v)]
    cuts = []
    intervals = [rows]
    while max_bins is None or len(cuts) + 1 < max_bins:
        best = None
        for i, interval in enumerate(intervals):
            split = best_split(interval, scale, test)
            if split and (best is None or split[0] > best[0]):
                best = (*split, i)
        if best is None:
            break
        _, lower, upper, i = best
        left = [row for row in intervals[i] if row[0] <= lower]
        right = [row for row in intervals[i] if row[0] >= upper]
        intervals[i : i + 1] = [left, right]
        cuts.append(middle(lower, upper))
    return sorted(cuts)


def best_split(rows, scale, test):
    """The odds 2^gain of the best split that is kept and the values beside it, or None."""
    distinct = sorted({v for v, _, _ in rows})
    total = weigh(rows)
    candidates = []
    for lower, upper in pairwise(distinct):
        left, right = weigh(r for r in rows if r[0] <= lower), weigh(r for r in rows if r[0] >= upper)
        score = power(left, scale) * power(right, scale)
        candidates.append((-score, abs(sum(left.values()) - sum(right.values())), lower, upper, left, right))
    if not candidates:
        return None
    score, _, lower, upper, left, right = min(candidates, key=lambda candidate: candidate[:3])
    odds = -score / power(total, scale)
    kept = pays(total, left, right) if test else odds > 1
    return (odds, lower, upper) if kept else None


def weigh(rows):
    weights = {}
    for _, c, w in rows:
        weights[c] = weights.get(c, 0) + w
    return weights


def power(weights, scale):
    """2^(-N H), to the power of ``scale``."""
    whole = [int(w * scale) for w in weights.values()]
    return Fraction(math.prod(w**w for w in whole), sum(whole) ** sum(whole))


def entropy(weights):
    n = sum(weights.values())
    return -sum(float(w / n) * math.log2(w / n) for w in weights.values())


def pays(total, left, right):
    n = float(sum(total.values()))
    after = sum(float(sum(part.values())) * entropy(part) for part in (left, right))
    k, k1, k2 = len(total), len(left), len(right)
    delta = math.log2(3**k - 2) - (k * entropy(total) - k1 * entropy(left) - k2 * entropy(right))
    return entropy(total) - after / n > (math.log2(max(n - 1, 1)) + delta) / n


def middle(lower, upper):
    half = float((Fraction(lower) + Fraction(upper)) / 2)
    return half if half < upper else lower
