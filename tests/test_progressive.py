from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from scipy.special import psi
from scipy.stats import beta, ttest_rel

import misieve
from misieve import laws
from misieve._core import native_or_none, twin
from misieve.progressive.bar import progress
from misieve.progressive.chart import chart
from misieve.progressive.paired import compared, p_values
from naive_prequential import naive_prequential

ALL = ("forward", "empirical", "backward", "all")
pytestmark = pytest.mark.filterwarnings("ignore:the series variance of:misieve.MisieveWarning")


def related(rng, n, sizes, s, strength=0.5):
    """Class labels, and features that follow the class with some strength, the first most."""
    y = rng.integers(0, s, size=n)
    y[:s] = np.arange(s)
    columns = []
    for place, r in enumerate(sizes):
        follows = rng.random(n) < strength / (1 + place)
        columns.append(np.where(follows, y % r, rng.integers(0, r, size=n)))
    return np.column_stack(columns), y


def assert_as_naive(X, y, sizes, *, options=None, **call):
    options = options or {"law": "beta", "variance": "series"}
    codes = np.asarray(call.pop("codes", X))
    found = misieve.prequential(X, y, rules=ALL, **options, **call)
    naive_call = {name: value for name, value in call.items() if name in {"epsilon", "level", "batch"}}
    naive_call["modelled"] = call.get("missing") == "model"
    predicted, used = naive_prequential(codes, y, sizes, rules=ALL, **options, **naive_call)
    for rule in ALL:
        np.testing.assert_array_equal(found.selected[rule][0], used[rule], err_msg=rule)
        np.testing.assert_array_equal(found.predicted[rule][0], predicted[rule], err_msg=rule)
        right = np.array(predicted[rule]) == y
        np.testing.assert_allclose(found.accuracy[rule][0], np.cumsum(right) / np.arange(1, len(y) + 1))
    return found


@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("sizes", [(2,) * 12, (2, 3, 5, 4, 2, 3), (9, 2)])
@pytest.mark.parametrize("s", [2, 3])
def test_it_is_its_slow_twin(sizes, s, batch):
    rng = np.random.default_rng(100 * len(sizes) + 10 * s + batch)
    X, y = related(rng, 90, sizes, s)
    assert_as_naive(X, y, sizes, batch=batch, epsilon=0.01, categories=[list(range(r)) for r in sizes])


@pytest.mark.parametrize(
    "options",
    [
        {"law": "noncentral-beta", "variance": "auto"},
        {"law": "gamma", "variance": "exact", "prior": "jeffreys"},
        {"law": "normal", "variance": "series", "prior": 0.5},
        {"law": "noncentral-chi2", "variance": "exact", "prior": "perks"},
        {"law": "beta", "variance": "series", "independence": 0.3},
        {"law": "noncentral-beta", "variance": "exact", "independence": "auto"},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_every_law_variance_and_prior_goes_through(options):
    rng = np.random.default_rng(3)
    X, y = related(rng, 40, (3,) * 5, 2, strength=0.9)
    assert_as_naive(X, y, (3,) * 5, options=options, epsilon=0.02, level=0.8, batch=3)


def by_the_paper(counts):
    """Plug-in value, mean (eq. 3) and variance (eq. 4) of one table with the uniform prior, term by term."""
    t = counts + 1.0
    rows, columns, n = t.sum(axis=1), t.sum(axis=0), t.sum()
    j = k = m = mean = 0.0
    q = 1.0
    for a, row in enumerate(rows):
        for b, column in enumerate(columns):
            x = t[a, b]
            log = np.log(x * n / (row * column))
            mean += x / n * (psi(x + 1) - psi(row + 1) - psi(column + 1) + psi(n + 1))
            j, k = j + x / n * log, k + x / n * log**2
            m += (1 / x - 1 / row - 1 / column + 1 / n) * x * log
            q -= x * x / (row * column)
    nu = (len(rows) - 1) * (len(columns) - 1)
    return j, mean, (k - j * j) / (n + 1) + (m + nu * (0.5 - j) - q) / ((n + 1) * (n + 2))


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 4)])
def test_it_keeps_what_the_formulas_of_the_paper_keep(sizes):
    rng = np.random.default_rng(22)
    X, y = related(rng, 120, sizes, 2, strength=0.4)
    found = misieve.prequential(X, y, categories=[range(r) for r in sizes])
    for k in range(20, 120):  # before, the exact variance stands in for some of the tables
        kept = dict.fromkeys(found.rules, 0)
        for f, r in enumerate(sizes):
            table = np.array([[np.sum((X[:k, f] == v) & (y[:k] == c)) for c in (0, 1)] for v in range(r)])
            j, mean, variance = (
                value / np.log(2) ** power for value, power in zip(by_the_paper(table), (1, 1, 2), strict=True)
            )
            total = mean * (1 - mean) / variance - 1
            below = beta(mean * total, (1 - mean) * total).cdf(0.003 / np.log(2))
            kept["forward"] += 1 - below >= 0.95
            kept["empirical"] += j > 0.003 / np.log(2)
            kept["backward"] += below < 0.95
        assert kept == {rule: found.selected[rule][0, k] for rule in found.rules}


