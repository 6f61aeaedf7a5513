import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import misieve
from misieve._errors import DataError, MisieveWarning, OptionError
from naive import as_counters, naive_count

CLASSES = ["no", "yes", "maybe"]
FRAMES = {
    "pandas": pd.DataFrame,
    "pandas-arrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas-object": lambda columns: pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()}),
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "pyarrow": pa.table,
    "pyarrow-chunks": lambda columns: pa.concat_tables([pa.table(columns).slice(0, 3), pa.table(columns).slice(3)]),
}
ARRAYS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "slice": lambda x: np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2],
    "backwards": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
    "csr": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "list": lambda x: x.tolist(),
}
DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", ">i4", ">f8"]


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param]


@pytest.fixture(params=ARRAYS)
def array(request):
    return ARRAYS[request.param]


def columns_of(x, names=None):
    return {(names[j] if names else f"x{j}"): x[:, j].tolist() for j in range(x.shape[1])}


def random_columns(rng, n, holes=0.2):
    """Text, whole numbers, truth values, dates: each with missing cells."""

    def drawn(values):
        gone = rng.random(n) < holes
        return [None if hole else values[i] for hole, i in zip(gone, rng.integers(len(values), size=n), strict=True)]

    return {
        "text": drawn(["b", "a", "", "ä"]),
        "few": drawn([0, 1, 2, 5]),
        "signed": drawn([-3, -1, 4]),
        "large": drawn([7, 10**6, 10**12]),
        "truth": drawn([True, False]),
        "date": drawn([dt.date(2020, 1, 31), dt.date(1960, 2, 1)]),
        "time": drawn([dt.datetime(2020, 1, 31, 12, 30), dt.datetime(1960, 2, 1)]),
        "constant": ["x"] * n,
    }


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_every_order_and_width(array, dtype):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2 if dtype == "bool" else 9, (60, 5)).astype(dtype)
    y = rng.integers(0, 3, 60)
    if sp.issparse(array(np.eye(2))) and x.dtype.byteorder == ">":
        pytest.skip("SciPy converts sparse data to native order by itself")
    tables = misieve.count(array(x), y)
    assert as_counters(tables)[0] == naive_count(columns_of(x), y.tolist())[0]
    assert tables.features == ("x0", "x1", "x2", "x3", "x4")
    assert tables.categories["x0"] == tuple(sorted(set(x[:, 0].tolist())))


@pytest.mark.parametrize("low", [-5, 60, 1000, 10**6, -(2**63)])
def test_numbers_that_are_not_small(array, low):
    rng = np.random.default_rng(2)
    x = (rng.integers(0, 5, (50, 4)) * rng.choice([1, 3], 4)).astype(np.int64)
    x[:, 2:] += low
    y = rng.integers(0, 2, 50)
    assert as_counters(misieve.count(array(x), y))[0] == naive_count(columns_of(x), y.tolist())[0]


def test_unsigned_numbers_beyond_int64():
    x = np.array([[2**64 - 1], [2**64 - 2], [2**63], [0]], np.uint64)
    tables = misieve.count(x, [0, 1, 0, 1])
    assert tables.categories["x0"] == (0, 2**63, 2**64 - 2, 2**64 - 1)
    assert tables["x0"].tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]
    for pair in ([2**63 - 1, 2**63], [2**64 - 2, 2**64 - 1]):  # near each other, where 64 bits end
        assert misieve.count(np.array(pair, np.uint64)[:, None], np.array(pair, np.uint64)).categories["x0"] == tuple(pair)


