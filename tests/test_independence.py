import numpy as np
import pytest
from scipy.special import betaln, gammaln
from scipy.stats import multinomial

import misieve
from misieve._errors import OptionError
from misieve.independence import learn_prior, log_bayes_factor, posterior_mass, prior_option


def test_the_factor_of_a_two_by_two_table_by_hand():
    """Uniform prior: the margins are Beta(2, 2), the cells Dirichlet(1, 1, 1, 1)."""
    k = np.array([[4.0, 1.0], [2.0, 8.0]])
    margins = sum(betaln(2 + a, 2 + b) - betaln(2, 2) for a, b in ((5, 10), (6, 9)))
    cells = gammaln(4) - gammaln(4 + 15) + gammaln(1 + k).sum()
    assert log_bayes_factor(k, "uniform") == pytest.approx(margins - cells, rel=1e-12)


def test_the_factor_is_the_ratio_of_the_marginal_likelihoods():
    """Averaged over prior draws of the chances, with and without independence."""
    rng = np.random.default_rng(3)
    k = np.array([[3, 1, 2], [0, 4, 1]])
    draws = 200_000
    dependent = rng.dirichlet(np.ones(6), size=draws)
    independent = rng.dirichlet([3, 3], size=draws)[:, :, None] * rng.dirichlet([2, 2, 2], size=draws)[:, None, :]
    likelihoods = [multinomial.pmf(k.ravel(), 11, pi.reshape(draws, 6)) for pi in (independent, dependent)]
    means = [x.mean() for x in likelihoods]
    errors = [x.std() / np.sqrt(draws) / x.mean() for x in likelihoods]
    assert abs(np.log(means[0] / means[1]) - log_bayes_factor(k.astype(float), "uniform")) < 5 * np.hypot(*errors)


@pytest.mark.parametrize(("levels", "value"), [(2, 3.3), (10, 16.0), (100, 74.0)])
def test_noise_speaks_for_independence(levels, value):
    """Log Bayes factors of pure noise with 2000 rows and a balanced class, as known from an earlier calculation."""
    rng = np.random.default_rng(0)
    factors = []
    for _ in range(40):
        table = np.zeros((levels, 2))
        np.add.at(table, (rng.integers(levels, size=2000), rng.integers(2, size=2000)), 1)
        factors.append(float(log_bayes_factor(table, "uniform")))
    assert np.mean(factors) == pytest.approx(value, rel=0.15)


def test_the_mass_follows_from_the_odds():
    assert posterior_mass(np.array(np.log(3.0)), 0.5) == pytest.approx(0.75)
    assert posterior_mass(np.array(np.log(3.0)), 0.2) == pytest.approx(3 * 0.25 / (3 * 0.25 + 1))
    assert posterior_mass(np.array(800.0), 0.0) == 0.0
    assert posterior_mass(np.array([-1e5, 1e5]), 0.5).tolist() == [0.0, 1.0]


def test_one_feature_alone_gets_one_half():
    assert learn_prior(np.array([30.0]), np.array([1.0])) == 0.5
    assert learn_prior(np.array([]), np.array([])) == 0.5


def test_the_share_of_noise_is_learned():
    rng = np.random.default_rng(1)
    factors = np.where(rng.random(2000) < 0.9, rng.normal(3, 1, 2000), rng.normal(-30, 5, 2000))
    assert learn_prior(factors, np.ones(2000)) == pytest.approx(np.mean(factors > -5), abs=0.02)


def test_repeated_tables_count_as_often_as_they_occur():
    factors = np.array([3.0, -10.0])
    repeated = learn_prior(np.repeat(factors, [7, 2]), np.ones(9))
    assert learn_prior(factors, np.array([7.0, 2.0])) == pytest.approx(repeated, rel=1e-9)


@pytest.mark.parametrize("value", ["none", -0.1, 1.0, 1.5, None, True])
def test_bad_prior_probabilities_are_refused(value):
    with pytest.raises(OptionError, match=r"independence must be"):
        prior_option(value)


def test_haldane_has_no_factor():
    with pytest.raises(OptionError, match="needs a prior that gives every cell some mass; prior='haldane' does not"):
        misieve.posterior([[40, 10], [20, 80]], prior="haldane", independence=0.5)
