import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from misieve import DataError, MISelector, NaiveBayes, OptionError

ESTIMATORS = [
    NaiveBayes(),
    NaiveBayes(class_prior="empirical", discretize=5),
    NaiveBayes(selector=MISelector(rule="backward"), missing="category"),
]


def expected_failures(estimator):
    reason = "a table without columns is valid: the model is then the class prior, as after a selector that keeps nothing"
    return {"check_estimators_empty_data_messages": reason}


@pytest.mark.filterwarnings("ignore::misieve.MisieveWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_it_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_contract_has_many_checks():
    assert len(list(estimator_checks_generator(NaiveBayes()))) > 55


@pytest.fixture(scope="module")
def codes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 600)
    X = rng.integers(0, 5, (600, 20))
    X[:, :4] = np.where(rng.random((600, 4)) < 0.3, y[:, None], X[:, :4])
    X[:5] = np.arange(5)[:, None]  # every code occurs
    return X, y


KINDS = {
    "integers": np.asarray,
    "floats": lambda X: X.astype(float),
    "objects": lambda X: X.astype(object),
    "text": lambda X: X.astype(str),
    "csr": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "list": lambda X: X.tolist(),
    "pandas": lambda X: pd.DataFrame(X).add_prefix("f"),
    "categories": lambda X: pd.DataFrame(X).add_prefix("f").astype("category"),
    "polars": pl.DataFrame,
    "pyarrow": lambda X: pa.table({f"f{j}": X[:, j] for j in range(X.shape[1])}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_categorical_naive_bayes_of_scikit_learn(codes, kind):
    X, y = codes
    table = KINDS[kind](X)
    ours, theirs = NaiveBayes(class_prior="empirical").fit(table, y), CategoricalNB(alpha=1).fit(X, y)
    np.testing.assert_allclose(ours.predict_joint_log_proba(table), theirs.predict_joint_log_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(table), theirs.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(table), theirs.predict(X))
    np.testing.assert_array_equal(ours.class_count_, theirs.class_count_)
    np.testing.assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=0, atol=1e-14)
    assert ours.score(table, y) == theirs.score(X, y)


def test_weighted_rows_and_other_pseudo_counts_agree_too(codes):
    X, y = codes
    weights = np.random.default_rng(1).random(600)
    for prior, alpha in ((0.5, 0.5), ("jeffreys", 0.5), (3, 3)):
        ours = NaiveBayes(class_prior="empirical", prior=prior).fit(X, y, sample_weight=weights)
        theirs = CategoricalNB(alpha=alpha).fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=0, atol=1e-12)


def test_the_uniform_class_prior_adds_one_to_each_class():
    model = NaiveBayes().fit([[0], [0], [1]], [0, 0, 1])
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [3 / 5, 2 / 5])
    # P(c) times (count of the value in c + 1) / (rows of c + 2)
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[1]])), [[3 / 5 * 1 / 4, 2 / 5 * 2 / 3]])


def naive(model, X):
    """One row, one feature and one class at a time."""
    tables = model.tables_
    counts = tables.class_counts + 1.0
    result = np.empty((len(X), len(counts)))
    for i, row in enumerate(X):
        for c in range(len(counts)):
            total = np.log(counts[c] / counts.sum())
            for name, value in zip(tables, row, strict=True):
                if np.isnan(value) or value not in tables.categories[name]:
                    continue
                table = tables[name]
                total += np.log((table[tables.categories[name].index(value), c] + 1) / (table[:, c].sum() + len(table)))
            result[i, c] = total
    return result


@pytest.mark.parametrize("kind", ["floats", "csr", "polars"])
def test_what_is_missing_or_was_never_counted_is_left_out(codes, kind):
    X, y = codes
    rng = np.random.default_rng(2)
    holes = np.where(rng.random(X.shape) < 0.2, np.nan, X * rng.choice([1, 3], X.shape[1]))
    new = np.where(rng.random((50, 20)) < 0.2, 17, holes[:50])
    make = KINDS[kind] if kind != "polars" else lambda X: pl.DataFrame(X, schema=[f"f{j}" for j in range(20)])
    model = NaiveBayes().fit(make(holes), y)
    np.testing.assert_allclose(model.predict_joint_log_proba(make(new)), naive(model, new), rtol=0, atol=1e-11)
    nothing = np.full((1, 20), np.nan)
    np.testing.assert_allclose(model.predict_log_proba(make(nothing))[0], model.class_log_prior_, atol=1e-14)


