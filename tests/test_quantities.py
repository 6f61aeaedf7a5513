import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import misieve
from misieve import DataError, MDLDiscretizer, MISelector, NaiveBayes
from misieve.frames.column import BadCell, from_objects
from misieve.quantities import as_number, bound_format, measured, to_numbers

MAKERS = {"pandas": lambda frame: frame, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}


@pytest.mark.parametrize(
    ("label", "number"),
    [
        (7, 7.0),
        (Decimal("2.5"), 2.5),
        (dt.date(1970, 1, 2), 86400.0),
        (dt.datetime(1970, 1, 1, 0, 0, 1, 500_000), 1.5),
        (dt.datetime(1970, 1, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")), 0.0),
        (dt.datetime(1, 1, 1), -62135596800.0),
        (dt.time(1, 2, 3, 4), 3723.000004),
        (dt.timedelta(days=-1, seconds=3), -86397.0),
        (pd.Timestamp("1970-01-01 00:00:05"), 5.0),
        (np.datetime64("1969-12-31T23:59:59"), -1.0),
        (pd.Timedelta("2min"), 120.0),
    ],
)
def test_a_quantity_is_a_number(label, number):
    assert as_number(label) == number


@pytest.mark.parametrize("label", ["a", b"a", True, 10**400, pd.Timestamp(1)])
def test_other_labels_are_none(label):
    with pytest.raises(TypeError):
        as_number(label)


def test_few_values_are_categories_and_many_are_measured():
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(65)]
    assert measured(from_objects(days), 64)
    assert not measured(from_objects([*days[:64], None, days[0]]), 64)
    assert not measured(from_objects([str(day) for day in days]), 64)
    assert not measured(from_objects([None, None]), 0)


def test_bounds_are_written_as_what_they_are():
    zone = dt.timezone(dt.timedelta(hours=2))
    for label, shown in (
        (dt.date(2020, 1, 1), "1970-01-01 00:00:30"),
        (dt.datetime(2020, 1, 1, tzinfo=zone), "1970-01-01 00:00:30+00:00"),
        (dt.time(1), "0:00:30"),
        (dt.timedelta(1), "0:00:30"),
    ):
        assert bound_format(from_objects([None, label]))(30.0) == shown
    assert bound_format(from_objects([Decimal(1)])) is None
    assert bound_format(from_objects([None])) is None


def test_missing_rows_stay_missing_and_text_is_refused_with_its_row():
    assert to_numbers(from_objects([Decimal(1), None, Decimal(3)])).values.tolist() == pytest.approx(
        [1, np.nan, 3], nan_ok=True
    )
    assert np.isnan(to_numbers(from_objects([None, None])).values).all()
    with pytest.raises(BadCell, match="must hold numbers to be cut into bins, or dates or times, found categories"):
        to_numbers(from_objects([None, "a"]))


@pytest.fixture(scope="module")
def moments():
    """One number in many guises, which tells the classes apart, and those classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    days = rng.integers(0, 300, 600) + 200 * y
    frame = pd.DataFrame(
        {
            "number": days.astype(float),
            "time": pd.Timestamp("2020-01-01") + pd.to_timedelta(days, unit="D"),
            "zone": pd.Timestamp("2020-01-01", tz="Europe/Berlin") + pd.to_timedelta(days, unit="D"),
            "date": [dt.date(2020, 1, 1) + dt.timedelta(days=int(day)) for day in days],
            "clock": [dt.time(int(day) // 60, int(day) % 60) for day in days],
            "wait": pd.to_timedelta(days, unit="s"),
            "price": [Decimal(int(day)) / 100 for day in days],
            "object": pd.Series([int(day) for day in days], dtype=object),
        }
    )
    frame.loc[5:25] = None
    return frame, y


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_dates_times_durations_and_decimals_are_cut_like_numbers(moments, make):
    frame, y = moments
    selector = MISelector().fit(make(frame), y)
    tables = selector.tables_
    assert list(tables.cuts) == list(frame.columns)
    assert selector.get_support().all()
    for name in frame:
        np.testing.assert_array_equal(tables[name], tables["number"])
    assert tables.categories["time"][0].startswith("(-inf, 2020-07-")
    assert tables.categories["zone"][0].endswith("+00:00]")
    first = frame["time"].sort_values()
    below = (first <= pd.Timestamp(tables.cuts["time"][0], unit="s")).sum()
    assert below == tables["time"][0].sum() + tables.missing["time"].by_value[0]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_they_are_found_again_in_later_batches_and_at_prediction(moments, make):
    frame, y = moments
    whole = NaiveBayes().fit(make(frame[["number"]]), y)
    model = NaiveBayes().fit(make(frame[["time"]]), y)
    np.testing.assert_allclose(model.predict_log_proba(make(frame[["time"]])), whole.predict_log_proba(make(frame[["number"]])))
    gone = make(pd.DataFrame({"time": pd.Series([None] * 3, dtype="datetime64[ns]")}))
    np.testing.assert_allclose(model.predict_log_proba(gone), np.tile(model.class_log_prior_, (3, 1)))
    names = model.tables_.categories["time"]
    model.partial_fit(gone, y[:3]).partial_fit(make(frame[["time"]]), y)
    assert model.tables_.categories["time"] == names
    assert model.class_count_.sum() == 1203


def test_a_batch_without_any_value_adds_no_bins(moments):
    frame, y = moments
    bins = {"date": [1.6e9]}
    some = misieve.count(frame[["date"]], y, bins=bins, missing="pairwise")
    with pytest.warns(misieve.MisieveWarning, match="column 'date' has no value in any row"):
        none = misieve.count(frame[["date"]].assign(date=None), y, bins=bins, missing="pairwise")
    names = ("(-inf, 2020-09-13 12:26:40]", "(2020-09-13 12:26:40, inf)")
    assert (some + none).categories["date"] == some.categories["date"] == names


def test_a_cut_point_beyond_all_dates_is_written_as_a_number(moments):
    tables = misieve.count(moments[0][["date"]], moments[1], bins={"date": [1e300]}, missing="pairwise")
    assert tables.categories["date"] == ("(-inf, 1e+300]", "(1e+300, inf)")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_discretizer_cuts_them_too(moments, make):
    frame, y = moments
    names = [name for name in frame if name != "object"]
    found = MDLDiscretizer().fit(make(frame[names]), y)
    codes = found.transform(make(frame[names]))
    columns = [
        np.asarray(codes[name].to_numpy(zero_copy_only=False) if make is MAKERS["pyarrow"] else codes[name]) for name in names
    ]
    for column in columns:
        np.testing.assert_array_equal(pd.Series(column).astype("Int64"), pd.Series(columns[0]).astype("Int64"))
    assert MISelector(discretize=found).fit(make(frame[names]), y).tables_ == MISelector().fit(make(frame[names]), y).tables_


def test_without_cuts_they_are_categories(moments):
    frame, y = moments
    tables = misieve.count(frame[["date"]], y, missing="pairwise")
    assert tables.categories["date"][0] == frame["date"].dropna().min()
    with pytest.raises(DataError, match="finer than a microsecond"):
        MISelector().fit(pd.DataFrame({"t": pd.to_datetime(np.arange(600))}), y)
