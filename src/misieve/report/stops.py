"""Where the sliders of the page can stand, and P(I > epsilon) of every feature at each of those places.

The page decides again from these probabilities alone. They are kept as 16-bit numbers on the scale of the normal quantile,
which is fine in both tails: an error below 5e-5 in the middle, and far less towards 0 and 1.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from misieve.decide import Selection
from misieve.mixture import Posterior

__all__ = ["Epsilon", "Level", "differences", "epsilons", "levels", "probability_codes"]

#: Preferred numbers, twenty a decade (ISO 3, series R20, rounded).
SERIES = (1.0, 1.12, 1.25, 1.4, 1.6, 1.8, 2.0, 2.24, 2.5, 2.8, 3.15, 3.55, 4.0, 4.5, 5.0, 5.6, 6.3, 7.1, 8.0, 9.0)

#: The least threshold but 0, as a share of the target's entropy, and the decades above it.
LEAST, DECADES = -4, 4

LEVELS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999)

#: Probabilities nearer to 0 or 1 than FLOOR have the codes 0 and TOP; the others lie evenly on the normal quantile's scale.
FLOOR, TOP = 1e-12, 65535
WIDEST = float(ndtri(1.0 - FLOOR))


@dataclass(frozen=True)
class Epsilon:
    """A threshold: in the unit of the selection, in nats, and as words and reasons show it."""

    value: float
    nats: float
    text: str
    amount: str
    reason: str


@dataclass(frozen=True)
class Level:
    """A level, the normal quantile there, and how it and the rest are shown."""

    value: float
    quantile: float
    text: str
    rest: str


def epsilons(selection: Selection, entropy: float) -> list[Epsilon]:
    """Thresholds in round numbers from 0 to the target's entropy, and the chosen one exactly; ``entropy`` in nats."""
    unit = {"share": entropy, "nats": 1.0, "bits": float(np.log(2.0))}[selection.unit]
    # In nats or bits the same shares of the entropy are covered; a target of one class has none, then anything will do.
    whole = 1.0 if selection.unit == "share" or entropy == 0.0 else entropy / unit
    shift = int(np.floor(np.log10(whole)))
    values = {float(f"{digit}e{LEAST + shift + decade}") for decade in range(DECADES + 2) for digit in SERIES}
    within = {value for value in values if 10.0**LEAST * whole * (1 - 1e-9) <= value < whole * (1 - 1e-9)}
    return [_epsilon(value, selection.unit, value * unit, entropy) for value in sorted({0.0, selection.epsilon} | within)]


def _epsilon(value: float, unit: str, nats: float, entropy: float) -> Epsilon:
    share = f"{100 * nats / entropy:.3g} %" if entropy > 0 else ""
    text = f"{100 * value:.3g} %" if unit == "share" else f"{value:.3g} {unit}"
    amount = f"{nats:.3g} nats" + (f", {share} of the target's entropy" if share else "")
    return Epsilon(value, nats, text, amount, f"{value:g}" if unit == "nats" else f"{nats:.3g}")


def levels(chosen: float) -> list[Level]:
    """Levels, the chosen one among them."""
    return [_level(value) for value in sorted({chosen, *LEVELS})]


def _level(value: float) -> Level:
    return Level(value, float(ndtri(value)), f"{100 * value:g} %", f"{100 * (1 - value):.3g} %")


def probability_codes(p: Posterior, thresholds: NDArray[np.float64]) -> NDArray[np.uint16]:
    """P(I > epsilon) as codes (thresholds, features): 0 and TOP for certainties, else evenly spaced normal quantiles.

    The complement of the cdf, not the sf: only there do far tails, which nobody will see, cost time.
    """
    codes = np.zeros((len(thresholds), *p.shape), np.uint16)
    for row, threshold in zip(codes, thresholds.tolist(), strict=True):
        probability = 1.0 - np.asarray(p.cdf(threshold))
        open_ones = (probability > FLOOR) & (probability < 1.0 - FLOOR)
        share = (ndtri(np.where(open_ones, probability, 0.5)) / WIDEST + 1.0) / 2.0
        row[:] = np.where(open_ones, 1 + np.rint(share * (TOP - 2)), np.where(probability > 0.5, TOP, 0))
    return codes


def differences(codes: NDArray[Any]) -> NDArray[Any]:
    """Differences from one threshold to the next, which compress better; the page adds them up again."""
    return np.diff(codes, axis=0, prepend=np.zeros_like(codes[:1]))
