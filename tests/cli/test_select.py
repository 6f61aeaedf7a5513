"""``misieve select``: the same result as in Python, from every kind of file, printed and written."""

import csv
import gzip
import io
import json
import re
import sys
from importlib import resources

import numpy as np
import polars as pl
import pytest
from jsonschema import Draft202012Validator

import misieve
from misieve.cli import options
from misieve.decide import RULES, UNITS

SCHEMA = Draft202012Validator(json.loads(resources.files("misieve.report").joinpath("facts.schema.json").read_text()))


@pytest.fixture
def facts(run):
    """The facts that a command prints, which follow the schema."""

    def printed(*words):
        found = json.loads(run("select", *words, "--format", "json"))
        SCHEMA.validate(found)
        return found

    return printed


# What Python warns of the command says in better words.
pytestmark = pytest.mark.filterwarnings(
    "ignore:column .* values:misieve.MisieveWarning", "ignore:the cuts:misieve.MisieveWarning"
)


def by_name(found):
    return {one["name"]: one for one in found["features"]}


# ---- The same as in Python -------------------------------------------------------------------------------------------------


def test_json_holds_what_the_selector_says(data, rows, facts):
    found = facts("data.csv", "--target", "y")
    selector = misieve.MISelector().fit(rows.drop("y"), rows["y"])
    features = found["features"]
    assert [one["name"] for one in features] == rows.columns[:-1]
    assert [one["kept"] for one in features] == selector.get_support().tolist()
    assert [one["mean"] for one in features] == selector.scores_.tolist()
    assert [one["sd"] for one in features] == selector.std_.tolist()
    assert [one["probability"] for one in features] == selector.probability_.tolist()
    assert [one["independence"] for one in features] == selector.independence_.tolist()
    assert [one["interval"] for one in features] == np.transpose(selector.interval_).tolist()
    assert found["data"]["rows"] == len(rows)
    assert found["version"] == misieve.__version__
    own = by_name(found)
    assert {name: one["type"] for name, one in own.items()} == {
        "strong": "whole number",
        "word": "text",
        "number": "number in bins",
        "noise": "text",
        "id": "text",
        "same": "text",
        "flag": "true or false",
    }
    assert own["word"]["missing"] == rows["word"].null_count()
    assert own["word"]["values"] == 3
    assert [one["kind"] for one in found["warnings"]] == ["constant", "identifier", "noise"]


def test_every_option_of_the_selector_reaches_it(data, rows, facts):
    given = {
        "rule": "fdr",
        "epsilon": 0.01,
        "unit": "bits",
        "level": 0.9,
        "prior": 0.5,
        "law": "gamma",
        "variance": "exact",
        "independence": 0.2,
        "missing": "category",
        "discretize": 4,
        "min_features": 6,
        "n_jobs": 1,
    }
    assert set(given) == set(misieve.MISelector().get_params())
    words = [word for name, value in given.items() if name != "n_jobs" for word in (f"--{name.replace('_', '-')}", value)]
    found = facts("data.csv", "-t", "y", *words, "--jobs", 1)
    selector = misieve.MISelector(**given).fit(rows.drop("y"), rows["y"])
    assert found["settings"] == given
    assert [one["mean"] for one in found["features"]] == selector.scores_.tolist()
    assert [one["kept"] for one in found["features"]] == selector.get_support().tolist()
    assert sum(one["kept"] for one in found["features"]) == 6
    assert by_name(found)["word"]["values"] == 4
    uncut = facts("data.csv", "-t", "y", "-x", "number", "--discretize", "none", "--prior", "perks")
    assert uncut["settings"]["discretize"] is None


def test_the_names_of_options_are_those_of_the_library():
    from misieve.counting import MISSING
    from misieve.laws import LAWS
    from misieve.prior import PRIORS

    assert options.RULES == RULES
    assert options.UNITS == UNITS
    assert sorted(options.LAWS) == sorted(LAWS)
    assert sorted(options.PRIORS) == sorted(PRIORS)
    assert sorted(options.MISSING) == sorted(MISSING)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["-x", "id,same", "--categorical", "strong", "--rule", "backward", "--min-features", "4"],
        ["--positive", "yes", "--missing", "pairwise", "--epsilon", "0.02"],
        ["--memory", "0", "--prior", "jeffreys"],
        ["--memory", "0", "--positive", "yes"],
    ],
)
def test_the_python_of_the_facts_finds_the_same(words, data, facts):
    found = facts("data.csv", "-t", "y", *words)
    names: dict = {}
    exec(found["reproduce"]["python"].replace("print(", "shown = ("), names)
    shown = {one["feature"]: one for one in names["shown"].to_dicts()}
    assert {name: one["mean"] for name, one in shown.items()} == {one["name"]: one["mean"] for one in found["features"]}
    assert {name for name, one in shown.items() if one["kept"]} == {one["name"] for one in found["features"] if one["kept"]}


