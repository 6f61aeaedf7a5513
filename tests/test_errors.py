import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import misieve

X = np.random.default_rng(0).integers(0, 3, (100, 2))
ONE = ["a"] * 100
WAYS = {
    "count": lambda: misieve.count(X, ONE),
    "selector": lambda: misieve.MISelector().fit(X, ONE),
    "pipeline": lambda: make_pipeline(misieve.MISelector(min_features=1), LogisticRegression()).fit(
        np.column_stack([X, np.arange(100)]).astype(str).astype(object), np.arange(100) % 2
    ),
    "fit_transform": lambda: misieve.MISelector().fit_transform(X, np.arange(100) % 2),
    "cuts": lambda: misieve.MDLDiscretizer().fit(X, ONE),
    "prequential": lambda: misieve.prequential(X, ONE),
    "variance": lambda: misieve.posterior(np.ones((1, 1000, 2)), prior="perks", variance="series"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_warning_points_to_the_line_of_the_user(way):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            WAYS[way]()
        except ValueError:  # text, which the last step of the pipeline does not take
            assert way == "pipeline"
    assert said
    assert {one.filename for one in said} == {__file__}
