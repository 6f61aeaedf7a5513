"""
Noise of many values
====================

A column of noise with many values shares much of its entropy with any target *in the sample*, and a Dirichlet prior alone
takes part of that for real. ``independence=0.0`` is the paper's filter: it keeps such noise. By default misieve gives
independence a probability of its own, learned from all features, and the evidence of the counts decides.

2000 rows and two classes; noise of 2, 10, 100 and 1000 values and an identifier; two weak signals.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import misieve

rng = np.random.default_rng(0)
n = 2000
y = rng.integers(0, 2, n)
lean = np.where(y == 1, 1, -1)
columns = {f"noise_{values}": rng.integers(0, values, n) for values in (2, 10, 100, 1000)}
columns["noise_id"] = rng.permutation(n)
columns["signal_2"] = rng.random(n) < 0.5 + 0.1 * lean
columns["signal_10"] = np.floor(10 * rng.beta(1 + 0.16 * (1 + lean), 1 + 0.16 * (1 - lean))).astype(int)
X = pd.DataFrame(columns).astype(str)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    tables = misieve.count(X, y)
print("warning:", said[0].message)

# %%
# What both settings keep, and what they take the chance of independence to be:

titles = {0.0: "independence=0.0: the paper's filter", "auto": 'independence="auto": the default'}
chosen = {mass: misieve.select(tables, independence=mass) for mass in titles}
for mass, selection in chosen.items():
    print(f"independence={mass!r} keeps {', '.join(selection.kept)}")
print(chosen["auto"].to_frame()[["feature", "mean", "independence", "reason"]].round(4).to_string(index=False))

# %%
# An identifier can tell nothing about independence: each value occurs once, so the counts are as probable either way and
# the chance of independence stays at what the other features suggest. It is not *sure* to matter, and that is enough.

figure, axes = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained", sharex=True)
for ax, (mass, title) in zip(axes, titles.items(), strict=True):
    misieve.plot(chosen[mass], ax)
    ax.set_title(title, loc="left")
plt.show()
