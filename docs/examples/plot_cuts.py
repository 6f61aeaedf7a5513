"""
Where a continuous column is cut
================================

Fayyad and Irani's method cuts a column where the class changes, as long as a cut is worth its description. Cells of the
breast cancer data: malignant ones are larger and more concave, and the cuts lie where the mixture of the two classes changes.
Quantile bins, which do not look at the class, are beside them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import misieve

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
names = ["mean radius", "worst concave points", "mean symmetry"]
mdl = misieve.count(X[names], y, bins="mdl")
quantiles = misieve.count(X[names], y, bins=4)
for label, tables in (("mdl", mdl), ("four quantiles", quantiles)):
    p = misieve.posterior(tables)
    for i, name in enumerate(names):
        cuts = ", ".join(f"{cut:.4g}" for cut in tables.cuts[name])
        print(f"{label:<15} {name:<21} cuts {cuts:<26} {p.mean()[i]:.3f} +- {p.std()[i]:.3f} nats")

# %%
# Solid lines are the cuts that look at the class, dotted ones the quartiles.

figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for ax, name in zip(axes, names, strict=True):
    edges = np.linspace(X[name].min(), X[name].max(), 36)
    for diagnosis, colour, label in ((1, "#9db8d9", "benign"), (0, "#d1495b", "malignant")):
        ax.hist(X[name][y == diagnosis], edges, color=colour, alpha=0.75, label=label)
    for tables, style in ((mdl, "-"), (quantiles, ":")):
        for cut in tables.cuts[name]:
            ax.axvline(cut, color="#1b2a41", linestyle=style, linewidth=1.4)
    ax.set(title=name, ylabel="cells" if ax is axes[0] else "")
axes[0].legend(frameon=False)
plt.show()
