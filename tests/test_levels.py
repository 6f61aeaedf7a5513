import numpy as np
import pytest

from misieve._errors import DataError
from misieve.levels import Levels, merge


def test_pools_are_shared_and_types_told_apart():
    levels = Levels.of([(0, 1), (False, True), (0, 1), ()])
    assert levels.pools == ((0, 1), (False, True), ())
    assert levels.pool_of.tolist() == [0, 1, 0, 2]
    assert levels.sizes.tolist() == [2, 2, 2, 0]
    assert levels.offsets.tolist() == [0, 2, 4, 6, 6]
    assert type(levels[1][0]) is bool


def test_rows_of_features_in_any_order():
    levels = Levels.of([("a",), ("a", "b", "c"), (), ("u", "v")])
    assert levels.rows_of(np.array([3, 1])).tolist() == [4, 5, 1, 2, 3]
    assert levels.rows_of(np.array([2, 0])).tolist() == [0]
    taken = levels.take(np.array([3, 2]))
    assert taken.pools == ((), ("u", "v"))
    assert [taken[0], taken[1]] == [("u", "v"), ()]


def test_merging_finds_every_row():
    a = Levels.of([(0, 2), ("u",), (0, 2)])
    b = Levels.of([(1, 2), ("u",), ()])
    levels, mine, theirs = merge(a, b, str)
    assert [levels[i] for i in range(3)] == [(0, 1, 2), ("u",), (0, 2)]
    assert mine.tolist() == [0, 2, 3, 4, 5]
    assert theirs.tolist() == [1, 2, 3]


def test_merging_names_the_feature():
    with pytest.raises(DataError, match="feature 1 mixes"):
        merge(Levels.of([(0,), (0,)]), Levels.of([(0,), ("u",)]), lambda feature: f"feature {feature}")
