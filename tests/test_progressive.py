import numpy as np
import pytest
import scipy.sparse
from naive_prequential import naive_prequential

import misieve

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
