"""
Which pixels tell the digits apart
==================================

Handwritten digits of 8 x 8 pixels. Each pixel is a feature of 17 shades of grey, and its mutual information with the digit has
a posterior. The threshold says which pixels are worth keeping: here at least a tenth of what is uncertain about the digit.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import misieve

X, y = load_digits(return_X_y=True)
tables = misieve.count(X.astype(int), y)
p = misieve.posterior(tables, independence="auto")
selection = misieve.select(p, epsilon=0.1)
print(selection)

# %%
# Left, what each pixel tells; in the middle, how sure it is that this exceeds the threshold; right, an average digit, with the
# pixels kept framed.

figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
first = axes[0].imshow(p.mean().reshape(8, 8), cmap="Blues")
figure.colorbar(first, ax=axes[0], label="posterior mean (nats)", shrink=0.8)
second = axes[1].imshow(selection.probability.reshape(8, 8), cmap="Blues", vmin=0, vmax=1)
figure.colorbar(second, ax=axes[1], label="P(I > a tenth of the entropy)", shrink=0.8)
axes[2].imshow(X.mean(axis=0).reshape(8, 8), cmap="Greys")
for row, column in np.argwhere(selection.support.reshape(8, 8)):
    axes[2].add_patch(plt.Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="#2f6db5", linewidth=1.8))
for ax, title in zip(axes, ("what a pixel tells", "how sure it is enough", f"{len(selection.kept)} of 64 kept"), strict=True):
    ax.set(title=title, xticks=[], yticks=[])
plt.show()
