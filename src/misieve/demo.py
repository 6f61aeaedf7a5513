"""The posterior of one table, in numbers and as a picture: ``python -m misieve.demo``."""

import sys
from pathlib import Path

import numpy as np

from misieve._config import config
from misieve._errors import MissingExtraError
from misieve.posteriors import Posterior, posterior

__all__ = ["describe", "main"]

#: The counts of the paper's figure 1, upper group.
TABLE = [[40, 10], [20, 80]]
EPSILON = 0.003

_BLOCKS = " ▁▂▃▄▅▆▇█"


def describe(p: Posterior, epsilon: float = EPSILON, width: int = 64, height: int = 6) -> str:
    """Mean, sd, 95 % interval and P(I > epsilon) of one table, and its density drawn with block characters."""
    low, high = p.interval(0.95)
    lines = [
        f"mean                {p.mean():.5f} nats   (plug-in {p.empirical:.5f})",
        f"standard deviation  {p.std():.5f}",
        f"95 % interval       {low:.5f} to {high:.5f}",
        f"P(I > {epsilon:g})        {p.sf(epsilon):.6f}",
        "",
    ]
    right = float(p.isf(1e-3))
    grid = (np.arange(width) + 0.5) * right / width
    density = np.asarray(p.pdf(grid))
    eighths = np.rint(density / density.max() * height * 8).astype(int)
    for row in reversed(range(height)):
        lines.append("".join(_BLOCKS[min(max(n - 8 * row, 0), 8)] for n in eighths).rstrip())
    # The interval under the density, as a bar with the mean marked.
    column = [min(int(v / right * width), width - 1) for v in (low, float(p.mean()), high)]
    bar = [("━" if column[0] <= i <= column[2] else "─") for i in range(width)]
    bar[column[1]] = "┿"
    lines.append("".join(bar))
    lines.append(f"0{f'{right / 2:.3f}':^{width - 8}}{right:.3f}")
    return "\n".join(lines)


def main(target: str = "posterior.png") -> None:
    """Print the posterior of the paper's table and, where matplotlib is there, save its picture."""
    p = posterior(TABLE)
    print("How sure can you be of a dependence? Counts of a feature (rows) against a class (columns):\n")
    for row in TABLE:
        print("   " + "".join(f"{n:6d}" for n in row))
    print("\nPosterior of their mutual information, uniform prior:\n")
    print(describe(p))
    try:
        from misieve.plots import plot

        figure = plot(p, epsilon=EPSILON).get_figure()
    except MissingExtraError as missing:
        print(f"\n(no picture: {missing})")
    else:
        figure.savefig(target, dpi=150)  # type: ignore[union-attr]
        print(f"\npicture: {Path(target).resolve()}")
    facts = config()
    print(f"core: {facts['core']} ({facts['compiler']})")


if __name__ == "__main__":
    main(*sys.argv[1:2])
