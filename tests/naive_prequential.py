"""The slow, obvious twin of misieve.prequential: every table at every step, naive Bayes in exact fractions."""

from fractions import Fraction

import numpy as np

import misieve


def naive_prequential(codes, labels, sizes, *, rules, epsilon=0.003, level=0.95, batch=1, modelled=False, **options):
    """Predicted classes and features used, (rules, n): codes (n, m) with -1 for missing, sizes the number of values of each."""
    n, features = codes.shape
    s = max(labels) + 1
    tables = [np.zeros((r, s), dtype=int) for r in sizes]
    class_counts = [0] * s
    predicted = {rule: [] for rule in rules}
    used = {rule: [] for rule in rules}
    kept = {}
    for k in range(n):
        if k % batch == 0:
            model = [table.copy() for table in tables]
            model_classes = list(class_counts)
            kept = {rule: [] for rule in rules}
            unseen = [np.array(model_classes) - table.sum(axis=0) if modelled else np.zeros(s) for table in model]
            empirical, above, below = of_features(model, unseen, epsilon, **options)
            for f in range(features):
                verdicts = {
                    "forward": above[f] >= level,
                    "empirical": empirical[f] > epsilon,
                    "backward": not below[f] >= level,
                    "all": True,
                }
                for rule in rules:
                    if verdicts[rule]:
                        kept[rule].append(f)
        for rule in rules:
            chances = []
            for c in range(s):
                chance = Fraction(model_classes[c] + 1)
                for f in kept[rule]:
                    value = codes[k, f]
                    if value >= 0:
                        chance *= Fraction(int(model[f][value, c]) + 1, int(model[f][:, c].sum()) + sizes[f])
                chances.append(chance)
            predicted[rule].append(chances.index(max(chances)))
            used[rule].append(len(kept[rule]))
        for f in range(features):
            if codes[k, f] >= 0:
                tables[f][codes[k, f], labels[k]] += 1
        class_counts[labels[k]] += 1
    return predicted, used


def of_features(tables, unseen, epsilon, **options):
    """J, P(I > epsilon) and P(I <= epsilon) of each feature, given the classes of rows without it; one shape together."""
    found = np.empty((3, len(tables)))
    shapes = [table.shape for table in tables]
    for shape in set(shapes):
        own = [f for f in range(len(tables)) if shapes[f] == shape]
        p = misieve.incomplete_posterior(
            np.array([tables[f] for f in own]), col_only=np.array([unseen[f] for f in own]), **options
        )
        found[:, own] = p.empirical, p.sf(epsilon), p.cdf(epsilon)
    return found
