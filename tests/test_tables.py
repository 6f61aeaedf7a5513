import datetime as dt
import json
import zipfile
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import misieve
from misieve import Tables
from misieve._errors import DataError, MissingExtraError
from misieve.levels import Levels
from naive import as_counters

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")


def table(cells, y, **options):
    return misieve.count(pd.DataFrame({"a": cells}), y, **options)


@pytest.fixture
def mixed():
    """Ragged, with every part that a Tables can have."""
    frame = pd.DataFrame(
        {
            "text": ["u", "v", None, "w", "u"],
            "number": [1, 2, 2, 1, 3],
            "real": [0.5, 1.5, np.nan, 2.5, 9],
            "day": [dt.date(2020, 1, 1), None, dt.date(2021, 1, 1), dt.date(2020, 1, 1), dt.date(2020, 1, 1)],
            "truth": [True, False, True, True, False],
        }
    )
    return misieve.count(frame, ["no", "yes", "yes", None, "no"], missing="model", bins={"real": 2})


# Reading


def test_a_tables_is_read_like_a_mapping(mixed):
    assert len(mixed) == 5
    assert list(mixed) == list(mixed.features) == ["text", "number", "real", "day", "truth"]
    assert "day" in mixed
    assert "night" not in mixed
    assert [[]] not in [list(mixed)]
    assert mixed["number"].tolist() == [[1, 0], [0, 2], [1, 0]]
    assert {name: counts.shape for name, counts in mixed.items()}["text"] == (3, 2)
    assert mixed.get("night") is None
    assert repr(mixed) == "<Tables of 5 features (12 categories) against 2 classes, int64>"
    assert "'u'" in repr(mixed.categories)


def test_an_unknown_name_says_which_there_are(mixed):
    with pytest.raises(DataError, match="no feature is named 'night'; there are 'text', 'number', 'real', 'day', 'truth'$"):
        mixed["night"]
    with pytest.raises(KeyError, match="night"):
        mixed.missing["night"]
    with pytest.raises(DataError, match="chosen once each"):
        mixed[["text", "text"]]


def test_counts_cannot_be_written_to(mixed):
    with pytest.raises(ValueError, match="read-only"):
        mixed["number"][0, 0] = 7


def test_a_list_of_names_chooses(mixed):
    some = mixed[["truth", "text"]]
    assert some.features == ("truth", "text")
    assert some["text"].tolist() == mixed["text"].tolist()
    assert some.missing["text"].by_class.tolist() == mixed.missing["text"].by_class.tolist() == [0, 1]
    assert some.missing["text"].by_value.tolist() == mixed.missing["text"].by_value.tolist() == [0, 0, 1]
    assert mixed[["real"]].cuts.keys() == {"real"}
    assert len(some._levels.pools) == 2
    assert mixed[list(mixed)] == mixed


def test_blocks_hold_every_feature_once_with_its_counts(mixed):
    seen = {}
    for (here, counts), (by_class, by_value) in zip(mixed.blocks(), mixed.missing_blocks(), strict=True):
        assert counts.shape == (len(here), counts.shape[1], 2)
        for i, feature in enumerate(here.tolist()):
            name = mixed.features[feature]
            seen[name] = counts[i].tolist()
            assert by_class[i].tolist() == mixed.missing[name].by_class.tolist()
            assert by_value[i].tolist() == mixed.missing[name].by_value.tolist()
    assert seen == {name: counts.tolist() for name, counts in mixed.items()}


def test_one_block_is_a_view():
    tables = misieve.count(np.tile([[0], [1]], 1000), [0, 1])
    ((here, counts),) = tables.blocks()
    assert np.shares_memory(counts, tables._counts)
    assert (counts == [[1, 0], [0, 1]]).all()
    assert here.tolist() == list(range(1000))


# Adding


ROW = st.tuples(st.sampled_from("abc"), st.sampled_from([0, 1, 5, None]), st.sampled_from(["y", "n", None]))
CELLS = st.lists(ROW, min_size=1)


@settings(max_examples=100, deadline=None)
@given(CELLS, CELLS, st.sampled_from(["category", "pairwise", "model"]), st.booleans())
def test_merging_is_concatenation(first, second, missing, weighted):
    def counted(rows):
        frame = pd.DataFrame({"t": [row[0] for row in rows], "n": pd.Series([row[1] for row in rows], dtype="Int64")})
        y = pd.Series([row[2] for row in rows], dtype=object)
        weights = [0.25 + (row[0] == "a") for row in rows] if weighted else None
        return misieve.count(frame, y, missing=missing, sample_weight=weights)

    a, b, both = counted(first), counted(second), counted(first + second)
    assert a + b == both
    assert b + a == both
    assert as_counters(a + b) == as_counters(both)
    assert (a + b).categories["t"] == both.categories["t"]
    assert (a + b).classes == both.classes
    assert both - b == a
    assert sum([a, b]) == both


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 39), st.sampled_from([(0, 3), (-2, 100)]))
def test_merging_arrays_of_different_categories(seed, cut, bounds):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(*bounds, (40, 6)), rng.integers(0, 3, 40)
    a, b, both = misieve.count(x[:cut], y[:cut]), misieve.count(x[cut:], y[cut:]), misieve.count(x, y)
    assert a + b == both
    assert a + misieve.count(x[cut:], y[cut:], like=a) == both
    assert dict((a + b).categories) == dict(both.categories)


