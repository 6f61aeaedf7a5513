import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from misieve import MDLDiscretizer
from misieve._errors import DataError, MisieveWarning, OptionError
from misieve.discretize import mdl_cuts

ESTIMATORS = [MDLDiscretizer(), MDLDiscretizer(max_bins=3), MDLDiscretizer(criterion="entropy", max_bins=4)]


@parametrize_with_checks(ESTIMATORS)
def test_it_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_contract_has_many_checks():
    assert len(list(estimator_checks_generator(MDLDiscretizer()))) > 40


@pytest.fixture
def iris():
    X, y = load_iris(return_X_y=True)
    X[3, 1] = X[7, 2] = np.nan
    return X, y


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def frame(request, iris):
    names = ["a", "b", "c", "d"]
    X = pd.DataFrame(iris[0], columns=names, index=[f"row {i}" for i in range(150)])
    made = {
        "pandas": lambda: X,
        "polars": lambda: pl.from_pandas(X, nan_to_null=True),
        "pyarrow": lambda: pa.table({name: pa.array(X[name], from_pandas=True) for name in names}),
    }
    return made[request.param]()


def test_it_finds_the_cuts_and_codes_the_intervals(iris):
    X, y = iris
    found = MDLDiscretizer().fit(X, y)
    assert [cuts.tolist() for cuts in found.cut_points_] == [cuts.tolist() for cuts in mdl_cuts(X, y)]
    assert found.n_bins_.tolist() == [len(cuts) + 1 for cuts in found.cut_points_]
    assert found.classes_.tolist() == [0, 1, 2]
    codes = found.transform(X)
    assert codes.dtype == np.float64
    np.testing.assert_array_equal(np.isnan(codes), np.isnan(X))
    np.testing.assert_array_equal(codes[:, 3], (X[:, 3] > found.cut_points_[3][:, None]).sum(axis=0))
    assert found.transform(X[10:]).dtype == np.int64


def test_frames_keep_their_kind_their_index_and_their_missing_values(iris, frame):
    X, y = iris
    found = MDLDiscretizer().fit(frame, y)
    codes = found.transform(frame)
    assert type(codes) is type(frame)
    assert found.get_feature_names_out().tolist() == ["a", "b", "c", "d"]
    expected = MDLDiscretizer().fit_transform(X, y)
    if isinstance(frame, pd.DataFrame):
        assert codes.index.equals(frame.index)
        assert [str(dtype) for dtype in codes.dtypes] == ["int64", "Int64", "Int64", "int64"]
        values = codes.to_numpy(dtype=float, na_value=np.nan)
    else:
        codes = codes if isinstance(codes, pl.DataFrame) else pl.from_arrow(codes)
        assert set(codes.dtypes) == {pl.Int64}
        assert codes.null_count().row(0) == (0, 1, 1, 0)
        values = codes.to_numpy()
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("wanted", ["pandas", "polars"])
def test_set_output_decides_what_comes_out(iris, frame, wanted):
    X, y = iris
    for table in (X, frame):
        codes = MDLDiscretizer().set_output(transform=wanted).fit(table, y).transform(table)
        assert isinstance(codes, pd.DataFrame if wanted == "pandas" else pl.DataFrame)
        if wanted == "pandas" and isinstance(table, pd.DataFrame):
            assert codes.index.equals(table.index)


def test_a_nullable_column_is_missing_where_it_is_null():
    frame = pd.DataFrame({"a": pd.array([1, 2, None, 4, 5, 6, 7, 8], dtype="Int64"), "b": pd.array([0.5] * 8, dtype="Float64")})
    codes = MDLDiscretizer().fit_transform(frame, [0, 0, 0, 0, 1, 1, 1, 1])
    assert codes["a"].isna().tolist() == [False, False, True, False, False, False, False, False]
    assert codes["a"].dropna().tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_columns_without_a_cut_are_reported(iris):
    X, y = iris
    rng = np.random.default_rng(8)
    X = np.column_stack([X[:, 0], rng.normal(size=150), np.full(150, np.nan), np.ones(150)])
    found = MDLDiscretizer().fit(X, y)
    assert found.no_cut_.tolist() == ["x1", "x2", "x3"]
    assert found.n_bins_.tolist() == [3, 1, 1, 1]
    codes = found.transform(X)
    assert set(codes[:, 1]) == set(codes[:, 3]) == {0.0}
    assert np.isnan(codes[:, 2]).all()
    named = MDLDiscretizer().fit(pd.DataFrame(X, columns=list("abcd")), y)
    assert named.no_cut_.tolist() == ["b", "c", "d"]


@pytest.mark.parametrize("classes", [["no", "yes", "perhaps"], [True, False, True], [2.0, -1.0, 7.0], [10**12, 3, 5]])
def test_classes_may_be_of_any_kind(iris, classes):
    X, y = iris
    labels = np.asarray(classes)[y]
    if labels.dtype.kind == "f":
        labels = labels.astype(object)
    expected = MDLDiscretizer().fit(X, y if len(set(classes)) == 3 else y == 1)
    found = MDLDiscretizer().fit(X, labels)
    assert [cuts.tolist() for cuts in found.cut_points_] == [cuts.tolist() for cuts in expected.cut_points_]
    assert found.classes_.tolist() == sorted(set(classes))


def test_labels_in_series_are_taken(iris):
    X, y = iris
    expected = [cuts.tolist() for cuts in MDLDiscretizer().fit(X, y).cut_points_]
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    for labels in (pd.Series(names), pd.Series(names).astype("category"), pl.Series(names), list(names)):
        assert [cuts.tolist() for cuts in MDLDiscretizer().fit(X, labels).cut_points_] == expected