@pytest.mark.parametrize("kind", ["U", "S", "O", "datetime64[D]", "timedelta64[s]"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_text_objects_and_times(kind, order):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (30, 2))
    values = {
        "U": np.array(["bb", "a", "ccc"]),
        "S": np.array([b"bb", b"a", b"ccc"]),
        "O": np.array(["bb", "a", "ccc"], object),
        "datetime64[D]": np.array(["2020-01-02", "1970-01-01", "1969-12-31"], "datetime64[D]"),
        "timedelta64[s]": np.array([5, -5, 0], "timedelta64[s]"),
    }[kind]
    x = np.asarray(values[codes], order=order)
    y = rng.integers(0, 2, 30)
    assert as_counters(misieve.count(x, y))[0] == naive_count(columns_of(x), y.tolist())[0]


def test_rows_in_a_list_keep_the_types_of_their_cells():
    tables = misieve.count([["a", 1], ["b", 2], ["a", 1]], ["x", "y", "x"])
    assert dict(tables.categories) == {"x0": ("a", "b"), "x1": (1, 2)}


@pytest.mark.parametrize("missing", ["category", "pairwise", "model"])
@pytest.mark.parametrize("weighted", [False, True])
def test_frames_of_every_library_and_every_way_with_missing_values(frame, missing, weighted):
    rng = np.random.default_rng(4)
    n = 80
    columns = random_columns(rng, n)
    y = [None if hole else CLASSES[i] for hole, i in zip(rng.random(n) < 0.1, rng.integers(3, size=n), strict=True)]
    weights = rng.integers(0, 4, n).astype(float) if weighted else None
    tables = misieve.count(frame(columns | {"target": y}), "target", missing=missing, sample_weight=weights)
    assert as_counters(tables) == naive_count(columns, y, missing=missing, weights=weights)
    assert tables.dtype == (np.float64 if weighted else np.int64)
    assert tables.features == tuple(columns)
    assert tables.classes == (("maybe", "no", "yes", None) if missing == "category" else ("maybe", "no", "yes"))
    assert tables.categories["few"] == ((0, 1, 2, 5, None) if missing == "category" else (0, 1, 2, 5))


def test_the_target_may_stand_beside_the_frame(frame):
    rng = np.random.default_rng(5)
    columns = random_columns(rng, 40, holes=0)
    y = rng.choice(CLASSES, 40)
    expected = naive_count(columns, y.tolist())
    for target in (
        y,
        y.tolist(),
        pd.Series(y, index=range(40, 0, -1)),
        pl.Series(y),
        pa.array(y),
        pd.Categorical(y),
        y[:, None],
    ):
        assert as_counters(misieve.count(frame(columns), target)) == expected
    both = misieve.count(frame(columns | {"target": y.tolist()}), "target")
    assert as_counters(both) == expected


@pytest.mark.parametrize("missing", ["category", "pairwise", "model"])
@pytest.mark.parametrize("array", ["C", "F", "csr", "csc", "masked", "list"])
def test_nan_in_arrays(array, missing):
    rng = np.random.default_rng(6)
    x = rng.integers(0, 4, (50, 4)).astype(float)
    holes = rng.random(x.shape) < 0.2
    holes[:, 3] = False
    x[holes] = np.nan
    y = rng.integers(0, 2, 50)
    columns = {name: [None if np.isnan(cell) else int(cell) for cell in cells] for name, cells in columns_of(x).items()}
    if array == "masked":
        data = np.ma.MaskedArray(np.where(holes, 99, np.nan_to_num(x)).astype(np.int16), holes)
    else:
        data = ARRAYS[array](x)
    assert as_counters(misieve.count(data, y, missing=missing)) == naive_count(columns, y.tolist(), missing=missing)


def test_declared_categories_keep_their_order_and_those_that_never_occur():
    cells, y = ["lo", "hi", "lo", "hi"], ["b", "a", "a", "b"]
    order = ["lo", "mid", "hi"]
    frames = [
        pd.DataFrame({"c": pd.Categorical(cells, categories=order)}),
        pl.DataFrame({"c": pl.Series(cells, dtype=pl.Enum(order))}),
        pa.table({"c": pa.DictionaryArray.from_arrays(pa.array([0, 2, 0, 2]), pa.array(order))}),
    ]
    for one in frames:
        tables = misieve.count(one, y)
        assert tables.categories["c"] == ("lo", "mid", "hi")
        assert tables["c"].tolist() == [[1, 1], [0, 0], [1, 1]]
    optional = misieve.count(pd.DataFrame({"c": cells}), y, categories={"c": order})
    assert optional == tables
    assert optional.categories["c"] == tuple(order)


def test_a_polars_categorical_declares_nothing():
    pl.Series(["zebra", "aardvark"]).cast(pl.Categorical)
    tables = misieve.count(pl.DataFrame({"c": pl.Series(["b", "a", "b"], dtype=pl.Categorical)}), [0, 1, 1])
    assert tables.categories["c"] == ("a", "b")
    assert tables["c"].tolist() == [[0, 1], [1, 1]]


def test_a_small_column_of_a_large_polars_pool(monkeypatch):
    from misieve.frames import from_polars

    monkeypatch.setattr(from_polars, "LARGEST_POOL", 4)
    pool = pl.Series([f"v{i}" for i in range(50)]).cast(pl.Categorical)
    chosen = pool.gather([40, 3, 40]).extend(pl.Series([None], dtype=pl.Categorical))
    tables = misieve.count(pl.DataFrame({"c": chosen}), [0, 1, 1, 1], missing="pairwise")
    assert tables.categories["c"] == ("v3", "v40")
    assert tables["c"].tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize("many", [1, 1 << 20])
def test_pools_of_polars_of_every_size(many, monkeypatch):
    from misieve.frames import from_polars

    monkeypatch.setattr(from_polars, "MANY_CODES", many)
    for size in (1, 254, 255, 300):
        pool = pl.Series([f"{i:03}" for i in range(size)], dtype=pl.Categorical(pl.Categories.random()))
        chosen = pool.gather([size - 1, 0, size - 1]).extend(pl.Series([None], dtype=pool.dtype))
        tables = misieve.count(pl.DataFrame({"c": chosen}), [0, 1, 1, 1], missing="model")
        values = ("000",) if size == 1 else ("000", f"{size - 1:03}")
        assert tables.categories["c"] == values
        assert tables["c"].tolist() == ([[1, 2]] if size == 1 else [[0, 1], [1, 1]])
        assert tables.missing["c"].by_class.tolist() == [0, 1]


def test_arrow_dictionaries_that_repeat_a_category_or_hold_null():
    repeated = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, None]), pa.array(["a", "b", "a", None]))
    tables = misieve.count(pa.table({"c": repeated}), [0, 0, 1, 1, 1], missing="model")
    assert tables["c"].tolist() == [[1, 1], [1, 0]]
    assert tables.missing["c"].by_class.tolist() == [0, 2]


