import copy
import pickle

import numpy as np
import pytest
from scipy.special import digamma

import misieve
from misieve import laws

TABLE = [[40, 10], [20, 80]]
BATCH = np.random.default_rng(0).multinomial(60, [0.3, 0.1, 0.2, 0.1, 0.2, 0.1], size=(4, 5)).reshape(4, 5, 2, 3)
CHEAP = [law for law in laws.LAWS if law not in {"sampled", "quadrature"}]


def test_the_papers_table():
    p = misieve.posterior(TABLE)
    n = np.array(TABLE) + 1.0
    parts = digamma(n + 1) - digamma(n.sum(1, keepdims=True) + 1) - digamma(n.sum(0) + 1) + digamma(n.sum() + 1)
    assert p.mean() == pytest.approx((n * parts).sum() / n.sum(), rel=1e-12)
    assert p.std() == pytest.approx(0.0417, abs=1e-4)
    assert p.sf(0.003) > 0.9999
    assert p.upper == pytest.approx(np.log(2))
    assert p.shape == ()
    assert "Posterior: mean 0.16" in repr(p)


def test_one_table_gives_scalars():
    p = misieve.posterior(TABLE, independence=0.5)
    for value in (
        p.mean(),
        p.var(),
        p.std(),
        p.skew(),
        p.kurtosis(),
        p.cdf(0.1),
        p.sf(0.1),
        p.pdf(0.1),
        p.ppf(0.5),
        p.isf(0.1),
    ):
        assert np.ndim(value) == 0
    assert np.ndim(p.rvs(rng=0)) == 0
    assert p.rvs(7, rng=0).shape == (7,)
    assert p.rvs((2, 3), rng=0).shape == (2, 3)
    low, high = p.interval(0.9)
    assert p.cdf(low) == pytest.approx(0.05, abs=1e-6)
    assert p.sf(high) == pytest.approx(0.05, abs=1e-6)
    assert p.median() == p.ppf(0.5)


@pytest.mark.parametrize("law", CHEAP)
def test_a_batch_is_its_tables_one_by_one(law):
    p = misieve.posterior(BATCH, law=law, independence=0.3)
    assert p.shape == (4, 5)
    assert len(p) == 4
    for i, j in [(0, 0), (2, 3), (3, 4)]:
        one = misieve.posterior(BATCH[i, j], law=law, independence=0.3)
        for name, argument in [("sf", 0.02), ("pdf", 0.03), ("ppf", 0.7), ("isf", 0.2)]:
            assert getattr(p, name)(argument)[i, j] == pytest.approx(getattr(one, name)(argument), rel=1e-9)
        for name in ("mean", "std", "skew", "kurtosis"):
            assert getattr(p, name)()[i, j] == pytest.approx(getattr(one, name)(), rel=1e-6)
        assert p.independence[i, j] == pytest.approx(one.independence, rel=1e-12)
        assert p.empirical[i, j] == pytest.approx(one.empirical, rel=1e-12)


def test_arguments_broadcast_against_the_batch():
    p = misieve.posterior(BATCH)
    x = np.linspace(0.001, 0.3, 7)
    assert p.cdf(x[:, None, None]).shape == (7, 4, 5)
    assert p.cdf(np.full((4, 5), 0.1)).shape == (4, 5)
    assert p.cdf(np.full(5, 0.1)).shape == (4, 5)
    np.testing.assert_allclose(p.cdf(np.full((4, 5), 0.1)), p.cdf(0.1), rtol=1e-12)
    np.testing.assert_allclose(p.cdf(x[:, None, None])[3], p.cdf(x[3]), rtol=1e-12)
    per_table = np.linspace(0.01, 0.2, 20).reshape(4, 5)
    assert p.sf(per_table)[2, 1] == pytest.approx(misieve.posterior(BATCH[2, 1]).sf(per_table[2, 1]), rel=1e-9)
    with pytest.raises(ValueError, match="broadcast"):
        p.cdf(np.zeros(3))


def test_parts_of_a_batch():
    p = misieve.posterior(BATCH, independence=0.5)
    np.testing.assert_array_equal(p[1].mean(), p.mean()[1])
    np.testing.assert_array_equal(p[1, 2].mean(), p.mean()[1, 2])
    np.testing.assert_array_equal(p[p.mean() > 0.05].sf(0.01), p.sf(0.01)[p.mean() > 0.05])
    np.testing.assert_array_equal(p[::2].independence, p.independence[::2])
    with pytest.raises(TypeError, match="one table has no length"):
        len(p[0, 0])


