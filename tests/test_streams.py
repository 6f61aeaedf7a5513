import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import misieve
from misieve._errors import DataError, MisieveWarning, MissingExtraError
from misieve.files import delimited
from misieve.frames import is_stream, streams


@pytest.fixture
def columns():
    rng = np.random.default_rng(1)
    n = 5000
    return {
        "text": rng.choice(["a", 'say "hi",\nthere', "ß"], n).tolist(),
        "number": rng.integers(0, 9, n).tolist(),
        "late": [1] * 4000 + rng.integers(5, 200, 1000).tolist(),
        "hole": [None if i % 7 == 0 else i % 3 for i in range(n)],
        "y": rng.choice(["no", "yes"], n).tolist(),
    }


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(streams, "BATCH_BYTES", 1)  # the least that files are read in
    monkeypatch.setattr(delimited, "LEAST_BYTES", 1000)
    monkeypatch.setattr(delimited, "SAMPLE_BYTES", 1000)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("suffix", [".parquet", ".pq", ".csv", ".tsv"])
@pytest.mark.parametrize("missing", ["pairwise", "model"])
def test_files_are_counted_as_the_frame_is(suffix, missing, columns, tmp_path):
    frame = pl.DataFrame(columns)
    path = tmp_path / f"data{suffix}"
    if suffix in {".parquet", ".pq"}:
        frame.write_parquet(path, row_group_size=700)
    else:
        frame.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    expected = misieve.count(frame, "y", missing=missing)
    for given in (path, str(path)):
        tables = misieve.count(given, "y", missing=missing)
        assert tables == expected
        assert dict(tables.categories) == dict(expected.categories)
    assert misieve.count(path, columns["y"], missing=missing)[["text"]] == expected[["text"]]


@pytest.mark.usefixtures("small_batches")
def test_lazy_frames_are_counted_as_the_frame_is(columns):
    frame = pl.DataFrame(columns)
    lazy = frame.lazy().filter(pl.col("number") > 2)
    assert misieve.count(lazy, "y", missing="pairwise") == misieve.count(lazy.collect(), "y", missing="pairwise")
    assert misieve.count(frame.lazy().drop("y"), columns["y"], missing="model") == misieve.count(frame, "y", missing="model")


MAKE = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "batches": pa.RecordBatch.from_pydict,
}


@pytest.mark.parametrize("library", MAKE)
@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_iterables_of_frames(library, kind, columns):
    parts = [{name: cells[i : i + 900] for name, cells in columns.items()} for i in range(0, 5000, 900)]
    parts.insert(2, {name: cells[:0] for name, cells in columns.items()} if library == "polars" else parts.pop(2))
    tables = misieve.count(kind([MAKE[library](part) for part in parts]), "y", missing="pairwise")
    assert tables == misieve.count(pd.DataFrame(columns), "y", missing="pairwise")


def test_an_arrow_reader_of_batches(columns):
    table = pa.table(columns)
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=800))
    assert misieve.count(reader, "y", missing="pairwise") == misieve.count(table, "y", missing="pairwise")


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_iterables_of_arrays_take_their_rows_of_the_target(make):
    rng = np.random.default_rng(2)
    x, y, weights = rng.integers(0, 3, (100, 4)), rng.choice(["a", "b", None], 100), rng.integers(0, 3, 100)
    parts = (make(x[i : i + 30]) for i in range(0, 100, 30))
    tables = misieve.count(parts, y, sample_weight=weights, missing="model")
    assert tables == misieve.count(x, y, sample_weight=weights, missing="model")


def test_the_first_batch_sets_the_cuts_with_a_warning():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(90, 2)), rng.integers(0, 2, 90)
    with pytest.warns(MisieveWarning, match=r"the cuts of column 'x0' \(and 1 more\) come from the first batch"):
        tables = misieve.count([x[:50], x[50:]], y, bins=4)
    first = misieve.count(x[:50], y[:50], bins=4)
    assert tables == first + misieve.count(x[50:], y[50:], like=first)
    given = {"x0": [0.0], "x1": [-1, 1]}
    assert misieve.count([x[:50], x[50:]], y, bins=given) == misieve.count(x, y, bins=given)


def test_like_goes_through_batches():
    first = misieve.count(pd.DataFrame({"a": ["u", "v"]}), [0, 1])
    parts = [pd.DataFrame({"a": ["w", "u"]}), pd.DataFrame({"a": ["u"]})]
    tables = misieve.count(parts, [0, 1, 1], like=first)
    assert tables.categories["a"] == ("u", "v", "w")
    assert tables["a"].tolist() == [[0, 2], [0, 0], [1, 0]]


def test_columns_of_another_order_are_found_by_name():
    parts = [pd.DataFrame({"a": [0, 1], "b": [5, 5], "y": [0, 1]}), pd.DataFrame({"y": [1], "b": [5], "a": [1]})]
    assert misieve.count(parts, "y")["a"].tolist() == [[1, 0], [0, 2]]


def bad(message, parts, y="y", **options):
    with pytest.raises(DataError, match=message):
        misieve.count(parts, y, **options)


def test_batches_that_differ_from_the_first():
    first = pd.DataFrame({"a": [0, 1], "y": [0, 1]})
    bad(r"same columns as the first, but 'a' is absent \(from row 2 on\)", [first, pd.DataFrame({"c": [1], "y": [0]})])
    bad(r"same columns as the first, but 'c' is new \(from row 2 on\)", [first, pd.DataFrame({"a": [0], "c": [1], "y": [0]})])
    bad("found 3 instead of 2 from row 2 on", [np.eye(2, dtype=int), np.eye(3, dtype=int)], [0, 1, 0, 1, 0])
    bad("column 'a' mixes numbers .* with text", [first, pd.DataFrame({"a": ["u"], "y": [0]})])


