"""``misieve evaluate``: the same as the library on the same rows, what is said on the way, tables, curves and files."""

import csv
import io
import itertools
import json
import pathlib
import sys

import numpy as np
import polars as pl
import pytest
import scipy.sparse
from rich.text import Text
from sklearn.datasets import dump_svmlight_file

import misieve
from misieve.cli import main
from misieve.cli.course import course_lines
from misieve.cli.discrete import read_discrete
from misieve.cli.selecting import Inputs

N = 240


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    return pl.DataFrame(
        {
            "good": np.where(rng.random(N) < 0.15, 1 - y, y),
            "fair": np.array(["u", "v", "w"])[np.where(rng.random(N) < 0.5, 2 * y, 1)],
            "size": y + rng.normal(size=N),
            "noise": rng.normal(size=N),
            "junk": rng.integers(0, 3, N),
            "kind": np.array(["no", "yes"])[y],
        }
    )


@pytest.fixture
def folder(tmp_path, monkeypatch, frame):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    frame.write_csv("data.csv")
    return tmp_path


def run(capsys, *words):
    assert main(["evaluate", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def failed(capsys, *words):
    code = main(["evaluate", *words])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("misieve: error: ")
    assert err.count("\n") == 1
    return code, err


def test_the_numbers_are_those_of_the_library(folder, frame, capsys):
    facts = json.loads(run(capsys, "data.csv", "-t", "kind", "--format", "json", "--orders", "3"))
    cuts = misieve.count(frame, "kind", bins="mdl").cuts
    assert {name: len(own) > 0 for name, own in cuts.items()} == {"size": True, "noise": False}
    coded = frame.drop("noise").with_columns(size=pl.Series(np.searchsorted(cuts["size"], frame["size"])))
    rules = ("forward", "empirical", "backward", "all")
    p = misieve.prequential(coded, "kind", rules=rules, orders=3, rng=0)
    assert [one["rule"] for one in facts["rules"]] == list(rules)
    for one in facts["rules"]:
        ends = p.accuracy[one["rule"]][:, -1]
        assert one["accuracy"]["orders"] == pytest.approx(ends.tolist(), rel=1e-12)
        assert one["accuracy"]["mean"] == pytest.approx(ends.mean(), rel=1e-12)
        assert one["accuracy"]["sd"] == pytest.approx(ends.std(ddof=1), rel=1e-12)
        assert one["features"]["orders"] == p.selected[one["rule"]][:, -1].tolist()
    assert facts["data"]["cut"] == ["size"]
    assert facts["data"]["uncut"] == ["noise"]
    assert facts["data"]["features"] == 4
    assert facts["data"]["classes"] == [{"value": name, "rows": int((frame["kind"] == name).sum())} for name in ("no", "yes")]
    assert [(one["a"], one["b"]) for one in facts["comparisons"]][:3] == [("forward", rule) for rule in rules[1:]]
    found = p.compare("forward", "all")
    assert facts["comparisons"][2]["significant_orders"] == int(found.significant[:, -1].sum())
    assert facts["comparisons"][2]["difference"] == pytest.approx(found.difference[:, -1].mean())
    assert facts["curves"]["k"][0] == 1
    assert facts["curves"]["k"][-1] == N
    assert facts["curves"]["all"]["accuracy"] == pytest.approx(
        p.accuracy["all"].mean(axis=0)[np.array(facts["curves"]["k"]) - 1]
    )


def test_options_reach_the_rules(folder, capsys):
    words = ["data.csv", "-t", "kind", "--format", "json", "--rule", "forward", "--rule", "all", "--orders", "1"]
    words += ["--epsilon", "0.6", "--unit", "share", "--level", "0.9", "--prior", "jeffreys", "--law", "gamma", "--batch", "20"]
    words += [
        "--exclude",
        "good",
        "--exclude",
        "noise",
        "--variance",
        "exact",
        "--independence",
        "auto",
        "--missing",
        "pairwise",
    ]
    facts = json.loads(run(capsys, *words))
    wanted = {
        "rules": ["forward", "all"], "epsilon": 0.6, "unit": "share", "level": 0.9, "prior": "jeffreys", "law": "gamma",
        "variance": "exact", "independence": "auto", "missing": "pairwise", "seed": None, "orders": 1, "batch": 20,
    }  # fmt: skip
    assert facts["settings"] == wanted
    assert [one["features"]["mean"] for one in facts["rules"]] == [0.0, 3.0]


def test_rows_without_a_class_are_left_out_and_counted(folder, frame, capsys):
    holes = frame.with_columns(
        kind=pl.when(pl.int_range(N) % 5 != 0).then("kind"), good=pl.when(pl.int_range(N) > 9).then("good")
    )
    holes.write_csv("holes.csv")
    facts = json.loads(run(capsys, "holes.csv", "-t", "kind", "--format", "json", "--orders", "1", "--rule", "all"))
    assert facts["data"]["rows"] == N
    assert facts["data"]["rows_without_class"] == N // 5
    listed = list(csv.DictReader(io.StringIO(run(capsys, "holes.csv", "-t", "kind", "--format", "csv", "--orders", "1"))))
    assert [int(one["row"]) for one in listed[: N * 4 // 5]] == [i for i in range(N) if i % 5]  # as the file numbers them
    assert "48 rows without a class are left out." in run(capsys, "holes.csv", "-t", "kind")
    code, err = failed(capsys, "holes.csv", "-t", "kind", "--missing", "error")
    assert code == 1
    assert "holes.csv: target 'kind' must not be missing, found it so in row 1 of the data" in err
    holes.with_columns(kind=None).write_csv("none.csv")
    assert main(["evaluate", "none.csv", "-t", "kind"]) == 1
    assert "none.csv: the target 'kind' has no value in any row" in capsys.readouterr().err


def test_missing_cells_of_a_cut_column_stay_missing(folder, frame):
    holes = frame.with_columns(size=pl.when(pl.int_range(N) % 7 != 0).then("size"))
    holes.write_parquet("holes.parquet")
    found = read_discrete(Inputs("holes.parquet", "kind"), "model")
    assert found.X["size"].null_count() == len(range(0, N, 7))
    assert found.X["size"].dtype.is_integer()
    assert found.format == "parquet"


def test_dates_are_cut_like_numbers(folder, frame):
    days = (100 * frame["size"]).round().cast(pl.Int32)
    frame.with_columns(size=days.cast(pl.Date), days=days.cast(pl.Float64) + 0.5).write_parquet(folder / "dates.parquet")
    found = read_discrete(Inputs("dates.parquet", "kind"), "pairwise")
    assert {"size", "days"} <= set(found.cut)
    assert found.X["size"].n_unique() > 1
    assert found.X["size"].to_list() == found.X["days"].to_list()


def test_svmlight_files_are_cut_as_their_dense_columns(folder):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, N)
    dense = np.column_stack([rng.integers(0, 3, N), (y + rng.normal(size=N)) * (rng.random(N) < 0.7), rng.integers(0, 2, N)])
    dense[:, 2] = np.where(rng.random(N) < 0.2, 1 - y, y)
    dump_svmlight_file(scipy.sparse.csr_matrix(dense), y, "data.svmlight")
    found = read_discrete(Inputs("data.svmlight", None), "model")
    assert found.cut == ("x1",)
    assert scipy.sparse.issparse(found.X)
    cuts = misieve.count(pl.DataFrame(dense, schema=["a", "b", "c"]), y, bins="mdl").cuts["b"]
    codes = dense.copy()
    codes[:, 1] = np.searchsorted(cuts, dense[:, 1])
    options = {"rules": ("forward", "all"), "orders": 2, "rng": 3}
    sparse, whole = misieve.prequential(found.X, found.y, **options), misieve.prequential(codes, y, **options)
    for rule in options["rules"]:
        np.testing.assert_array_equal(sparse.predicted[rule], whole.predicted[rule])
        np.testing.assert_array_equal(sparse.selected[rule], whole.selected[rule])
    with pytest.raises(misieve.OptionError, match="--exclude and --categorical are for columns with names"):
        read_discrete(Inputs("data.svmlight", None, exclude=("x1",)), "model")
    with pytest.raises(misieve.OptionError, match="called 'label', found --target y"):
        read_discrete(Inputs("data.svmlight", "y"), "model")


def test_indices_of_svmlight_files_that_begin_at_1(folder):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, N)
    dump_svmlight_file(rng.integers(0, 2, (N, 3)), y, "data.svmlight", zero_based=False)
    assert read_discrete(Inputs("data.svmlight", None), "model").X.shape == (N, 3)


def test_one_class_against_the_others_and_numbers_that_are_categories(folder, frame, capsys):
    frame.with_columns(code=pl.col("junk") * 100 + pl.int_range(N) % 90, size=None).write_csv("coded.csv")
    words = ["coded.csv", "--format", "json", "--orders", "1", "--rule", "all"]
    facts = json.loads(run(capsys, *words, "-t", "fair", "--positive", "u", "-x", "noise,size"))
    assert [one["value"] for one in facts["data"]["classes"]] == ["not u", "u"]
    assert "code" in facts["data"]["uncut"] + facts["data"]["cut"]
    facts = json.loads(run(capsys, *words, "-t", "fair", "--positive", "u", "-x", "noise,size", "--categorical", "code"))
    assert facts["data"]["uncut"] == facts["data"]["cut"] == []


def test_what_stands_on_standard_input(folder, frame, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / "data.csv").read_bytes())))
    words = ["-t", "kind", "--format", "json", "--orders", "1"]
    piped = json.loads(run(capsys, "-", *words))
    assert piped["data"]["source"] == "standard input"
    assert piped["rules"] == json.loads(run(capsys, "data.csv", *words))["rules"]


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("orders", ["1", "3"])
def test_tables_and_curves_fit_the_terminal(folder, orders, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run(capsys, "data.csv", "-t", "kind", "--orders", orders)
    assert max(map(len, out.splitlines())) <= columns
    assert "\x1b" not in out
    for words in (
        "4 features",
        "Cut into bins by MDL on all rows",
        "'size'",
        "'noise'",
        "forward",
        "all (no filter)",
        "240 rows",
    ):
        assert words in " ".join(out.split())
    assert ("random orders (seed 0)" in " ".join(out.split())) == (orders == "3")


def test_rows_are_csv_for_every_order(folder, capsys):
    out = run(capsys, "data.csv", "-t", "kind", "--format", "csv", "--orders", "2", "--rule", "forward")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["order", "rule", "k", "row", "correct", "accuracy", "selected"]
    assert len(rows) == 2 * N
    assert sorted(int(one["row"]) for one in rows if one["order"] == "1") == list(range(N))


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_curves_as_a_picture(folder, ending, capsys):
    pytest.importorskip("matplotlib")
    run(capsys, "data.csv", "-t", "kind", "--orders", "1", "--plot", f"curves.{ending}")
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (folder / f"curves.{ending}").read_bytes().startswith(start)
    assert sorted(path.name for path in folder.iterdir()) == [f"curves.{ending}", "data.csv"]


def test_warnings_stand_on_standard_error(folder, frame, capsys):
    frame.with_columns(id=pl.format("customer {}", pl.int_range(N))).write_csv("id.csv")
    assert main(["evaluate", "id.csv", "-t", "kind", "--orders", "1", "--format", "json", "--exclude", "noise"]) == 0
    out, err = capsys.readouterr()
    said = json.loads(out)["warnings"]
    assert err == f"misieve: warning: {said[0]}\n"
    assert said == ["column 'id' has as many values as there are rows: an identifier says nothing about new rows"]
    frame.with_columns(kind=pl.lit("same")).write_csv("one.csv")
    assert main(["evaluate", "one.csv", "-t", "kind", "--orders", "1", "--exclude", "noise", "--exclude", "size"]) == 0
    out, err = capsys.readouterr()
    assert err == "misieve: warning: the target has one class, 'same': no feature can tell anything about it\n"
    assert "100.00 %" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["no.csv", "-t", "kind"], 1, "there is no file 'no.csv'"),
        (["data.csv", "-t", "kinds"], 1, "data.csv: there is no column 'kinds': did you mean 'kind'?"),
        (["data.csv", "-t", "size"], 1, "data.csv: the target 'size' must hold classes, found"),
        (["data.csv", "-t", "kind", "--exclude", "goods"], 1, "there is no column 'goods'"),
        (["data.csv"], 2, "--target"),
        (["data.csv", "-t", "kind", "--rule", "fdr"], 2, "'fdr'"),
        (["data.csv", "-t", "kind", "--rule", "all", "--rule", "all"], 2, "rules must be different"),
        (["data.csv", "-t", "kind", "--orders", "0"], 2, "--orders"),
        (["data.csv", "-t", "kind", "--batch", "0"], 2, "--batch"),
        (["data.csv", "-t", "kind", "--seed", "-1"], 2, "--seed"),
        (["data.csv", "-t", "kind", "--law", "bta"], 2, "did you mean 'beta'"),
        (["data.csv", "-t", "kind", "--prior", "flat"], 2, "--prior must be"),
        (["data.csv", "-t", "kind", "--missing", "no"], 2, "--missing must be one of"),
        (["data.csv", "-t", "kind", "--format", "xml"], 2, "--format must be one of"),
        (["data.csv", "-t", "kind", "--plot", "curves.gif"], 2, "must end in .png, .svg, .pdf"),
        (["data.csv", "-t", "kind", "--plot", "no/curves.png"], 1, "there is no folder 'no'"),
    ],
)
def test_errors_are_one_line(words, code, said, folder, capsys):
    found, err = failed(capsys, *words)
    assert found == code
    assert said in err