@pytest.mark.parametrize("independence", [0.0, 0.5])
def test_the_atom_is_visible_everywhere(independence):
    p = misieve.posterior([[30, 32], [31, 29]], independence=independence)
    w = p.independence
    assert (w > 0.8) if independence else (w == 0)
    bare = misieve.posterior([[30, 32], [31, 29]])
    assert p.mean() == pytest.approx((1 - w) * bare.mean())
    assert p.var() == pytest.approx((1 - w) * (bare.var() + bare.mean() ** 2) - p.mean() ** 2)
    assert p.cdf(0.0) == pytest.approx(w)
    assert p.sf(0.0) == pytest.approx(1 - w)
    assert p.cdf(-1e-9) == 0.0
    assert p.sf(-1e-9) == 1.0
    assert p.cdf(0.01) == pytest.approx(w + (1 - w) * bare.cdf(0.01))
    assert p.pdf(0.01) == pytest.approx((1 - w) * bare.pdf(0.01))
    assert p.ppf(0.5 * w) == 0.0
    assert p.cdf(p.ppf(0.99)) == pytest.approx(0.99, abs=1e-8)
    assert p.sf(p.isf(0.01)) == pytest.approx(0.01, abs=1e-8)
    draws = p.rvs(20_000, rng=1)
    assert np.mean(draws == 0) == pytest.approx(w, abs=0.015)
    assert draws.mean() == pytest.approx(p.mean(), abs=5 * p.std() / np.sqrt(20_000))
    standard = (draws - draws.mean()) / draws.std()
    assert (standard**3).mean() == pytest.approx(p.skew(), rel=0.2)
    assert (standard**4).mean() - 3 == pytest.approx(p.kurtosis(), rel=0.5)


def test_the_same_seed_draws_the_same():
    p = misieve.posterior(BATCH, independence=0.5)
    np.testing.assert_array_equal(p.rvs(3, rng=5), p.rvs(3, rng=5))
    assert (p.rvs(3, rng=5) != p.rvs(3, rng=6)).any()


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (1, 1)])
def test_one_row_or_column_means_no_information_for_sure(shape):
    p = misieve.posterior(np.full(shape, 7))
    assert p.independence == 1.0
    assert p.mean() == p.var() == p.upper == p.ppf(0.999) == p.sf(0.0) == 0.0
    assert p.cdf(0.0) == 1.0
    assert p.rvs(4, rng=0).tolist() == [0.0] * 4
    assert p.interval() == (0.0, 0.0)


def test_haldane_takes_empty_rows_for_impossible():
    p = misieve.posterior([[[5, 3], [0, 0]], [[5, 3], [2, 0]], [[4, 0], [0, 4]]], prior="haldane")
    assert p.independence.tolist() == [1.0, 0.0, 0.0]
    assert np.isfinite(p.mean()).all()
    assert (p.var()[1:] > 0).all()
    three = misieve.posterior([[4, 2, 0], [1, 5, 0], [0, 0, 0]], prior="haldane")
    two = misieve.posterior([[4, 2], [1, 5]], prior="haldane")
    assert three.upper == two.upper
    assert three.sf(0.05) == pytest.approx(two.sf(0.05), rel=1e-9)


def test_a_bad_series_variance_is_replaced_and_said():
    counts = np.random.default_rng(0).multinomial(2000, np.full(2000, 1 / 2000)).reshape(1000, 2)
    with pytest.warns(
        misieve.MisieveWarning, match="series variance of 1 of 1 tables is not positive or far off, the exact one"
    ):
        p = misieve.posterior(counts, prior="perks", variance="series")
    assert p.var() == pytest.approx(misieve.posterior(counts, prior="perks", variance="exact").var(), rel=1e-9)


def test_repeated_tables_are_fitted_once():
    many = np.repeat(np.array([TABLE, [[3, 4], [5, 6]]]), [600, 400], axis=0)
    p = misieve.posterior(many)
    assert p._distinct.mean.shape == (2,)
    np.testing.assert_array_equal(p.mean(), np.repeat(misieve.posterior(many[[0, 999]]).mean(), [600, 400]))


def test_independence_is_learned_from_the_batch():
    rng = np.random.default_rng(4)
    noise = rng.multinomial(500, np.full(4, 0.25), size=95).reshape(-1, 2, 2)
    signal = rng.multinomial(500, [0.4, 0.1, 0.1, 0.4], size=5).reshape(-1, 2, 2)
    p = misieve.posterior(np.concatenate([noise, signal]), independence="auto")
    fixed = misieve.posterior(noise, independence=0.5)
    assert np.median(p.independence[:95]) > np.median(fixed.independence)
    assert (p.independence[95:] < 1e-6).all()
    alone, half = (misieve.posterior(noise[0], independence=x).independence for x in ("auto", 0.5))
    assert alone == half


def test_an_empty_batch_is_a_posterior_too():
    p = misieve.posterior(np.zeros((0, 2, 2)), independence="auto")
    assert p.shape == (0,)
    assert p.mean().shape == p.sf(0.1).shape == (0,)


