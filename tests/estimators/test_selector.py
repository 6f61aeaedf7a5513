import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

import misieve
from misieve import DataError, MDLDiscretizer, MISelector, MisieveWarning, NaiveBayes, OptionError
from misieve.discretize import mdl_cuts

ESTIMATORS = [
    MISelector(),
    MISelector(rule="fdr", discretize=4, min_features=1),
    MISelector(rule="empirical", independence=0.0),
]


# The checks fit small random samples on purpose: identifiers, single classes and nothing selected are warned about.
@pytest.mark.filterwarnings("ignore::misieve.MisieveWarning", "ignore:No features were selected:UserWarning")
@parametrize_with_checks(ESTIMATORS)
def test_it_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_contract_has_many_checks():
    assert len(list(estimator_checks_generator(MISelector()))) > 50


@pytest.fixture(scope="module")
def mixed():
    """Columns of every kind, and which of them tell something about the classes."""
    rng = np.random.default_rng(2)
    n = 800
    y = rng.integers(0, 2, n)
    frame = pd.DataFrame(
        {
            "measured": rng.normal(size=n) + y,
            "noise": rng.normal(size=n),
            "colour": pd.Categorical(np.where(rng.random(n) < 0.4, "red", np.where(y == 1, "green", "blue"))),
            "word": rng.choice(["a", "b"], n),
            "grade": rng.integers(0, 5, n) + 2 * y,
            "identifier": [f"id{i}" for i in range(n)],
            "flag": (rng.random(n) < 0.2) ^ (y == 1),
            "constant": 3,
        },
        index=[f"row {i}" for i in range(n)],
    )
    frame.loc["row 3":"row 60", "measured"] = np.nan
    frame.loc["row 100":"row 110", "word"] = None
    return frame, np.where(y == 1, "yes", "no"), ["measured", "colour", "grade", "flag"]


@pytest.fixture
def fitted(mixed):
    with pytest.warns(MisieveWarning, match="column 'identifier' has as many values as there are rows"):
        return MISelector().fit(mixed[0], mixed[1])


def test_a_mixed_frame_needs_no_pipeline(mixed, fitted):
    frame, y, informative = mixed
    assert fitted.get_feature_names_out().tolist() == informative
    chosen = fitted.transform(frame)
    pd.testing.assert_frame_equal(chosen, frame[informative])
    assert fitted.selection_.reason[frame.columns.get_loc("noise")] == "no cut tells the classes apart"
    assert fitted.selection_.reason[frame.columns.get_loc("constant")] == "constant"
    expected = mdl_cuts(frame[["measured", "noise"]].to_numpy(), (y == "yes").astype(int))
    assert [fitted.tables_.cuts[name].tolist() for name in ("measured", "noise")] == [cuts.tolist() for cuts in expected]


def test_fitted_attributes_are_those_of_the_posterior(mixed, fitted):
    p = misieve.posterior(fitted.tables_, independence="auto")
    np.testing.assert_array_equal(fitted.scores_, p.mean())
    np.testing.assert_array_equal(fitted.std_, p.std())
    np.testing.assert_array_equal(fitted.probability_, p.sf(0.005 * p.target_entropy))
    np.testing.assert_array_equal(fitted.interval_, (p.ppf(1 - 0.95), p.ppf(0.95)))
    np.testing.assert_array_equal(fitted.independence_, p.independence)
    assert fitted.n_features_in_ == 8
    assert fitted.feature_names_in_.tolist() == list(mixed[0].columns)
    assert (fitted.get_support() == (fitted.probability_ >= 0.95)).all()
    assert fitted.get_support(indices=True).tolist() == [0, 2, 4, 6]


@pytest.mark.filterwarnings("ignore:column 'identifier':misieve.MisieveWarning")
@pytest.mark.parametrize("make", [pl.from_pandas, pa.Table.from_pandas], ids=["polars", "pyarrow"])
def test_other_frames_give_the_same_in_their_own_kind(mixed, fitted, make):
    frame, y, informative = mixed
    other = make(frame.reset_index(drop=True))
    found = MISelector().fit(other, y)
    assert found.tables_ == fitted.tables_
    chosen = found.transform(other)
    assert type(chosen) is type(other)
    names = chosen.columns if isinstance(chosen, pl.DataFrame) else chosen.column_names
    assert list(names) == informative
    assert type(found.selection_.to_frame()) is type(other)