def test_a_file_without_anything_to_evaluate(folder, frame, capsys):
    frame.select("noise", "kind").write_csv("noise.csv")
    assert "found only continuous ones that no cut" in failed(capsys, "noise.csv", "-t", "kind")[1]
    frame.select("kind").write_csv("alone.csv")
    assert "at least one feature" in failed(capsys, "alone.csv", "-t", "kind")[1]
    pathlib.Path("spaces.csv").write_text(" a  b kind\n 1  2  x\n")
    err = failed(capsys, "spaces.csv", "-t", "kind")[1]
    assert "must have two columns at least, the target and a feature, found ['a b kind']" in err
    assert "sed -E 's/^ +| +$//g; s/ +/,/g' puts commas there" in err


# ---- The curves --------------------------------------------------------------------------------------------------------------


def shape(lines):
    return [line.plain if isinstance(line, Text) else line for line in lines]


def test_letters_show_where_a_curve_is():
    rise = {"forward": np.linspace(0.5, 0.9, 1000), "all": np.full(1000, 0.7)}
    lines = shape(course_lines(rise, width=60, braille=False, ascii_only=True))
    assert all(line.isascii() for line in lines)
    assert lines[1].endswith("f forward")
    rows = {x: next(i for i, line in enumerate(lines) if line[8 + x :].startswith("f")) for x in (0, 10, 30, 42)}
    assert list(rows.values()) == sorted(rows.values(), reverse=True)
    assert rows[42] < rows[0] - 9
    assert sum("a" * 10 in line for line in lines) == 1  # a level line
    assert any("90 %" in line for line in lines)


