"""
Laws against the exact posterior
================================

Of a 2 x 2 table the posterior of mutual information can be integrated numerically (``law="quadrature"``). Here are laws of the
same mean and variance beside it, for few observations, where it is hardest: the normal and the beta, which the paper compares,
and the noncentral beta, which is the default.
"""

import matplotlib.pyplot as plt
import numpy as np

import misieve

table = [[8, 2], [4, 16]]
exact = misieve.posterior(table, law="quadrature")
laws = {"normal": "#009e73", "beta": "#d1495b", "noncentral-beta": "#2f6db5"}
fitted = {law: misieve.posterior(table, law=law, variance="exact") for law in laws}

grid = np.linspace(0, 0.45, 120)[1:]
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 3.8), layout="constrained")
left.plot(grid, exact.pdf(grid), color="#1b2a41", linewidth=2.5, label="exact")
for law, p in fitted.items():
    error = p.cdf(grid) - exact.cdf(grid)
    print(f"{law:<16} greatest error of a probability {np.abs(error).max():.4f}")
    left.plot(grid, p.pdf(grid), color=laws[law], linestyle="--", label=law)
    right.plot(grid, error, color=laws[law], label=law)
right.axhline(0, color="#1b2a41", linewidth=0.8)
left.set(title=f"counts {table}", xlabel="mutual information (nats)", ylabel="density", ylim=(0, 7))
right.set(title="error of P(I ≤ x)", xlabel="x (nats)")
left.legend(frameon=False)
plt.show()
