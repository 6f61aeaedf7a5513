"""The promises of the filters, on data whose truth is known."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from benchmarks.simulations import joint_with, mixed_features, mutual_information, noise_and_signals

from misieve import MISelector

pytestmark = pytest.mark.filterwarnings("ignore:column 'noise_id' has as many values:misieve.MisieveWarning")


def kept_of(seeds, **options):
    kept = Counter()
    for seed in range(seeds):
        columns, y = noise_and_signals(np.random.default_rng(seed))
        kept.update(MISelector(**options).fit(pd.DataFrame(columns), y).selection_.kept)
    return kept


def test_the_signals_are_as_strong_as_they_say():
    for values in (2, 10):
        joint = joint_with(0.02, values)
        assert joint.sum() == pytest.approx(1.0)
        assert mutual_information(joint) == pytest.approx(0.02)


@pytest.mark.parametrize("seeds", [8, pytest.param(50, marks=pytest.mark.slow)])
def test_noise_of_many_values_is_dropped_and_signals_are_kept(seeds):
    kept = kept_of(seeds)
    noise = sum(times for name, times in kept.items() if name.startswith("noise"))
    assert noise <= 0.01 * 5 * seeds
    assert min(kept["signal_2"], kept["signal_10"]) >= 0.95 * seeds


def test_without_the_point_mass_noise_of_many_values_is_kept():
    """The paper's filter: any fixed threshold lets it pass."""
    kept = kept_of(3, independence=0.0)
    assert kept["noise_100"] == kept["noise_1000"] == kept["noise_id"] == 3


@pytest.mark.parametrize(
    ("n", "seeds"), [(500, 4), (5000, 2), *(pytest.param(n, 20, marks=pytest.mark.slow) for n in (500, 5000))]
)
@pytest.mark.parametrize("epsilon", [0.0, 0.005])
def test_the_false_discovery_rate_stays_below_its_target(n, seeds, epsilon):
    rates, powers = [], []
    for seed in range(seeds):
        x, y, depends = mixed_features(np.random.default_rng(seed), n)
        kept = MISelector(rule="fdr", level=0.95, epsilon=epsilon).fit(x, y).get_support()
        rates.append((kept & ~depends).sum() / max(kept.sum(), 1))
        powers.append((kept & depends).sum() / depends.sum())
    assert np.mean(rates) <= 0.05 + 0.01
    assert np.mean(powers) > (0.4 if n == 500 else 0.8)
