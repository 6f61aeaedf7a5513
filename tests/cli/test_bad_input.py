"""What ``misieve select`` says of bad data (exit code 1) and wrong options (2): one line, before or after reading."""

import gzip
import io
import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

import misieve


def bad_data(fails, *words):
    code, err = fails("select", *words)
    assert code == 1
    return err


def bad_usage(fails, *words):
    code, err = fails("select", *words)
    assert code == 2
    return err


# ---- The file --------------------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(data, fails):
    assert bad_data(fails, "dota.csv", "-t", "y") == "there is no file 'dota.csv'"


def test_a_folder(data, fails):
    (data.parent / "folder").mkdir()
    assert "'folder' is a folder, not a file" in bad_data(fails, "folder", "-t", "y")
    (data.parent / "folder.csv").mkdir()
    assert bad_data(fails, "folder.csv", "-t", "y") == "'folder.csv' is a folder, not a file"


def test_an_empty_file_and_one_without_rows(data, fails):
    data.write_text("")
    assert "data.csv: the file must have a first line that names the columns, found it empty" in bad_data(
        fails, "data.csv", "-t", "y"
    )
    data.write_text("a,y\n")
    for words in ([], ["--memory", "0"]):
        assert "data.csv: " in bad_data(fails, "data.csv", "-t", "y", *words)
        assert "must have at least one row" in bad_data(fails, "data.csv", "-t", "y", *words)
    (data.parent / "empty.svmlight").write_text("")
    assert "empty.svmlight: " in bad_data(fails, "empty.svmlight")


def test_an_ending_that_is_not_known(data, fails):
    data.rename("data.xlsx")
    assert bad_data(fails, "data.xlsx", "-t", "y") == (
        "spreadsheets are not read, found 'data.xlsx': save it as CSV or Parquet"
    )
    (data.parent / "data.xlsx").rename("data.doc")
    assert "found 'data.doc': rename it" in bad_data(fails, "data.doc", "-t", "y")


def test_binary_data_on_standard_input(rows, fails, monkeypatch):
    parquet, arrow = io.BytesIO(), io.BytesIO()
    rows.write_parquet(parquet)
    rows.write_ipc(arrow)
    for payload, said in (
        (parquet.getvalue(), "standard input: the data are not CSV, they begin like parquet: say --input-format parquet"),
        (arrow.getvalue(), "standard input: the data are not CSV, they begin like arrow: say --input-format arrow"),
        (gzip.compress(b"a,y"), "standard input: the data are not CSV, they begin with other bytes than text"),
        (b"a,y\n1,\x00\n", "standard input: the data are not CSV"),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(payload)))
        assert bad_data(fails, "-", "-t", "y").startswith(said)


@pytest.mark.parametrize("words", [[], ["--positive", "yes"], ["--missing", "category"], ["--memory", "0"]])
def test_a_target_without_any_value(words, data, rows, fails):
    rows.with_columns(y=pl.lit(None, pl.String)).write_csv("data.csv")
    assert bad_data(fails, "data.csv", "-t", "y", *words) == "data.csv: the target 'y' has no value in any row"


