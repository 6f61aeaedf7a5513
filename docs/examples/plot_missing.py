"""
Missing values: by lot, or for a reason
=======================================

A marker that all the ill have measured but only a tenth of the others, drawn by lot: leaving out the rows without it
(``"pairwise"``) takes the classes of the rest for the classes of all. The model of incomplete samples (``"model"``) does not.
And a test that is ordered for a reason: there the gap is the message, and ``"category"`` hears it.
"""

import matplotlib.pyplot as plt
import numpy as np

import misieve

rng = np.random.default_rng(1)
ill = rng.random(5000) < 0.1
marker = np.where(rng.random(5000) < np.where(ill, 0.8, 0.2), 1.0, 0.0)
measured = ill | (rng.random(5000) < 0.1)
known = np.where(measured, marker, np.nan)

by_lot = {"all measured": misieve.posterior(misieve.count(marker[:, None], ill))}
by_lot |= {f'"{m}"': misieve.posterior(misieve.count(known[:, None], ill, missing=m)) for m in ("pairwise", "model")}

ordered = rng.random(5000) < np.where(ill, 0.9, 0.3)  # the doctor's impression is good
test = np.where(rng.random(5000) < np.where(ill, 0.55, 0.5), 1.0, 0.0)  # the test is not
test[~ordered] = np.nan
for_a_reason = {f'"{m}"': misieve.posterior(misieve.count(test[:, None], ill, missing=m)) for m in ("model", "category")}

for title, found in (("by lot", by_lot), ("for a reason", for_a_reason)):
    for label, p in found.items():
        print(f"{title:<13} {label:<13} {p.mean()[0]:.4f} +- {p.std()[0]:.4f} nats")

# %%
# The posteriors. On the left the truth is known, for all were measured before the lots were drawn; only the model finds it.

figure, axes = plt.subplots(1, 2, figsize=(10.5, 3.8), layout="constrained")
colours = {"all measured": "#1b2a41", '"model"': "#2f6db5", '"pairwise"': "#d1495b", '"category"': "#009e73"}
titles = ("a marker, measured by lot", "a test, ordered for a reason")
for ax, title, found in zip(axes, titles, (by_lot, for_a_reason), strict=True):
    right = 1.05 * max(float(p.isf(1e-4)[0]) for p in found.values())
    grid = np.linspace(0, right, 800)[1:, None]
    for label, p in found.items():
        density = p.pdf(grid)[:, 0]
        density /= density.max()
        ax.plot(grid[:, 0], density, color=colours[label], linestyle="--" if label == "all measured" else "-", label=label)
        ax.fill_between(grid[:, 0], density, color=colours[label], alpha=0.12)
    ax.set(title=title, xlabel="mutual information (nats)", ylabel="density, highest = 1", xlim=(0, right), ylim=(0, 1.08))
    ax.legend(frameon=False, loc="upper center")
plt.show()