def test_unseen_values_are_an_error_on_request(codes):
    X, y = codes
    model = NaiveBayes(unseen="error").fit(X, y)
    new = X[:8].copy()
    model.predict(new)
    new[6, 3] = 9
    for make in (np.asarray, sp.csr_matrix):
        with pytest.raises(DataError, match=r"column 'x3' must hold values that were there.*row 6: unseen='ignore'"):
            model.predict(make(new))
    ones = NaiveBayes(unseen="error").fit(sp.csr_matrix(np.array([[1, 2], [2, 2], [1, 1]])), [0, 1, 1])
    with pytest.raises(DataError, match="column 'x0' must hold values that were there.*row 1"):
        ones.predict(sp.csr_matrix([[1, 1], [0, 1]]))
    holes = np.where(X == 4, np.nan, X)
    NaiveBayes(unseen="error").fit(holes, y).predict(holes)


def test_missing_values_are_a_category_or_an_error_on_request():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    X = rng.integers(0, 2, (400, 2)).astype(float)
    X[(y == 1) & (rng.random(400) < 0.9), 0] = np.nan
    for make in (np.asarray, sp.csr_matrix, pl.DataFrame):
        assert NaiveBayes(missing="category").fit(make(X), y).score(make(X), y) > 0.9
        assert NaiveBayes().fit(make(X), y).score(make(X), y) < 0.7
        strict = NaiveBayes(missing="error").fit(make(np.nan_to_num(X)), y)
        with pytest.raises(DataError, match="must not have missing values, found one in row"):
            strict.predict(make(X))
        with pytest.raises(DataError, match="must not have missing values"):
            NaiveBayes(missing="error").fit(make(X), y)


def test_another_kind_of_values_is_an_error_not_a_guess(codes):
    X, y = codes
    model = NaiveBayes().fit(X, y)
    with pytest.raises(DataError, match=r"column 'x0' mixes numbers \(0\) with text \('0'\)"):
        model.predict(X.astype(str))
    words = NaiveBayes().fit(X.astype(str), y)
    with pytest.raises(DataError, match=r"column 'x0' mixes text \('0'\) with numbers \(0\)"):
        words.predict(X)


def test_continuous_columns_are_cut_as_in_the_selector():
    X, y = load_breast_cancer(return_X_y=True)
    model = NaiveBayes().fit(X, y)
    assert model.tables_ == MISelector().fit(X, y).tables_
    dense = model.predict_joint_log_proba(X)
    sparse = sp.csr_matrix(np.where(np.median(X, axis=0) > X, 0.0, X))
    other = NaiveBayes().fit(sparse, y)
    np.testing.assert_allclose(
        other.predict_joint_log_proba(sparse),
        NaiveBayes().fit(sparse.toarray(), y).predict_joint_log_proba(sparse.toarray()),
        rtol=1e-12,
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(pd.DataFrame(X, dtype=object).to_numpy()), dense, rtol=1e-14)
    assert cross_val_score(NaiveBayes(), X, y).mean() > 0.92
    assert cross_val_score(NaiveBayes(), *load_iris(return_X_y=True)).mean() > 0.92


def test_without_features_it_is_the_class_prior(codes):
    X, y = codes
    empty = NaiveBayes(class_prior="empirical").fit(X[:, :0], y)
    np.testing.assert_allclose(empty.predict_proba(X[:4, :0]), np.tile(np.bincount(y) / 600, (4, 1)))
    noise = np.random.default_rng(4).integers(0, 3, (600, 5))
    filtered = NaiveBayes(selector=MISelector()).fit(noise, y)
    assert filtered.selection_.kept == ()
    for table in (noise, sp.csr_matrix(noise)):
        np.testing.assert_allclose(filtered.predict_log_proba(table), np.tile(filtered.class_log_prior_, (600, 1)))
    with pytest.warns(UserWarning, match="No features were selected"):
        pipeline = make_pipeline(MISelector(), NaiveBayes()).fit(noise, y)
    assert len(pipeline[-1].tables_) == 0


def test_batches_end_where_one_fit_does(codes):
    X, y = codes
    whole, batches = NaiveBayes().fit(X, y), NaiveBayes()
    for rows in np.array_split(np.arange(600), [1, 50, 333]):
        batches.partial_fit(X[rows], y[rows])
    np.testing.assert_array_equal(batches.predict_joint_log_proba(X), whole.predict_joint_log_proba(X))
    assert batches.tables_ == whole.tables_
    named = NaiveBayes().partial_fit(X[:1], y[:1], classes=[0, 1, 2, 3])
    assert named.classes_.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(named.predict_proba(X[:9]).sum(axis=1), 1.0)