@pytest.mark.parametrize("words", [[], ["-x", "id,same", "--missing", "pairwise"]])
def test_the_python_of_the_facts_is_public(words, data, facts):
    found = facts("data.csv", "-t", "y", *words)
    assert "misieve.files" not in found["reproduce"]["python"]
    assert "tables = misieve.count('data.csv', 'y', bins='mdl', missing=" in found["reproduce"]["python"]


def test_the_python_of_a_file_of_many_batches_finds_the_same(rows, tmp_path, facts, monkeypatch):
    monkeypatch.chdir(tmp_path)
    many = pl.concat([rows] * 4).with_columns(number=pl.int_range(4 * len(rows)) / 7)
    many.write_csv("many.csv")
    for module in ("misieve.frames.streams", "misieve.cli.rows"):
        monkeypatch.setattr(f"{module}.BATCH_BYTES", 1 << 17)
    monkeypatch.setattr("misieve.files.delimited.LEAST_BYTES", 1000)
    found = facts("many.csv", "-t", "y")
    names: dict = {}
    exec(found["reproduce"]["python"], names)
    assert names["selection"].mean.tolist() == [one["mean"] for one in found["features"]]


def test_the_command_of_the_facts_is_the_one_that_was_given(data, facts, monkeypatch):
    words = ["data.csv", "--target", "y", "--exclude", "id"]
    monkeypatch.setattr(sys, "argv", ["misieve", "select", *words])
    assert facts(*words)["reproduce"]["command"] == "misieve select data.csv --target y --exclude id"


# ---- What is read ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["d.tsv", "d.csv.gz", "d.parquet", "d.arrow", "d.ndjson", "d.arff"])
def test_every_format_gives_the_same(name, data, rows, facts):
    expected = facts("data.csv", "-t", "y")
    if name.endswith(".tsv"):
        rows.write_csv(name, separator="\t")
    elif name.endswith(".gz"):
        (data.parent / name).write_bytes(gzip.compress(data.read_bytes()))
    elif name.endswith(".arff"):
        kinds = {pl.Int64: "numeric", pl.Float64: "numeric", pl.String: "string", pl.Boolean: "{false,true}"}
        head = "@relation d\n" + "".join(f"@attribute {n} {kinds[t]}\n" for n, t in rows.schema.items()) + "@data\n"
        (data.parent / name).write_text(head + rows.write_csv(include_header=False, null_value="?"))
    else:
        {"parquet": rows.write_parquet, "arrow": rows.write_ipc, "ndjson": rows.write_ndjson}[name.split(".")[-1]](name)
    found = facts(name, "-t", "y")
    for key in ("mean", "kept", "missing", "values"):
        assert [one[key] for one in found["features"]] == [one[key] for one in expected["features"]]


def test_standard_input(data, facts, monkeypatch):
    expected = facts("data.csv", "-t", "y")
    for payload, words in ((data.read_bytes(), ()), (data.read_bytes().replace(b",", b"\t"), ("--input-format", "tsv"))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(payload)))
        found = facts("-", "-t", "y", "-x", "id", *words)
        assert found["data"]["source"] == "standard input"
        assert [one["mean"] for one in found["features"]] != []
        assert by_name(found)["number"]["values"] == by_name(expected)["number"]["values"]