@pytest.mark.parametrize("wanted", ["pandas", "polars"])
def test_set_output_decides_what_comes_out(mixed, fitted, wanted):
    frame, _, informative = mixed
    kind = pd.DataFrame if wanted == "pandas" else pl.DataFrame
    selector = clone(fitted).set_output(transform=wanted)
    selector.__dict__.update(vars(fitted))
    for table in (frame, pl.from_pandas(frame)):
        chosen = selector.transform(table)
        assert isinstance(chosen, kind)
        assert list(chosen.columns) == informative


def test_arrays_and_sparse_matrices_of_the_same_numbers_give_the_same():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 400)
    X = np.where(rng.random((400, 30)) < 0.8, 0, rng.integers(1, 4, (400, 30))).astype(float)
    X[:, 5] = np.where(rng.random(400) < 0.7, y, 0)
    X[:, 6] = np.where(rng.random(400) < 0.5, 0, rng.normal(size=400) + y)  # continuous, half of it zeros
    X[:, 7] = rng.normal(size=400)
    weights = rng.integers(0, 3, 400).astype(float)
    for sample_weight in (None, weights):
        dense = MISelector().fit(X, y, sample_weight=sample_weight)
        for make in (sp.csr_matrix, sp.csc_array, sp.coo_matrix):
            found = MISelector().fit(make(X), y, sample_weight=sample_weight)
            assert found.tables_ == dense.tables_
            assert {name: cuts.tolist() for name, cuts in found.tables_.cuts.items()} == {
                name: cuts.tolist() for name, cuts in dense.tables_.cuts.items()
            }
            chosen = found.transform(make(X))
            assert sp.issparse(chosen)
            np.testing.assert_array_equal(chosen.toarray(), dense.transform(X))
        assert dense.get_feature_names_out().tolist() == ["x5", "x6"]


def test_missing_values_in_a_sparse_column_are_no_zeros():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 500)
    X = np.where(rng.random((500, 3)) < 0.6, 0.0, rng.normal(size=(500, 3)) + y[:, None])
    X[rng.random((500, 3)) < 0.1] = np.nan
    dense, sparse = MISelector().fit(X, y), MISelector().fit(sp.csr_array(X), y)
    assert dense.tables_ == sparse.tables_
    assert dense.tables_.missing["x0"].by_class.sum() == np.isnan(X[:, 0]).sum()


def test_integers_of_few_values_are_categories_and_others_are_cut():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 3000)
    X = np.column_stack([rng.integers(0, 64, 3000), rng.integers(0, 65, 3000), -rng.integers(0, 64, 3000), 10**6 * y + y])
    found = MISelector().fit(X, y)
    assert list(found.tables_.cuts) == ["x1"]
    assert [len(found.tables_.categories[name]) for name in found.tables_] == [64, 1, 64, 2]


@pytest.mark.parametrize("rule", ["forward", "backward", "empirical", "fdr"])
def test_batches_of_discrete_columns_end_where_one_fit_does(rule):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 900)
    X = rng.integers(0, 6, (900, 12))
    X[:, 0] = np.where(rng.random(900) < 0.3, y, X[:, 0])
    whole = MISelector(rule=rule).fit(X, y)
    batches = MISelector(rule=rule)
    for rows in np.array_split(np.arange(900), [1, 30, 400]):
        batches.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    assert batches.tables_ == whole.tables_
    assert batches.get_support().tolist() == whole.get_support().tolist()
    np.testing.assert_array_equal(batches.probability_, whole.probability_)


def test_the_decision_is_made_anew_after_every_batch():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 2000)
    X = np.where(rng.random(2000) < 0.2, y, rng.integers(0, 2, 2000))[:, None]
    selector = MISelector().partial_fit(X[:20], y[:20])
    assert selector.get_support().tolist() == [False]
    assert selector.partial_fit(X[20:], y[20:]).get_support().tolist() == [True]
    assert selector.fit(X[:20], y[:20]).get_support().tolist() == [False]


