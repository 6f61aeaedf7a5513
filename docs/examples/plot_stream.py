"""
A stream that changes its mind
==============================

Counts add up, so a stream is counted batch by batch; and they subtract, so a window slides: add the new batch, take away the
oldest. Here a feature tells about the class for 6000 rows and then no more. All rows so far remember it for long; a window of
2000 rows notices.
"""

from collections import deque

import matplotlib.pyplot as plt
import numpy as np

import misieve

rng = np.random.default_rng(0)
size, batches, window = 250, 48, 8


def batch(i: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the stream: the feature agrees with the class in 65 of 100 rows, later in 50."""
    y = rng.integers(0, 2, size)
    agrees = rng.random(size) < (0.65 if i < batches // 2 else 0.5)
    return np.where(agrees, y, 1 - y)[:, None], y


everything, recent, waiting = None, None, deque()
courses = {"all rows so far": [], f"the last {size * window} rows": []}
for i in range(batches):
    counted = misieve.count(*batch(i), like=everything)
    everything = counted if everything is None else everything + counted
    recent = counted if recent is None else recent + counted
    waiting.append(counted)
    if len(waiting) > window:
        recent = recent - waiting.popleft()
    for course, tables in zip(courses.values(), (everything, recent), strict=True):
        p = misieve.posterior(tables)
        course.append((p.mean()[0], *(end[0] for end in p.interval(0.95))))

# %%
# The posterior mean of the mutual information and its 95 % interval after each batch:

rows = size * np.arange(1, batches + 1)
figure, ax = plt.subplots(figsize=(8.5, 4), layout="constrained")
for (label, course), colour in zip(courses.items(), ("#a3a9b2", "#2f6db5"), strict=True):
    mean, low, high = np.array(course).T
    ax.fill_between(rows, low, high, color=colour, alpha=0.35, linewidth=0)
    ax.plot(rows, mean, color=colour, label=label)
    print(f"{label}: after {rows[-1]} rows {mean[-1]:.4f}, between {low[-1]:.4f} and {high[-1]:.4f}")
ax.axvline(size * batches // 2, color="#1b2a41", linestyle=":", label="the feature stops telling")
ax.set(xlabel="rows", ylabel="mutual information (nats)", ylim=(0, None))
ax.legend(frameon=False)
plt.show()