def test_compressed_files_that_are_cut_short(data, rows, fails):
    packed = gzip.compress(data.read_bytes())
    (data.parent / "cut.csv.gz").write_bytes(packed[: len(packed) // 2])
    assert "cut.csv.gz: the .gz file is damaged or cut short" in bad_data(fails, "cut.csv.gz", "-t", "y")
    rows.write_parquet("cut.parquet")
    whole = (data.parent / "cut.parquet").read_bytes()
    (data.parent / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    assert "cut.parquet: the file cannot be read as parquet" in bad_data(fails, "cut.parquet", "-t", "y")


@pytest.mark.parametrize("words", [[], ["--memory", "0"]])
def test_a_line_with_too_many_or_too_few_cells(words, data, fails):
    lines = data.read_text().splitlines()
    data.write_text("\n".join([*lines[:200], lines[200] + ",more", *lines[201:]]) + "\n")
    assert "data.csv: line 201 must have 8 cells as the first line has, found 9" in bad_data(
        fails, "data.csv", "-t", "y", *words
    )
    data.write_text("\n".join([*lines[:200], lines[200].rsplit(",", 2)[0], *lines[201:]]) + "\n")
    assert "data.csv: line 201 must have 8 cells as the first line has, found 6" in bad_data(
        fails, "data.csv", "-t", "y", *words
    )


def test_other_files_under_wrong_names(data, fails):
    (data.parent / "d.ndjson").write_text('{"a": 1, "y": 2}\n{"a": \n')
    assert "d.ndjson: line 2 must be a JSON object" in bad_data(fails, "d.ndjson", "-t", "y")
    data.rename("d.parquet")
    assert "d.parquet: the file cannot be read as parquet" in bad_data(fails, "d.parquet", "-t", "y")
    (data.parent / "d.svmlight").write_text("1 2:3\nyes 5:1\n")
    assert "d.svmlight: a line of svmlight must be a label" in bad_data(fails, "d.svmlight")


# ---- Columns ---------------------------------------------------------------------------------------------------------------


def test_an_unknown_target_with_the_near_names(data, fails):
    assert bad_data(fails, "data.csv", "-t", "nomber") == "data.csv: there is no column 'nomber': did you mean 'number'?"
    assert "there is no column 'zzz': there are 'strong', 'word'" in bad_data(fails, "data.csv", "-t", "zzz")


def test_unknown_columns(data, fails):
    for option in ("--exclude", "--categorical"):
        err = bad_data(fails, "data.csv", "-t", "y", option, "id,flog")
        assert err == f"data.csv: there is no column 'flog' for {option}: did you mean 'flag'?"


def test_columns_that_are_two_things(data, fails):
    assert "must not name the target" in bad_usage(fails, "data.csv", "-t", "y", "-x", "y")
    assert "found 'id' for both" in bad_usage(fails, "data.csv", "-t", "y", "-x", "id", "--categorical", "id")


@pytest.mark.parametrize("words", [[], ["--memory", "0"]])
def test_a_continuous_target(words, data, rows, fails, run):
    value = rows["number"][0]
    err = bad_data(fails, "data.csv", "-t", "number", *words)
    assert f"data.csv: the target 'number' must hold classes, found {value} (row 1 of the data): it is continuous" in err
    assert "--categorical number" in err
    rows.with_columns(many=pl.int_range(len(rows))).write_csv("data.csv")
    err = bad_data(fails, "data.csv", "-t", "many", *words)
    assert "the target 'many' must hold classes, found more than 64 different numbers: it is continuous" in err
    assert "400 rows" in run("select", "data.csv", "-t", "number", "--categorical", "number", *words)


def test_only_the_target(data, fails):
    data.write_text("y\n1\n2\n")
    assert "X must have at least one feature, found none besides the target" in bad_data(fails, "data.csv", "-t", "y")


def test_a_positive_value_that_does_not_occur(data, fails):
    err = bad_data(fails, "data.csv", "-t", "y", "--positive", "YES")
    assert err == "data.csv: no row has the target 'y' equal to 'YES': did you mean 'yes'?"
    assert "must be a number, as the target 'strong' has" in bad_usage(fails, "data.csv", "-t", "strong", "--positive", "yes")


def test_missing_values_that_are_refused(data, fails):
    err = bad_data(fails, "data.csv", "-t", "y", "--missing", "error")
    assert "data.csv: column 'word' must not have missing values, found one in row 1 of the data" in err


def test_a_fraction_where_nothing_is_cut(data, rows, fails):
    err = bad_data(fails, "data.csv", "-t", "y", "--discretize", "none")
    assert f"column 'number' must hold whole numbers, found {rows['number'][0]}" in err
    assert "--discretize mdl or a number of bins" in err
    assert "MDLDiscretizer" not in err
    assert err.endswith("(row 1 of the data)")


# ---- Options ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rule", "forwards"], "--rule must be one of 'forward', 'backward', 'empirical', 'fdr', not 'forwards'"),
        (["--unit", "bit"], "--unit must be one of 'share', 'nats', 'bits', not 'bit'; did you mean 'bits'?"),
        (["--law", "cauchy"], "--law must be one of"),
        (["--variance", "none"], "--variance must be one of"),
        (["--missing", "drop"], "--missing must be one of"),
        (["--format", "xml"], "--format must be one of"),
        (["--input-format", "xls"], "--input-format must be one of"),
        (["--level", "95"], "--level must be a number strictly between 0 and 1, not 95.0"),
        (["--epsilon", "-1"], "--epsilon must be a number from 0 up, found -1"),
        (["--epsilon", "1"], "--epsilon must be below 1, found 1: with --unit share it is a share of the target's entropy"),
        (["--epsilon", "nan"], "--epsilon must be a number from 0 up, found nan"),
        (["--epsilon", "much"], "Invalid value for '--epsilon'"),
        (["--prior", "flat"], "--prior must be uniform, jeffreys, haldane, perks or a number from 0 up, found 'flat'"),
        (["--prior", "-1"], "--prior must be"),
        (["--independence", "1"], "--independence must be auto or a probability from 0 to below 1, found '1'"),
        (["--discretize", "1"], "--discretize must be mdl, none or a number of bins from 2 up, found '1'"),
        (["--discretize", "mld"], "found 'mld': did you mean mdl?"),
        (["--min-features", "-1"], "Invalid value for '--min-features'"),
        (["--top", "-1"], "Invalid value for '--top'"),
        (["--jobs", "0"], "--jobs must be a number from 1 up"),
        (["--jobs", "-1"], "--jobs must be a number from 1 up, found -1"),
        (["--epsilon", "0,01"], "'--epsilon': it must be a number, found '0,01': the decimal point is a point, as in 0.01"),
        (["--report", "out.pdf"], "--report must end in .html or .htm, found 'out.pdf'"),
        (["--tables", "state.parquet"], "--tables must end in .npz, found 'state.parquet'"),
        (["--memory", "-1"], "--memory must be a number of GB, found -1"),
        (["--separator", ";;"], "--separator must be one character, found ';;'"),
        (["--output", "kept.xlsx"], "must end in .parquet"),
        (["--output", "a.csv", "--report", "./a.csv"], "two outputs must not be the same file"),
    ],
)
def test_wrong_values_of_options(words, said, data, fails):
    assert said in bad_usage(fails, "data.csv", "-t", "y", *words)


def test_a_target_must_be_named(data, fails):
    assert "--target must name the column" in bad_usage(fails, "data.csv")
    (data.parent / "d.svmlight").write_text("1 2:3\n0 5:1\n")
    assert "the target of an svmlight file is called 'label', found --target y" in bad_usage(fails, "d.svmlight", "-t", "y")
    assert "which an svmlight file does not have" in bad_usage(fails, "d.svmlight", "-x", "x2")
    assert "--output must end in .svmlight" in bad_usage(fails, "d.svmlight", "-o", "kept.csv")


# ---- Outputs ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--output", "--report", "--tables"])
def test_outputs_that_cannot_be_written(option, data, fails):
    before = data.read_bytes()
    assert "there is no folder 'nowhere' to write" in bad_data(fails, "data.csv", "-t", "y", option, "nowhere/out.csv")
    (data.parent / "there.csv").mkdir()
    assert f"'there.csv' is a folder, {option} must name a file" in bad_data(fails, "data.csv", "-t", "y", option, "there.csv")
    (data.parent / "link.csv").symlink_to(data)
    for same in ("data.csv", "link.csv"):
        assert f"{option} must not be the file that is read" in bad_usage(fails, "data.csv", "-t", "y", option, same)
    assert data.read_bytes() == before


def test_nothing_is_kept_so_nothing_is_written(data, capsys):
    from misieve.cli import main

    assert main(["select", "data.csv", "-t", "y", "--epsilon", "0.99", "-o", "kept.csv"]) == 1
    assert "no feature is kept, so kept.csv is not written: --min-features 1 keeps the best one" in capsys.readouterr().err
    assert not (data.parent / "kept.csv").exists()


# ---- State -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def state(data, rows):
    misieve.count(rows.select("strong", "flag", "y"), "y", bins="mdl", missing="model").save("state.npz")


@pytest.mark.usefixtures("state")
def test_a_state_of_other_columns(data, rows, fails):
    rows.select("strong", "flag", "word", "y").write_csv("more.csv")
    assert "state.npz must hold counts of the same columns, but 'word' is new" in bad_data(
        fails, "more.csv", "-t", "y", "--resume", "state.npz"
    )
    rows.select("flag", "y").write_csv("less.csv")
    assert "but 'strong' is absent here" in bad_data(fails, "less.csv", "-t", "y", "--resume", "state.npz")
    (data.parent / "d.svmlight").write_text("1 2:3\n0 5:1\n")
    assert "that has 'strong', which no svmlight file has" in bad_data(fails, "d.svmlight", "--resume", "state.npz")


@pytest.mark.usefixtures("state")
def test_a_state_of_other_types_or_classes(data, rows, fails):
    columns = ["--exclude", "word,number,noise,id,same", "--resume", "state.npz"]
    err = bad_data(fails, "data.csv", "-t", "y", "--categorical", "strong", *columns)
    assert "column 'strong' mixes numbers" in err
    rows.with_columns(y=pl.col("y") == "yes").with_columns(y=pl.col("y").cast(pl.Int8)).write_csv("data.csv")
    assert "the target mixes" in bad_data(fails, "data.csv", "-t", "y", *columns)


def test_a_state_that_is_none(data, fails):
    assert "there is no file 'state.npz' to --resume from" in bad_data(fails, "data.csv", "-t", "y", "--resume", "state.npz")
    assert "'data.csv' is not a whole file of Tables" in bad_data(fails, "data.csv", "-t", "y", "--resume", "data.csv")


def test_a_state_against_another_target(data, rows, fails, run):
    run("select", "data.csv", "-t", "y", "-x", "id", "--tables", "y.npz")
    err = bad_data(fails, "data.csv", "-t", "flag", "-x", "id", "--resume", "y.npz")
    assert "y.npz holds 'flag' as a feature, so it was counted against another target" in err
    rows.with_columns(y=pl.col("y").replace({"no": "low", "yes": "high"})).write_csv("other.csv")
    err = bad_data(fails, "other.csv", "-t", "y", "-x", "id", "--resume", "y.npz")
    assert "counts against the same target, but 'y' is 'high' or 'low' here and was 'no' or 'yes' there" in err


def test_hints_are_options(data, fails):
    err = bad_data(fails, "data.csv", "-t", "y", "--missing", "error")
    assert err.endswith("choose --missing category, pairwise or model")
    err = bad_usage(fails, "data.csv", "-t", "y", "-x", "number,id,noise,same", "--law", "quadrature")
    assert "use --law noncentral-beta" in err
    assert "law=" not in err


# ---- Stopping --------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
def test_ctrl_c_while_reading_leaves_nothing_behind(data, rows):
    with open("slow.csv", "wb") as file:
        rows.write_csv(file)
        for _ in range(400):
            rows.write_csv(file, include_header=False)
    before = sorted(path.name for path in data.parent.iterdir())
    words = ["select", "slow.csv", "-t", "y", "--memory", "0", "--tables", "t.npz", "-o", "kept.parquet", "--report", "r.html"]
    # Slowed down, so that the signal comes while it reads.
    code = (
        "import sys, time, misieve.cli.counted as c\n"
        "see = c.Counted.see\n"
        "say = lambda: print('reading', file=sys.stderr, flush=True)\n"
        "c.Counted.see = lambda self, frame: (say(), time.sleep(0.2), see(self, frame))\n"
        "from misieve.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    with subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "reading\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(30) == 130
    assert said.splitlines()[-1] == "misieve: error: interrupted"
    assert "Traceback" not in said
    assert sorted(path.name for path in data.parent.iterdir()) == before


@pytest.mark.parametrize("module", ["misieve.files.writing.os.replace", "misieve._store.os.replace"])
def test_ctrl_c_while_writing_leaves_nothing_behind(module, data, monkeypatch, capsys):
    from misieve.cli import main

    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, interrupted)
    before = sorted(path.name for path in data.parent.iterdir())
    assert main(["select", "data.csv", "-t", "y", "--tables", "t.npz", "-o", "kept.parquet", "--report", "r.html"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "misieve: error: interrupted"
    assert sorted(path.name for path in data.parent.iterdir()) == before


def test_a_reader_that_has_seen_enough_is_no_error(data):
    words = [sys.executable, "-m", "misieve", "select", "data.csv", "-t", "y", "--format", "json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141
