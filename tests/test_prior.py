import numpy as np
import pytest

from misieve._errors import DataError, OptionError
from misieve.prior import PRIORS, add_prior, pseudo_count


@pytest.mark.parametrize(("name", "value"), [("uniform", 1.0), ("jeffreys", 0.5), ("haldane", 0.0), ("perks", 1 / 6)])
def test_named_priors(name, value):
    assert pseudo_count(name, 2, 3) == value


def test_every_named_prior_is_tested():
    assert set(PRIORS) == {"uniform", "jeffreys", "haldane", "perks"}


def test_a_number_and_an_array_are_priors_too():
    counts = np.zeros((2, 2, 3))
    assert (add_prior(counts, 2) == 2.0).all()
    np.testing.assert_array_equal(add_prior(counts, np.arange(6).reshape(2, 3))[1], np.arange(6).reshape(2, 3))


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ("uniforn", "did you mean 'uniform'"),
        ("flat", "prior must be one of 'uniform', 'jeffreys', 'haldane', 'perks', not 'flat'"),
        (None, "prior must be one of"),
        ({}, "prior must be one of"),
        (True, "prior must be one of"),
        (1e16, r"the total of the prior counts must stay below 2\^53 = 9e15, found 6e\+16"),
        (1e308, r"the total of the prior counts must stay below 2\^53"),
        (np.full((2, 3), 1e308), r"the total of the prior counts must stay below 2\^53"),
        ([1, 2], r"must have the shape of the table, \(2, 3\); found the shape \(2,\)"),
        (np.ones((3, 2)), r"must have the shape of the table, \(2, 3\); found the shape \(3, 2\)"),
        (-1, "must be finite and not negative"),
        (np.nan, "must be finite and not negative"),
        (np.inf, "must be finite and not negative"),
    ],
)
def test_bad_priors_are_refused(prior, message):
    with pytest.raises(OptionError, match=message):
        pseudo_count(prior, 2, 3)


def test_nothing_observed_under_a_prior_of_nothing_is_refused():
    with pytest.raises(DataError, match="without any observation has no posterior under a prior that adds nothing.*index 1"):
        add_prior(np.array([np.ones((2, 2)), np.zeros((2, 2))]), "haldane")