def test_batches_find_the_same_but_for_cuts_which_come_from_the_first(rows, tmp_path, facts, monkeypatch):
    monkeypatch.chdir(tmp_path)
    many = pl.concat([rows] * 60).with_columns(number=pl.int_range(60 * len(rows)) / 7)
    many.write_csv("many.csv")
    many.write_parquet("many.parquet")
    monkeypatch.setattr("misieve.cli.counted.LEAST_BATCH", 1 << 17)
    whole = facts("many.csv", "-t", "y")
    for name in ("many.csv", "many.parquet"):
        found = facts(name, "-t", "y", "--memory", "0")
        assert found["data"]["rows"] == len(many)
        notes = " ".join(found["data"]["notes"])
        assert "the cut points of 'number' come from the first batch alone" in notes
        assert whole["data"]["notes"] == []
        for one, other in zip(found["features"], whole["features"], strict=True):
            assert one["missing"] == other["missing"]
            if one["name"] != "number":
                assert one["mean"] == pytest.approx(other["mean"], rel=1e-9)
                assert one["values"] == other["values"]


def test_a_column_that_widens_in_a_later_batch_is_read_again_from_the_start(tmp_path, facts, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("misieve.files.delimited.SAMPLE_BYTES", 1000)
    monkeypatch.setattr("misieve.files.delimited.LEAST_BYTES", 1000)
    monkeypatch.setattr("misieve.cli.counted.LEAST_BATCH", 4000)
    lines = [f"{i % 3},{'ab'[i % 2]}" for i in range(4000)] + ["x,a"] * 10
    (tmp_path / "wide.csv").write_text("v,y\n" + "\n".join(lines) + "\n")
    found = facts("wide.csv", "-t", "y", "--memory", "0")
    assert found["data"]["rows"] == 4010
    assert by_name(found)["v"]["values"] == 4
    assert any("begins as numbers but also holds 'x'" in note for note in found["data"]["notes"])


def test_exclude_and_categorical_take_lists_and_names_with_commas(data, rows, facts):
    rows.rename({"same": "a,b"}).write_csv("odd.csv")
    found = facts("odd.csv", "-t", "y", "-x", "a,b", "-x", "id,noise", "--categorical", "number")
    assert found["data"]["excluded"] == ["a,b", "id", "noise"]
    assert [one["name"] for one in found["features"]] == ["strong", "word", "number", "flag"]
    assert by_name(found)["number"]["type"] == "categories"
    assert by_name(found)["number"]["values"] == rows["number"].n_unique()


def test_positive_asks_about_one_class(tmp_path, facts, monkeypatch):
    monkeypatch.chdir(tmp_path)
    y = [i % 3 for i in range(300)]
    frame = pl.DataFrame({"a": [one == 2 for one in y], "y": [None if i == 0 else one for i, one in enumerate(y)]})
    frame.write_csv("three.csv")
    frame.with_columns(pl.col("y").cast(pl.Float64)).write_parquet("three.parquet")
    for name in ("three.csv", "three.parquet"):
        found = facts(name, "-t", "y", "--positive", "2")
        assert found["target"]["classes"] == [{"value": "not 2", "rows": 199}, {"value": "2", "rows": 100}]
        assert found["target"]["missing"] == 1
        assert found["features"][0]["kept"]


def test_missing_values_of_ones_own(data, facts):
    data.write_text(data.read_text().replace("n07", "-99"))
    found = facts("data.csv", "-t", "y", "--missing-value", "-99")
    assert by_name(found)["noise"]["missing"] > 0
    assert by_name(found)["word"]["missing"] > 0


def test_no_header_and_a_separator(data, facts):
    data.write_text("".join(line.replace(",", "|") for line in data.read_text().splitlines(keepends=True)[1:]))
    found = facts("data.csv", "-t", "column_8", "--no-header", "--separator", "|")
    assert len(found["features"]) == 7


# ---- svmlight --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def entries(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    lines = []
    for _ in range(300):
        y = int(rng.integers(0, 2))
        own = [(3, 1)] if (rng.random() < 0.9) == y else []
        others = [(int(i), int(rng.integers(1, 4))) for i in np.flatnonzero(rng.random(8) < 0.3) + 5]
        lines.append(f"{2 * y - 1} " + " ".join(f"{i}:{v}" for i, v in own + others))
    (tmp_path / "a.svmlight").write_text("\n".join(lines) + "\n")
    return tmp_path / "a.svmlight"


def test_svmlight_stays_sparse_and_keeps_its_indices(entries, facts, run):
    from sklearn.datasets import load_svmlight_file

    found = facts("a.svmlight")
    assert found["target"]["name"] == "label"
    assert [one["value"] for one in found["target"]["classes"]] == ["-1", "1"]
    assert [one["name"] for one in found["features"]] == [f"x{i}" for i in range(1, 13)]
    assert [one["name"] for one in found["features"] if one["kept"]] == ["x3"]
    run("select", "a.svmlight", "--output", "kept.svmlight", "--tables", "a.npz")
    X, y = load_svmlight_file("kept.svmlight", zero_based=True)
    full, labels = load_svmlight_file("a.svmlight", zero_based=True)
    assert (y == labels).all()
    assert set(X.nonzero()[1]) == {3}
    assert (X[:, 3] != full[:, 3]).nnz == 0
    again = facts("a.svmlight", "--resume", "a.npz")
    assert again["target"]["rows"] == 600
    names: dict = {}
    exec(found["reproduce"]["python"], names)
    assert names["selection"].mean[3 - 1 :][0] == pytest.approx(by_name(found)["x3"]["mean"])


def test_svmlight_with_fewer_columns_later_and_one_class_against_others(entries, facts, run):
    run("select", "a.svmlight", "--tables", "a.npz", "--positive", "1")
    (entries.parent / "b.svmlight").write_text("1 3:1\n-1 5:2\n")
    found = facts("b.svmlight", "--resume", "a.npz", "--positive", "1")
    assert found["target"]["rows"] == 302
    assert {one["value"] for one in found["target"]["classes"]} == {"1", "not 1"}


# ---- State -----------------------------------------------------------------------------------------------------------------


def test_resuming_is_counting_all_with_the_cuts_of_the_first(data, rows, facts, run):
    rows[:250].write_csv("first.csv")
    rows[250:].write_csv("second.csv")
    run("select", "first.csv", "-t", "y", "--tables", "state.npz")
    found = facts("second.csv", "-t", "y", "--resume", "state.npz", "--tables", "state.npz")
    first = misieve.count(rows[:250], "y", bins="mdl", missing="model")
    both = first + misieve.count(rows[250:], "y", like=first, missing="model")
    assert misieve.Tables.load("state.npz") == both
    assert found["target"]["rows"] == len(rows)
    assert by_name(found)["word"]["missing"] == rows["word"].null_count()
    assert "250 rows were counted in state.npz, 150 are added" in found["data"]["notes"]
    assert "the cut points of 'number' are those of state.npz" in found["data"]["notes"]
    names: dict = {}
    run("select", "first.csv", "-t", "y", "--tables", "state.npz")
    found = facts("second.csv", "-t", "y", "--resume", "state.npz")
    exec(found["reproduce"]["python"], names)
    assert names["tables"] == both


# ---- What is printed and written -------------------------------------------------------------------------------------------


def test_csv_has_a_line_for_each_feature_the_best_first(data, run, facts):
    found = facts("data.csv", "-t", "y")
    listed = list(csv.DictReader(io.StringIO(run("select", "data.csv", "-t", "y", "--format", "csv"))))
    assert [one["rank"] for one in listed] == [str(i) for i in range(1, 8)]
    for one in listed:
        own = by_name(found)[one["name"]]
        assert one["kept"] == str(own["kept"]).lower()
        assert [float(one["lower"]), float(one["upper"])] == own["interval"]
        assert one["rows"] == str(int(own["rows"]))


def test_the_table_states_what_was_read_and_decided(data, run, rows):
    shown = run("select", "data.csv", "--target", "y", "-x", "same")
    lines = shown.splitlines()
    assert lines == [line.rstrip() for line in lines]
    assert "  interval 5 % to 95 %, " in lines[5]
    assert lines[0] == "data.csv: 400 rows, 6 features: 3 text, 1 whole number, 1 number in bins, 1 true or false"
    assert lines[1].startswith("target y: ")
    assert lines[2] == f"missing values: word ({rows['word'].null_count()}); treated as --missing model"
    assert lines[3] == "left out: same"
    table = {line.split()[1]: line for line in lines[7:13]}
    assert "●" in table["strong"]
    assert table["strong"].endswith("  kept")
    assert table["noise"].endswith("no: independent")
    assert "features are kept: their mutual information with the target exceeds" in shown
    assert "⚠ 'id' has a value of its own in nearly each row" in shown
    assert "\x1b" not in shown


def test_what_was_not_assessed_and_what_is_doubtful_is_marked(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    y = [i % 2 for i in range(300)]
    leak, noise = [f"v{one}" for one in y], np.random.default_rng(1).normal(size=300)
    pl.DataFrame({"leak": leak, "noise": noise, "none": [None] * 300, "y": y}).write_csv("d.csv")
    shown = run("select", "d.csv", "-t", "y")
    table = {line.split()[1]: line.split() for line in shown.splitlines()[6:9]}
    assert table["leak"][-2:] == ["kept", "⚠"]
    assert " ".join(table["leak"]).endswith("> 0.999 < 0.001 kept ⚠")
    for name in ("noise", "none"):
        assert table[name].count("–") == 3


@pytest.mark.parametrize("width", [30, 60, 80, 100, 140])
def test_the_table_fits_into_a_terminal(width, data, rows, run, monkeypatch):
    rows.rename({"strong": "a name " * 12}).write_csv("long.csv")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", run("select", "long.csv", "-t", "y", "--exclude", "word"))
    lines = [line.rstrip() for line in shown.splitlines()]
    assert max(map(len, lines)) <= width
    assert any(line.endswith("kept") for line in lines)
    assert ("●" in shown) == (width >= 100)


def test_many_features_are_cut_off_and_counted(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    pl.DataFrame({"y": rng.integers(0, 2, 50)} | {f"x{i}": rng.integers(0, 2, 50) for i in range(120)}).write_parquet(
        "many.parquet"
    )
    shown = run("select", "many.parquet", "-t", "y")
    assert "70 more features, " in shown
    assert len(run("select", "many.parquet", "-t", "y", "--top", "3").splitlines()) == len(shown.splitlines()) - 47
    assert "more features" not in run("select", "many.parquet", "-t", "y", "--top", "0")


@pytest.mark.parametrize("ending", ["parquet", "csv", "ndjson"])
@pytest.mark.parametrize("words", [[], ["--memory", "0"]])
def test_the_kept_columns_are_written_as_they_were_read(ending, words, data, rows, run):
    shown = run("select", "data.csv", "-t", "y", "-o", f"kept.{ending}", *words)
    assert f"wrote kept.{ending}: the kept features" in shown
    read = {"parquet": pl.read_parquet, "csv": pl.read_csv, "ndjson": pl.read_ndjson}[ending]
    assert read(f"kept.{ending}").equals(rows.select("strong", "word", "number", "flag"))
    run("select", "data.csv", "-t", "y", "-o", f"kept.{ending}", "--with-target", *words)
    assert read(f"kept.{ending}").columns == ["strong", "word", "number", "flag", "y"]


def test_the_report_is_a_page(data, run):
    run("select", "data.csv", "-t", "y", "--report", "out.html")
    page = (data.parent / "out.html").read_text()
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")
    assert "data.csv" in page


def test_machine_formats_print_nothing_else(data, capsys):
    from misieve.cli import main

    assert main(["select", "data.csv", "-t", "y", "--format", "json", "-o", "kept.csv", "--tables", "t.npz"]) == 0
    out, err = capsys.readouterr()
    SCHEMA.validate(json.loads(out))
    assert err.splitlines() == ["wrote t.npz: the counts, for --resume and misieve merge", "wrote kept.csv: the kept features"]


@pytest.mark.parametrize("ending", ["csv", "ndjson", "parquet"])
@pytest.mark.parametrize("words", [[], ["--memory", "0"]])
def test_dates_are_cut_in_every_format(ending, words, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    days = pl.date_range(pl.date(2020, 1, 1), pl.date(2021, 3, 31), eager=True).shuffle(0)
    late = [day.isoformat() > "2020-08-01" for day in days]
    frame = pl.DataFrame({"day": days, "end": days.cast(pl.Datetime("us")), "late": late})
    getattr(frame, {"csv": "write_csv", "ndjson": "write_ndjson", "parquet": "write_parquet"}[ending])(f"data.{ending}")
    shown = run("select", f"data.{ending}", "-t", "late", *words)
    assert "2 features: 2 dates in bins" in shown
    assert "2 of 2 features are kept" in shown
    shown = run("select", f"data.{ending}", "-t", "late", "--categorical", "day", *words)
    assert "2 features: 1 categories, 1 date in bins" in shown
    if ending == "csv":
        moment = "2020-02-03 00:00"
        assert f"target end: not {moment} (455), {moment} (1)" in run(
            "select", "data.csv", "-t", "end", "--positive", moment, *words
        )