def test_classes_and_categories_may_appear_in_later_batches():
    selector = MISelector().partial_fit([["a"], ["b"]], ["no", "yes"]).partial_fit([["c"], ["a"]], ["perhaps", "no"])
    assert selector.tables_.classes == ("no", "perhaps", "yes")
    assert selector.tables_.categories["x0"] == ("a", "b", "c")
    assert selector.tables_["x0"].tolist() == [[2, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert selector.scores_.shape == (1,)


def test_the_first_batch_cuts_for_all_with_a_warning():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(8).permutation(150)
    X, y = X[order], y[order]
    with pytest.warns(MisieveWarning, match=r"continuous columns \('x0', 'x1', 'x2', 'x3'\) were cut by the first batch alone"):
        selector = MISelector().partial_fit(X[:75], y[:75])
    cuts = {name: one.tolist() for name, one in selector.tables_.cuts.items()}
    selector.partial_fit(X[75:], y[75:])
    assert {name: one.tolist() for name, one in selector.tables_.cuts.items()} == cuts
    assert int(selector.tables_["x0"].sum()) == 150
    whole = MISelector().fit(X, y)
    again = whole.partial_fit(X, y)
    assert int(again.tables_["x0"].sum()) == 300


def test_cuts_may_come_from_elsewhere():
    X, y = load_iris(return_X_y=True)
    fitted = MDLDiscretizer(max_bins=2).fit(X, y)
    found = MISelector(discretize=fitted).partial_fit(X, y)
    assert [found.tables_.cuts[f"x{j}"].tolist() for j in range(4)] == [cuts.tolist() for cuts in fitted.cut_points_]
    given = MISelector(discretize={"x0": [5.5], "x1": 3, "x2": "mdl", "x3": [0.8, 1.7]}).fit(X, y)
    assert [len(given.tables_[name]) for name in given.tables_] == [2, 3, 3, 3]
    quantiles = MISelector(discretize=4).fit(X, y)
    assert {len(quantiles.tables_[name]) for name in quantiles.tables_} == {4}
    with pytest.raises(DataError, match="must have been fitted to the same features, found 4 columns of cuts for 2 features"):
        MISelector(discretize=fitted).fit(X[:, :2], y)


def test_without_cuts_a_fraction_is_an_error():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match=r"column 'x0' must hold whole numbers, found 5.1.*must be cut into bins first"):
        MISelector(discretize=None).fit(X, y)
    found = MISelector(discretize=None).fit((10 * X).round().astype(int), y)
    assert found.get_support().all()


def test_rows_of_weight_zero_do_not_exist():
    X, y = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(9)
    weights = rng.integers(0, 2, len(y))
    labels = np.where(np.arange(len(y)) == np.flatnonzero(weights == 0)[0], 7, y)
    found = MISelector().fit(X, labels, sample_weight=weights)
    expected = MISelector().fit(X[weights > 0], y[weights > 0])
    assert found.tables_ == expected.tables_
    assert found.tables_.classes == (0, 1)
    assert all(np.array_equal(found.tables_.cuts[name], cuts) for name, cuts in expected.tables_.cuts.items())


def test_weights_are_routed():
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 2, 0.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            MISelector().set_fit_request(sample_weight=True), LogisticRegression().set_fit_request(sample_weight=True)
        )
        pipeline.fit(X, y, sample_weight=weights)
    assert pipeline[0].tables_.classes == (0, 1)
    assert float(pipeline[0].tables_.class_counts.sum()) == 100.0