def test_verdicts_from_the_chart_are_those_of_the_law(monkeypatch):
    rng = np.random.default_rng(4)
    X, y = related(rng, 250, (2,) * 8, 2, strength=0.4)
    monkeypatch.setattr("misieve.progressive.verdicts.NODES", 4)
    assert_as_naive(X, y, (2,) * 8)


@pytest.mark.parametrize("r", [2, 5])
@pytest.mark.parametrize("law", ["beta", "noncentral-chi2", "gamma"])
def test_the_chart_keeps_its_bounds(law, r):
    rng = np.random.default_rng(5)
    epsilon, upper, freedom = 0.003, np.log(2), r - 1.0
    mean = epsilon * np.exp(rng.uniform(-4, 5, size=4000))
    variance = mean**2 * np.exp(rng.uniform(-9, 3, size=4000))
    low, high = chart(law, epsilon, upper, freedom).bounds(mean, variance)
    fitted = laws.fit(law, mean=mean, variance=variance, upper=np.full(4000, upper), freedom=np.full(4000, freedom))
    exact = fitted.cdf(epsilon)
    charted = (high - low < 1.0) & ~np.isnan(exact)
    assert charted.mean() > 0.4
    assert set(fitted.names[charted]) == {law}
    assert (low[charted] - 1e-12 <= exact[charted]).all()
    assert (exact[charted] <= high[charted] + 1e-12).all()
    # Narrow enough to be of use: the bounds leave few probabilities on either side of .95.
    assert (high - low)[charted & (exact > 0.9) & (exact < 0.99)].mean() < 0.05


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dense", "bool", "float", "pandas", "polars", "text"])
def test_the_form_of_the_data_does_not_matter(form):
    rng = np.random.default_rng(6)
    X, y = related(rng, 120, (2,) * 9, 2)
    X[:, 4] = 1
    X[:, 5] = 0
    expected = misieve.prequential(X, y, epsilon=0.02, rules=ALL)
    data = {
        "csr": lambda: scipy.sparse.csr_array(X),
        "csc": lambda: scipy.sparse.csc_matrix(X.astype(float)),
        "coo": lambda: scipy.sparse.coo_array(X),
        "dense": lambda: np.asfortranarray(X.astype(np.uint8)),
        "bool": lambda: X.astype(bool),
        "float": lambda: X.astype(np.float32),
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(X).rename(columns=str),
        "polars": lambda: pytest.importorskip("polars").DataFrame(X),
        "text": lambda: np.array(["no", "yes"])[X],
    }[form]()
    found = misieve.prequential(data, np.array(["a", "b"])[y] if form == "text" else y, epsilon=0.02, rules=ALL)
    for rule in ALL:
        np.testing.assert_array_equal(found.predicted[rule], expected.predicted[rule])
        np.testing.assert_array_equal(found.selected[rule], expected.selected[rule])
    assert found.classes == (("a", "b") if form == "text" else (0, 1))
    assert found.features == 9


def test_sparse_categories_are_those_of_the_dense_array():
    rng = np.random.default_rng(7)
    X, y = related(rng, 80, (3, 2, 5, 4), 3)
    X[:, 1] += 3  # no zeros at all
    sparse = scipy.sparse.csr_array(X.astype(float))
    for categories in (None, [[2, 0, 1, 7], [4, 3], [0, 1, 2, 3, 4], [3, 2, 1, 0, -1]]):
        dense, thin = (misieve.prequential(data, y, rules=ALL, categories=categories) for data in (X, sparse))
        for rule in ALL:
            np.testing.assert_array_equal(thin.predicted[rule], dense.predicted[rule])
            np.testing.assert_array_equal(thin.selected[rule], dense.selected[rule])


