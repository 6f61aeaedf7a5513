"""
From SelectKBest to MISelector
==============================

``SelectKBest(mutual_info_classif)`` needs to be told how many features to keep. ``MISelector`` keeps those that surely matter,
however many there are. Both in front of the same classifier, on data that come with scikit-learn, with every column a second
time in another order: those tell nothing.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from misieve import MISelector

known = {}


def score(X, y):
    """Return scikit-learn's estimates, found once for each fold; whole numbers are declared to be discrete, as it wants."""
    key = X.tobytes()
    if key not in known:
        known[key] = mutual_info_classif(X, y, discrete_features=np.array_equal(X, X.astype(int)), random_state=0)
    return known[key]


def judge(selector, X, y):
    """Features kept, how many of them shuffled, and accuracy: means over three folds."""
    model = make_pipeline(selector, StandardScaler(), KNeighborsClassifier())
    runs = cross_validate(model, X, y, cv=3, return_estimator=True)
    masks = np.array([run[0].get_support() for run in runs["estimator"]])
    return masks.sum(axis=1).mean(), masks[:, X.shape[1] // 2 :].sum(axis=1).mean(), runs["test_score"].mean()


rng = np.random.default_rng(0)
figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for ax, (name, load) in zip(axes, {"breast cancer": load_breast_cancer, "digits": load_digits}.items(), strict=True):
    X, y = load(return_X_y=True)
    X = np.hstack([X, rng.permuted(X, axis=0)])
    print(f"{name}: {X.shape[0]} rows, {X.shape[1] // 2} features and as many shuffled ones")
    ks = [10, X.shape[1] // 3, X.shape[1] // 2, X.shape[1]]
    best = [judge(SelectKBest(score, k=k), X, y) for k in ks]
    ours = judge(MISelector(), X, y)
    labels = [*(f"SelectKBest(k={k})" for k in ks), "MISelector()"]
    for label, (kept, shuffled, accuracy) in zip(labels, [*best, ours], strict=True):
        print(f"  {label:<20} keeps {kept:5.1f}, {shuffled:4.1f} of them shuffled; accuracy {accuracy:.3f}")
    ax.plot(ks, [accuracy for *_, accuracy in best], "o-", color="#a3a9b2", label="SelectKBest, for each k")
    ax.plot(ours[0], ours[2], "D", color="#2f6db5", markersize=9, label="MISelector()")
    ax.set(title=name, xlabel="features kept", ylabel="accuracy (3 folds)")
    ax.legend(frameon=False, loc="lower center")
plt.show()