def test_two_models_add_up(codes):
    X, y = codes
    frame = KINDS["pandas"](X)
    a, b = NaiveBayes().fit(frame[:200], y[:200]), NaiveBayes().fit(frame[200:], y[200:])
    both = a + b
    whole = NaiveBayes().fit(frame, y)
    np.testing.assert_array_equal(both.predict_joint_log_proba(frame), whole.predict_joint_log_proba(frame))
    assert both.n_features_in_ == 20
    assert both.feature_names_in_.tolist() == list(frame.columns)
    assert int(a.class_count_.sum()) == 200
    with pytest.raises(OptionError, match="must treat missing values alike"):
        a + NaiveBayes(missing="category").fit(frame, y)
    with pytest.raises(NotFittedError):
        a + NaiveBayes()
    with pytest.raises(TypeError):
        a + 1
    iris, labels = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="was cut into bins at different points"):
        NaiveBayes().fit(iris, labels) + NaiveBayes().fit(iris[::2], labels[::2])


@pytest.mark.parametrize("cuts", [[], [1], [5, 6, 40], list(range(1, 60))])
def test_decay_does_not_depend_on_the_batches(codes, cuts):
    X, y = codes[0][:60], codes[1][:60]
    model = NaiveBayes(decay=0.9)
    for rows in np.array_split(np.arange(60), cuts):
        model.partial_fit(X[rows], y[rows])
    age = 0.9 ** np.arange(59, -1, -1)
    expected = NaiveBayes().fit(X, y, sample_weight=age)
    np.testing.assert_allclose(model.class_count_, expected.class_count_, rtol=1e-12)
    np.testing.assert_allclose(model.predict_log_proba(X), expected.predict_log_proba(X), rtol=1e-10)


def test_a_row_of_weight_two_ages_like_two_rows(codes):
    X, y = codes
    weights = np.random.default_rng(9).integers(0, 4, 60)
    weighted = NaiveBayes(decay=0.8).fit(X[:60], y[:60], sample_weight=weights)
    rows = np.repeat(np.arange(60), weights)
    repeated = NaiveBayes(decay=0.8).fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.predict_joint_log_proba(X), repeated.predict_joint_log_proba(X), rtol=1e-10)


def test_forgetting_follows_a_change():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 4000)
    X = np.where(np.arange(4000) < 3000, y, 1 - y)[:, None]  # the meaning turns round
    assert NaiveBayes().fit(X, y).predict([[1]]).tolist() == [1]
    assert NaiveBayes(decay=0.99).fit(X, y).predict([[1]]).tolist() == [0]


def test_the_selector_decides_by_the_counts_so_far():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 3000)
    X = rng.integers(0, 3, (3000, 6))
    X[:, 2] = np.where(rng.random(3000) < 0.25, y, X[:, 2])
    model = NaiveBayes(selector=MISelector()).partial_fit(X[:30], y[:30])
    assert model.selection_.kept == ()
    model.partial_fit(X[30:], y[30:])
    assert model.selection_.kept == ("x2",)
    alone = NaiveBayes().fit(X[:, [2]], y)
    for table in (X, sp.csr_matrix(X)):
        np.testing.assert_allclose(model.predict_joint_log_proba(table), alone.predict_joint_log_proba(X[:, [2]]), rtol=1e-12)
    assert NaiveBayes().fit(X, y).selection_ is None


def test_probabilities_of_many_features_sum_to_one():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 4, 300)
    X = (rng.random((300, 20_000)) < 0.02 + 0.02 * y[:, None]).astype(np.int8)
    for table in (sp.csr_matrix(X), X):
        model = NaiveBayes().fit(table, y)
        np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0, rtol=1e-12)
        assert np.isfinite(model.predict_log_proba(table)).all()
        assert model.predict_joint_log_proba(table).max() < -1000
        assert model.score(table, y) == 1.0