def test_the_same_schema_is_one_addition():
    a = misieve.count(np.array([[0, 1], [1, 0]]), [0, 1])
    total = a + a
    assert total._levels is a._levels
    assert total["x0"].tolist() == [[2, 0], [0, 2]]


def test_features_are_matched_by_name():
    a = misieve.count(pd.DataFrame({"a": [0, 1], "b": [5, 6]}), [0, 1])
    b = misieve.count(pd.DataFrame({"b": [5, 6], "a": [1, 1]}), [0, 1])
    assert (a + b)["a"].tolist() == [[1, 0], [1, 2]]
    with pytest.raises(DataError, match="batches must have the same columns, but 'b' is absent in the second"):
        a + a[["a"]]
    with pytest.raises(DataError, match="but 'b' is new in the second"):
        a[["a"]] + a


def test_equality_is_by_value():
    assert table(["u", "v"], [0, 1]) == table(["u", "v"], [0, 1], categories={"a": ["w", "v", "u"]})
    assert table([1, 0], [0, 1]) == table([1.0, 0.0], [0, 1]) == table([True, False], [False, True])
    assert table(["u", "v"], [0, 1]) != table(["u", "v"], [1, 0])
    assert table(["u", "v"], [0, 1]) != table([0, 1], [0, 1])
    assert table(["u", "v"], [0, 1]) != 3
    assert table([0], [0]) != misieve.count(pd.DataFrame({"b": [0]}), [0])
    assert table(["u", "v"], [0, 1], sample_weight=[1, 1]) == table(["u", "v"], [0, 1])
    missing = table(["u", "v", None], [0, 1, 1], missing="model")
    assert missing != table(["u", "v", None], [0, 1, 1], missing="pairwise")
    with pytest.raises(TypeError, match="unhashable"):
        hash(missing)


def test_sorted_categories_stay_sorted_and_declared_ones_keep_their_order():
    assert (table(["b"], [1]) + table(["a"], [0])).categories["a"] == ("a", "b")
    declared = table(["b"], [1], categories={"a": ["c", "b"]})
    assert (declared + table(["a"], [0])).categories["a"] == ("c", "b", "a")
    assert (table([None, "b"], [0, 1], missing="category") + table(["c"], [0])).categories["a"] == ("b", "c", None)


def test_values_of_two_kinds_do_not_merge():
    with pytest.raises(DataError, match=r"column 'a' mixes numbers \(1\) with text \('u'\)"):
        table([1, 1], [0, 1]) + table(["u", "v"], [0, 1])
    with pytest.raises(DataError, match="the target mixes"):
        table(["u", "v"], [0, 1]) + table(["u", "v"], ["a", "b"])


def test_subtraction_stops_at_zero():
    a, b = table(["u", "u", "v"], [0, 1, 1]), table(["v"], [1])
    assert (a - b)["a"].tolist() == [[1, 1], [0, 0]]
    with pytest.raises(DataError, match=r"must not fall below zero, but column 'a', category 'u', has more rows in b"):
        b - a
    with pytest.raises(DataError, match="a count of incomplete rows has more rows in b"):
        table([None, "u"], [0, 1], missing="model") - table([None, None, "u"], [0, 0, 1], missing="model")


def test_rounding_leaves_no_negative_weight():
    rng = np.random.default_rng(0)
    cells, y, weights = rng.choice(list("uvw"), 300), rng.integers(0, 2, 300), rng.random(300)
    parts = [table(cells[i : i + 30], y[i : i + 30], sample_weight=weights[i : i + 30]) for i in range(0, 300, 30)]
    left = sum(parts)
    for part in parts:
        left = left - part
    assert left["a"].tolist() == [[0.0] * 2] * 3


def test_overflow_is_refused():
    def huge(n):
        return Tables(1, (0, 1), Levels.of([(0,)]), np.array([[n, 1]]), class_counts=np.array([n, 1]))

    assert (huge(2**62) + huge(2**62 - 1))["x0"].tolist() == [[2**63 - 1, 2]]
    with pytest.raises(DataError, match="must fit 64 bits"):
        huge(2**62) + huge(2**62)


