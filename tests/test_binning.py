import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misieve._errors import OptionError
from misieve.binning import apply_cuts, bin_labels, checked_bins, quantile_cuts

VALUES = st.lists(st.floats(-1e6, 1e6) | st.just(0.0), min_size=1, max_size=60)


@given(VALUES, st.integers(2, 8))
def test_every_value_has_one_bin_and_no_bin_is_empty(values, bins):
    x = np.array(values)
    cuts = quantile_cuts(x, bins)
    assert len(cuts) < bins
    assert (np.diff(cuts) > 0).all()
    assert set(apply_cuts(x, cuts).tolist()) == set(range(len(cuts) + 1))


@given(VALUES, st.integers(2, 8), st.data())
def test_a_weight_is_so_many_rows(values, bins, data):
    x = np.array(values)
    weights = data.draw(st.lists(st.integers(0, 4), min_size=len(x), max_size=len(x)))
    kept = np.array(weights) > 0
    weighted = quantile_cuts(x[kept], bins, np.array(weights)[kept])
    assert weighted.tolist() == quantile_cuts(np.repeat(x, weights), bins).tolist()


def test_cuts_stand_half_way_and_belong_to_the_left():
    cuts = quantile_cuts([1, 2, 3, 4, np.nan], 2)
    assert cuts.tolist() == [2.5]
    assert apply_cuts(np.array([2.5, 2.6, np.nan, -np.inf, np.inf]), cuts).tolist() == [0, 1, -1, 0, 1]


def test_neighbouring_doubles_and_infinities_are_told_apart():
    low, high = 1.0, np.nextafter(1.0, 2)
    assert apply_cuts(np.array([low, high]), quantile_cuts([low, high], 2)).tolist() == [0, 1]
    x = np.array([-np.inf, 0.0, np.inf])
    assert apply_cuts(x, quantile_cuts(x, 3)).tolist() == [0, 1, 2]
    large = np.array([-1.7e308, 1.7e308])
    assert quantile_cuts(large, 2).tolist() == [0]


def test_nothing_to_cut():
    assert quantile_cuts([5.0, 5.0], 3).tolist() == []
    assert quantile_cuts([np.nan], 3).tolist() == []
    assert bin_labels(np.empty(0)) == ["(-inf, inf)"]


def test_labels_are_told_apart():
    assert bin_labels(np.array([0.1, 2.0])) == ["(-inf, 0.1]", "(0.1, 2]", "(2, inf)"]
    assert len(set(bin_labels(np.array([1.0, np.nextafter(1.0, 2)])))) == 3


def test_numbers_of_bins_and_cut_points():
    assert checked_bins(np.int64(4)) == 4
    assert checked_bins([1, 2]).tolist() == [1.0, 2.0]
    for wrong in (True, 1, 2.5, "4", [2, 1], [[1]], ["a"], [np.inf], None):
        with pytest.raises(OptionError, match="bins must be|cut points must be"):
            checked_bins(wrong)
