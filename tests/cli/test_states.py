"""States of counts: what is said of cuts that stay, and files of counts as the data of a selection."""

import json

import numpy as np
import polars as pl
import pytest

import misieve
from misieve.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::misieve.MisieveWarning")


@pytest.fixture
def days(tmp_path, monkeypatch):
    """Two days; on the first no cut is found in ``late``, and ``n`` has few values."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 900)
    frame = pl.DataFrame(
        {
            "cut": rng.normal(2.0 * y, 1.0),
            "late": rng.normal(0.0, 1.0, 900),
            "n": np.where(np.arange(900) < 300, rng.integers(0, 30, 900), rng.integers(0, 200, 900)),
            "colour": np.array(["red", "blue"])[np.where(rng.random(900) < 0.2, 1 - y, y)].tolist(),
            "y": y,
        }
    )
    frame[:300].write_csv("first.csv")
    frame[300:].write_csv("second.csv")
    return frame


def warned(run, *words):
    return [one["text"] for one in json.loads(run("select", *words, "--format", "json"))["warnings"]]


@pytest.mark.usefixtures("days")
def test_cuts_that_stay_are_warned_of_when_a_state_begins(run):
    said = warned(run, "first.csv", "-t", "y", "--tables", "state.npz")
    assert said[0] == (
        "This number has its cuts from these rows, and later runs with --resume keep them: 'cut'. No cut was found in 'late', "
        "and later runs with --resume keep it so: count more rows first, or use --discretize 5."
    )
    assert not any("cut" in one for one in warned(run, "first.csv", "-t", "y"))
    assert not any("--resume" in one for one in warned(run, "first.csv", "-t", "y", "-x", "cut,late", "--tables", "no.npz"))
    assert "⚠ This number has its cuts" in run("select", "first.csv", "-t", "y", "--tables", "state.npz")


@pytest.mark.usefixtures("days")
def test_columns_that_cannot_be_cut_any_more_are_warned_of_when_a_state_goes_on(run):
    run("select", "first.csv", "-t", "y", "--tables", "state.npz")
    said = warned(run, "second.csv", "-t", "y", "--resume", "state.npz")
    assert said[0].startswith("No cut was found in 'late' when state.npz was begun, so it has 1 value however many rows")
    assert said[1].startswith("'n' has more than 64 different whole numbers by now, but as state.npz was begun with fewer")
    run("select", "first.csv", "-t", "y", "-x", "late", "--tables", "state.npz")
    said = warned(run, "first.csv", "-t", "y", "-x", "late", "--resume", "state.npz")
    assert not any("state.npz" in one for one in said)


def test_the_first_batch_is_said_to_leave_numbers_uncut(days, run, monkeypatch):
    pl.concat([days[:300].with_columns(id=pl.lit("x" * 40)), days.with_columns(id=pl.lit("x" * 40))] * 2).write_csv("b.csv")
    monkeypatch.setattr("misieve.cli.counted.LEAST_BATCH", 9000)
    said = warned(run, "b.csv", "-t", "y", "-x", "id,n", "--memory", "0")
    assert any(one.startswith("No cut was found in 'late', and later rows keep it so") for one in said)


def test_rows_that_have_no_class_yet_are_added(days, run):
    days.with_columns(y=pl.lit(None, pl.Int64)).write_csv("new.csv")
    run("select", "first.csv", "-t", "y", "--tables", "a.npz")
    run("select", "new.csv", "-t", "y", "--resume", "a.npz", "--tables", "b.npz")
    assert misieve.Tables.load("b.npz").missing["colour"].by_value.sum() == 900


@pytest.mark.usefixtures("days")
def test_a_file_of_counts_is_selected_from(run):
    run("select", "first.csv", "-t", "y", "--tables", "a.npz")
    run("select", "second.csv", "-t", "y", "--resume", "a.npz", "--tables", "b.npz")
    counts = misieve.Tables.load("b.npz")
    shown = json.loads(run("select", "b.npz", "-t", "y", "-x", "n", "--format", "json", "--report", "r.html"))
    expected = misieve.select(counts[["cut", "late", "colour"]])
    assert [one["name"] for one in shown["features"]] == ["cut", "late", "colour"]
    assert [one["type"] for one in shown["features"]] == ["number in bins", "number in bins", "text"]
    assert [one["mean"] for one in shown["features"]] == expected.mean.tolist()
    assert [one["kept"] for one in shown["features"]] == expected.support.tolist()
    assert (shown["data"]["rows"], shown["target"]["name"]) == (900, "y")
    names: dict = {}
    exec(shown["reproduce"]["python"], names)
    assert names["selection"].mean.tolist() == expected.mean.tolist()
    counts.scaled(0.5).save("w.npz")
    assert "b.npz: 900 rows, 4 features" in run("select", "b.npz")
    assert "w.npz: 4 features" in run("select", "w.npz", "-t", "y")


@pytest.mark.usefixtures("days")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["-o", "kept.csv"], 2, "--output needs the rows, but a.npz holds their counts: leave it out"),
        (["--positive", "1"], 2, "--positive needs the rows"),
        (["--missing", "category"], 2, "--missing needs the rows"),
        (["--discretize", "5"], 2, "--discretize needs the rows"),
        (["--resume", "b.npz"], 2, "two files of counts are added by misieve merge"),
        (["-x", "colur"], 1, "a.npz: there is no feature 'colur' for --exclude: did you mean 'colour'?"),
        (["-x", "cut,late,n,colour"], 2, "--exclude must leave a feature"),
        (["-t", "n"], 1, "a.npz holds 'n' as a feature, so its counts are against another target"),
    ],
)
def test_what_a_file_of_counts_cannot_do(words, code, said, run, fails):
    run("select", "first.csv", "-t", "y", "--tables", "a.npz")
    found, err = fails("select", "a.npz", *([] if "-t" in words else ["-t", "y"]), *words)
    assert found == code
    assert said in err


def test_files_that_hold_no_counts(days, fails):
    assert "there is no file 'no.npz'" in fails("select", "no.npz", "-t", "y")[1]
    np.savez("odd.npz", a=days["y"].to_numpy())
    assert "odd.npz" in fails("select", "odd.npz", "-t", "y")[1]


@pytest.mark.usefixtures("days")
def test_the_advice_on_other_cuts_counts_nothing_twice(run, capsys):
    run("select", "first.csv", "-t", "y", "--tables", "a.npz")
    run("select", "second.csv", "-t", "y", "--tables", "b.npz")
    assert main(["merge", "a.npz", "b.npz", "-o", "c.npz"]) == 1
    err = capsys.readouterr().err
    assert "count the rows of b.npz anew, as misieve select DATA -t TARGET --resume a.npz --tables NEW.npz" in err
    assert "NEW.npz then holds the rows of a.npz as well, so do not merge these two" in err
    run("select", "second.csv", "-t", "y", "--resume", "a.npz", "--tables", "new.npz")
    assert misieve.Tables.load("new.npz").class_counts.sum() == 900


def test_a_threshold_beyond_the_entropy(days, run):
    share = days["y"][:300].mean()
    whole = -share * np.log(share) - (1 - share) * np.log(1 - share)
    for unit, epsilon, entropy in (("nats", 0.9, f"{whole:.3g}"), ("bits", 1.1, f"{whole / np.log(2):.3g}")):
        said = warned(run, "first.csv", "-t", "y", "--epsilon", epsilon, "--unit", unit)
        assert f"No feature can exceed --epsilon {epsilon} {unit}: the target's whole entropy is {entropy} {unit}." in said
    assert not any("No feature can" in one for one in warned(run, "first.csv", "-t", "y", "--epsilon", 0.6, "--unit", "nats"))