def test_only_tables_add():
    with pytest.raises(TypeError, match="unsupported operand"):
        table([0, 1], [0, 1]) + 1
    with pytest.raises(TypeError, match="unsupported operand"):
        table([0, 1], [0, 1]) - 1


def test_other_cuts_do_not_merge():
    x, y = np.array([[0.5], [1.5], [2.5], [3.5]]), [0, 1, 0, 1]
    with pytest.raises(DataError, match="column 'x0' was cut into bins at different points"):
        misieve.count(x, y, bins=2) + misieve.count(x, y, bins=3)


# Files


def test_a_file_gives_back_the_same(mixed, tmp_path):
    mixed.save(tmp_path / "tables")
    back = Tables.load(tmp_path / "tables")
    assert back == mixed
    assert back.features == mixed.features
    assert back.classes == mixed.classes
    assert dict(back.categories) == dict(mixed.categories)
    assert [type(value) for value in back.categories["truth"]] == [bool, bool]
    assert back.cuts["real"].tolist() == mixed.cuts["real"].tolist()
    assert as_counters(back) == as_counters(mixed)
    assert [path.name for path in tmp_path.iterdir()] == ["tables"]


VALUES = {
    "whole numbers": [-(2**70), -1, 0, 10**30],
    "numbers": [-1, 0, 0.1, 1e300, float("inf")],
    "text": ["", "a", "ß", "null", '["date"]', "\x00", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")],
    "bytes": [b"", b"\xff"],
    "dates": [dt.date(1, 1, 1), dt.date(2020, 2, 29)],
    "times": [dt.datetime(2020, 1, 1, 1, 2, 3, 4), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)],
    "times of day": [dt.time(1, 2, 3, 4)],
    "durations": [dt.timedelta(-1, 2, 3), dt.timedelta(0)],
    "decimals": [Decimal("1.10"), Decimal("-3")],
    "truth values": [False, True],
}


@pytest.mark.parametrize("kind", VALUES)
def test_values_of_every_kind_survive_a_file(kind, tmp_path):
    values = VALUES[kind]
    frame = pd.DataFrame({"a": pd.Series(values * 2, dtype=object)})
    tables = misieve.count(frame, [0] * len(values) + [1] * len(values), categories={"a": values}, missing="category")
    tables.save(tmp_path / "a.npz")
    back = Tables.load(tmp_path / "a.npz")
    assert back.categories["a"] == tuple(values)
    assert list(map(type, back.categories["a"])) == list(map(type, values))
    assert back["a"].tolist() == [[1] * 2] * len(values)


def test_names_of_every_kind_survive_a_file(tmp_path):
    frame = pd.DataFrame([[0, 1, 0], [1, 1, 1]], columns=pd.Index([0, ("p", 1), "q"], dtype=object))
    tables = misieve.count(frame, [0, 1])
    tables.save(tmp_path / "a.npz")
    assert Tables.load(tmp_path / "a.npz").features == (0, ("p", 1), "q")


def test_features_of_an_array_are_stored_as_a_number(tmp_path):
    misieve.count(np.array([[0, 1], [1, 0]]), [0, 1]).save(str(tmp_path / "a.npz"))
    assert Tables.load(str(tmp_path / "a.npz")).features == ("x0", "x1")


def test_a_file_cut_short_is_refused(mixed, tmp_path):
    path = tmp_path / "a.npz"
    mixed.save(path)
    whole = path.read_bytes()
    for length in (0, 1, 30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError, match=r"a.npz' is not a whole file of Tables: .*cut short"):
            Tables.load(path)


def test_a_file_with_a_changed_byte_is_refused(mixed, tmp_path):
    path = tmp_path / "a.npz"
    mixed.save(path)
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo("counts.npy").header_offset + 200
    content = bytearray(path.read_bytes())
    content[place] ^= 255
    path.write_bytes(content)
    with pytest.raises(DataError, match="is not a whole file of Tables"):
        Tables.load(path)


def test_no_changed_bit_of_a_directory_changes_the_tables(tmp_path):
    path = tmp_path / "a.npz"
    tables = misieve.count(np.array([[0.0], [1], [np.nan], [1]]), np.array(["a", "b", "a", None], object), missing="model")
    tables.save(path)
    whole = path.read_bytes()
    for place in range(whole.index(b"PK\1\2"), len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        try:
            assert Tables.load(path) == tables, f"byte {place}"
        except DataError as refused:
            assert "is not a whole file of Tables" in str(refused)  # noqa: PT017 most bytes matter, not all


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, x=np.zeros(3))
    with pytest.raises(DataError, match="is not a whole file of Tables"):
        Tables.load(path)
    np.savez(path, facts=np.frombuffer(json.dumps({"format": "misieve tables", "version": 99}).encode(), np.uint8))
    with pytest.raises(DataError, match="has format version 99, this misieve reads up to 1: update"):
        Tables.load(path)
    np.savez(path, facts=np.array([object()]), allow_pickle=True)
    with pytest.raises(DataError, match="is not a whole file"):
        Tables.load(path)
    np.save(path.with_suffix(".npy"), np.zeros(3))
    with pytest.raises(DataError, match="is not a whole file"):
        Tables.load(path.with_suffix(".npy"))
    with pytest.raises(FileNotFoundError):
        Tables.load(tmp_path / "nothing.npz")