def test_rows_are_numbered_across_batches():
    first = pd.DataFrame({"a": [0, 1], "y": [0, 1]})
    bad(r"column 'a' must hold whole numbers, found 0.5.*\(row 3\)", [first, pd.DataFrame({"a": [1, 0.5], "y": [0, 1]})])
    bad("column 'a' must not have missing values, found one in row 2", [first, pd.DataFrame({"a": [None, 1], "y": [0, 1]})])
    bad("target 'y' must not be missing, found it so in row 3", [first, pd.DataFrame({"a": [1, 1], "y": ["u", None]})])
    bad(
        r"declared categories \[0, 1\], found 2 \(row 2\)", [first, pd.DataFrame({"a": [2, 1], "y": [0, 1]})], categories=[0, 1]
    )


def test_arrays_beside_batches_have_their_length():
    parts = [np.eye(2, dtype=int), np.eye(2, dtype=int)]
    bad("y must have one entry for each row of X, found 3 for at least 4 rows", parts, [0, 1, 0])
    bad("y must have one entry for each row, found 5 for 4 rows", parts, [0, 1, 0, 1, 0])
    bad("sample_weight must have one entry for each row, found 5 for 4", parts, [0, 1, 0, 1], sample_weight=[1] * 5)
    bad("X must have at least one row, found none in any batch", iter([]), [])
    bad("X must have at least one row, found none in any batch", [pd.DataFrame({"a": [], "y": []})])


def test_files_that_cannot_be_read(tmp_path):
    bad("there is no file '.*nothing.csv'", tmp_path / "nothing.csv")
    bad("name must end in .csv, .* found 'data.xlsx'", "data.xlsx")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    bad("bad.parquet: the file cannot be read as parquet", tmp_path / "bad.parquet")
    (tmp_path / "bad.csv").write_text("a,y\n1,2\n1,2,3\n")
    bad("bad.csv: line 3 must have 2 cells as the first line has, found 3", tmp_path / "bad.csv")
    (tmp_path / "empty.csv").write_text("a,y\n")
    bad("at least one row, found none in any batch", tmp_path / "empty.csv")


def test_files_need_polars(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    (tmp_path / "a.csv").write_text("a,y\n1,2\n")
    with pytest.raises(MissingExtraError, match=r"reading .*a.csv needs the library 'polars'.*misieve\[cli\]"):
        misieve.count(tmp_path / "a.csv", "y")


@pytest.mark.usefixtures("small_batches")
def test_text_after_numbers_in_a_csv_file_makes_a_column_of_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("code,y\n" + "12,0\n13,1\n" * 300 + "x1,0\n")
    tables = misieve.count(path, "y")
    assert tables.categories["code"] == ("12", "13", "x1")
    assert tables["code"].tolist() == [[300, 0], [0, 300], [1, 0]]


@pytest.mark.usefixtures("small_batches")
def test_a_csv_file_without_a_last_line_end_and_with_empty_columns(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('"co\nde",y,e\n' + "12,0,\n13,1,\n" * 300 + "3.0,0,7")
    tables = misieve.count(path, "y", missing="pairwise")
    assert tables.features == ("co\nde", "e")
    assert tables.categories["co\nde"] == (3, 12, 13)
    assert tables["e"].tolist() == [[1, 0]]


def test_what_is_a_stream():
    assert is_stream("a.csv")
    assert is_stream(Path("a.csv"))
    assert is_stream(iter([]))
    assert is_stream([pd.DataFrame()])
    assert is_stream(pl.LazyFrame())
    assert not any(
        map(is_stream, ([[0, 1]], [np.zeros(3)], np.zeros((2, 2)), pd.DataFrame(), pl.DataFrame(), pa.table({}), [], 3))
    )


MEMORY = """
import sys, numpy as np, polars as pl, misieve
from misieve.frames import streams
path, small, kind = sys.argv[1:]
streams.BATCH_BYTES = 1 << 17

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

misieve.count(pl.read_csv(small) if kind == "frames" else small, "y")  # what the libraries take once
before = peak()
if kind == "frames":
    def frames():
        rng = np.random.default_rng(0)
        for i in range(200):
            columns = {f"c{j}": rng.integers(10_000, 10_009, 3000) for j in range(20)}
            yield pl.DataFrame(columns | {"y": rng.integers(0, 2, 3000)})
    tables = misieve.count(frames(), "y")
else:
    tables = misieve.count(path, "y")
assert tables["c0"].sum() == 600_000
print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from Linux's /proc")
@pytest.mark.parametrize("kind", ["parquet", "csv", "frames"])
def test_a_file_is_counted_in_a_tenth_of_the_memory_it_takes(kind, tmp_path):
    rng = np.random.default_rng(0)
    n = 600_000
    frame = pl.DataFrame({f"c{j}": rng.integers(10_000, 10_009, n) for j in range(20)} | {"y": rng.integers(0, 2, n)})
    path, small, size = (
        tmp_path / f"data.{kind}",
        tmp_path / f"small.{'csv' if kind == 'frames' else kind}",
        frame.estimated_size(),
    )
    if kind == "parquet":
        for rows, file in ((frame, path), (frame.head(9000), small)):
            pq.write_table(rows.to_arrow(), file, row_group_size=3000, use_dictionary=False, compression="none")
    else:
        frame.head(3000).write_csv(small)
    if kind == "csv":
        frame.write_csv(path)
    if kind != "frames":
        size = path.stat().st_size
    run = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path), str(small), kind],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "POLARS_MAX_THREADS": "2"},
    )
    assert run.returncode == 0, run.stderr
    assert size > 60 << 20
    assert int(run.stdout) < size / 10, f"{int(run.stdout) >> 20} MB for {size >> 20} MB"
