"""River's progressive validation: Bernoulli naive Bayes in front of no filter."""

import numpy as np

NAME = "river"


def progressive(X: np.ndarray, y: np.ndarray) -> float:
    """Accuracy of test-then-train; a row is the dict of its features that are not 0, as river's naive Bayes takes it."""
    from river import evaluate, metrics, naive_bayes

    rows = [{int(place): bool(value) for place, value in zip(np.flatnonzero(x), x[x != 0], strict=True)} for x in X]
    metric = metrics.Accuracy()
    evaluate.progressive_val_score(zip(rows, y.tolist(), strict=True), naive_bayes.BernoulliNB(), metric)
    return float(metric.get())
