import datetime as dt
import sys
from decimal import Decimal
from types import SimpleNamespace

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import misieve
from misieve._errors import DataError
from misieve._threads import threads
from misieve.frames import read
from misieve.frames.column import absent
from misieve.frames.single import read_single


def cells(column):
    """The cells of a column as a list."""
    gone = absent(column)
    if column.labels is None:
        return [None if hole else value for hole, value in zip(gone, column.values.tolist(), strict=True)]
    return [None if hole else column.labels(np.array([code]))[0] for hole, code in zip(gone, column.values, strict=True)]


ENUM = pl.Enum(["u", "w", "v"])
ZONE = dt.UTC
COLUMNS = {
    "text": ["b", "a", None, ""],
    "truth": [True, None, False, True],
    "int": [2**62 + 1, None, -3, 0],
    "float": [0.5, None, 2.0, -1.0],
    "date": [dt.date(2020, 1, 1), None, dt.date(1960, 1, 1), dt.date(2020, 1, 1)],
    "time": [dt.datetime(2020, 1, 1, 5), None, dt.datetime(1960, 1, 1), dt.datetime(2020, 1, 1, 5)],
    "zone": [dt.datetime(2020, 1, 1, 5, tzinfo=ZONE), None] * 2,
    "duration": [dt.timedelta(1), None, dt.timedelta(-1), dt.timedelta(1)],
    "clock": [dt.time(1), None, dt.time(2), dt.time(1)],
    "decimal": [Decimal("1.5"), None, Decimal("2.5"), Decimal("1.5")],
    "bytes": [b"u", None, b"", b"v"],
    "nothing": [None] * 4,
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("rows", [4, 3])
def test_every_type_of_arrow_and_polars(name, rows):
    values = COLUMNS[name]
    table = pa.table({"a": values})
    for frame in (
        table,
        table.slice(1),
        pa.concat_tables([table, table]),
        pa.RecordBatch.from_pydict({"a": values}),
        pl.DataFrame({"a": values}, strict=False),
        pl.concat([pl.DataFrame({"a": values}, strict=False)] * 2, rechunk=False),
    ):
        batch = read(frame)
        (column,) = batch.columns([0], 2)
        expected = (values * 2)[-batch.rows :] if batch.rows != 4 else values
        assert cells(column) == expected
        kept = batch.keep(np.arange(batch.rows) < rows).columns([0], 1)[0]
        assert cells(kept) == expected[:rows]


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in {"int"}])
def test_every_type_of_pandas(name):
    values = COLUMNS[name]
    natural = (
        pd.DataFrame({"a": values}).convert_dtypes() if name in {"text", "truth", "float"} else pd.DataFrame({"a": values})
    )
    for frame in (natural, pa.table({"a": values}).to_pandas(types_mapper=pd.ArrowDtype)):
        assert cells(read(frame).columns([0], 2)[0]) == values


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float32", "boolean", "string", "category", "datetime64[ns]", "float16"])
def test_extension_types_of_pandas(dtype):
    values = ["u", None, "v"] if dtype in {"string", "category"} else [1, None, 0]
    values = [dt.datetime(2020, 1, 1), None, dt.datetime(1960, 1, 1)] if dtype.startswith("datetime") else values
    column = read(pd.DataFrame({"a": pd.Series(values, dtype=dtype)})).columns([0], 1)[0]
    assert cells(column) == values


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt16, pl.Int128, pl.Float32, pl.Categorical, ENUM, pl.Object])
def test_types_of_polars(dtype):
    values = ["u", None, "v"] if dtype in (pl.Categorical, ENUM, pl.Object) else [1, None, 0]
    column = read(pl.DataFrame({"a": pl.Series(values, dtype=dtype)})).columns([0], 1)[0]
    assert cells(column) == values


def test_nan_and_null_are_both_missing():
    for frame in (pl.DataFrame({"a": [1.0, np.nan, None]}), pa.table({"a": [1.0, np.nan, None]})):
        assert cells(read(frame).columns([0], 1)[0]) == [1.0, None, None]


def test_numbers_are_read_where_they_lie():
    values = np.arange(5)
    pandas, polars, arrow = pd.DataFrame({"a": values}), pl.DataFrame({"a": values}), pa.table({"a": values})
    views = [pandas["a"].to_numpy(), polars["a"].to_numpy(), arrow["a"].chunk(0).to_numpy()]
    for frame, view in zip((pandas, polars, arrow), views, strict=True):
        assert np.shares_memory(read(frame).columns([0], 1)[0].values, view)
    codes = pd.Categorical(["u", "v", "u"])
    column = read(pd.DataFrame({"a": codes}, copy=False)).columns([0], 1)[0]
    assert np.shares_memory(column.values, codes.codes)