def test_declared_values_count_even_if_they_never_occur():
    rng = np.random.default_rng(8)
    X, y = related(rng, 60, (2, 2, 2), 2)
    X[:, 2] = 0
    declared = [[0, 1, 2, 3], [0, 1], [0, 1]]
    assert_as_naive(X, y, (4, 2, 2), categories=declared)
    assert misieve.prequential(X, y, rules="backward").selected["backward"].max() == 2
    assert misieve.prequential(X, y, rules="backward", categories=declared).selected["backward"].max() == 3


@pytest.mark.parametrize("sparse", [False, True])
def test_missing_cells_are_left_out_or_a_value(sparse):
    rng = np.random.default_rng(9)
    codes, y = related(rng, 70, (2, 3, 2, 2), 2, strength=0.8)
    X = codes.astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3] = codes[:, 3]
    left_out = np.where(np.isnan(X), -1, codes)
    as_value = np.where(np.isnan(X), [2, 3, 2, 2], codes)
    data = scipy.sparse.csr_array(X) if sparse else X
    assert_as_naive(data, y, (2, 3, 2, 2), codes=left_out, missing="pairwise", batch=2)
    assert_as_naive(data, y, (3, 4, 3, 2), codes=as_value, missing="category")
    with pytest.raises(misieve.DataError, match=r"column 'x\d' must not have missing values, found one in row \d+: choose"):
        misieve.prequential(data, y)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"law": "beta", "variance": "auto"},
        {"law": "beta", "variance": "series"},
        {"law": "noncentral-beta", "variance": "exact", "prior": "jeffreys"},
        {"law": "beta", "variance": "exact", "independence": 0.3},
        {"law": "noncentral-beta", "variance": "auto", "independence": "auto"},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_filters_learn_from_the_classes_of_rows_without_the_feature(options, sparse):
    rng = np.random.default_rng(19)
    sizes = (3, 3, 3, 3, 3)
    codes, y = related(rng, 60, sizes, 2, strength=0.9)
    # One feature is complete, the others lack more and more; which cells depends on the class.
    gone = rng.random(codes.shape) < np.array([0.1, 0.3, 0.6, 0.9, 0.0]) * np.where(y == 1, 1.0, 0.4)[:, None]
    left_out = np.where(gone, -1, codes)
    X = np.where(gone, np.nan, codes)
    data = scipy.sparse.csr_array(X) if sparse else X
    call = {"codes": left_out, "batch": 4, "epsilon": 0.02, "level": 0.8, "options": options}
    declared = [[0, 1, 2]] * len(sizes)
    assert_as_naive(data, y, sizes, missing="model", categories=declared, **call)


def test_the_model_decides_otherwise_than_leaving_out():
    rng = np.random.default_rng(20)
    codes, y = related(rng, 150, (2, 3, 2, 4), 3, strength=0.6)
    X = np.where(rng.random(codes.shape) < 0.5, np.nan, codes)
    modelled, pairwise = (misieve.prequential(X, y, missing=missing, variance="auto") for missing in ("model", "pairwise"))
    assert any((modelled.selected[rule] != pairwise.selected[rule]).any() for rule in modelled.rules)
    complete = misieve.prequential(codes, y, missing="model")
    for rule, used in misieve.prequential(codes, y).selected.items():
        np.testing.assert_array_equal(complete.selected[rule], used)


def test_the_model_of_many_tables_and_of_draws(monkeypatch):
    rng = np.random.default_rng(21)
    codes, y = related(rng, 60, (2, 3), 2, strength=0.9)
    left_out = np.where(rng.random(codes.shape) < 0.4, -1, codes)
    X = np.where(left_out < 0, np.nan, codes)
    monkeypatch.setattr("misieve.progressive.verdicts._INCOMPLETE", 3)
    assert_as_naive(X, y, (2, 3), codes=left_out, missing="model", options={"law": "beta", "variance": "auto"})
    drawn = [
        misieve.prequential(X, y, missing="model", law="sampled", epsilon=0.02, batch=20, rng=3).selected["forward"][0]
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*drawn)
    assert drawn[0][0] == 0
    assert drawn[0][-1] == 2