def test_it_works_in_pipelines_searches_and_transformers(mixed):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(MISelector(), StandardScaler(), LogisticRegression())
    assert cross_val_score(pipeline, X, y, cv=3).min() > 0.93
    search = GridSearchCV(pipeline, {"miselector__epsilon": [0.005, 0.3], "miselector__rule": ["forward", "fdr"]}, cv=3)
    search.fit(X, y)
    assert 0 < search.best_estimator_[0].get_support().sum() <= 30
    frame, labels, _ = mixed
    columns = ColumnTransformer(
        [("numbers", MISelector(), make_column_selector(dtype_include="number")), ("words", MISelector(), ["colour", "word"])],
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    chosen = columns.fit_transform(frame, labels)
    assert list(chosen.columns) == ["measured", "grade", "colour"]
    assert chosen.index.equals(frame.index)


def test_copies_decide_as_the_original(mixed, fitted):
    frame, _, informative = mixed
    copy = pickle.loads(pickle.dumps(fitted))
    assert list(copy.transform(frame).columns) == informative
    np.testing.assert_array_equal(copy.probability_, fitted.probability_)
    again = clone(MISelector(epsilon=0.1, rule="fdr"))
    assert again.get_params()["epsilon"] == 0.1
    with pytest.raises(NotFittedError):
        again.transform(frame)
    with pytest.raises(NotFittedError):
        again.get_support()
    for name in ("scores_", "selection_", "probability_"):
        assert not hasattr(again, name)


def test_the_best_are_kept_when_so_many_are_asked_for(mixed):
    frame, y, informative = mixed
    some = frame.drop(columns="identifier")
    assert MISelector(min_features=2).fit(some, y).get_feature_names_out().tolist() == informative
    found = MISelector(min_features=5).fit(some, y)
    assert found.get_feature_names_out().tolist() == ["measured", "colour", "word", "grade", "flag"]
    assert found.selection_.reason[3].endswith(", kept as one of the best")
    assert MISelector(min_features=99).fit(some, y).get_support().all()


@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame, pl.DataFrame, sp.csr_matrix], ids=lambda make: make.__name__)
def test_nothing_selected_is_a_warning_and_an_empty_output(make):
    rng = np.random.default_rng(10)
    X = make(rng.integers(0, 3, (200, 4)))
    selector = MISelector().fit(X, rng.integers(0, 2, 200))
    with pytest.warns(UserWarning, match="No features were selected: none passes the rule 'forward' with epsilon=0.005"):
        chosen = selector.transform(X)
    assert type(chosen) is type(X)
    assert chosen.shape == ((200, 0) if not isinstance(chosen, pl.DataFrame) else (0, 0))


def test_a_selection_can_be_undone():
    X, y = load_iris(return_X_y=True)
    selector = MISelector(epsilon=0.4).fit(X, y)
    kept = selector.get_support()
    assert 0 < kept.sum() < 4
    back = selector.inverse_transform(selector.transform(X))
    np.testing.assert_array_equal(back, np.where(kept, X, 0.0))
    np.testing.assert_array_equal(selector.inverse_transform(sp.csr_matrix(X[:, kept])).toarray(), back)
    assert selector.transform(X.astype(np.float32)).dtype == np.float32
    assert selector.transform(X.tolist()).dtype == np.float64
    with pytest.raises(ValueError, match="X has a different shape than during fitting: it must have the 2 selected .* found 4"):
        selector.inverse_transform(X)
    X[3] = np.nan  # missing values come back, as they went
    np.testing.assert_array_equal(selector.inverse_transform(X[:, kept]), np.where(kept, X, 0.0))
    np.testing.assert_array_equal(selector.inverse_transform(pd.DataFrame(X[:, kept])), np.where(kept, X, 0.0))


def test_another_feature_set_is_an_error_as_in_scikit_learn(mixed, fitted):
    frame, y, _ = mixed
    with pytest.raises(ValueError, match="feature names should match those that were passed during fit"):
        fitted.transform(frame[frame.columns[::-1]])
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.partial_fit(frame.rename(columns={"flag": "sign"}), y)
    nameless = pytest.warns(UserWarning, match="X does not have valid feature names")
    with nameless, pytest.raises(ValueError, match="X has 3 features, but MISelector is expecting 8 features"):
        fitted.transform(frame.to_numpy()[:, :3])
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert fitted.transform(frame.to_numpy()).shape == (800, 4)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (
            np.linspace(0, 1, 150),
            "y must hold classes, found 0.0067.*Unknown label type: continuous.*cut the target itself first",
        ),
        (np.linspace(0, 1, 150).astype(object), "y must hold classes.*continuous"),
        (np.full(150, np.nan), "found missing values only"),
        (np.full(150, np.inf), "y must hold classes, found inf"),
        (None, "MISelector requires y to be passed, but the target y is None"),
        ("kind", r"found the text 'kind': if that is a column of X, pass y=X\['kind'\]"),
        (np.zeros((150, 2)), "y should be a 1d array"),
        ([0, 1], "y must have one entry for each row of X, found 2 for 150 rows"),
    ],
)
def test_a_target_that_is_not_classes_is_explained(y, message):
    with pytest.raises(ValueError, match=message):
        MISelector().fit(load_iris().data, y)