def test_rows_of_weight_zero_do_not_exist(iris):
    X, y = iris
    weights = np.where(y == 2, 0, 1)
    labels = np.array(["a", "b", "c"])[y]
    found = MDLDiscretizer().fit(X, labels, sample_weight=weights)
    expected = MDLDiscretizer().fit(X[y < 2], labels[y < 2])
    assert found.classes_.tolist() == ["a", "b"]
    assert [cuts.tolist() for cuts in found.cut_points_] == [cuts.tolist() for cuts in expected.cut_points_]


def test_it_works_in_pipelines_and_searches(iris):
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(MDLDiscretizer(criterion="entropy", max_bins=2), CategoricalNB(min_categories=8))
    search = GridSearchCV(pipeline, {"mdldiscretizer__max_bins": [1, 3]}, cv=3).fit(X, y)
    assert search.best_params_ == {"mdldiscretizer__max_bins": 3}
    assert search.best_score_ > 0.9
    some = ColumnTransformer([("cut", MDLDiscretizer(), [2, 3])], remainder="drop")
    assert some.fit_transform(X, y).shape == (150, 2)
    assert some.get_feature_names_out().tolist() == ["cut__x2", "cut__x3"]


def test_copies_code_as_the_original(iris):
    X, y = iris
    found = MDLDiscretizer(max_bins=4).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).transform(X), found.transform(X))
    assert clone(found).get_params() == {"criterion": "mdl", "max_bins": 4}
    with pytest.raises(NotFittedError):
        clone(found).transform(X)


def test_float32_columns_are_cut_between_their_own_values(iris):
    X, y = iris
    found = MDLDiscretizer().fit(X.astype(np.float32), y)
    assert [cuts.tolist() for cuts in found.cut_points_] == [
        cuts.tolist() for cuts in mdl_cuts(X.astype(np.float32).astype(np.float64), y)
    ]


def test_columns_of_frames_that_hold_no_numbers_are_named():
    frame = pd.DataFrame({"length": [1.5, 2.5, 3.5], "colour": ["red", "green", "red"]})
    for data in (frame, pl.from_pandas(frame), frame.astype({"colour": "category"})):
        with pytest.raises(DataError, match="column 'colour' must hold numbers to be cut into bins, or dates or times, found"):
            MDLDiscretizer().fit(data, [0, 1, 1])


def test_truth_values_and_numbers_among_objects_are_cut():
    frame = pd.DataFrame({"truth": [False] * 4 + [True] * 4, "some": pd.Series([1, None, 2, 3, 7, 8, 9, 9], dtype=object)})
    assert [cuts.tolist() for cuts in MDLDiscretizer().fit(frame, [0] * 4 + [1] * 4).cut_points_] == [[0.5], [5.0]]


def test_infinite_values_fall_into_the_outer_intervals(iris):
    X, y = iris
    found = MDLDiscretizer().fit(X, y)
    assert found.transform([[np.inf] * 4, [-np.inf] * 4]).tolist() == [(found.n_bins_ - 1).tolist(), [0] * 4]


def test_one_class_gives_no_cuts_and_a_warning(iris):
    X, _ = iris
    with pytest.warns(MisieveWarning, match="y has one class only, 'a': no column can be cut"):
        found = MDLDiscretizer().fit(X, ["a"] * 150)
    assert found.n_bins_.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (
            np.linspace(0, 1, 150),
            "y must hold classes, found 0.0067.*Unknown label type: continuous.*cut the target itself first",
        ),
        ([1.0] * 149 + [np.nan], "y must not have missing values, found 1 .*, the first in row 149"),
        ([1.0] * 149 + [np.inf], "y must hold classes, found inf"),
        (["a"] * 149 + [None], "y must not have missing values, found 1 .*, the first in row 149"),
        (pd.Series(["a"] * 149 + [pd.NA], dtype="string"), "y must not have missing values, found 1 .*, the first in row 149"),
        (np.array(["a", 1, "b"] * 50, dtype=object), "classes in y must be of one kind"),
        (None, "requires y to be passed"),
        (np.zeros((150, 2)), "y should be a 1d array"),
        ([0, 1], "inconsistent numbers of samples"),
    ],
)
def test_a_target_that_is_not_classes_is_explained(iris, y, message):
    with pytest.raises(ValueError, match=message):
        MDLDiscretizer().fit(iris[0], y)


def test_bad_weights_are_explained(iris):
    X, y = iris
    for weights, message in (
        (-np.ones(150), "sample_weight must be finite and not negative, found -1.0 in row 0"),
        (np.zeros(150), "sample_weight must not be zero in every row"),
        (np.ones(3), "sample_weight must have one entry for each of the 150 rows"),
    ):
        with pytest.raises(DataError, match=message):
            MDLDiscretizer().fit(X, y, sample_weight=weights)


def test_unknown_options_are_explained(iris):
    X, y = iris
    with pytest.raises(OptionError, match="criterion must be one of 'mdl', 'entropy', not 'chi2'"):
        MDLDiscretizer(criterion="chi2").fit(X, y)
    with pytest.raises(OptionError, match="criterion='entropy' needs max_bins"):
        MDLDiscretizer(criterion="entropy").fit(X, y)
    with pytest.raises(OptionError, match="max_bins must be None or a whole number from 1 up, not 0"):
        MDLDiscretizer(max_bins=0).fit(X, y)