def test_a_target_named_in_a_frame_and_declared_classes():
    pl = pytest.importorskip("polars")
    rng = np.random.default_rng(10)
    X, y = related(rng, 50, (2, 3), 2)
    frame = pl.DataFrame({"colour": X[:, 0], "size": X[:, 1], "kind": y})
    found = misieve.prequential(frame, "kind", rules=ALL)
    expected = misieve.prequential(X, y, rules=ALL)
    np.testing.assert_array_equal(found.predicted["all"], expected.predicted["all"])
    assert isinstance(found.to_frame(), pl.DataFrame)
    reverse = misieve.prequential(frame, "kind", rules=ALL, categories={"kind": [1, 0]})
    assert reverse.classes == (1, 0)
    assert reverse.truth.sum() == len(y) - y.sum()


def test_orders():
    rng = np.random.default_rng(11)
    X, y = related(rng, 60, (2,) * 6, 2)
    given = misieve.prequential(X, y)
    np.testing.assert_array_equal(given.order, [np.arange(60)])
    one = misieve.prequential(X, y, rng=1)
    assert not np.array_equal(one.order, given.order)
    many = misieve.prequential(X, y, orders=3, rng=1)
    assert many.accuracy["forward"].shape == many.selected["backward"].shape == (3, 60)
    for which in range(3):
        again = misieve.prequential(X[many.order[which]], y[many.order[which]])
        np.testing.assert_array_equal(many.accuracy["empirical"][which], again.accuracy["empirical"][0])
        np.testing.assert_array_equal(many.selected["forward"][which], again.selected["forward"][0])
    same = misieve.prequential(X, y, orders=3, rng=1)
    np.testing.assert_array_equal(many.order, same.order)


def test_stretches_and_threads_leave_no_trace(monkeypatch):
    rng = np.random.default_rng(12)
    X, y = related(rng, 200, (2, 3, 2, 4, 2, 2), 3)
    whole = misieve.prequential(X, y, rules=ALL, batch=4)
    monkeypatch.setattr("misieve.progressive.walking._CELLS", 300)
    monkeypatch.setattr("misieve.progressive.walking.threads", lambda jobs: 3)
    parts = misieve.prequential(X, y, rules=ALL, batch=4)
    for rule in ALL:
        np.testing.assert_array_equal(whole.predicted[rule], parts.predicted[rule])
        np.testing.assert_array_equal(whole.selected[rule], parts.selected[rule])


def test_a_batch_of_all_rows_decides_from_the_prior_alone():
    rng = np.random.default_rng(13)
    X, y = related(rng, 30, (2, 2), 2)
    found = misieve.prequential(X, y, rules=ALL, batch=100)
    assert (found.predicted["all"] == 0).all()  # nothing is known: a tie, to the first class
    assert len(np.unique(found.selected["backward"])) == 1


def test_units():
    rng = np.random.default_rng(14)
    X, y = related(rng, 80, (2, 2, 2, 2), 2)
    nats = misieve.prequential(X, y, epsilon=0.01 * np.log(2))
    bits = misieve.prequential(X, y, epsilon=0.01, unit="bits")
    share = misieve.prequential(X, y, epsilon=0.01, unit="share")
    for rule in nats.rules:
        np.testing.assert_array_equal(nats.selected[rule], bits.selected[rule])
    # The classes are nearly balanced: a share of their entropy is about the same number of bits.
    assert np.mean(np.abs(share.selected["forward"] - bits.selected["forward"])[0, 5:]) < 0.05
    np.testing.assert_array_equal(share.selected["forward"][0, :2], [4, 4])  # one class so far: no entropy, no threshold
    zero = misieve.prequential(X, y, epsilon=0.0, unit="share", rules="forward")
    assert (zero.selected["forward"] == 4).all()


def test_sampled_law_repeats_with_its_seed():
    rng = np.random.default_rng(15)
    X, y = related(rng, 12, (2, 3), 2)
    a, b = (misieve.prequential(X, y, law="sampled", rules="forward", rng=3).selected["forward"] for _ in range(2))
    np.testing.assert_array_equal(a, b)