def test_a_class_may_be_missing_unless_told_otherwise():
    X, y = load_iris(return_X_y=True)
    labels = y.astype(float)
    labels[:30] = np.nan
    found = MISelector(discretize=3).fit(X, labels)
    assert found.tables_.class_counts.tolist() == [20, 50, 50]
    assert found.tables_.missing["x0"].by_value.sum() == 30
    with pytest.raises(
        DataError, match=r"y must not have missing values, found 30 \(Input y contains NaN\), the first in row 0: leave"
    ):
        MISelector(missing="category").fit(X, labels)


def test_missing_values_as_told():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 2, 600)
    X = rng.integers(0, 3, (600, 2)).astype(float)
    X[(y == 1) & (rng.random(600) < 0.4), 0] = np.nan  # that it is missing tells the class
    assert MISelector(missing="category").fit(X, y).get_support().tolist() == [True, False]
    assert MISelector(missing="pairwise").fit(X, y).get_support().tolist() == [False, False]
    with pytest.raises(DataError, match="column 'x0' must not have missing values"):
        MISelector(missing="error").fit(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "best"}, "rule must be one of"),
        ({"level": 2}, "level must be a number strictly between"),
        ({"missing": "drop"}, "missing must be one of 'error', 'category', 'pairwise', 'model', not 'drop'"),
        ({"discretize": "kmeans"}, "discretize must be 'mdl', a number of quantile bins.*found 'kmeans'"),
        ({"discretize": MDLDiscretizer()}, "discretize must be .* a fitted MDLDiscretizer; found"),
        ({"min_features": -1}, "min_features must be a whole number from 0 up, not -1"),
        ({"prior": "flat"}, "prior must be one of"),
        ({"independence": 1.0}, "independence must be below 1"),
        ({"law": "cauchy"}, "law must be one of"),
        ({"n_jobs": 0}, "n_jobs must be None or a whole number other than 0"),
    ],
)
def test_unknown_options_are_explained(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(OptionError, match=message):
        MISelector(**options).fit(X, y)


def test_a_batch_that_cannot_be_counted_changes_nothing():
    selector = MISelector().fit([["a"], ["b"], ["b"]], [0, 1, 1])
    before = selector.tables_
    with pytest.raises(DataError, match="mixes"):
        selector.partial_fit([[1], [2]], [0, 1])
    assert selector.tables_ is before
    assert selector.get_support().shape == (1,)


def test_classes_that_cannot_be_declared_change_nothing():
    selector = MISelector()
    with pytest.raises(DataError, match="classes= declares the category 'no' twice"):
        selector.partial_fit([["a"], ["b"]], ["no", "yes"], classes=["no", "no"])
    assert not hasattr(selector, "tables_")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("table.csv", "X must be in memory, found the path 'table.csv': read or collect it first, or count it batch by batch"),
        (pl.LazyFrame({"a": [1, 2]}), "X must be in memory, found a lazy frame .LazyFrame."),
        (
            pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
            "columns must have names of their own, found 'a' twice: rename one",
        ),
        (pd.DataFrame({"a": [[1], [2]]}), r"column 'a' must hold categories, found a list \(row 0\)"),
        (pd.DataFrame({"a": [1, "x"]}), "column 'a' must hold values of one kind, found numbers .1. and text"),
        (pd.DataFrame({"a": []}), "X must have at least one row, found none"),
    ],
)
def test_data_that_cannot_be_counted_are_explained(data, message):
    for estimator in (MISelector(), NaiveBayes()):
        with pytest.raises(DataError, match=message):
            estimator.fit(data, [0, 1][: len(data)] if isinstance(data, pd.DataFrame) else [0, 1])


def test_a_measured_target_is_pointed_to_what_to_do():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (300, 2))
    with pytest.raises(DataError, match="found 300 different numbers in 300 rows: cut the target itself first.*pandas.qcut"):
        MISelector().fit(X, rng.permutation(1000)[:300])
    labels = np.repeat(np.arange(100), 3)  # many classes, but classes
    assert len(MISelector().fit(X, labels).tables_.classes) == 100


def test_weights_that_are_none_are_explained():
    X, y = load_iris(return_X_y=True)
    for weights, message in (
        (-np.ones(150), "sample_weight must be finite and not negative, found -1.0 in row 0"),
        (np.ones(3), "sample_weight must have one entry for each row, found 3 for 150 rows"),
        (np.zeros(150), "found none of weight above zero"),
        (np.array(["a"] * 150), "sample_weight must be numbers"),
    ):
        for estimator in (MISelector(), NaiveBayes()):
            with pytest.raises(DataError, match=message):
                estimator.fit(X, y, sample_weight=weights)


