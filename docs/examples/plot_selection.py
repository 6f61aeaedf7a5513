"""
What to keep of a table
=======================

The breast cancer data of scikit-learn, with two columns that a selector must not fall for: ``noise``, a hundred values drawn
by lot, and ``record``, another value in each row. The picture shows, for every feature, the quantiles of its mutual
information at 5 and 95 %: the forward rule keeps a feature if both are right of the threshold.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import misieve

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X["noise"] = np.random.default_rng(0).integers(0, 100, len(X)).astype(str)
X["record"] = [f"r{i}" for i in range(len(X))]

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    selector = misieve.MISelector().fit(X, y)
print("warning:", said[0].message)
print(selector.selection_)

# %%
# The reasons, for the features nearest to the threshold and for those left out:

reasons = selector.selection_.to_frame().set_index("feature")
print(reasons.sort_values("probability").head(8)[["kept", "reason"]].to_string())

# %%
# A continuous column in which no cut tells the classes apart has no counts to draw, and stands at 0.

ax = misieve.plot(selector.selection_)
ax.set_title("breast cancer: the middle 90 % of each posterior", loc="left")
plt.show()
