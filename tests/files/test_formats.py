import gzip
import io
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from misieve._errors import DataError, OptionError
from misieve.files import Reading, open_data, read_svmlight, replacing, spooled, until_typed, write_frame

FRAME = pl.DataFrame({"n": [1, 2, None], "t": ["x", None, "z"], "f": [0.5, 1.0, None]})


@pytest.fixture
def write(tmp_path):
    def write(content, name):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def bad(message, path, reading=None):
    with pytest.raises(DataError, match=message):
        open_data(path, reading).whole()


@pytest.mark.parametrize("name", ["a.parquet", "a.pq", "a.arrow", "a.feather", "a.ndjson", "a.jsonl", "stream.arrow"])
def test_files_that_know_their_types(name, tmp_path):
    path = tmp_path / name
    if name.startswith("stream"):
        FRAME.write_ipc_stream(path)
    else:
        {".p": FRAME.write_parquet, ".j": FRAME.write_ndjson, ".n": FRAME.write_ndjson}.get(path.suffix[:2], FRAME.write_ipc)(
            path
        )
    data = open_data(path)
    assert data.whole().equals(FRAME)
    assert pl.concat(data.batches(1)).equals(FRAME)
    assert data.used == 1.0
    assert open_data(path, Reading(exclude=("n",), text=("f",))).whole().columns == ["t", "f"]
    assert open_data(path, Reading(text=("n",))).whole()["n"].to_list() == ["1", "2", None]
    assert data.estimated_bytes() > 0
    packed = tmp_path / (name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert open_data(packed).whole().equals(FRAME)
    bad("there is no column 'q': there are 'n', 't', 'f'", path, Reading(exclude=("q",)))


def test_parquet_comes_in_slices(tmp_path):
    pl.DataFrame({"a": np.arange(5000)}).write_parquet(tmp_path / "a.parquet")
    assert [frame.height for frame in open_data(tmp_path / "a.parquet").batches(16_000)] == [2000, 2000, 1000]


def test_damaged_files(write):
    bad("cannot be read as parquet", write("PAR1 no", "a.parquet"))
    bad("cannot be read as arrow", write("no", "a.arrow"))
    bad("line 2 must be a JSON object", write('{"a":1}\n{a:2}\n', "a.ndjson"))
    bad("must have one JSON object a line, found it empty", write("", "a.ndjson"))
    bad("there is no file", Path("nowhere.csv"))
    bad("name must end in .csv, .txt, .*found 'a.xlsx'", write("", "a.xlsx"))


def test_json_lines_widen(write):
    lines = '{"a":1,"b":null}\n' * 90_000 + '{"a":2.5,"b":"x"}\n'
    data = open_data(write(lines, "a.ndjson"))
    whole = until_typed(lambda: pl.concat(data.batches(1 << 16)))
    assert whole.dtypes == [pl.Float64, pl.String]
    assert whole.row(-1) == (2.5, "x")
    bad("all lines must have the keys of the first ones, 'c' is new", write('{"a":1}\n' * 200_000 + '{"c":1}\n', "b.ndjson"))


ARFF = """% a comment
@RELATION weather

@attribute 'out look' {sunny, 'light rain', "so\\"so"} % the sky
@attribute temperature numeric
@ATTRIBUTE note string
@data
sunny, 20.5, 'it''s fine'

% another
'light rain',?, ?
"""


def test_arff(write):
    data = open_data(write(ARFF, "a.arff"))
    frame = data.whole()
    assert frame.columns == ["out look", "temperature", "note"]
    assert frame["out look"].dtype == pl.Enum(["sunny", "light rain", 'so"so'])
    assert frame.rows() == [("sunny", 20.5, "it's fine"), ("light rain", None, None)]
    assert open_data(write(ARFF, "a.arff"), Reading(text=("temperature",), exclude=("note",))).whole().rows()[0] == (
        "sunny",
        "20.5",
    )


HEAD = "@relation x\n@attribute a numeric\n@attribute b {x,y}\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + "@data\n1,x\n\n1,z\n", r"column 'b' must be one of \['x', 'y'\] as declared, found 'z' \(line 7\)"),
        (HEAD + "@data\nq,x\n", r"column 'a' must be a number as declared, found 'q' \(line 5\)"),
        (HEAD + "@data\n1,x\n1,x,3\n", "line 6 must have 2 cells as declared, found 3"),
        (HEAD + "@data\n1,x\n1\n", "line 6 must have 2 cells as declared, found 1"),
        (HEAD + "@data\n{0 1, 1 x}\n", r"sparse ARFF is not read \(line 5\)"),
        (HEAD, "must have a line @data before its rows"),
        ("@data\n1\n", "must declare its columns"),
        (HEAD + "@attribute a numeric\n@data\n", r"found 'a' twice \(line 4\)"),
        ("@attribute a relational\n@data\n", r"found 'relational' \(line 1\)"),
    ],
)
def test_wrong_arff(content, message, write):
    bad(message, write(content, "a.arff"))


def test_svmlight(write):
    X, y = read_svmlight(write("1 1:2 5:1\n-1 2:0.5\n", "a.svmlight"))
    assert X.shape == (2, 6)
    assert X.nnz == 3
    assert y.tolist() == [1, -1]
    with pytest.raises(DataError, match="must be a label and index:value pairs .* found 'foo bar' in line 2"):
        read_svmlight(write("1 1:2\nfoo bar\n", "b.svmlight"))
    with pytest.raises(DataError, match="in ascending order, found '1 3:4 2:1' in line 3"):
        read_svmlight(write("# two\n0 1:2 # rows\n1 3:4 2:1\n", "c.svmlight"))
    bad("holds a sparse matrix", write("1 1:2\n", "a.svmlight"))


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".tsv", ".arrow", ".feather", ".ndjson", ".jsonl"])
def test_writing(ending, tmp_path):
    path = tmp_path / f"out{ending}"
    write_frame(path, lambda: iter([FRAME, FRAME]), FRAME.schema)
    back = open_data(path).whole()
    assert back.with_columns(pl.col(pl.Categorical).cast(pl.String)).rows() == pl.concat([FRAME, FRAME]).rows()
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_nothing_is_left_half_written(tmp_path):
    def frames():
        yield FRAME
        raise RuntimeError("the disk is full")

    target = tmp_path / "out.csv"
    target.write_text("old")
    with pytest.raises(Exception, match="the disk is full"):
        write_frame(target, frames, FRAME.schema)
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]
    with pytest.raises(OptionError, match="must end in .parquet, .* found 'out.xlsx'"):
        write_frame(tmp_path / "out.xlsx", frames, FRAME.schema)
    with pytest.raises(DataError, match="there is no folder '.*nowhere'"), replacing(tmp_path / "nowhere" / "a"):
        pass


def test_standard_input_can_be_read_twice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,x\n")))
    with spooled() as path:
        assert open_data(path, format="csv").whole().height == 1
    assert not path.exists()