def test_dots_join_into_a_line():
    steps = {"forward": np.repeat([0.5, 0.9, 0.6], 300)}
    lines = shape(course_lines(steps, width=60, braille=True, ascii_only=False))
    columns = list(zip(*(line.ljust(60) for line in lines[:14]), strict=True))
    dotted = [[i for i, cell in enumerate(column) if 0x2800 <= ord(cell) <= 0x28FF] for column in columns]
    dotted = [rows for rows in dotted if rows]
    for rows, following in itertools.pairwise(dotted):
        assert set(rows) & set(following)
        assert rows == list(range(rows[0], rows[-1] + 1))


@pytest.mark.parametrize("n", [1, 2, 5, 50])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_short_and_level_curves(n, value):
    for braille in (False, True):
        lines = shape(course_lines({"forward": np.full(n, value)}, width=80, braille=braille, ascii_only=False))
        assert max(map(len, lines)) <= 80
        assert any("forward" in line for line in lines)


def test_columns_are_told_in_the_order_of_the_file(folder):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    names = [f"n{i}" for i in rng.permutation(12)]
    pl.DataFrame({name: (i % 3 == 0) * y + rng.normal(size=N) for i, name in enumerate(names)}).with_columns(
        kind=pl.Series(y)
    ).write_csv("many.csv")
    found = read_discrete(Inputs("many.csv", "kind"), "model")
    assert list(found.cut) == [name for name in names if name in found.cut]
    assert list(found.uncut) == [name for name in names if name in found.uncut]
    assert len(found.cut) + len(found.uncut) == 12
