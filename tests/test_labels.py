import datetime as dt
import json
import zoneinfo
from decimal import Decimal
from enum import IntEnum, StrEnum

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misieve._errors import DataError
from misieve.labels import canonical, canonical_labels, decode, encode, is_missing, kind, order, union


@pytest.mark.parametrize(
    "value", [None, np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN")]
)
def test_what_is_missing(value):
    assert is_missing(value)
    assert canonical(value) is None


@pytest.mark.parametrize("value", [0, "", b"", False, 0.0, "nan", float("inf"), Decimal(0)])
def test_what_is_not(value):
    assert not is_missing(value)


class Colour(IntEnum):
    RED = 3


class Text(StrEnum):
    A = "a"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (np.int8(3), 3),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (3.0, 3),
        (np.float32(0.5), 0.5),
        (1e300, 1e300),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.bytes_(b"a"), b"a"),
        (Colour.RED, 3),
        (Text.A, "a"),
        (pd.Timestamp("2020-01-02 03:04:05.000006"), dt.datetime(2020, 1, 2, 3, 4, 5, 6)),
        (pd.Timedelta(seconds=-1), dt.timedelta(seconds=-1)),
        (np.datetime64("2020-01-02"), dt.date(2020, 1, 2)),
        (np.datetime64("2020-01-02T03:04:05.000006000"), dt.datetime(2020, 1, 2, 3, 4, 5, 6)),
        (np.timedelta64(5, "ms"), dt.timedelta(milliseconds=5)),
        (pd.Interval(0, 1), "(0, 1]"),
        (pd.Period("2020-01"), "2020-01"),
    ],
)
def test_cells_become_plain_values(cell, value):
    assert canonical(cell) == value
    assert type(canonical(cell)) is type(value)


@pytest.mark.parametrize(
    "cell",
    [object(), 1j, (1, 2), pd.Timestamp(1), pd.Timedelta(1), np.datetime64(1, "ns")],
    ids=lambda cell: type(cell).__name__,
)
def test_cells_that_are_no_categories(cell):
    with pytest.raises(TypeError, match="is not a kind of category"):
        canonical(cell)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.binary(),
    st.dates(),
    st.datetimes(timezones=st.sampled_from([None, dt.UTC])),
    st.timedeltas(),
    st.times(),
    st.decimals(allow_nan=False, allow_infinity=False),
)


@given(SCALARS)
def test_every_value_survives_json(value):
    back = decode(json.loads(json.dumps(encode(canonical(value)))))
    assert back == value
    assert type(back) is type(canonical(value))


def test_a_name_of_several_parts_survives_json():
    assert decode(json.loads(json.dumps(encode(("a", 1, None))))) == ("a", 1, None)
    assert decode(json.loads(json.dumps(encode(("a", np.int64(1)))))) == ("a", 1)
    with pytest.raises(DataError, match="of type object cannot be stored in a file: rename the column to text"):
        encode(object())


def test_order_is_ascending_with_the_missing_last():
    assert order([None, 3, -1, 0.5]) == [2, 3, 1, 0]
    aware = dt.datetime(1999, 1, 1, tzinfo=dt.UTC)
    assert order([aware, dt.datetime(2020, 1, 1)]) == [1, 0]


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ((1, 3), (2,), (1, 2, 3)),
        ((3, 1), (2,), (3, 1, 2)),
        ((1, None), (2,), (1, 2, None)),
        ((), ("a",), ("a",)),
        ((True,), (1,), (True,)),
        ((False, True), (2,), (False, True, 2)),
        (("b", "a"), ("a",), ("b", "a")),
    ],
)
def test_union(first, second, both):
    assert union(first, second, "column 'a'") == both


def test_union_of_two_kinds():
    with pytest.raises(DataError, match=r"column 'a' mixes text \('u'\) with dates \(datetime.date\(2020, 1, 1\)\)"):
        union(("u",), (dt.date(2020, 1, 1),), "column 'a'")


def test_kinds():
    assert [kind(value) for value in (None, True, 1, 0.5, "a", dt.datetime.min, dt.date.min)] == [
        "", "truth values", "numbers", "numbers", "text", "times", "dates",
    ]  # fmt: skip


def test_an_hour_that_comes_twice_is_two_values():
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    first, second = (dt.datetime(2020, 10, 25, 2, 30, fold=fold, tzinfo=zone) for fold in (0, 1))
    assert canonical(first) != canonical(second)
    assert canonical(first) == dt.datetime(2020, 10, 25, 0, 30, tzinfo=dt.UTC)
    assert order([canonical(second), canonical(first)]) == [1, 0]
    assert order([dt.time(1, tzinfo=dt.UTC), dt.time(2)]) == [1, 0]


@pytest.mark.parametrize(
    "value",
    [np.datetime64(10**8, "D"), np.timedelta64(1, "M"), np.timedelta64(2**62, "s"), pd.Timestamp(np.datetime64(10**12, "s"))],
)
def test_times_that_python_cannot_hold(value):
    with pytest.raises(TypeError, match="what Python's own dates and times cannot hold is not a kind of category"):
        canonical(value)


def test_labels_are_of_one_kind():
    assert canonical_labels([True, 2, None], "column 'a'") == (True, 2, None)
    with pytest.raises(DataError, match=r"column 'a' mixes numbers \(1\) with text \('u'\)"):
        canonical_labels([1, "u"], "column 'a'")


def test_labels_are_declared_once():
    assert canonical_labels([np.int64(1), 2.0], "column 'a'") == (1, 2)
    with pytest.raises(DataError, match="column 'a' declares the category True twice"):
        canonical_labels([1, True], "column 'a'")
