import bz2
import gzip
import lzma

import polars as pl
import pytest
import zstandard

from misieve._errors import DataError
from misieve.files import Reading, open_data, until_typed


@pytest.fixture
def write(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def text(frame):
    """Rows with categories as text."""
    return frame.with_columns(pl.col(pl.Categorical).cast(pl.String)).rows()


def kinds(frame):
    return [dtype.base_type() for dtype in frame.dtypes]


def test_types_are_found(write):
    frame = open_data(write("whole,number,text,truth\n1,1.5,a,true\n2,2,b,false\n")).whole()
    assert kinds(frame) == [pl.Int64, pl.Float64, pl.Categorical, pl.Boolean]
    assert text(frame) == [(1, 1.5, "a", True), (2, 2.0, "b", False)]


@pytest.mark.parametrize("marker", ["", *Reading().missing])
def test_what_stands_for_a_missing_value(marker, write):
    frame = open_data(write(f"n,t\n1,a\n{marker},b\n3,{marker}\n")).whole()
    assert text(frame) == [(1, "a"), (None, "b"), (3, None)]


def test_other_markers(write):
    frame = open_data(write("n,t\n1,?\n-9,b\n"), Reading(missing=("-9",))).whole()
    assert text(frame) == [(1, "?"), (None, "b")]
    frame = open_data(write("n,t\n1,?\n-9,b\n"), Reading(missing=())).whole()
    assert text(frame) == [(1, "?"), (-9, "b")]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("header", [True, False])
def test_batches_are_the_whole(header, write):
    lines = "".join(f'{i},"a ""{i % 7}"",\nb",{i % 5 or "NA"}\n' for i in range(2000))
    path = write(("i,t,m\n" if header else "") + lines)
    reading = Reading(header=header)
    whole = open_data(path, reading).whole()
    data = open_data(path, reading)
    parts = list(data.batches(1))
    assert len(parts) > 10
    assert pl.concat(parts).equals(open_data(path, reading).whole()) or text(pl.concat(parts)) == text(whole)
    assert data.used == 1.0
    assert whole.height == 2000
    assert whole.columns == (["i", "t", "m"] if header else ["column_1", "column_2", "column_3"])


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
@pytest.mark.parametrize(
    ("late", "kind", "values"),
    [
        ("2.5", pl.Float64, [1.0, 2.5]),
        ("x", pl.Categorical, ["1", "x"]),
        ("NA", pl.Int64, [None, 1]),
        ("1e3", pl.Float64, [1.0, 1000.0]),
    ],
)
def test_types_widen_when_later_rows_ask_for_it(way, late, kind, values, write):
    data = open_data(write("n,z\n" + "1,0\n" * 3000 + f"{late},0\n"))
    frame = data.whole() if way == "whole" else pl.concat(until_typed(lambda: list(data.batches(1))))
    assert kinds(frame)[0] == kind
    assert frame["n"].cast(pl.String if kind == pl.Categorical else kind).unique().sort().to_list() == values
    assert ("begins as numbers" in " ".join(data.notes)) == (late == "x")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("late", "kind"), [("0.5", pl.Float64), ("x", pl.Categorical)])
def test_columns_that_are_empty_at_first(late, kind, write):
    data = open_data(write("n,e\n" + "1,\n" * 3000 + f"1,{late}\n1,NA\n"))
    assert kinds(data.whole()) == [pl.Int64, kind]
    assert data.whole()["e"].null_count() == 3001


def test_separators_and_decimal_commas(write):
    data = open_data(write("a;b\n1,5;x\n-2;y\n"))
    assert text(data.whole()) == [(1.5, "x"), (-2.0, "y")]
    assert data.notes == ["cells are separated by semicolons", "numbers have decimal commas"]
    assert open_data(write('a|b\n1|"x,y,z"\n')).whole()["b"].to_list() == ["x,y,z"]
    assert open_data(write("a\tb\n1\tx\n", "data.tsv")).names == ["a", "b"]
    assert open_data(write("a;b,c\n1;x,2\n"), Reading(separator=",")).names == ["a;b", "c"]


def test_headers(write):
    assert open_data(write("\ufeffa,b\r\n1,2\r\n")).whole().rows(named=True) == [{"a": 1, "b": 2}]
    data = open_data(write(",b\n1,2\n"))
    assert data.names == ["column_1", "b"]
    assert data.notes == ["column 1 has no name in the header, it is called 'column_1'"]
    assert open_data(write('"two\nlines",b\n1,2\n')).whole().rows(named=True) == [{"two\nlines": 1, "b": 2}]
    assert open_data(write("a,b\n")).whole().shape == (0, 2)


def test_columns_are_left_out_or_read_as_text(write):
    path = write("zip,n,t\n007,1,a\n010,2,b\n")
    assert open_data(path, Reading(exclude=("n",))).whole().columns == ["zip", "t"]
    assert text(open_data(path, Reading(text=("zip",))).whole())[0] == ("007", 1, "a")
    assert text(open_data(path, Reading(text=("zip",), exclude=("t",))).whole()) == [("007", 1), ("010", 2)]


