"""
A rare target: a share of the entropy, or nats
==============================================

A feature that is five times as frequent among the positives matters, whether one row in two or one in a thousand is positive.
But its mutual information is bounded by the target's entropy, which shrinks as positives get rare. A threshold in nats, such as
the paper's .003, then drops it whatever the number of rows; a share of the entropy, misieve's default, follows.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import entr

import misieve

rng = np.random.default_rng(0)
thresholds = {"0.003 nats": (0.003, "nats"), "half a percent of the entropy": (0.005, "share")}


def table(positives: float, rows: int = 200_000) -> misieve.Tables:
    """Count a feature that one row in five of the positives has, and one in twenty-five of the others."""
    ill = rng.random(rows) < positives
    risk = rng.random(rows) < np.where(ill, 0.20, 0.04)
    return misieve.count(risk[:, None], ill)


# %%
# One row in a hundred is positive:

rare = table(0.01)
for label, (epsilon, unit) in thresholds.items():
    selection = misieve.select(rare, epsilon=epsilon, unit=unit)
    print(f"{label}: kept {selection.kept}, because {selection.reason[0]}")

# %%
# From one in a thousand to one in two. The band is the 95 % interval; it lies above the share of the entropy wherever it
# is above 0, and above .003 nats only where positives are frequent.

shares = np.geomspace(0.001, 0.5, 25)
intervals = np.array([misieve.posterior(table(share)).interval(0.95) for share in shares])[:, :, 0]
entropy = entr(shares) + entr(1 - shares)

figure, ax = plt.subplots(figsize=(8, 4.2), layout="constrained")
ax.fill_between(shares, *intervals.T, color="#2f6db5", alpha=0.4, label="the feature: 95 % interval, 200 000 rows")
ax.plot(shares, np.full_like(shares, 0.003), color="#d1495b", linestyle="--", label="threshold: .003 nats")
ax.plot(shares, 0.005 * entropy, color="#1b2a41", linestyle=":", label="threshold: half a percent of the target's entropy")
ax.set(xscale="log", yscale="log", xlabel="share of positives", ylabel="mutual information (nats)")
ax.set_title("the same fivefold risk, rarer and rarer outcomes", loc="left")
ax.legend(frameon=False)
plt.show()