def test_p_values_are_those_of_scipy():
    rng = np.random.default_rng(16)
    X, y = related(rng, 150, (2,) * 10, 2, strength=0.6)
    found = misieve.prequential(X, y, orders=2, rng=1, rules=("all", "forward"), epsilon=0.05)
    compared = found.compare("all", "forward", alpha=0.2)
    assert compared.p_value.shape == (2, 150)
    checked = 0
    for which in range(2):
        a, b = (found.correct[rule][which].astype(float) for rule in ("all", "forward"))
        for k in range(2, 151):
            d = a[:k] - b[:k]
            if np.ptp(d) == 0:
                assert np.isnan(compared.p_value[which, k - 1]) if d[0] == 0 else compared.p_value[which, k - 1] == 0
                continue
            checked += 1
            assert compared.p_value[which, k - 1] == pytest.approx(ttest_rel(a[:k], b[:k]).pvalue, rel=1e-9)
            assert compared.difference[which, k - 1] == pytest.approx(d.mean())
    assert checked > 100


def test_ranges_are_where_it_is_significant():
    right = np.array([[0] * 3 + [1] * 20 + [0] * 30 + [1] * 100, [0] * 153], dtype=bool)
    wrong = np.zeros_like(right)
    found = compared("forward", "empirical", 0.05, right, wrong)
    for which, ranges in enumerate(found.ranges):
        inside = np.zeros(153, dtype=bool)
        for first, last in ranges:
            assert 1 <= first <= last <= 153
            inside[first - 1 : last] = True
        np.testing.assert_array_equal(inside, np.nan_to_num(found.p_value[which], nan=1.0) < 0.05)
    assert found.ranges[0]
    assert found.ranges[1] == []
    assert found.greatest[0] == (23, pytest.approx(20 / 23))
    assert found.greatest[1] == (0, 0.0)
    assert "forward with empirical" in repr(found)
    np.testing.assert_array_equal(p_values(np.ones((1, 3))), [[np.nan, 0.0, 0.0]])


def test_rules_by_name():
    rng = np.random.default_rng(17)
    X, y = related(rng, 40, (2, 2), 2)
    found = misieve.prequential(X, y, rules=("forward", None))
    assert found.rules == ("forward", "all")
    assert found.compare("forward", None).b == "all"
    assert (found.selected["all"] == 2).all()
    assert misieve.prequential(X, y, rules=None).rules == ("all",)
    assert "40 rows, 1 order; forward 0." in repr(found)


def test_frame_of_results():
    rng = np.random.default_rng(18)
    X, y = related(rng, 20, (2, 2), 2)
    found = misieve.prequential(X, y, orders=2, rng=1)
    frame = found.to_frame()
    assert list(frame.columns) == ["order", "rule", "k", "row", "correct", "accuracy", "selected"]
    part = frame[(frame["order"] == 1) & (frame["rule"] == "backward")]
    np.testing.assert_array_equal(part["k"], np.arange(1, 21))
    np.testing.assert_array_equal(part["accuracy"], found.accuracy["backward"][1])
    np.testing.assert_array_equal(part["selected"], found.selected["backward"][1])


def test_one_class_is_warned_about():
    with pytest.warns(misieve.MisieveWarning, match="the target has one class, 'a'"):
        found = misieve.prequential(np.eye(4, dtype=int), ["a"] * 4, rules=ALL)
    assert found.accuracy["forward"][0, -1] == 1.0
    assert found.selected["all"][0, -1] == 4
    assert found.selected["backward"][0, -1] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "forwards"}, r"rules must be one of 'forward', .*; did you mean 'forward'\?"),
        ({"rules": ()}, "rules must name at least one"),
        ({"rules": ("forward", "forward")}, "rules must be different"),
        ({"epsilon": -0.1}, r"epsilon must be a finite number, 0 or more, not -0\.1"),
        ({"epsilon": "little"}, "epsilon must be a finite number"),
        ({"unit": "nat"}, "unit must be one of 'nats', 'bits', 'share'"),
        ({"level": 95}, "level must be a number strictly between 0 and 1"),
        ({"law": "beta2"}, "law must be one of"),
        ({"variance": "none"}, "variance must be one of"),
        ({"independence": 1.0}, "independence must be below 1"),
        ({"missing": "model", "law": "quadrature"}, "missing='model' has no law 'quadrature'"),
        ({"missing": "drop"}, "missing must be one of 'error', 'category', 'pairwise', 'model'"),
        ({"batch": 0}, "batch must be a whole number, 1 or more, not 0"),
        ({"orders": 1.5}, "orders must be a whole number"),
        ({"categories": {"x9": [0]}}, "categories must name columns of X, 'x9' is none"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(misieve.OptionError, match=message):
        misieve.prequential([[0, 1], [1, 0]], [0, 1], **options)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[0], [1]], [0], "y must have one entry for each row of X, found 1 for 2 rows"),
        ([[0], [1]], [0, None], r"y must not be missing, found it so in row 1: leave out"),
        (np.array([0, 1]), [0, 1], "X must be two-dimensional"),
        (Path("rows.csv"), [0, 1], "X must be in memory, .*: read it first"),
        (np.zeros((0, 2)), [], "X must have at least one row and one feature, found 0 rows and 2 features"),
        ([[0.5], [1.0]], [0, 1], r"column 'x0' must hold whole numbers, found 0\.5.*row 0"),
        (scipy.sparse.csr_array([[0.0], [1.5]]), [0, 1], r"column 'x0' must hold whole numbers, found 1\.5.*row 1"),
    ],
)
def test_bad_data(X, y, message):
    with pytest.raises(misieve.DataError, match=message):
        misieve.prequential(X, y)