def test_sparse_ones_agree_with_bernoulli_whatever_their_type_and_the_threads():
    rng = np.random.default_rng(8)
    X = sp.random(400, 3000, density=0.01, format="csr", rng=rng)
    X.data[:] = 1.0
    y = rng.integers(0, 5, 400)
    present = np.asarray(X.sum(axis=0)).ravel() > 0  # a column of zeros has one value here, two in BernoulliNB
    X = X[:, present]
    expected = BernoulliNB(alpha=1).fit(X, y).predict_joint_log_proba(X)
    for table in (X, X.astype(np.int8)):
        for jobs in (1, 3):
            model = NaiveBayes(class_prior="empirical", n_jobs=jobs).fit(table, y)
            np.testing.assert_allclose(model.predict_joint_log_proba(table), expected, rtol=1e-12)
            twos = table.copy()
            twos.data[-1] = 2  # no longer all ones: the general path
            np.testing.assert_allclose(
                model.predict_joint_log_proba(twos), model.predict_joint_log_proba(twos.toarray()), rtol=1e-12
            )
    two = y < 2
    model = NaiveBayes(class_prior="empirical").fit(X[two], y[two])
    joint = model.predict_joint_log_proba(X)
    np.testing.assert_allclose(model.predict_log_proba(X), joint - np.logaddexp(*joint.T)[:, None], atol=1e-9)


def test_entries_stored_twice_are_added():
    X = sp.csr_matrix((np.ones(4), np.array([0, 0, 0, 1]), np.array([0, 2, 3, 4])), shape=(3, 2))
    assert not X.has_canonical_format
    model = NaiveBayes().fit(X, [0, 1, 1])
    np.testing.assert_allclose(model.predict_proba(X), model.predict_proba(X.toarray()))


@pytest.mark.parametrize("classes", [["no", "yes", "perhaps"], [True, False, True], [7, -1, 30], [2.0, 1.0, 9.0]])
def test_classes_keep_their_type(codes, classes):
    X, y = codes
    for labels in (np.asarray(classes)[y], np.asarray(classes, dtype=object)[y], pd.Series(classes)[y].to_numpy()):
        model = NaiveBayes().fit(X, labels)
        assert model.classes_.tolist() == sorted(set(classes))
        assert model.classes_.dtype.kind == labels.dtype.kind
        assert model.predict(X).dtype.kind == labels.dtype.kind


def test_classes_may_appear_later(codes):
    X, y = codes
    model = NaiveBayes().partial_fit(X[y < 2], y[y < 2])
    assert model.predict_proba(X).shape == (600, 2)
    model.partial_fit(X[y == 2], y[y == 2])
    np.testing.assert_allclose(model.predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X), rtol=1e-12)


def test_it_works_in_searches_and_copies(codes):
    X, y = codes
    search = GridSearchCV(
        NaiveBayes(selector=MISelector()), {"selector__epsilon": [0.005, 0.9], "class_prior": ["uniform", "empirical"]}, cv=3
    ).fit(X, y)
    assert search.best_params_["selector__epsilon"] == 0.005
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(copy.predict_proba(X), search.predict_proba(X))
    with pytest.raises(NotFittedError):
        clone(copy).predict(X)
    assert not hasattr(clone(copy), "classes_")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"class_prior": "flat"}, "class_prior must be one of 'uniform', 'empirical'"),
        ({"missing": "model"}, "missing must be one of 'ignore', 'category', 'error', not 'model'"),
        ({"unseen": "drop"}, "unseen must be one of 'ignore', 'error'"),
        ({"decay": 1.0}, "decay must be a number strictly between 0 and 1"),
        ({"selector": "forward"}, "selector must be None or a MISelector, not str"),
        ({"selector": MISelector}, "selector must be None or a MISelector, not the class MISelector"),
        ({"selector": MISelector(rule="best")}, "rule must be one of"),
        (
            {"selector": MISelector(discretize=5)},
            "selector must not cut columns in its own way, found discretize=5 beside 'mdl'",
        ),
        (
            {"selector": MISelector(discretize={}), "discretize": 3},
            "must not cut columns in its own way, found discretize={} beside 3",
        ),
        ({"prior": "haldane"}, "naive Bayes needs a prior that gives every cell some mass"),
    ],
)
def test_unknown_options_are_explained(codes, options, message):
    X, y = codes
    with pytest.raises(OptionError, match=message):
        NaiveBayes(**options).fit(X, y).predict(X)


def test_bad_input_is_explained(codes):
    X, y = codes
    with pytest.raises(DataError, match="NaiveBayes requires y to be passed"):
        NaiveBayes().fit(X, None)
    with pytest.raises(DataError, match="Unknown label type: continuous"):
        NaiveBayes().fit(X, y + 0.5)
    model = NaiveBayes().fit(KINDS["pandas"](X), y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(KINDS["pandas"](X)[["f1", "f0", *[f"f{j}" for j in range(2, 20)]]])
    with pytest.raises(ValueError, match="X has 3 features, but NaiveBayes is expecting 20 features"):
        NaiveBayes().fit(X, y).predict(X[:, :3])
