import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misieve import encode
from misieve.encode import Encoder, encode_numbers
from misieve.frames.column import BadCell, Column, absent, from_array, from_codes, from_objects, validity
from misieve.target import encode_target


def decoded(column):
    """The values of an encoded column, None where missing."""
    codes = np.where(absent(column), -1, column.values.astype(np.int64))
    return [None if code < 0 else column.labels(np.array([code]))[0] for code in codes.tolist()]


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5), min_size=1, max_size=30))
def test_codes_stand_for_their_numbers(values):
    column = encode_numbers(Column(np.array(values, np.int64)))
    assert decoded(column) == values
    assert column.values.max() < column.limit


@pytest.mark.parametrize("narrow", [0, 1 << 16])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint64, np.float32, np.float64])
def test_every_width_and_missing_rows(narrow, dtype, monkeypatch):
    monkeypatch.setattr(encode, "NARROW", narrow)
    values = np.array([200, 3, 100, 3, 7], dtype)
    present = np.array([True, True, False, True, True])
    column = Column(values, validity(present))
    expected = [200, 3, None, 3, 7]
    if values.dtype.kind == "f":
        values[4], expected[4] = np.nan, None
    assert decoded(encode_numbers(column)) == expected


def test_a_column_without_any_value():
    assert decoded(encode_numbers(Column(np.array([np.nan, np.nan])))) == [None, None]


def test_large_whole_doubles_keep_their_value():
    values = [2.0**62, 2.0**70, -(2.0**62), 5.0]
    assert decoded(encode_numbers(Column(np.array(values)))) == values


def test_fractions_only_where_they_are_declared():
    column = Column(np.array([0.5, 2.0, np.nan, 0.5]))
    assert decoded(encode_numbers(column, fractions=True)) == [0.5, 2.0, None, 0.5]
    with pytest.raises(BadCell, match="must hold whole numbers, found 0.5") as caught:
        encode_numbers(Column(np.array([np.nan, 1.0, 0.5])))
    assert caught.value.row == 2


def test_bins_are_for_columns_of_more_than_64_values():
    encoder = Encoder(bins=2)
    few, many = np.arange(64.0) * 1000, np.arange(65.0) * 1000
    assert decoded(encoder.encode("few", Column(few))) == few.tolist()
    assert set(decoded(encoder.encode("many", Column(many)))) == {"(-inf, 32500]", "(32500, inf)"}
    assert list(encoder.cuts) == ["many"]
    assert encoder.encode("truth", Column(np.array([True, False]))).limit == 2


def test_cuts_of_an_earlier_batch():
    encoder = Encoder(cuts={"a": np.array([0.0])})
    assert decoded(encoder.encode("a", Column(np.array([-1, 0, 1])))) == ["(-inf, 0]", "(-inf, 0]", "(0, inf)"]
    with pytest.raises(BadCell, match="must hold numbers to be cut"):
        encoder.encode("a", from_codes(np.array([0]), ["u"]))


TARGETS = {
    "small": (np.array([0, 1, 1, 0], np.uint8), (0, 1), [0, 1, 1, 0]),
    "gaps": (np.array([5, 2, 2, 9]), (2, 5, 9), [1, 0, 0, 2]),
    "negative": (np.array([-1, 1, -1, 1]), (-1, 1), [0, 1, 0, 1]),
    "large": (np.array([10**12, 5, 5, 5]), (5, 10**12), [1, 0, 0, 0]),
    "truth": (np.array([True, False, True, True]), (False, True), [1, 0, 1, 1]),
    "floats": (np.array([2.0, 1.0, np.nan, 1.0]), (1, 2), [1, 0, 2, 0]),
    "text": (np.array(["b", "a", "b", "a"]), ("a", "b"), [1, 0, 1, 0]),
    "objects": (np.array(["b", None, "b", "a"], object), ("a", "b"), [1, 2, 1, 0]),
    "nothing": (np.array([None] * 4, object), (), [0, 0, 0, 0]),
    "bytes": (np.array([b"b", b"a", b"b", b"a"]), (b"a", b"b"), [1, 0, 1, 0]),
}


@pytest.mark.parametrize("name", TARGETS)
def test_targets_of_every_type(name):
    values, classes, codes = TARGETS[name]
    target = encode_target(from_array(values), "y")
    assert target.classes == classes
    assert target.codes.tolist() == codes
    assert target.missing == codes.count(len(classes))
    assert target.codes.flags.c_contiguous
    assert target.codes.dtype == np.uint8


def test_many_classes_get_wider_codes():
    values = np.arange(1000) % 255
    assert encode_target(Column(values), "y").codes.dtype == np.int32
    assert encode_target(Column(values), "y").codes.tolist() == values.tolist()
    assert encode_target(Column(np.arange(254)), "y").codes.dtype == np.uint8


def test_target_codes_are_contiguous():
    values = np.zeros(10, np.uint8)[::2]
    assert encode_target(Column(values), "y").codes.flags.c_contiguous


def test_objects_are_looked_at_once_each():
    column = from_objects(["b", None, float("nan"), "a", "b"])
    assert column.values.tolist() == [0, -1, -1, 1, 0]
    assert column.labels(np.array([1, 0])) == ["a", "b"]
    assert from_objects([1, 0.5, None]).labels is None
    assert decoded(from_objects([3, 1.0, None])) == [3, 1, None]