def test_parts_that_do_not_fit_are_refused(mixed, tmp_path):
    path = tmp_path / "a.npz"
    mixed.save(path)
    with np.load(path) as stored:
        arrays = dict(stored)
    arrays["counts"] = arrays["counts"][:-1]
    np.savez(path, **arrays)
    with pytest.raises(DataError, match="its parts do not fit together"):
        Tables.load(path)


def test_a_write_that_fails_leaves_the_old_file(mixed, tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    mixed.save(path)
    before = path.read_bytes()

    def fail(*_args, **_arrays):
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(OSError, match="no space left"):
        mixed.save(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["a.npz"]


# Frames


def test_to_frame_is_long_and_in_the_library_of_the_input():
    columns = {"a": ["u", "v", "u"], "b": [1, 1, 2]}
    rows = [("a", "u", 0, 1), ("a", "u", 1, 1), ("a", "v", 0, 0), ("a", "v", 1, 1)]
    for library, make in {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}.items():
        frame = misieve.count(make(columns), [0, 1, 1]).to_frame()
        assert type(frame).__module__.partition(".")[0] == library
        pandas = frame if library == "pandas" else frame.to_pandas()
        assert list(pandas.columns) == ["feature", "value", "class", "count"]
        assert list(pandas.itertuples(index=False, name=None))[:4] == rows
        assert pandas["count"].sum() == 6
        value = pandas["value"].tolist()[-1]
        assert value == (2 if library == "pandas" else "2")


def test_to_frame_of_an_array_is_pandas_else_polars_else_an_error(monkeypatch):
    from misieve.frames import build

    tables = misieve.count(np.array([[0], [1]]), [0, 1])
    assert isinstance(tables.to_frame(), pd.DataFrame)
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None if name == "pandas" else True)
    frame = tables.to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame["value"].dtype == pl.Int64
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="needs a frame library"):
        tables.to_frame()


ODD = {
    "fractions": ([1, 2.5], True),
    "unsigned": ([2**64 - 1, 0, None], True),
    "more than 64 bits": ([-1, 2**64 - 1], False),
    "huge": ([2**70, 1], False),
    "no double holds both": ([2**53 + 1, 0.5], False),
    "with and without a zone": ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2020, 1, 1)], False),
    "times of day in a zone": ([dt.time(1, tzinfo=dt.UTC), dt.time(2, tzinfo=dt.UTC)], False),
    "names of two kinds": ([("a", 1), ("a", "b")], False),
}


@pytest.mark.parametrize("name", ODD)
def test_a_frame_holds_every_value_as_it_is_or_as_text(name):
    from misieve.frames import build_frame

    cells, typed = ODD[name]
    assert build_frame({"value": cells}, "pandas")["value"].tolist() == cells
    as_text = [None if cell is None else str(cell) for cell in cells]
    assert build_frame({"value": cells}, "polars")["value"].to_list() == (cells if typed else as_text)
    assert build_frame({"value": cells}, "pyarrow")["value"].to_pylist() == (cells if typed else as_text)


def test_missing_categories_are_null_in_a_frame():
    tables = misieve.count(pl.DataFrame({"a": ["u", None]}), [0, 1], missing="category")
    assert tables.to_frame()["value"].to_list() == ["u", "u", None, None]


@pytest.mark.parametrize("missing", ["category", "pairwise", "model"])
def test_the_rows_of_each_class_are_kept_whatever_is_missing(missing):
    x = np.array([[0.0, np.nan], [1, 1], [np.nan, 0], [1, np.nan], [0, 1]])
    y = np.array(["a", "b", "b", None, "a"], object)
    tables = misieve.count(x, y, missing=missing)
    assert tables.class_counts.tolist() == ([2, 2, 1] if missing == "category" else [2, 2])
    assert (tables + tables).class_counts.tolist() == (2 * tables.class_counts).tolist()
    other = misieve.count(np.zeros((3, 2)), np.array(["c", "c", "a"]))
    assert (tables + other).class_counts[-1] == 2 if missing != "category" else True
    weighted = misieve.count(x, y, missing=missing, sample_weight=np.full(5, 0.5))
    assert weighted.class_counts.tolist() == (0.5 * tables.class_counts).tolist()