PACKED = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("ending", PACKED)
def test_compressed_files(ending, write):
    raw = ("a,b\n" + "".join(f"{i},x{i % 3}\n" for i in range(9999))).encode()
    plain, packed = open_data(write(raw)), open_data(write(PACKED[ending](raw), f"data.csv{ending}"))
    assert text(packed.whole()) == text(plain.whole())
    assert sum(frame.height for frame in packed.batches(1)) == 9999
    assert 0.99 < packed.used <= 1
    with pytest.raises(DataError, match=f"the {ending} file is damaged or cut short"):
        open_data(write(PACKED[ending](raw)[:-30], f"short.csv{ending}")).whole()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "must have a first line that names the columns, found it empty"),
        ("a,b\n1,2\n1,2,3\n", "line 3 must have 2 cells as the first line has, found 3: put cells that hold ','"),
        ("a,b\n1,2\n3", "line 3 must have 2 cells as the first line has, found 1: the file is cut short"),
        ("a,b,c\n1,2\n3,4\n", "line 2 must have 3 cells as the first line has, found 2"),
        ("a,b,a\n1,2,3\n", "names of their own, found 'a' twice"),
        (b"a,b\n1,2\n\xff\xfe,3\n", "must be UTF-8, found other bytes in line 3: convert it, for example with iconv"),
        ("a,b\n1,2\n".encode("utf-16"), "must be UTF-8, found UTF-16"),
        ('a,b\n1,"2\n3,4\n', "a quoted cell must be closed"),
        ("5.1,3.5\n4.9,3.0\n", r"the first line must name the columns, found numbers only \(5.1, 3.5\): .*--no-header"),
    ],
)
def test_files_that_are_wrong(content, message, write):
    with pytest.raises(DataError, match=message):
        open_data(write(content)).whole()


@pytest.mark.usefixtures("small")
def test_lines_are_counted_over_batches(write):
    data = open_data(write("a,b\n" + "1,2\n" * 2000 + "1,2,3\n" + "1,2\n" * 2000))
    with pytest.raises(DataError, match="line 2002 must have 2 cells"):
        list(data.batches(1))
    data = open_data(write("a,b\n" + "1,2\n" * 2000 + "1\n" + "1,2\n" * 2000))
    with pytest.raises(DataError, match="line 2002 must have 2 cells"):
        list(data.batches(1))


def test_unknown_columns(write):
    for reading in (Reading(exclude=("c",)), Reading(text=("c",))):
        with pytest.raises(DataError, match="there is no column 'c': there are 'a', 'b'"):
            open_data(write("a,b\n1,2\n"), reading)


def test_about_how_much_memory_a_file_takes(write):
    data = open_data(write("a,b\n" + "1,2\n" * 1000))
    assert 0.9 < data.estimated_bytes() / data.whole().estimated_size() < 1.1


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_are_no_rows(way, end, write):
    lines = ["a,t,m", "", ""] + [f"{i},t{i % 3},{i % 2}" + "\n" * (i % 5 == 0) for i in range(3000)] + ["7,,", ",,", "", ""]
    data = open_data(write(end.join("\n".join(lines).split("\n"))))
    frame = data.whole() if way == "whole" else pl.concat(until_typed(lambda: list(data.batches(1))))
    assert frame["a"].to_list() == [*range(3000), 7, None]  # a line of empty cells is a row, of missing values
    assert "blank lines are left out" in data.notes


def test_blank_lines_do_not_hide_short_ones(write):
    with pytest.raises(DataError, match="line 6 must have 2 cells .* found 1"):
        open_data(write("a,b\n\n1,2\n\n3,\n4\n")).whole()


def test_blank_lines_beside_quoted_separators(write):
    frame = open_data(write('a,b\n"1,,,,,",\n\n"2",x\n')).whole()
    assert frame.height == 2


def test_blank_lines_of_one_column_are_missing_values(write):
    assert open_data(write("a\n\n1\n\n2\n")).whole()["a"].to_list() == [None, 1, None, 2]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_spaces_around_cells_are_left_out(way, write):
    lines = "".join(f"{i}, t{i % 3}, {i / 2}, {i % 7 or '?'} ,  \n" for i in range(2000))
    data = open_data(write("id, text, half,whole , none\n" + lines), Reading(text=("whole",)))
    assert data.names == ["id", "text", "half", "whole", "none"]
    frame = data.whole() if way == "whole" else pl.concat(until_typed(lambda: list(data.batches(1))))
    wanted = [(i, f"t{i % 3}", i / 2, str(i % 7) if i % 7 else None, None) for i in range(2000)]
    assert text(frame) == wanted
    assert data.notes == ["spaces around cells are left out"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
@pytest.mark.parametrize(("late", "kind"), [("2.5", pl.Float64), ("x", pl.Categorical), ("?", pl.Int64)])
def test_padded_numbers_widen(way, late, kind, write):
    data = open_data(write("z, n\n" + "0, 1\n" * 30000 + f"0, {late}\n"))
    frame = data.whole() if way == "whole" else pl.concat(until_typed(lambda: list(data.batches(1))))
    assert kinds(frame)[1] == kind
    assert frame["n"].null_count() == (late == "?")
    assert ("begins as numbers" in " ".join(data.notes)) == (late == "x")