def test_declared_classes_and_their_order():
    x = np.array([[0], [1], [1]])
    y = pd.Series(pd.Categorical(["yes", "no", "yes"], categories=["yes", "perhaps", "no"]))
    assert misieve.count(x, y).classes == ("yes", "perhaps", "no")
    frame = pd.DataFrame({"x": [0, 1, 1], "y": ["yes", "no", "yes"]})
    tables = misieve.count(frame, "y", categories={"y": ["yes", "no", "never"]})
    assert tables.classes == ("yes", "no", "never")
    assert tables["x"].tolist() == [[1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize("categories", [[0, 1, 2, 3], [[0, 1, 2, 3]] * 2, {"x0": [0, 1, 2, 3], "x1": range(4)}])
def test_categories_for_all_by_position_or_by_name(categories):
    tables = misieve.count(np.array([[0, 1], [3, 1]]), [0, 1], categories=categories)
    assert [tables.categories[name] for name in tables] == [(0, 1, 2, 3)] * 2
    assert tables["x1"].tolist() == [[0, 0], [1, 1], [0, 0], [0, 0]]


def test_fractions_are_categories_where_they_are_declared():
    x = np.array([[0.5], [1.5], [0.5], [2.0]])
    tables = misieve.count(x, [0, 1, 1, 1], categories={"x0": [0.5, 1.5, 2]})
    assert tables.categories["x0"] == (0.5, 1.5, 2)
    assert tables["x0"].tolist() == [[1, 1], [0, 1], [0, 1]]
    later = misieve.count(np.array([[1.5]]), [0], like=tables)
    assert later["x0"].tolist() == [[0, 0], [1, 0], [0, 0]]


def test_weights_of_zero_are_rows_that_do_not_exist(array):
    x = np.array([[1, 2], [7, 2], [0, 1], [1, 1]])
    y = np.array(["a", "c", "b", "b"])
    weights = [0.5, 0, 1, 2]
    tables = misieve.count(array(x), y, sample_weight=weights)
    assert tables.classes == ("a", "b")
    assert tables.categories["x0"] == (0, 1)
    assert tables["x0"].tolist() == [[0, 1], [0.5, 2]]
    assert tables["x1"].tolist() == [[0, 3], [0.5, 0]]


def test_nothing_is_wrong_with_a_row_of_weight_zero():
    frame = pd.DataFrame({"x": [0.5, 1, 2], "y": [None, "a", "b"], "w": [0, 1, 1]})
    tables = misieve.count(frame, "y", sample_weight="w")
    assert tables["x"].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_the_result_does_not_depend_on_the_number_of_threads(frame, monkeypatch):
    monkeypatch.setattr("misieve.counting.CELLS_PER_THREAD", 1)
    rng = np.random.default_rng(7)
    columns = random_columns(rng, 300)
    y, weights = rng.choice(CLASSES, 300), rng.random(300)
    one, four = (
        misieve.count(FRAMES[frame](columns), y, missing="model", sample_weight=weights, n_jobs=jobs) for jobs in (1, 4)
    )
    assert one == four


def test_both_cores_agree(monkeypatch):
    from misieve import tally, tally_sparse, target
    from misieve._core import twin

    rng = np.random.default_rng(8)
    columns = random_columns(rng, 100)
    y = rng.choice(CLASSES, 100)
    x = sp.random_array((100, 30), density=0.1, rng=rng, format="csr")
    x.data = rng.integers(-2, 4, len(x.data)).astype(float)

    def counted():
        return misieve.count(pl.DataFrame(columns), y, missing="model"), misieve.count(x, y)

    native = counted()
    for module in (tally, tally_sparse, target):
        monkeypatch.setattr(module, "kernels", twin)
    assert counted() == native


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_sparse_is_dense(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    n, p = data.draw(st.integers(2, 30)), data.draw(st.integers(1, 6))
    dense = np.where(
        rng.random((n, p)) < 0.3, rng.integers(*data.draw(st.sampled_from([(0, 2), (-3, 5), (0, 300)])), (n, p)), 0
    )
    y = np.append(rng.integers(0, 3, n - 2), [0, 1])
    weights = data.draw(st.sampled_from([None, rng.integers(1, 4, n)]))
    matrix = data.draw(st.sampled_from([sp.csr_matrix, sp.csc_matrix, sp.csr_array]))(dense)
    matrix.data[: data.draw(st.integers(0, 2))] = 0  # stored zeros
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MisieveWarning)
        expected = misieve.count(matrix.toarray(), y, sample_weight=weights)
        assert misieve.count(matrix, y, sample_weight=weights) == expected
        assert dict(misieve.count(matrix, y, sample_weight=weights).categories) == dict(expected.categories)


@pytest.mark.parametrize("value", [1, 2, 40])
def test_a_sparse_matrix_that_stores_an_entry_twice(value):
    matrix = sp.csr_matrix((np.array([value, value, 1]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    tables = misieve.count(matrix, [0, 1])
    assert tables.categories["x0"] == (0, 2 * value)
    assert tables.categories["x1"] == (0, 1)
    assert matrix.nnz == 3  # the input is left as it is


def test_many_sparse_columns_share_their_categories():
    matrix = sp.random_array((50, 3000), density=0.05, rng=np.random.default_rng(9), format="csr")
    matrix.data[:] = 1
    tables = misieve.count(matrix, np.arange(50) % 2)
    assert len(tables) == 3000
    assert len(tables._levels.pools) <= 2
    total = sum(counts.sum() for _, counts in tables.blocks())
    assert total == 50 * 3000


def test_wide_arrays_look_up_their_limits(monkeypatch):
    monkeypatch.setattr("misieve.tally.MANY_CELLS", 1)
    x = np.array([[0, 3, -1, 70, np.nan], [1, 3, 2, 1, np.nan], [1, 0, 2, 1, 1]])
    tables = misieve.count(x, [0, 1, 1], missing="pairwise")
    expected = naive_count(
        {k: [None if np.isnan(v) else int(v) for v in c] for k, c in columns_of(x).items()}, [0, 1, 1], missing="pairwise"
    )
    assert as_counters(tables) == expected


# Bins


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_bins_cut_what_is_continuous_and_nothing_else(frame):
    rng = np.random.default_rng(10)
    columns = {
        "real": rng.normal(size=200).tolist(),
        "many": rng.permutation(200).tolist(),
        "few": rng.integers(0, 5, 200).tolist(),
        "text": rng.choice(["a", "b"], 200).tolist(),
    }
    tables = misieve.count(FRAMES[frame](columns), rng.integers(0, 2, 200), bins=4)
    assert tables["real"].sum(axis=1).tolist() == [50] * 4
    assert tables["many"].sum(axis=1).tolist() == [50] * 4
    assert tables.categories["few"] == (0, 1, 2, 3, 4)
    assert tables.categories["text"] == ("a", "b")
    assert set(tables.cuts) == {"real", "many"}
    assert tables.categories["many"] == ("(-inf, 49.5]", "(49.5, 99.5]", "(99.5, 149.5]", "(149.5, inf)")


def test_bins_by_name_and_by_cut_points():
    x = np.array([[0.0, 1], [1, 2], [2, 3], [3, np.nan]])
    tables = misieve.count(x, [0, 0, 1, 1], bins={"x0": [1, 2.5, 9], "x1": 3}, missing="pairwise")
    assert tables.categories["x0"] == ("(-inf, 1]", "(1, 2.5]", "(2.5, 9]", "(9, inf)")
    assert tables["x0"].tolist() == [[2, 0], [0, 1], [0, 1], [0, 0]]
    assert tables["x1"].tolist() == [[1, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize("weights", [None, "weights"])
def test_sparse_columns_are_cut_as_dense_ones(weights):
    rng = np.random.default_rng(11)
    dense = np.where(rng.random((150, 3)) < 0.5, rng.normal(size=(150, 3)), 0)
    dense[:, 2] = rng.integers(0, 2, 150)
    y, weights = rng.integers(0, 2, 150), weights and rng.integers(1, 5, 150)
    expected = misieve.count(dense, y, bins=5, sample_weight=weights)
    tables = misieve.count(sp.csr_array(dense), y, bins=5, sample_weight=weights)
    assert tables == expected
    assert dict(tables.categories) == dict(expected.categories)


def test_a_later_batch_is_cut_where_the_first_was():
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    first = misieve.count(x[:120], y[:120], bins=3)
    both = first + misieve.count(x[120:], y[120:], like=first)
    cuts = {name: cut.tolist() for name, cut in first.cuts.items()}
    assert both == misieve.count(x, y, bins=cuts)


# like=


def test_like_gives_places_and_new_categories_extend_them(frame):
    first = misieve.count(frame({"a": ["u", "v"] * 2, "b": [1, 2] * 2}), ["no", "yes"] * 2)
    second = misieve.count(frame({"b": [3, 1, 1, 1], "a": ["v", "w", "v", "w"]}), ["maybe"] * 4, like=first)
    assert second.features == ("a", "b")
    assert second.classes == ("maybe", "no", "yes")
    assert second.categories["a"] == ("u", "v", "w")
    assert second["a"].tolist() == [[0, 0, 0], [2, 0, 0], [2, 0, 0]]
    total = first + second
    assert total["b"].tolist() == [[3, 2, 0], [0, 0, 2], [1, 0, 0]]


def test_like_keeps_the_order_that_was_declared():
    first = misieve.count(np.array([[0], [1]]), [0, 1], categories=[1, 0])
    assert misieve.count(np.array([[2], [0]]), [0, 1], like=first).categories["x0"] == (1, 0, 2)


def test_arrays_take_the_names_of_like():
    first = misieve.count(pd.DataFrame({"a": [0, 1], "b": [1, 1]}), [0, 1])
    assert misieve.count(np.array([[1, 0], [0, 1]]), [0, 1], like=first).features == ("a", "b")
    with pytest.raises(DataError, match="2 features of like=, found 3"):
        misieve.count(np.zeros((2, 3), int), [0, 1], like=first)


# Bad input


def bad(message, X, y=(0, 1, 0), **options):
    with pytest.raises((DataError, OptionError), match=message):
        misieve.count(X, list(y) if isinstance(y, tuple) else y, **options)


def test_lengths_and_shapes_that_do_not_fit():
    bad("y must have one entry for each row of X, found 2 for 3 rows", np.zeros((3, 1), int), (0, 1))
    bad("sample_weight must have one entry for each row, found 2 for 3", np.zeros((3, 1), int), sample_weight=[1, 2])
    bad("X must have at least one row, found none", np.zeros((0, 2), int), ())
    bad("X must have at least one row, found none", pd.DataFrame({"a": [], "y": []}), "y")
    bad("X must have at least one feature, found none", np.zeros((3, 0), int))
    bad("at least one feature, found none besides the target", pd.DataFrame({"y": [0, 1, 0]}), "y")
    bad("X must be two-dimensional.*shape \\(3,\\)", np.zeros(3, int))
    bad("X must be two-dimensional", [[0, 1], [0], [1, 1]])
    bad("y must be one-dimensional.*\\(3, 2\\)", np.zeros((3, 1), int), np.zeros((3, 2), int))
    bad("y must be one column, found 2", np.zeros((3, 1), int), pd.DataFrame({"a": [0, 1, 0], "b": [0, 1, 0]}))
    bad("y must be an array", np.zeros((3, 1), int), 7)
    bad("X must be a frame", object())
    bad("X must hold categories.*complex128", np.zeros((3, 1), complex))


def test_a_target_that_is_not_there():
    bad("y must be a column of X, 'c' is none of 'a', 'b'", pl.DataFrame({"a": [0, 1, 0], "b": [0, 1, 0]}), "c")
    bad("X has no column names, so 'c' cannot be found", np.zeros((3, 1), int), "c")


def test_one_class_is_counted_with_a_warning():
    with pytest.warns(MisieveWarning, match="the target has one class, 'a'"):
        tables = misieve.count(np.array([[0], [1]]), ["a", "a"])
    assert tables["x0"].tolist() == [[1], [1]]


def test_a_class_that_only_stands_beside_missing_values_is_a_class():
    tables = misieve.count(pl.DataFrame({"a": ["u", None]}), [0, 1], missing="model")
    assert tables.missing["a"].by_class.tolist() == [0, 1]


@pytest.mark.parametrize("name", ["C", "F", "csr", "csc"])
def test_missing_values_are_an_error_by_default(name):
    x = np.array([[0, 1], [1, np.nan], [1, np.nan]])
    bad("column 'x1' must not have missing values, found one in row 1: choose missing='category'", ARRAYS[name](x))


def test_missing_values_of_frames_are_an_error_by_default(frame):
    bad("column 'b' must not have missing values, found one in row 2", frame({"a": [0, 1, 0], "b": ["u", "v", None]}))
    bad("target 'y' must not be missing, found it so in row 1", frame({"a": [0, 1, 0], "y": ["u", None, "v"]}), "y")
    bad("y must not be missing, found it so in row 1", frame({"a": [0, 1, 0]}), ("u", None, "v"))


@pytest.mark.parametrize("name", ["C", "F", "csr", "csc"])
@pytest.mark.parametrize("value", [0.5, np.inf, -1e-9])
def test_continuous_columns_point_to_bins(name, value):
    x = np.array([[0, 1.0], [1, 2.0], [1, value]])
    bad(r"column 'x1' must hold whole numbers, found .* bins= or misieve.MDLDiscretizer \(row 2\)", ARRAYS[name](x))


def test_continuous_columns_of_frames_point_to_bins(frame):
    bad("column 'a' must hold whole numbers, found 1.5.*row 1", frame({"a": [0.0, 1.5, 2.5]}))
    bad(
        "target 'y' must hold whole numbers, found 0.5.* cut into classes first.*row 0",
        frame({"a": [0, 1, 0], "y": [0.5, 1.5, 2.5]}),
        "y",
    )


@pytest.mark.parametrize("name", ["C", "csr"])
def test_codes_outside_the_declared_categories(name):
    x = np.array([[0, 1], [1, 0], [5, 1], [-2, 0]])
    y = (0, 1, 0, 1)
    bad(
        r"column 'x0' must have one of its declared categories \[0, 1\], found 5 \(row 2\)",
        ARRAYS[name](x),
        y,
        categories=[0, 1],
    )
    assert misieve.count(ARRAYS[name](x), y).categories["x0"] == (-2, 0, 1, 5)


def test_values_and_classes_outside_the_declared_categories(frame):
    data = frame({"a": ["u", "v", "w"], "y": ["s", "t", "r"]})
    bad(
        r"column 'a' must have one of its declared categories \['v', 'u'\], found 'w' \(row 2\)",
        data,
        "y",
        categories={"a": ["v", "u"]},
    )
    bad(
        r"target 'y' must have one of its declared categories \['s', 't'\], found 'r' \(row 2\)",
        data,
        "y",
        categories={"y": ["s", "t"]},
    )


def test_categories_that_make_no_sense():
    x = np.zeros((3, 2), int)
    bad("categories must name columns of X, 'x2' is none", x, categories={"x2": [0]})
    bad("one list for each of 2 features, found 1", x, categories=[[0]])
    bad("column 'x1' declares the category 1 twice", x, categories={"x1": [1, 1.0]})
    bad("categories of column 'x1' must be a list of values, not 'ab'", x, categories={"x1": "ab"})
    bad("categories must be a dict by column name or a list, not int", x, categories=3)
    bad("column 'x1' declares the category .*: object is not a kind of category", x, categories={"x1": [object()]})


def test_bins_that_make_no_sense():
    x = np.zeros((3, 2), int)
    bad("bins must be at least 2, not 1", x, bins=1)
    bad("bins must be a number of bins", x, bins="many")
    bad("bins must name columns of X, 'y' is none", x, bins={"y": 2})
    bad("cut points belong to one column", x, bins=[1, 2])
    bad("cut points must be finite numbers in ascending order", x, bins={"x0": [2, 1]})
    bad("column 'a' must hold numbers to be cut into bins", pd.DataFrame({"a": list("abc")}), bins={"a": 2})


def test_names_that_stand_twice():
    bad("columns must have names of their own, found 'a' twice", pd.DataFrame(np.zeros((3, 3), int), columns=["a", "b", "a"]))
    bad("found 'a' twice", pa.Table.from_arrays([pa.array([0, 1, 0])] * 2, names=["a", "a"]))


def test_object_columns_of_mixed_types():
    mixed = [1, "a", 2]
    message = r"column 'm' must hold values of one kind, found numbers \(1\) and text \('a'\).*\(row 1\)"
    bad(message, pd.DataFrame({"k": [1, 1, 1], "m": mixed}))
    bad(message.replace("'m'", "'x0'"), np.array([[1], ["a"], [2]], object))
    bad("y must hold values of one kind", np.zeros((3, 1), int), mixed)
    bad(r"column 'x0' must hold categories, found a list \(row 1\)", np.array([["a"], [[1, 2]], ["b"]], object))
    bad("found the Arrow type", pa.table({"m": [[1], [2], [3]]}))
    bad("found the polars type", pl.DataFrame({"m": [[1], [2], [3]]}))


def test_weights_that_make_no_sense():
    x = np.zeros((3, 1), int)
    bad("sample_weight must be finite and not negative, found -1.0 in row 1", x, sample_weight=[1, -1, 1])
    bad("found nan in row 2", x, sample_weight=[1, 1, np.nan])
    bad("at least one row, found none of weight above zero", x, sample_weight=[0, 0, 0])
    bad("must be numbers", x, sample_weight=["a", "b", "c"])
    bad("one-dimensional", x, sample_weight=np.ones((3, 2)))


def test_options_that_do_not_exist():
    x = np.zeros((3, 1), int)
    bad("missing must be one of 'error', .*not 'drop'", x, missing="drop")
    bad("like must be the Tables of an earlier batch, not list", x, like=[])
    bad("n_jobs must be None or a whole number", x, n_jobs=0)


def test_numbers_that_doubles_cannot_hold():
    bad(r"column 'x0' must not hold 9007199254740993 beside fractions.*row 1", np.array([[0.5], [2**53 + 1], [1]], object))


def test_too_many_categories(monkeypatch):
    monkeypatch.setattr("misieve.encode.MAX_CATEGORIES", 2)
    monkeypatch.setattr("misieve.encode.NARROW", 0)
    bad(r"column 'x0' must have at most 2\^31 - 1 categories, found 3", np.array([[-5], [100], [10**9]]))


def test_tables_that_would_not_fit(monkeypatch):
    monkeypatch.setattr("misieve.tally.MAX_CELLS", 100)
    bad("the tables would have .* cells, more than 2", np.full((3, 10), 9))


def test_a_column_with_as_many_values_as_rows_is_warned_about():
    frame = pd.DataFrame({"id": [f"p{i}" for i in range(100)], "a": [0, 1] * 50})
    with pytest.warns(MisieveWarning, match="column 'id' has as many values as there are rows"):
        tables = misieve.count(frame, [0, 1] * 50)
    assert tables["id"].shape == (100, 2)


@pytest.mark.parametrize("missing", ["pairwise", "model"])
def test_a_column_without_values_is_kept_empty_with_a_warning(missing, frame):
    with pytest.warns(MisieveWarning, match="column 'b' has no value in any row"):
        tables = misieve.count(frame({"a": [0, 1, 1], "b": [None] * 3}), [0, 1, 0], missing=missing)
    assert tables["b"].shape == (0, 2)


def test_a_large_column_of_numbers_is_a_category():
    x = np.arange(200)[:, None] // 2
    tables = misieve.count(x, np.arange(200) % 2)
    assert tables["x0"].tolist() == [[1, 1]] * 100


def test_a_sparse_frame_of_pandas():
    dense = np.array([[0, 1], [2, 0], [0, 0]])
    frame = pd.DataFrame(dense, columns=["a", "b"]).astype(pd.SparseDtype("int64", 0))
    assert misieve.count(frame, [0, 1, 0])["a"].tolist() == [[2, 0], [0, 1]]


def test_names_that_are_not_text_are_kept():
    frame = pd.DataFrame(np.array([[0, 1, 0], [1, 1, 1]]), columns=[10, ("p", "q"), 0])
    tables = misieve.count(frame, 0)
    assert tables.features == (10, ("p", "q"))
    assert tables[10].tolist() == [[1, 0], [0, 1]]


def test_columns_are_cut_where_the_class_changes():
    from misieve.discretize import mdl_cuts

    rng = np.random.default_rng(31)
    y = rng.integers(0, 3, 600)
    x = np.column_stack(
        [rng.normal(size=600) + y, rng.integers(0, 900, 600) + 400 * y, rng.integers(0, 64, 600), rng.normal(size=600)]
    )
    x[rng.random(600) < 0.1, 0] = np.nan
    weights = rng.integers(0, 3, 600).astype(float)
    for own in (None, weights):
        tables = misieve.count(x, y, bins="mdl", missing="pairwise", sample_weight=own)
        assert list(tables.cuts) == ["x0", "x1", "x3"]
        for column, cuts in zip((0, 1, 3), tables.cuts.values(), strict=True):
            np.testing.assert_array_equal(cuts, mdl_cuts(x[:, [column]], y, own)[0])
        assert [len(tables[name]) for name in ("x0", "x1", "x3")] == [len(cuts) + 1 for cuts in tables.cuts.values()]
        unlabelled = np.where(np.arange(600) < 50, np.nan, y)
        some = misieve.count(x, unlabelled, bins={"x0": "mdl", "x1": 3, "x3": [0.0]}, missing="model", sample_weight=own)
        rest = None if own is None else own[50:]
        np.testing.assert_array_equal(some.cuts["x0"], mdl_cuts(x[50:, [0]], y[50:], rest)[0])
    infinite = np.array([-np.inf, -np.inf, 1.5, 2.5] * 40)
    assert misieve.count(infinite[:, None], infinite < 0, bins="mdl").cuts["x0"].tolist() == [-np.finfo(float).max]


def test_sparse_columns_are_cut_as_the_dense_ones_where_the_class_changes():
    rng = np.random.default_rng(32)
    y = rng.integers(0, 2, 500)
    x = np.where(rng.random((500, 4)) < 0.6, 0.0, rng.normal(size=(500, 4)) + y[:, None])
    x[:, 1] = rng.normal(size=500) + y  # no zero at all
    labels = np.where(np.arange(500) < 40, np.nan, y)
    for target in (y, labels):
        for weights in (None, rng.integers(0, 3, 500) / 4):
            dense = misieve.count(x, target, bins="mdl", missing="model", sample_weight=weights)
            sparse = misieve.count(sp.csc_array(x), target, bins="mdl", missing="model", sample_weight=weights)
            for name in dense.cuts:
                np.testing.assert_array_equal(sparse.cuts[name], dense.cuts[name])
            assert dense == sparse
