import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import misieve
from misieve.decide import RULES, backward, empirical, fdr, forward, probability_bounds
from misieve.laws import LAWS


@pytest.fixture(scope="module")
def batch():
    rng = np.random.default_rng(5)
    return rng.integers(1, 60, size=(300, 3, 2)) * rng.integers(1, 8, size=(300, 1, 1))


def decides_as_its_law(p, epsilon, level):
    probability = p.sf(epsilon)
    assert forward(p, epsilon, level).tolist() == (probability >= level).tolist()
    assert backward(p, epsilon, level).tolist() == (probability > 1 - level).tolist()
    assert empirical(p, epsilon).tolist() == (p.empirical > epsilon).tolist()


@pytest.mark.parametrize("law", [law for law in LAWS if law != "quadrature"])
@pytest.mark.parametrize("epsilon", [0.0, 0.003, 0.03])
@pytest.mark.parametrize("level", [0.05, 0.6, 0.95])
def test_decisions_from_bounds_are_those_of_the_law(batch, law, epsilon, level):
    options = {"draws": 100, "rng": 3} if law == "sampled" else {}
    decides_as_its_law(misieve.posterior(batch, law=law, independence="auto", **options), epsilon, level)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    law=st.sampled_from(list(LAWS)),
    prior=st.sampled_from(["uniform", "jeffreys", "perks", 0.1]),
    independence=st.sampled_from([0.0, 0.4, "auto"]),
    size=st.floats(0.5, 4.0),
    incomplete=st.booleans(),
)
def test_decisions_from_bounds_are_those_of_any_law_on_any_tables(seed, law, prior, independence, size, incomplete):
    rng = np.random.default_rng(seed)
    r, s = (2, 2) if law == "quadrature" else rng.integers(1, 6, 2)
    chances = rng.dirichlet(np.ones(r), 12)[:, :, None] * rng.dirichlet(np.ones(s), 12)[:, None]  # half of them independent
    chances[6:] = rng.dirichlet(np.ones(r * s), 6).reshape(6, r, s)
    counts = rng.poisson(10**size * chances)
    options = {"prior": prior, "law": law, "independence": independence}
    if law == "sampled":
        options |= {"draws": 50, "rng": seed}
    if incomplete and law != "quadrature":
        p = misieve.incomplete_posterior(counts, rng.poisson(5.0, (12, r)), rng.poisson(5.0, (12, s)), **options)
    else:
        p = misieve.posterior(counts, **options)
    for epsilon in (0.0, 10 ** rng.uniform(-3, -0.3)):
        decides_as_its_law(p, epsilon, float(rng.uniform(0.02, 0.98)))


def test_the_bounds_enclose_the_probability_of_every_law(batch):
    for law in ("beta", "gamma", "noncentral-beta", "noncentral-chi2"):
        p = misieve.posterior(batch, law=law, independence=0.3, variance="exact")
        for epsilon in (0.0, 0.001, 0.01, 0.1, 0.5):
            lower, upper = probability_bounds(p, np.full(len(p), epsilon))
            exact = p.sf(epsilon)
            assert (lower <= exact + 1e-6).all()
            assert (exact <= upper + 1e-6).all()


def test_the_law_is_fitted_to_few_features(monkeypatch):
    """Certain decisions need mean and variance only."""
    import misieve.mixture as module

    fitted = []
    real = module.fit
    monkeypatch.setattr(module, "fit", lambda name, **facts: fitted.append(len(facts["mean"])) or real(name, **facts))
    strong, weak = np.array([[900, 100], [100, 900]]), np.array([[40, 35], [36, 41]])
    tables = np.stack([strong + i for i in range(50)] + [weak])
    kept = misieve.select(misieve.posterior(tables), epsilon=0.003, unit="nats").support
    assert kept.tolist() == [True] * 50 + [False]
    assert sum(fitted) <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.55, 0.99))
def test_the_filters_are_nested(seed, level):
    """What the forward filter keeps, the backward filter keeps as well."""
    p = misieve.posterior(np.random.default_rng(seed).integers(0, 40, size=(30, 2, 3)))
    assert (forward(p, 0.01, level) <= backward(p, 0.01, level)).all()


