"""What people have beside tidy frames of text and small numbers: counted right, or refused with a message that says where."""

import datetime as dt
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import misieve
from misieve._errors import DataError
from misieve.frames import read

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")
Y = [0, 1, 0]


def refused(message, X, y=Y, **options):
    with pytest.raises(DataError, match=message):
        misieve.count(X, y, **options)


def rows(tables, name=None):
    """The categories of a feature with their counts."""
    name = tables.features[0] if name is None else name
    return dict(zip(tables.categories[name], tables[name].tolist(), strict=True))


# Arrays


def test_fields_of_a_structured_array():
    records = np.zeros(3, dtype=[("a", "u1"), ("b", "<i4"), ("c", "<f8")])
    records["b"], records["c"] = [7, 8, 7], [2, 1, 1]
    assert rows(misieve.count(records["b"][:, None], Y)) == {7: [2, 0], 8: [0, 1]}
    assert rows(misieve.count(records["c"][:, None], Y)) == {1: [1, 1], 2: [1, 0]}
    assert misieve.count(np.eye(3, dtype=int), records["b"]).classes == (7, 8)
    refused("must be two-dimensional", records)
    refused("must hold categories, found an array of dtype", records[:, None])


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.broadcast_to(x[:, :1], (3, 2)),
        lambda x: x[::-1, ::-1][::-1, ::-1],
        np.ma.MaskedArray,
        lambda x: x.view(type("Array", (np.ndarray,), {})),
        lambda x: np.lib.stride_tricks.as_strided(x.copy(), x.shape, x.strides, writeable=False),
        lambda x: [tuple(row) for row in x],
    ],
)
def test_views_subclasses_and_read_only_arrays(make):
    x = np.array([[3, 3], [1, 1], [3, 3]])
    assert rows(misieve.count(make(x), Y), "x1") == {1: [0, 1], 3: [2, 0]}


def test_numbers_wider_than_64_bits():
    x = np.array([[1], [2], [1]], np.longdouble)
    assert rows(misieve.count(x, Y)) == {1: [2, 0], 2: [0, 1]}
    if np.finfo(np.longdouble).nmant > 52:
        x[1] = np.longdouble(2**53) + 1
        refused(r"column 'x0' must hold numbers of at most 64 bits, found .*9007199254740993.* \(row 1\)", x)


def test_long_doubles_among_objects():
    assert rows(misieve.count([[np.longdouble(1)], [2.0], [1]], Y)) == {1: [2, 0], 2: [0, 1]}
    if np.finfo(np.longdouble).nmant > 52:
        refused(r"column 'x0' must hold categories, but a number that takes more than 64 bits .* \(row 1\)",
                [[1], [np.longdouble(2**53) + 1], [1]])  # fmt: skip


@pytest.mark.parametrize("row", ["ab", b"ab", {"a": 1}, {1, 2}])
def test_rows_that_are_no_rows(row):
    refused(f"X must be two-dimensional, but row 1 is a {type(row).__name__}: pass a list of lists", [[1, 2], row, [1, 2]])


def test_a_mapping_is_no_frame():
    refused("found a mapping: make a frame of it", {"a": [1, 2, 3]})
    refused("not set", {1, 2, 3})


@pytest.mark.parametrize("x", [np.array([[10**8], [0], [1]], "M8[D]"), np.array([[5], [0], [1]], "m8[M]")])
def test_times_that_python_cannot_hold(x):
    refused(r"column 'x0' holds the category .*64.*what Python's own dates and times cannot hold .*\(row 0\)", x)


# Targets and weights


@pytest.mark.parametrize("dtype", ["uint64", "uint16", "int8", "float16", ">i8", "bool"])
def test_targets_of_every_width(dtype):
    y = np.array([0, 1, 0]).astype(dtype)
    for one in (y, y[::-1], np.repeat(y, 2)[::2]):
        assert misieve.count(np.eye(3, dtype=int), one)["x0"].tolist() == [[1, 1], [1, 0]]


def test_targets_that_pandas_holds_itself():
    x = np.eye(3, dtype=int)
    for y in (pd.Categorical(["b", "a", "b"], ["b", "c", "a"]), pd.CategoricalIndex(["b", "a", "b"], ["b", "c", "a"])):
        assert misieve.count(x, y).classes == ("b", "c", "a")
    assert misieve.count(x, pd.array([5, None, 7], dtype="Int64"), missing="model").classes == (5, 7)
    refused("y must be one-dimensional, found a MultiIndex", x, pd.MultiIndex.from_tuples([(1, 2)] * 3))


