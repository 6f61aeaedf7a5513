"""``misieve merge``: sums of files of Tables, what it refuses, and files that stay whole."""

import os
import re

import numpy as np
import polars as pl
import pytest

import misieve
from misieve import Tables
from misieve.cli import main


def rows(n, seed, colours=("red", "green"), classes=("no", "yes")):
    rng = np.random.default_rng(seed)
    return {"colour": rng.choice(colours, n), "n": rng.integers(0, 4, n)}, rng.choice(classes, n)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def save(name, n, seed, **kinds):
        columns, y = rows(n, seed, **kinds)
        misieve.count(pl.DataFrame(columns), y).save(name)

    save("a.npz", 100, 0)
    save("b.npz", 1200, 1, colours=("blue", "green", "lime", "plum", "red", "teal"))
    save("c.npz", 50, 2, classes=("maybe", "no", "yes"))
    return tmp_path


def run(capsys, *words):
    assert main(["merge", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def failed(capsys, *words):
    code = main(["merge", *words])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("misieve: error: ")
    assert err.count("\n") == 1
    return code, err


def test_files_add_up(folder, capsys):
    out = run(capsys, "a.npz", "b.npz", "c.npz", "-o", "all.npz")
    merged = Tables.load("all.npz")
    parts = [Tables.load(f"{name}.npz") for name in "abc"]
    assert merged == sum(parts)
    assert merged.class_counts.sum() == 1350
    lines = [line.split("  ") for line in out.splitlines()]
    assert [line[0] for line in lines[1:4]] == ["a.npz", "b.npz", "c.npz"]
    assert "1,200" in out
    assert "colour = 'blue', colour = 'lime', colour = 'plum' and 1 more" in out
    assert "class 'maybe'" in out
    assert out.splitlines()[-1] == "all.npz: 2 features, 3 classes, 1,350 rows"
    assert sorted(os.listdir(folder)) == ["a.npz", "all.npz", "b.npz", "c.npz"]


def test_what_was_merged_selects_like_the_whole(folder, capsys):
    run(capsys, "a.npz", "b.npz", "-o", "all.npz")
    first, second = (rows(100, 0), rows(1200, 1, colours=("blue", "green", "lime", "plum", "red", "teal")))
    whole = pl.DataFrame({name: np.concatenate([first[0][name], second[0][name]]) for name in first[0]})
    counted = misieve.count(whole, np.concatenate([first[1], second[1]]))
    assert misieve.select(Tables.load("all.npz")).probability == pytest.approx(misieve.select(counted).probability, rel=1e-12)


def test_one_file_is_copied_and_weights_are_shown(folder, capsys):
    run(capsys, "a.npz", "-o", "copy.npz")
    assert Tables.load("copy.npz") == Tables.load("a.npz")
    Tables.load("a.npz").scaled(0.25).save("w.npz")
    assert run(capsys, "a.npz", "w.npz", "-o", "sum.npz").splitlines()[-1].endswith("125.0 rows (weighted)")


def test_an_output_that_exists_is_kept_unless_forced(folder, capsys):
    before = (folder / "b.npz").read_bytes()
    code, err = failed(capsys, "a.npz", "c.npz", "-o", "b.npz")
    assert code == 2
    assert "b.npz exists already: choose another name, or say --force" in err
    assert (folder / "b.npz").read_bytes() == before
    run(capsys, "a.npz", "c.npz", "-o", "b.npz", "--force")
    assert Tables.load("b.npz").class_counts.sum() == 150


def test_an_input_can_be_the_output_if_forced(folder, capsys):
    run(capsys, "a.npz", "b.npz", "-o", "a.npz", "-f")
    assert Tables.load("a.npz").class_counts.sum() == 1300


def test_nothing_is_written_when_something_is_wrong(folder, capsys, monkeypatch):
    before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
    (folder / "short.npz").write_bytes(before["a.npz"][:300])
    failed(capsys, "a.npz", "short.npz", "-o", "a.npz", "--force")
    monkeypatch.setattr(os, "replace", lambda *names: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    code, err = failed(capsys, "a.npz", "b.npz", "-o", "a.npz", "--force")
    assert code == 1
    assert "No space left on device" in err
    (folder / "short.npz").unlink()
    assert {name: (folder / name).read_bytes() for name in os.listdir(folder)} == before


def other_features():
    misieve.count(np.array([[0], [1]]), [0, 1]).save("other.npz")


def other_cuts():
    columns, y = rows(100, 0)
    columns["n"] = np.random.default_rng(0).random(100)
    misieve.count(pl.DataFrame(columns), y, bins=3).save("other.npz")


def other_kind():
    columns, y = rows(100, 0)
    columns["n"] = np.array(["p", "q"] * 50)
    misieve.count(pl.DataFrame(columns), y).save("other.npz")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (other_features, "'colour' is absent"),
        (other_cuts, "column 'n' was cut into bins at different points.*--resume"),
        (other_kind, "column 'n' mixes numbers .* with text"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_files_that_do_not_go_together(make, said, folder, capsys):
    make()
    code, err = failed(capsys, "a.npz", "b.npz", "other.npz", "-o", "z.npz")
    assert code == 1
    assert "other.npz cannot be added to a.npz: " in err
    assert re.search(said, err)
    assert not (folder / "z.npz").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "'x.npz' is not a whole file of Tables"), (b"a,b\n1,2\n", "does not begin like an .npz file"), (None, "no file")],
)
def test_files_that_are_none(content, said, folder, capsys):
    if content is not None:
        (folder / "x.npz").write_bytes(content)
    code, err = failed(capsys, "a.npz", "x.npz", "-o", "z.npz")
    assert code == 1
    assert said in err
    assert "x.npz" in err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["a.npz", "a.npz", "-o", "z.npz"], 2, "a.npz is given twice"),
        (["a.npz", "./b.npz", "b.npz", "-o", "z.npz"], 2, "b.npz is given twice"),
        (["a.npz", "b.npz", "-o", "no/z.npz"], 1, "there is no folder 'no'"),
        (["a.npz", ".", "-o", "z.npz"], 1, "there is no file '.'"),
        (["a.npz", "b.npz"], 2, "--output"),
        (["-o", "z.npz"], 2, "FILE"),
    ],
)
def test_errors_are_one_line(words, code, said, folder, capsys):
    found, err = failed(capsys, *words)
    assert found == code
    assert said in err
