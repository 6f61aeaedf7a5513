r"""Write ``probability.json``: P(I <= t) of 2 x 2 tables by a double integral of a beta distribution function.

    python tests/reference/make_probability.py  # about two minutes on one core

**Method.**  Under the posterior of a table [[k, l], [m, o]] the row margin u ~ Beta(k+l, m+o) and the shares of the first
column in the two rows, a ~ Beta(k, l) and b ~ Beta(m, o), are independent, and with the binary entropy h

.. math:: I = h(ua + (1-u)b) - u h(a) - (1-u) h(b)

is convex in b with its minimum 0 at b = a.  So I > t below a root b_- < a and above a root b_+ > a.  The part below is

.. math:: E_u [ 1\{h(u) > t\} \int_{a_0(u)}^1 F_b(b_-(u, a)) dF_a(a) ],    I(u, a_0, 0) = t,

because I(u, a, 0) grows from 0 to h(u) with a; the part above is the same for the table with its columns swapped, and P(I > t)
is their sum.  All kinks lie on the borders of these integrals, where the double exponential rule wants them.

**Precision.**  Doubles and SciPy's regularised incomplete beta function, sums of positive terms.  Each value is computed with
two steps, and an error is raised if they differ by more than a tenth of the allowed absolute error of 1e-10.  As a check from
outside, the integrals of P(I > t) and 2 t P(I > t) over t give E[I] and E[I^2] of ``exact_moments``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import betainc, betaln, xlog1py, xlogy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reference.cases import PROBABILITY

Array = NDArray[np.float64]
THRESHOLDS = (0.001, 0.003, 0.01, 0.05, 0.2)
TOLERANCE = 1e-10
NEGLIGIBLE = 1e-18
REACH = 5.0  # exp(-pi sinh(5)) to the power of a cell of .25 is still below 1e-25
TABLES: tuple[ArrayLike, ...] = (
    [[1, 1], [1, 1]],
    [[0.5, 0.5], [0.5, 0.5]],
    [[0.5, 1.5], [2.5, 0.5]],
    [[1.25, 1.25], [1.25, 1.25]],
    [[1.25, 0.5], [1, 1.25]],
    [[10.25, 0.25], [0.25, 10.25]],
    [[1, 2], [3, 4]],
    [[2, 1], [1, 2]],
    [[5.5, 0.5], [0.5, 5.5]],
    [[0.5, 10.5], [20.5, 0.5]],
    [[8, 2], [4, 16]],
    [[3, 7], [6, 1]],
    [[11, 1], [1, 1]],
    [[30.5, 0.5], [9.5, 0.5]],
    [[101, 1], [51, 1]],
    [[20, 5], [10, 40]],
    [[20, 10], [10, 5]],
    [[25, 25], [25, 25]],
    [[41.25, 11.25], [21.25, 81.25]],
    [[40, 10], [20, 80]],
    [[50, 30], [30, 50]],
    [[90.5, 0.5], [0.5, 9.5]],
    [[60, 40], [55, 45]],
    [[200, 10], [180, 12]],
    [[100, 100], [100, 100]],
    [[100, 120], [130, 90]],
    [[300.5, 0.5], [100.5, 2.5]],
    [[250, 50], [40, 260]],
    [[1000, 1], [1, 1]],
    [[1000, 1], [1, 1000]],
    [[1000, 0.5], [1.25, 10]],
    [[1000, 1000], [1.25, 0.5]],
    [[1000, 30], [30, 2]],
    [[500, 400], [400, 300]],
    [[500, 450], [400, 500]],
    [[900, 600], [300, 800]],
    [[1000, 1000], [1000, 1000]],
    [[1000, 900], [900, 1000]],
    [[1000, 400], [500, 1000]],
    [[1000, 100], [100, 1000]],
)


def unit_nodes(step: float) -> tuple[Array, Array, Array]:
    """Return x, 1 - x and weights of the double exponential rule on (0, 1)."""
    v = step * np.arange(-np.ceil(REACH / step), np.ceil(REACH / step) + 1)
    log_odds = np.pi * np.sinh(v)
    x, y = 1 / (1 + np.exp(-log_odds)), 1 / (1 + np.exp(log_odds))
    return x, y, step * np.pi * np.cosh(v) * x * y


def information(u: Array, a: Array, one_minus_a: Array, b: Array) -> Array:
    """Return I of the row margin u and of the shares a and b of the first column in either row."""
    first, second = u * a + (1 - u) * b, u * one_minus_a + (1 - u) * (1 - b)
    rows = u * (xlogy(a, a) + xlogy(one_minus_a, one_minus_a)) + (1 - u) * (xlogy(b, b) + xlog1py(1 - b, -b))
    return rows - xlogy(first, first) - xlogy(second, second)


def decreasing_root(f: Callable[[Array], Array], upper: Array) -> Array:
    """Return where f, positive at 0 and negative at ``upper``, crosses zero, by halving exponents first and lengths then."""
    low, high = np.zeros_like(upper), upper.copy()
    for k in range(70):
        middle = np.where((k < 10) & (low == 0), high * 2.0**-6, (low + high) / 2)
        positive = f(middle) > 0
        low, high = np.where(positive, middle, low), np.where(positive, high, middle)
    return (low + high) / 2


def below(table: Array, threshold: float, step: float) -> float:
    """Return P(I > threshold and b < a)."""
    (k, other), (m, o) = table
    least = brentq(lambda u: -xlogy(u, u) - xlog1py(1 - u, -u) - threshold, 0.0, 0.5, xtol=1e-300, rtol=1e-15)
    x, y, weights = unit_nodes(step)
    u, one_minus_u = least * y + (1 - least) * x, least * x + (1 - least) * y
    u_weights = weights * (1 - 2 * least) * beta_density(u, one_minus_u, k + other, m + o)
    keep = u_weights > NEGLIGIBLE
    u, u_weights = u[keep], u_weights[keep]
    # In terms of 1 - a, which starts at 0, I(u, a, 0) - t falls from h(u) - t to -t.
    span = decreasing_root(lambda z: information(u, 1 - z, z, np.zeros_like(u)) - threshold, np.ones_like(u))
    one_minus_a = span[:, None] * y
    a = (1 - span)[:, None] + span[:, None] * x
    weight = (u_weights * span)[:, None] * weights * beta_density(a, one_minus_a, k, other)
    keep = weight > NEGLIGIBLE
    a, one_minus_a, weight = a[keep], one_minus_a[keep], weight[keep]
    u = np.broadcast_to(u[:, None], keep.shape)[keep]
    root = decreasing_root(lambda b: information(u, a, one_minus_a, b) - threshold, a)
    return float(np.sum(weight * betainc(m, o, root)))


def beta_density(x: Array, one_minus_x: Array, alpha: float, beta: float) -> Array:
    """Return the density of Beta(alpha, beta)."""
    return np.exp((alpha - 1) * np.log(x) + (beta - 1) * np.log(one_minus_x) - betaln(alpha, beta))


def exceedance(table: ArrayLike, threshold: float, step: float = 1 / 32) -> float:
    """Return P(I > threshold) for a 2 x 2 table of positive counts and a threshold between 0 and log 2."""
    table = np.asarray(table, dtype=np.float64)
    return below(table, threshold, step) + below(table[:, ::-1], threshold, step)


def main() -> None:
    lines, worst = [], 0.0
    for table in TABLES:
        step = 1 / 32 if np.max(table) < 30 else 1 / 96 if np.max(table) < 200 else 1 / 192
        probability = {}
        for threshold in THRESHOLDS:
            coarse, fine = exceedance(table, threshold, step), exceedance(table, threshold, step / 1.5)
            if abs(fine - coarse) > TOLERANCE / 10:
                raise ArithmeticError(f"P(I > {threshold}) of {table} did not settle: {coarse} with step {step}, then {fine}")
            worst = max(worst, abs(fine - coarse))
            probability[str(threshold)] = f"{max(1 - fine, 0.0):.14f}"  # rounding may leave P(I > t) above 1
        lines.append(json.dumps({"name": str(table), "table": table, "probability": probability}))
        print(f"{len(lines)} of {len(TABLES)}: {table}, largest difference of two steps so far {worst:.1e}", file=sys.stderr)
    PROBABILITY.write_text(f'{{"tolerance": {TOLERANCE}, "cases": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