@pytest.mark.parametrize("sparse", [False, True])
def test_values_that_are_not_declared(sparse):
    X = np.array([[0, 1], [1, 2], [0, 1]])
    data = scipy.sparse.csr_array(X) if sparse else X
    with pytest.raises(
        misieve.DataError, match=r"column 'x1' must have one of its declared categories \[0, 1\], found 2 .row 1"
    ):
        misieve.prequential(data, [0, 1, 0], categories=[0, 1])
    with pytest.raises(misieve.DataError, match=r"column 'x0' must have one of its declared categories \[1\], found 0 .row 0"):
        misieve.prequential(data, [0, 1, 0], categories={"x0": [1]})


def test_rules_that_were_not_run_cannot_be_compared():
    found = misieve.prequential([[0, 1], [1, 0]], [0, 1], rules=("forward", "empirical"))
    with pytest.raises(misieve.OptionError, match="the rule to compare must be one of 'forward', 'empirical', not 'backward'"):
        found.compare("forward", "backward")
    with pytest.raises(misieve.OptionError, match="two different rules"):
        found.compare("forward", "forward")


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("width", [2, 3])
def test_both_cores_walk_alike(width, batch):
    native = native_or_none()
    if native is None:
        pytest.skip("the native core was not built")
    rng = np.random.default_rng(19)
    r, s, features, rows = 3, 2, 30, 25
    dense = rng.choice(width + 1, p=[0.7] + [0.3 / width] * width, size=(rows, features))
    row, feature = np.nonzero(dense)
    starts = np.concatenate([[0], np.bincount(row, minlength=rows).cumsum()])
    labels = rng.integers(0, s, size=rows).astype(np.int32)
    data = (starts, feature.astype(np.int32), dense[row, feature].astype(np.int32), labels)
    order = rng.permutation(rows)
    before = (np.zeros(features, dtype=np.int32), np.zeros((1, width, s), dtype=np.int32), np.array([1, 2]))
    found = [core.walk_tables(*before, r, *data, order, batch) for core in (native, twin)]
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    tables, rounds, alive, members, moves, keys, _ = found[0]
    assert members.sum() == features * (len(rounds) - 1)
    if width < r:
        seen = before[2].sum() + np.repeat(np.arange(0, rows, batch), np.diff(rounds))
        np.testing.assert_array_equal(tables.sum(axis=(1, 2)), seen)
    kept = rng.integers(0, 4, size=len(alive)).astype(np.uint8)
    logs = np.log(np.maximum(np.arange(rows + 10), 1))
    arguments = (before[0], before[2], r, *data, order, batch, rounds, alive, members, moves, keys, kept, 2, logs)
    (ours, our_use), (theirs, their_use) = (core.walk_scores(*arguments) for core in (native, twin))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(our_use, their_use)


def test_the_bar_waits_for_a_terminal_and_two_seconds(monkeypatch):
    pytest.importorskip("rich")
    written = []

    class Terminal:
        encoding = "utf-8"

        def isatty(self):
            return True

        def write(self, text):
            written.append(text)

        def flush(self):
            pass

    now = [0.0]
    monkeypatch.setattr("sys.stderr", Terminal())
    with progress("prequential", 10, clock=lambda: now[0]) as advance:
        advance(5)
        assert not written
        now[0] = 3.0
        advance(4)
    assert written
