"""
How many of the kept features are false
=======================================

2000 binary features, a hundred of which depend on the class, and 1000 rows. The ``"fdr"`` rule keeps as many features as it can
while the expected share of false ones stays at most 1 - ``level``: five in a hundred. Pearson's tests with Benjamini and
Hochberg's procedure control the same share. With ``epsilon=0`` a feature is false if it is independent of the class, which is
what a test tests; any other epsilon asks for features that matter, which a test cannot.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import chi2, false_discovery_control

import misieve

rng = np.random.default_rng(0)
rows, features, informative = 1000, 2000, 100
y = rng.integers(0, 2, rows)
depends = np.arange(features) < informative
shift = np.where(depends, rng.uniform(0.05, 0.25, features), 0.0)
X = (rng.random((rows, features)) < 0.5 + shift * (y[:, None] - 0.5)).astype(np.uint8)

tables = misieve.count(X, y)
p = misieve.posterior(tables, independence="auto")
kept = {rule: misieve.select(p, rule=rule, epsilon=0.0).support for rule in ("fdr", "forward")}

# %%
# Pearson's statistic of each 2 x 2 table, and Benjamini and Hochberg's procedure:

((_, counts),) = tables.blocks()  # all tables have the same shape
a, b, c, d = counts.reshape(features, 4).T.astype(float)
pearson = rows * (a * d - b * c) ** 2 / ((a + b) * (c + d) * (a + c) * (b + d))
kept["Benjamini-Hochberg"] = false_discovery_control(chi2.sf(pearson, 1)) <= 0.05

for rule, support in kept.items():
    true, false = (support & depends).sum(), (support & ~depends).sum()
    print(f"{rule:<19} keeps {support.sum()}: {true} of the {informative} that depend, and {false} false")

# %%
# Taking the features from the most probable on: the share of false ones that the posterior expects, and the true share.

order = np.argsort(-p.sf(0.0), kind="stable")[:200]
ranks = np.arange(1, len(order) + 1)
figure, ax = plt.subplots(figsize=(8.5, 4), layout="constrained")
ax.plot(ranks, np.cumsum(1 - p.sf(0.0)[order]) / ranks, color="#2f6db5", label="expected from the posterior")
ax.step(ranks, np.cumsum(~depends[order]) / ranks, color="#1b2a41", linewidth=1, label="true")
ax.axhline(0.05, color="#d1495b", linestyle=":", label="allowed")
for (rule, support), height in zip(kept.items(), (0.62, 0.74, 0.86), strict=True):
    ax.axvline(support.sum(), color="#a3a9b2", linestyle="--", linewidth=1)
    ax.annotate(f"{rule} keeps {support.sum()}", (support.sum(), height), (4, 0), "data", "offset points")
ax.set(xlabel="features kept, most probable first", ylabel="share of false ones", xlim=(0, len(order)), ylim=(0, 1))
ax.legend(frameon=False, loc="upper right")
plt.show()