def test_a_mixed_frame_as_people_have_them():
    """Identifiers, dates, nullable types, text with gaps: one call, and a reason for each column."""
    rng = np.random.default_rng(13)
    n = 1500
    gone = rng.random(n) < 0.2
    frame = pd.DataFrame(
        {
            "account": rng.permutation(n) + 10**6,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n) + 300 * gone, unit="D"),
            "spent": np.round(rng.normal(60 + 10 * gone, 15), 2),
            "calls": pd.array(rng.poisson(1 + gone), dtype="Int64"),
            "plan": pd.Categorical(np.where(gone & (rng.random(n) < 0.4), "gold", rng.choice(["silver", "iron"], n))),
            "paperless": pd.array(rng.random(n) < 0.5, dtype="boolean"),
            "note": rng.choice(["", "x", None], n),
            "nothing": np.nan,
        }
    )
    for name in ("since", "spent", "calls", "plan", "paperless"):
        frame.loc[rng.random(n) < 0.1, name] = None
    with pytest.warns(MisieveWarning, match="column 'nothing' has no value in any row"):
        selector = MISelector().fit(frame, np.where(gone, "left", "stayed"))
    assert selector.get_feature_names_out().tolist() == ["since", "spent", "calls", "plan"]
    pd.testing.assert_frame_equal(selector.transform(frame), frame[["since", "spent", "calls", "plan"]])
    table = selector.selection_.to_frame().set_index("feature")
    assert table.loc["account", "reason"] == "no cut tells the classes apart"
    assert table.loc["nothing", "reason"] == "all missing"
    assert table.loc["plan", "taken_as"] == "3 values"
    assert table.loc["since", "taken_as"].endswith("bins")


@pytest.mark.filterwarnings("ignore:column .* has as many values:misieve.MisieveWarning")
@pytest.mark.parametrize("missing", ["model", "pairwise", "category"])
@pytest.mark.parametrize("make", [lambda f: f, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "pyarrow"])
def test_rows_of_weight_zero_do_not_exist_in_frames(make, missing):
    """Not for cuts, not for categories, not for classes, and not for batches."""
    rng = np.random.default_rng(14)
    y = rng.integers(0, 3, 200)
    weights = rng.choice([0.0, 0.5, 1.0, 2.0], 200)
    frame = pd.DataFrame(
        {
            "text": rng.choice(list("abc"), 200),
            "whole": rng.integers(-3, 5, 200),
            "gaps": np.where(rng.random(200) < 0.3, np.nan, rng.integers(0, 4, 200)),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 5, 200), unit="D"),
            "number": rng.normal(size=200) + y,
        }
    )
    ghosts = np.flatnonzero(weights == 0)
    frame.loc[ghosts[0], ["text", "whole", "gaps", "number"]] = ["poison", 10**9, 77, np.inf]
    labels = np.where(np.arange(200) == ghosts[1], 99, y)
    here = weights > 0
    found = MISelector(missing=missing).fit(make(frame), labels, sample_weight=weights).tables_
    expected = MISelector(missing=missing).fit(make(frame[here].reset_index(drop=True)), y[here], weights[here]).tables_
    assert found == expected
    assert found.classes == expected.classes == (0, 1, 2)
    assert dict(found.categories) == dict(expected.categories)
    np.testing.assert_array_equal(found.cuts["number"], expected.cuts["number"])
    discrete = frame.drop(columns="number")
    whole = MISelector(missing=missing).fit(make(discrete), labels, sample_weight=weights)
    batches = MISelector(missing=missing)
    for rows in np.array_split(np.arange(200), [30, 90]):
        batches.partial_fit(make(discrete.iloc[rows].reset_index(drop=True)), labels[rows], sample_weight=weights[rows])
    assert batches.tables_ == whole.tables_
    np.testing.assert_allclose(batches.probability_, whole.probability_, atol=1e-12)


def test_masked_arrays_have_missing_values():
    X, y = load_iris(return_X_y=True)
    mask = np.random.default_rng(12).random(X.shape) < 0.1
    masked = MISelector().fit(np.ma.array(X, mask=mask), y)
    assert masked.tables_ == MISelector().fit(np.where(mask, np.nan, X), y).tables_