def test_declared_classes_give_way_to_the_option():
    frame = pd.DataFrame(
        {"a": pd.Categorical(["u", "v", "u"], ["w", "v", "u"]), "y": pd.Categorical(["s", "t", "s"], list("rst"))}
    )
    tables = misieve.count(frame, "y", categories={"a": ["u", "v"], "y": ["t", "s"]})
    assert rows(tables) == {"u": [0, 2], "v": [1, 0]}
    assert tables.classes == ("t", "s")
    refused(
        r"column 'a' must have one of its declared categories \['w', 'u'\], found 'v' \(row 1\)",
        frame,
        "y",
        categories={"a": ["w", "u"]},
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (["1", "2", "3"], "must be numbers, one for each row, found the dtype <U1"),
        (np.array([1, "2", 3], object), "must be numbers, one for each row, found text"),
        (np.array([1j, 1, 1]), "must be numbers, one for each row, found the dtype complex128"),
        (np.array(["2020", "2021", "2022"], "M8[D]"), "found the dtype datetime64"),
        ([[1], [2], []], "must be one-dimensional, one number for each row"),
        (np.ma.MaskedArray([1, 2, 3.0], [0, 1, 0]), "must be finite and not negative, found nan in row 1"),
        (pd.array([1, None, 3], dtype="Int64"), "found nan in row 1"),
        ([1e308] * 3, "must have a finite sum"),
        (iter([1, 2, 3]), "must be numbers"),
    ],
)
def test_weights_that_are_no_weights(weights, message):
    refused(message, np.eye(3, dtype=int), sample_weight=weights)


# Frames


def test_columns_without_a_name():
    for columns in ([np.nan, "b"], ["b", np.nan], [np.nan, float("nan")]):
        refused(
            "columns must have names, found nan for column", pd.DataFrame([[1, 2]] * 3, columns=pd.Index(columns, dtype=object))
        )
    refused(
        "columns must have names, found None for column 1",
        pd.DataFrame([[1, 2]] * 3, columns=pd.Index([0, None], dtype=object)),
    )


def test_columns_named_by_paths():
    frame = pd.DataFrame(
        [[1, 2, 0], [2, 2, 1], [1, 2, 0]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "")])
    )
    tables = misieve.count(frame, ("b", ""))
    assert tables.features == (("a", "x"), ("a", "y"))
    assert rows(tables) == {1: [2, 0], 2: [0, 1]}
    refused(r"y must be a column of X, 'a' is none of \('a', 'x'\)", frame, "a")


def test_categories_of_two_kinds():
    refused(r"column 'a' mixes numbers \(1\) with text \('u'\)", pd.DataFrame({"a": pd.Categorical([1, "u", 1])}))
    refused(r"column 'a' declares the category \(1, 2\): tuple", pd.DataFrame({"a": pd.Categorical([(1, 2), (3, 4), (1, 2)])}))


@pytest.mark.parametrize("missing", ["category", "pairwise", "model"])
@pytest.mark.parametrize(
    ("type_", "cells", "values"),
    [
        (pa.decimal32(5, 2), [Decimal("1.1"), None, Decimal(2)], (Decimal("1.1"), Decimal(2))),
        (pa.decimal256(50, 2), [Decimal("1.1"), None, Decimal(2)], (Decimal("1.1"), Decimal(2))),
        (pa.string_view(), ["a", None, "b"], ("a", "b")),
        (pa.binary_view(), [b"a", None, b"b"], (b"a", b"b")),
        (pa.uuid(), [uuid.UUID(int=1).bytes, None, uuid.UUID(int=2).bytes], (b"\0" * 15 + b"\1", b"\0" * 15 + b"\2")),
        (pa.bool8(), [0, None, 5], (False, True)),
        (pa.json_(), ["1", None, "{}"], ("1", "{}")),
        (pa.float16(), [1.0, None, 2.0], (1, 2)),
        (pa.int8(), [-128, None, -1], (-128, -1)),
        (pa.uint64(), [0, None, 2**64 - 1], (0, 2**64 - 1)),
        (pa.time64("ns"), [dt.time(1), None, dt.time(2)], (dt.time(1), dt.time(2))),
    ],
    ids=str,
)
def test_types_that_arrow_cannot_encode_itself(type_, cells, values, missing):
    tables = misieve.count(pa.table({"a": pa.array(cells, type_)}), Y, missing=missing)
    expected = {values[0]: [1, 0], values[1]: [1, 0]} | ({None: [0, 1]} if missing == "category" else {})
    assert rows(tables) == expected
    assert tables.missing["a"].by_class.tolist() == ([0, 1] if missing == "model" else [0, 0])


def dictionary(codes, labels):
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(labels))


@pytest.mark.parametrize(("type_", "values"), [(pa.string_view(), ["a", "b"]), (pa.binary_view(), [b"a", b"b"])], ids=str)
def test_views_of_arrow(type_, values):
    a, b = values
    view = pa.array([a, b, a], type_)
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), pa.array(values, type_))
    for frame in (pa.table({"a": view}), pa.table({"a": coded}), pd.DataFrame({"a": pd.arrays.ArrowExtensionArray(view)})):
        assert rows(misieve.count(frame, Y)) == {a: [2, 0], b: [0, 1]}
        assert rows(misieve.count(frame, Y, sample_weight=[0, 1, 1])) == {a: [1, 0], b: [0, 1]}