def test_the_fdr_rule_keeps_the_largest_set_below_its_target(batch):
    p = misieve.posterior(batch[:12] // 9, independence=0.5)
    for level in (0.5, 0.8, 0.95):
        kept = fdr(p, 0.005, level)
        error = np.sort(1 - p.sf(0.005))
        allowed = [k for k in range(1, 13) if error[:k].mean() <= 1 - level]
        assert kept.sum() == max(allowed, default=0)
        if kept.any() and not kept.all():
            assert p.sf(0.005)[kept].min() >= p.sf(0.005)[~kept].max()


def test_units_are_shares_of_the_targets_entropy_nats_or_bits():
    rng = np.random.default_rng(0)
    y = (rng.random(4000) < 0.01).astype(int)
    tables = misieve.count(rng.integers(0, 3, (4000, 4)), y)
    share = y.mean()
    entropy = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    for unit, nats in (("share", 0.005 * entropy), ("nats", 0.005), ("bits", 0.005 * np.log(2))):
        np.testing.assert_allclose(misieve.select(tables, unit=unit).threshold, nats, rtol=1e-12)


def test_a_rare_target_needs_a_threshold_that_is_a_share():
    """At 1 % positives a feature that multiplies the risk fivefold is worth less than .003 nats, whatever the sample."""
    exposed = np.array([[99_000 - 450, 450], [9_500 - 250, 250]]) * 10
    p = misieve.posterior(exposed[None], independence=0.5)
    assert 0.0005 < p.mean()[0] < 0.003
    assert misieve.select(p, epsilon=0.003, unit="nats").support.tolist() == [False]
    assert misieve.select(p, epsilon=0.005, unit="share").support.tolist() == [True]


def test_names_reasons_and_the_whole_table():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500)
    frame = pd.DataFrame({"copy": y, "noise": rng.integers(0, 4, 500), "constant": 7, "empty": np.nan})
    with pytest.warns(misieve.MisieveWarning, match="column 'empty' has no value in any row"):
        tables = misieve.count(frame, y, missing="pairwise")
    selection = misieve.select(tables)
    assert selection.features == ("copy", "noise", "constant", "empty")
    assert selection.kept == ("copy",)
    assert selection.reason[0] == "P(MI > 0.00346) > 0.999"
    assert selection.reason[1] == f"P(MI > 0.00346) = {selection.probability[1]:.3f}"
    assert selection.reason[2:] == ("constant", "all missing")
    table = selection.to_frame()
    assert isinstance(table, pd.DataFrame)
    assert table["feature"].tolist() == list(selection.features)
    assert table["kept"].tolist() == [True, False, False, False]
    assert table["reason"].tolist() == list(selection.reason)
    np.testing.assert_array_equal(table["lower"], selection.posterior.ppf(1 - 0.95))
    np.testing.assert_array_equal(table["upper"], selection.posterior.ppf(0.95))
    assert "1 of 4 features kept, rule forward" in repr(selection)
    assert misieve.select(tables, rule="empirical").reason[0].startswith("plug-in MI = 0.6")
    assert table["taken_as"].tolist() == ["2 values", "4 values", "1 value", "0 values"]
    assert "taken_as" not in misieve.select(misieve.posterior(tables)).to_frame()


def test_no_probability_is_shown_as_certain():
    certain = np.stack([np.diag([10**6, 10**6]), np.full((2, 2), 10**7)])
    selection = misieve.select(misieve.posterior(certain), unit="nats")
    assert selection.probability.tolist() == [1.0, 0.0]
    assert selection.reason == ("P(MI > 0.005) > 0.999", "P(MI > 0.005) < 0.001")


def test_a_column_without_a_cut_says_so():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    x = np.column_stack([rng.normal(size=300), y + rng.normal(size=300)])
    selection = misieve.select(misieve.count(x, y, bins="mdl"))
    assert selection.kept == ("x1",)
    assert selection.reason[0] == "no cut tells the classes apart"
    assert selection.taken_as[0] == "1 bin"
    assert selection.taken_as[1].endswith(" bins")


def test_a_target_of_one_class_keeps_nothing():
    with pytest.warns(misieve.MisieveWarning, match="the target has one class"):
        tables = misieve.count([[0], [1], [1]], [1, 1, 1])
    for rule in RULES:
        selection = misieve.select(tables, rule=rule, epsilon=0)
        assert selection.kept == ()
        assert selection.reason == ("the target has one class",)


def test_the_limits_of_the_intervals_decide_as_the_rules_do(batch):
    p = misieve.posterior(batch)
    for rule, end in (("forward", 0), ("backward", 1)):
        selection = misieve.select(p, rule=rule, epsilon=0.02, unit="nats", level=0.9)
        assert selection.support.tolist() == (selection.interval[end] > 0.02).tolist()


def test_at_least_so_many_are_kept_best_first(batch):
    p = misieve.posterior(batch // 6)
    strict = misieve.select(p, epsilon=0.3, unit="nats")
    assert strict.at_least(0) is strict
    for count in (strict.support.sum() + 1, 40, 300, 1000):
        more = strict.at_least(int(count))
        assert more.support.sum() == min(count, 300)
        assert (more.support >= strict.support).all()
        added = more.support & ~strict.support
        if not more.support.all():
            assert strict.probability[added].min() >= strict.probability[~more.support].max()
        assert [reason.endswith(", kept as one of the best") for reason in more.reason] == added.tolist()


def test_options_that_do_not_fit_are_explained(batch):
    p = misieve.posterior(batch)
    for wrong, message in (
        ({"rule": "forwards"}, "rule must be one of 'forward', .*did you mean 'forward'"),
        ({"unit": "nat"}, "unit must be one of 'share', 'nats', 'bits'"),
        ({"level": 1.0}, "level must be a number strictly between 0 and 1"),
        ({"epsilon": -0.1}, "epsilon must be a number from 0 up, not -0.1"),
        ({"epsilon": True}, "epsilon must be a number from 0 up, not True"),
        ({"epsilon": "small"}, "epsilon must be a number from 0 up, not 'small'"),
        ({"epsilon": 5}, "epsilon must be below 1, not 5: with unit='share' it is a share of the target's entropy"),
        ({"law": "beta"}, "law must be left out where x is a Posterior.*found law='beta': pass the Tables"),
        ({"independence": 0.0}, "independence must be left out where x is a Posterior"),
    ):
        with pytest.raises(misieve.OptionError, match=message):
            misieve.select(p, **wrong)
    with pytest.raises(misieve.OptionError, match="select takes Tables or a Posterior, not list"):
        misieve.select([[1, 2], [3, 4]])
    with pytest.raises(misieve.OptionError, match="not a batch of shape"):
        misieve.select(misieve.posterior([[1, 2], [3, 4]]))