def test_posteriors_are_values():
    p = misieve.posterior(BATCH, independence=0.5)
    again = pickle.loads(pickle.dumps(p))
    np.testing.assert_array_equal(again.sf(0.01), p.sf(0.01))
    np.testing.assert_array_equal(copy.deepcopy(p).mean(), p.mean())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"law": "gauss"}, "law must be one of 'normal'.*not 'gauss'"),
        ({"law": "noncentral_beta"}, "did you mean 'noncentral-beta'"),
        ({"variance": "approximate"}, "variance must be one of 'series', 'exact', 'auto'"),
        ({"prior": "jefferys"}, "did you mean 'jeffreys'"),
        ({"prior": np.ones((3, 3))}, r"must have the shape of the table, \(2, 2\)"),
        ({"independence": 2}, "independence must be"),
    ],
)
def test_unknown_options_are_refused(options, message):
    with pytest.raises(misieve.OptionError, match=message):
        misieve.posterior(TABLE, **options)


def test_bad_probabilities_are_refused():
    p = misieve.posterior(TABLE)
    with pytest.raises(misieve.OptionError, match=r"a probability must lie from 0 to 1, found 1\.5"):
        p.ppf([0.5, 1.5])
    with pytest.raises(misieve.OptionError, match="level must be a number strictly between 0 and 1"):
        p.interval(95)


def test_a_table_of_nothing_is_its_prior():
    p = misieve.posterior(np.zeros((2, 2)))
    assert p.mean() == pytest.approx(1 / 12, rel=1e-12)
    with pytest.raises(misieve.DataError, match="without any observation has no posterior"):
        misieve.posterior(np.zeros((2, 2)), prior="haldane")


def test_what_is_not_a_number_stays_so():
    p = misieve.posterior(TABLE, independence=0.5)
    for value in (p.cdf(np.nan), p.sf(np.nan), p.pdf(np.nan)):
        assert np.isnan(value)
    with pytest.raises(misieve.OptionError, match="must be a number or an array of numbers, found 'a'"):
        p.sf("a")
    with pytest.raises(misieve.OptionError, match="size must be a number of draws or a shape, not -3"):
        p.rvs(-3)
    for size in ("a", 2.5, (2, -1), None):
        with pytest.raises(misieve.OptionError, match="size must be a number of draws or a shape, not"):
            p.rvs(size)
    with pytest.raises(misieve.OptionError, match="must be a number or an array of numbers, found None"):
        p.cdf(None)
    with pytest.raises(misieve.OptionError, match="draws must be a whole number from 1 up, not -1"):
        misieve.posterior(TABLE, law="sampled", draws=-1)


def test_posteriors_are_compared_and_kept_by_identity():
    p, q = misieve.posterior(BATCH), misieve.posterior(BATCH)
    assert p != q
    assert p in {p}


def test_a_bad_source_of_randomness_is_refused_at_once():
    message = r"rng must be a seed \(a whole number\), a NumPy Generator or None, not"
    with pytest.raises(misieve.OptionError, match=message):
        misieve.posterior(TABLE, law="sampled", rng="x")
    with pytest.raises(misieve.OptionError, match=message):
        misieve.posterior(TABLE).rvs(3, rng=-1)


def test_the_quadrature_law_refuses_other_tables_at_once():
    with pytest.raises(misieve.OptionError, match=r"for 2 x 2 tables with positive counts.*table 0 has the shape \(2, 3\)"):
        misieve.posterior(np.ones((2, 3)), law="quadrature")


def test_a_batch_can_be_walked_through():
    p = misieve.posterior(BATCH[0])
    assert [float(one.mean()) for one in p] == p.mean().tolist()
    with pytest.raises(TypeError, match="one table has no length"):
        list(p[0])


@pytest.mark.parametrize("shape", [(0, 2, 2), (0, 3, 5), (3, 0, 2, 2), (2, 0, 4, 1)])
@pytest.mark.parametrize("law", laws.LAWS)
def test_every_method_of_an_empty_batch(shape, law):
    p = misieve.posterior(np.zeros(shape), independence="auto", law=law)
    for name, arguments in {"mean": (), "var": (), "std": (), "skew": (), "kurtosis": (), "median": (), "cdf": (0.1,)}.items():
        assert getattr(p, name)(*arguments).shape == shape[:-2]
    assert p.rvs(3, rng=0).shape == (3, *shape[:-2])
    for name, argument in {"sf": 0.1, "pdf": 0.1, "ppf": 0.5, "isf": 0.5}.items():
        assert getattr(p, name)(argument).shape == shape[:-2]
    assert [end.shape for end in (*p.interval(), *p.support())] == [shape[:-2]] * 4