def test_dictionaries_of_arrow():
    chunks = pa.chunked_array([dictionary([0, 1], ["x", "y"]), dictionary([0, None], ["y", "z"]), dictionary([], ["q"])])
    tables = misieve.count(pa.table({"a": chunks}), [0, 1, 0, 1], missing="model")
    assert rows(tables) == {"x": [1, 0], "y": [1, 1], "z": [0, 0], "q": [0, 0]}
    assert tables.missing["a"].by_class.tolist() == [0, 1]
    nan = pa.table({"a": dictionary([0, 1, 0], [0.5, float("nan")])})
    refused("column 'a' must not have missing values, found one in row 1", nan)
    assert rows(misieve.count(nan, Y, missing="pairwise")) == {0.5: [2, 0]}
    refused(
        "column 'a' must hold categories, found the Arrow type dictionary<values=list",
        pa.table({"a": dictionary([0, 1, 0], [[1], [2]])}),
    )
    assert rows(misieve.count(pa.table({"a": pa.RunEndEncodedArray.from_arrays([2, 3], ["u", "v"])}), Y)) == {
        "u": [1, 1],
        "v": [1, 0],
    }


FAR = "what Python's own dates and times cannot hold is not a kind of category"
FINE = "a time finer than a microsecond is not a kind of category"


@pytest.mark.parametrize(
    ("dtype", "number", "message"),
    [
        (pl.Datetime("ns"), 1, FINE),
        (pl.Duration("ns"), 1, FINE),
        (pl.Time, 1, FINE),
        (pl.Datetime("ms"), 2**62, FAR),
        (pl.Datetime("us", "Asia/Tokyo"), -(2**62), FAR),
        (pl.Duration("ms"), 2**62, FAR),
        (pl.Date, 2**30, FAR),
    ],
    ids=str,
)
def test_times_beyond_those_of_python(dtype, number, message):
    series = pl.Series([0, None, number]).cast(pl.Int32 if dtype == pl.Date else pl.Int64).cast(dtype)
    where = rf"column 'a' holds the category .*{number}.*: {message}.*\(row 2\)"
    refused(where, pl.DataFrame({"a": series}), missing="model")
    if dtype not in (pl.Time, pl.Duration("ms")):
        # Arrow shows a time finer than a microsecond through pandas.
        arrow = f"column 'a' holds the category .*: {message}.*" + r"\(row 2\)"
        refused(arrow, pa.table({"a": series.to_arrow()}), missing="model")


def test_the_hour_that_comes_twice():
    hours = [dt.datetime(2020, 10, 25, hour, 30, tzinfo=dt.UTC) for hour in (0, 1, 0)]
    expected = {hours[0]: [2, 0], hours[1]: [0, 1]}
    zoned = pl.DataFrame({"a": hours}).select(pl.col("a").dt.convert_time_zone("Europe/Berlin"))
    for frame in (zoned, zoned.to_arrow(), zoned.to_pandas()):
        assert rows(misieve.count(frame, Y)) == expected


# Sparse matrices


def csr(data, indices, indptr, shape=(3, 2)):
    return sp.csr_matrix((np.array(data), np.array(indices), np.array(indptr)), shape=shape)


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_matrix, sp.csr_array, sp.csc_array])
def test_sound_sparse_matrices_are_not_copied(make):
    x = make(np.eye(3))
    assert read(x).sparse is x


def test_sparse_matrices_that_scipy_did_not_make():
    whole = csr([1.0, 1.0], [0, 1], [0, 1, 2, 2])
    expected = misieve.count(whole.toarray(), Y)
    mixed, narrow, strided, roomy = whole.copy(), whole.copy(), whole.copy(), whole.copy()
    mixed.indices = mixed.indices.astype(np.int64)
    narrow.indices, narrow.indptr = narrow.indices.astype(np.int16), narrow.indptr.astype(np.int16)
    strided.data = np.array([1.0, 9, 1, 9])[::2]
    roomy.data, roomy.indices = np.append(roomy.data, 7), np.append(roomy.indices, 0).astype(np.int32)
    for matrix in (mixed, narrow, strided, roomy, whole.astype(np.longdouble)):
        assert misieve.count(matrix, Y) == expected
    assert len(roomy.data) == 3  # the input is left as it is


@pytest.mark.parametrize("value", [1, 5])
@pytest.mark.parametrize(
    ("array", "place", "wrong"), [("indices", 0, 77), ("indices", 0, -1), ("indptr", 1, 77), ("indptr", 1, -3)]
)
def test_sparse_matrices_that_point_outside_themselves(array, place, wrong, value):
    matrix = csr([value, 1], [0, 1], [0, 1, 2, 2])
    getattr(matrix, array)[place] = wrong
    refused("X must be a sound sparse matrix, but", matrix)
