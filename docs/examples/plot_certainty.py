"""
The same frequencies, five times as often
=========================================

Two tables with the same relative frequencies, one of 30 observations and one of 150. The estimates of the mutual information
are nearly the same. How sure one can be that it exceeds a threshold is not, and that is what the posterior tells.
"""

import matplotlib.pyplot as plt
import numpy as np

import misieve

few = np.array([[8, 2], [4, 16]])  # rows: values of a feature, columns: classes
epsilon = 0.05

figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", sharex=True)
for ax, table in zip(axes, (few, 5 * few), strict=True):
    p = misieve.posterior(table)
    misieve.plot(p, ax, epsilon=epsilon)
    ax.set_title(f"counts {table.tolist()}: {p.observations:.0f} observations", loc="left")
    print(f"{table.tolist()}: {p}\n   P(I > {epsilon}) = {p.sf(epsilon):.3f}")
axes[0].set_xlim(0, 0.45)
plt.show()
