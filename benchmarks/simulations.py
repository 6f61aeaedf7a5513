"""Data whose truth is known, for the benchmarks of the filters and for their tests: noise of many values, and weak signals."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import entr

__all__ = ["joint_with", "mixed_features", "noise_and_signals"]

#: How many values the noise columns have; None is a unique identifier.
NOISE = (2, 10, 100, 1000, None)
SIGNALS = (2, 10)


def mutual_information(joint: NDArray[np.float64]) -> float:
    """I of a table of chances (r, s), in nats."""
    return float(entr(joint.sum(axis=1)).sum() + entr(joint.sum(axis=0)).sum() - entr(joint).sum())


def joint_with(information: float, values: int) -> NDArray[np.float64]:
    """Chances (values, 2) of a feature with uniform values and a balanced class, whose mutual information is as asked for."""
    lean = np.linspace(-1.0, 1.0, values)

    def table(strength: float) -> NDArray[np.float64]:
        positive = 1.0 / (1.0 + np.exp(-strength * lean))
        return np.column_stack([1.0 - positive, positive]) / values

    return table(brentq(lambda strength: mutual_information(table(strength)) - information, 0.0, 20.0))


def noise_and_signals(rng: np.random.Generator, n: int = 2000, information: float = 0.02) -> tuple[dict, NDArray[np.int64]]:
    """Columns of text by name: noise of 2 to 1000 values and an identifier, and signals in 2 and 10 values; binary classes."""
    y = rng.integers(0, 2, n)
    columns = {}
    for values in NOISE:
        codes = rng.permutation(n) if values is None else rng.integers(0, values, n)
        columns["noise_id" if values is None else f"noise_{values}"] = codes
    for values in SIGNALS:
        given = joint_with(information, values)
        chances = given / given.sum(axis=0)
        drawn = [rng.choice(values, n, p=chances[:, c]) for c in (0, 1)]
        columns[f"signal_{values}"] = np.where(y == 1, drawn[1], drawn[0])
    return {name: np.char.add("v", codes.astype(str)) for name, codes in columns.items()}, y


def mixed_features(
    rng: np.random.Generator, n: int, features: int = 2000, informative: float = 0.05
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
    """Binary features (n, features), the classes, and which features depend on them: shifts of the chance by .05 to .25."""
    y = rng.integers(0, 2, n)
    depends = np.zeros(features, np.bool_)
    depends[rng.choice(features, round(informative * features), replace=False)] = True
    base = rng.uniform(0.2, 0.8, features)
    shift = np.where(depends, rng.uniform(0.05, 0.25, features) * rng.choice([-1.0, 1.0], features), 0.0)
    low, high = np.clip(base - shift / 2, 0.02, 0.98), np.clip(base + shift / 2, 0.02, 0.98)
    x = rng.random((n, features)) < np.where(y[:, None] == 1, high, low)
    return x.astype(np.uint8), y, depends