class Wrapped:
    """A frame that only narwhals knows, through the plug-in of its own kind."""

    def __init__(self, frame):
        self._frame = frame

    def __narwhals_dataframe__(self):
        return nw.from_native(self._frame)._compliant_frame

    def __native_namespace__(self):
        return sys.modules["polars"]


def test_frames_that_only_narwhals_knows():
    frame = Wrapped(pl.DataFrame({"a": ["u", "v", "u"], "y": [0, 1, 1]}))
    tables = misieve.count(frame, "y")
    assert tables["a"].tolist() == [[1, 1], [0, 1]]
    wrapped = nw.from_native(pd.DataFrame({"a": ["u", "v", "u"]}))
    assert misieve.count(wrapped, nw.from_native(pl.Series([0, 1, 1]), series_only=True)) == tables


def test_lazy_frames_of_narwhals_must_be_collected():
    with pytest.raises(DataError, match="must be computed before it is counted.*collect it first"):
        misieve.count(nw.from_native(pl.LazyFrame({"a": [1]})), [0])


@pytest.mark.parametrize("shape", ["array", "column", "list", "pandas", "polars", "arrow", "frame", "masked"])
def test_one_column_alone(shape):
    values = ["u", None, "v"]
    made = {
        "array": lambda: np.array(values, object),
        "column": lambda: np.array(values, object)[:, None],
        "list": lambda: values,
        "pandas": lambda: pd.Series(values),
        "polars": lambda: pl.Series(values),
        "arrow": lambda: pa.chunked_array([values[:1], values[1:]]),
        "frame": lambda: pd.DataFrame({"a": values}),
        "masked": lambda: np.ma.MaskedArray(["u", "x", "v"], [0, 1, 0]),
    }[shape]()
    assert cells(read_single(made, "y")) == values


def test_frames_of_one_column_alone():
    for frame in (pl.DataFrame({"a": [1, 2]}), pa.table({"a": [1, 2]})):
        assert cells(read_single(frame, "y")) == [1, 2]
    with pytest.raises(DataError, match="y must be an array, a Series or a list.*not dict"):
        read_single({}, "y")


def test_frames_are_not_changed():
    frame = pl.DataFrame({"a": ["u", None], "y": [0, 1]})
    pandas = frame.to_pandas()
    before = frame.clone(), pandas.copy()
    for one in (frame, pandas):
        misieve.count(one, "y", missing="model")
    assert frame.equals(before[0])
    pd.testing.assert_frame_equal(pandas, before[1])


def test_threads():
    import joblib

    everything = threads(None)
    assert everything == threads(-1) >= 1
    assert threads(3) == 3
    assert threads(-10_000) == 1
    inside = joblib.Parallel(n_jobs=2, prefer="threads")(joblib.delayed(threads)(None) for _ in range(2))
    assert inside == [1, 1]
    processes = joblib.Parallel(n_jobs=2)(joblib.delayed(threads)(None) for _ in range(2))
    assert processes == [1, 1]


def test_missing_values_of_polars_are_the_same_with_and_without_arrow(monkeypatch):
    values = [3, None, 1, 1, None, 0, 3, 2, None, 1]
    columns = {
        str(dtype): pl.Series(values, dtype=dtype)
        for dtype in (pl.UInt8, pl.Int16, pl.Int64, pl.UInt64, pl.Float32, pl.Float64)
    }
    words = [None if value is None else "abcd"[value] for value in values]
    columns["enum"] = pl.Series(words, dtype=pl.Enum(list("abcd")))
    columns["pool"] = pl.Series(words, dtype=pl.Categorical)
    columns["text"] = pl.Series(words)
    columns["truth"] = pl.Series([None if value is None else value > 1 for value in values])
    frame = pl.DataFrame(columns)
    y = np.arange(7) % 2
    for part in (frame[3:], pl.concat([frame[:2], frame[5:]], rechunk=False)[1:]):
        with_arrow = misieve.count(part, y[: len(part)], missing="model")
        with monkeypatch.context() as without:
            without.setattr("misieve.frames.from_polars.sys", SimpleNamespace(modules={}))
            assert misieve.count(part, y[: len(part)], missing="model") == with_arrow
