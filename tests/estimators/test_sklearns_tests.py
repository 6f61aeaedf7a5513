"""scikit-learn's own tests of feature selection, run against MISelector and its scores.

What is installed with scikit-learn is run as it stands, with MISelector in the place of the selector, or its scores in the
place of the score function, that the tests were written for. Those about p-values, nearest neighbours and measured targets do
not apply; what they ask for otherwise is asked for here.
"""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_classification
from sklearn.utils import check_random_state

from misieve import MISelector, count
from misieve.estimators.inputs import check_features
from misieve.estimators.scores import mi_score

base = pytest.importorskip("sklearn.feature_selection.tests.test_base")
univariate = pytest.importorskip("sklearn.feature_selection.tests.test_feature_select")


class EveryFew(MISelector):
    """MISelector after data in which only every few features tell the class: the tests bring none in which any does."""

    def __init__(self, step=2):
        super().__init__()
        self.step = step

    def fit(self, X, y=None):
        X = check_features(self, X, reset=True)
        classes = np.arange(400) % 2
        tells = [self.step >= 1 and i % self.step == 0 for i in range(X.shape[1])]
        noise = np.random.default_rng(0).integers(0, 2, (400, X.shape[1]))
        self.tables_ = count(np.where(tells, classes[:, None], noise), classes)
        self._derived = {}
        return self


TRANSFORMS = [name for name in vars(base) if name.startswith("test_")]


@pytest.mark.parametrize("container", [sp.csc_matrix, sp.csc_array, sp.csr_matrix])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_transform_inverse_transform_and_support(name, container, monkeypatch):
    monkeypatch.setattr(base, "StepSelector", EveryFew)
    sparse = name.endswith("_sparse")
    if sparse or container is sp.csc_matrix:
        getattr(base, name)(*([container] if sparse else []))


def test_there_are_tests_of_scikit_learn_to_run():
    assert {"test_transform_sparse", "test_inverse_transform_dense", "test_get_support", "test_output_dataframe"} <= set(
        TRANSFORMS
    )


SCORES = {
    "test_select_percentile_classif": (),
    "test_select_percentile_classif_sparse": (sp.csr_array,),
    "test_select_kbest_classif": (),
    "test_select_kbest_all": (),
    "test_select_kbest_zero": (np.float32,),
    "test_mutual_info_classif": (),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores_in_the_place_of_others(name, monkeypatch):
    for score in ("f_classif", "mutual_info_classif"):
        monkeypatch.setattr(univariate, score, mi_score)
    getattr(univariate, name)(*SCORES[name])


def test_the_informative_features_of_made_up_classes():
    """test_select_kbest_classif and test_mutual_info_classif, without being told how many features to keep."""
    made = {"n_repeated": 0, "n_clusters_per_class": 1, "flip_y": 0.0, "class_sep": 10, "shuffle": False, "random_state": 0}
    X, y = make_classification(200, 20, n_informative=3, n_redundant=2, n_classes=8, **made)
    for data in (X, sp.csr_matrix(X), pd.DataFrame(X).add_prefix("f")):
        assert MISelector().fit(data, y).get_support(indices=True).tolist() == [0, 1, 2, 3, 4]
    X, y = make_classification(100, 5, n_informative=1, n_redundant=1, n_classes=2, **made)
    assert MISelector().fit(X, y).get_support(indices=True).tolist() == [0, 1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_features_are_ordered_by_mutual_information(dtype):
    """test_mutual_info_classif_discrete, _mixed and _options."""
    X = np.array([[0, 0, 0], [1, 1, 0], [2, 0, 1], [2, 0, 1], [2, 0, 1]], dtype)
    y = np.array([0, 1, 2, 2, 1])
    for data in (X, sp.csr_matrix(X)):
        selector = MISelector(independence=0.0).fit(
            np.tile(X, (20, 1)) if data is X else sp.vstack([data] * 20), np.tile(y, 20)
        )
        assert np.argsort(-selector.scores_).tolist() == [0, 2, 1]
        assert np.argsort(-selector.selection_.posterior.empirical).tolist() == [0, 2, 1]
    rng = check_random_state(0)
    X = rng.rand(1000, 3).astype(dtype)
    X[:, 1] += X[:, 0]
    y = ((0.5 * X[:, 0] + X[:, 2]) > 0.5).astype(int)
    X[:, 2] = X[:, 2] > 0.5
    assert np.argsort(-MISelector().fit(X, y).scores_).tolist() == [2, 0, 1]


def test_columns_of_a_frame_keep_their_types():
    """test_dataframe_output_dtypes."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.astype({"petal length (cm)": np.float32})
    X["petal_width_binned"] = pd.cut(X["petal width (cm)"], bins=10)
    chosen = MISelector(epsilon=0.4).set_output(transform="pandas").fit_transform(X, y)
    assert list(chosen.columns) == ["petal length (cm)", "petal width (cm)", "petal_width_binned"]
    assert chosen.dtypes.equals(X.dtypes[chosen.columns])


def test_threads_and_types_change_nothing():
    """test_mutual_info_n_jobs and test_mutual_info_regression_X_int_dtype."""
    X, y = make_classification(random_state=0)
    one, two = (MISelector(n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.scores_, two.scores_)
    X = np.random.default_rng(0).integers(0, 100, (300, 10))
    y = X[:, 0] // 40
    np.testing.assert_array_equal(MISelector().fit(X, y).scores_, MISelector().fit(X.astype(float), y).scores_)
