import copy
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectFromModel, SelectKBest, SelectPercentile
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import misieve
from misieve.estimators.scores import mi_score, river_statistic


def test_it_scores_for_select_k_best():
    X, y = load_breast_cancer(return_X_y=True)
    selector = SelectKBest(mi_score, k=5).fit(X, y)
    expected = misieve.MISelector().fit(X, y).scores_
    np.testing.assert_array_equal(selector.scores_, expected)
    assert set(selector.get_support(indices=True)) == set(np.argsort(-expected)[:5])
    paper = partial(mi_score, independence=0.0, discretize=4)
    assert SelectPercentile(paper, percentile=20).fit_transform(X, y).shape == (569, 6)
    assert make_pipeline(SelectKBest(mi_score, k=3), DecisionTreeClassifier(random_state=0)).fit(X, y).score(X, y) == 1.0


def test_noise_of_many_values_does_not_win():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    X = np.column_stack([np.where(rng.random(2000) < 0.25, y, rng.integers(0, 2, 2000)), rng.integers(0, 60, 2000)])
    assert SelectKBest(mi_score, k=1).fit(X, y).get_support().tolist() == [True, False]
    assert mi_score(X, y)[1] < 1e-6


def test_a_continuous_target_is_refused():
    with pytest.raises(misieve.DataError, match="Unknown label type: continuous"):
        mi_score(np.ones((10, 1)), np.linspace(0, 1, 10))


def test_select_from_model_takes_what_it_needs_from_the_selector():
    """Selectors that ask another estimator for its importances can use MISelector's scores."""
    X, y = load_breast_cancer(return_X_y=True)
    chosen = SelectFromModel(misieve.MISelector(), importance_getter="scores_", threshold="median").fit(X, y)
    assert chosen.get_support().sum() == 15


def test_it_is_a_statistic_of_river():
    feature_selection = pytest.importorskip("river.feature_selection")
    rng = np.random.default_rng(1)
    selector = feature_selection.SelectKBest(similarity=river_statistic(), k=1)
    rows = []
    for _ in range(400):
        y = bool(rng.random() < 0.4)
        x = {"noise": int(rng.integers(0, 7)), "signal": str(y) if rng.random() < 0.5 else "maybe"}
        rows.append((x, y))
        selector.learn_one(x, y)
    assert selector.transform_one(rows[0][0]).keys() == {"signal"}
    for name in ("noise", "signal"):
        tables = misieve.count([[x[name]] for x, _ in rows], [y for _, y in rows])
        expected = misieve.posterior(tables, independence=0.5).mean()[0]
        assert selector.leaderboard[name] == pytest.approx(expected, rel=1e-9)
    statistic = copy.deepcopy(river_statistic())
    assert statistic.get() == 0.0


def test_without_river_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "river.stats.base", None)
    with pytest.raises(misieve.MissingExtraError, match=r"pip install 'misieve\[river\]'"):
        river_statistic()
