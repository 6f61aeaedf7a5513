"""``misieve describe``: tables as people write them, the numbers of the library, and a picture that fits."""

import io
import json
import sys

import numpy as np
import pytest

import misieve
from misieve.cli import main
from misieve.cli.counts import read_counts

TABLE = [[40, 10], [20, 80]]


def run(capsys, *words):
    code = main(["describe", *words])
    out, err = capsys.readouterr()
    assert err == ""
    assert code == 0
    return out


def failed(capsys, *words):
    code = main(["describe", *words])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("misieve: error: ")
    assert err.count("\n") == 1
    return code, err


@pytest.mark.parametrize(
    "text",
    [
        "40,10/20,80",
        "40,10;20,80",
        " 40, 10 / 20 , 80 ",
        "40,10 20,80",
        "40 10/20 80",
        "40\t10\n20\t80\n",
        "40,10\r\n20,80\r\n\r\n",
        "[[40, 10], [20, 80]]",
        "[[40 10]\n [20 80]]",
        "array([[40, 10],\n       [20, 80]])",
        "\ufeff40;10".replace(";", ",") + "/20,80/",
        "4e1,1e1/2e1,8e1",
    ],
)
def test_a_table_is_read_as_people_write_it(text):
    assert read_counts(text).tolist() == TABLE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must have counts in it, found none"),
        ("/;/", "must have counts in it, found none"),
        ("40,10", "at least two rows and two columns, found 1 row of 2 cells.*40,10/20,80"),
        ("40/10", "at least two rows and two columns, found 2 rows of 1 cell"),
        ("40,x/20,80", "must be a number, found 'x' in row 1, cell 2"),
        ("40,,10/20,8,1", "must be a number, found an empty one in row 1, cell 2"),
        ("40,10/20", "as many cells as the first, 2, found 1 in row 2"),
        ("40,10/20,nan", "from 0 up, found 'nan' in row 2, cell 2"),
        ("40,1e400/20,8", "from 0 up, found '1e400' in row 1, cell 2"),
        ("40,10/20,-8", "from 0 up, found '-8' in row 2, cell 2"),
    ],
)
def test_what_is_no_table_is_told_by_row_and_cell(text, said):
    with pytest.raises(misieve.DataError, match=said):
        read_counts(text)


def test_the_json_holds_what_the_library_says(capsys):
    facts = json.loads(run(capsys, "40,10/20,80", "--format", "json", "--level", "0.9"))
    p = misieve.posterior(TABLE, independence="auto")
    assert facts["counts"] == TABLE
    assert facts["observations"] == 150
    assert facts["mean"] == pytest.approx(float(p.mean()), rel=1e-12)
    assert facts["sd"] == pytest.approx(float(p.std()), rel=1e-12)
    assert facts["interval"] == pytest.approx([float(end) for end in p.interval(0.9)], rel=1e-12)
    assert facts["independence"] == pytest.approx(float(p.independence), rel=1e-12)
    entropy = -0.4 * np.log(0.4) - 0.6 * np.log(0.6)
    assert facts["target_entropy"] == pytest.approx(entropy, rel=1e-12)
    assert facts["threshold"]["nats"] == pytest.approx(0.005 * entropy, rel=1e-12)
    assert facts["probability"] == pytest.approx(float(p.sf(0.005 * entropy)), rel=1e-12)
    assert facts["share"]["mean"] == pytest.approx(float(p.mean()) / entropy, rel=1e-12)
    assert facts["version"] == misieve.__version__


def test_options_reach_the_posterior(capsys):
    words = [
        "30,32/31,29",
        "--format",
        "json",
        "--prior",
        "0.5",
        "--law",
        "gamma",
        "--variance",
        "exact",
        "--independence",
        "0.2",
    ]
    facts = json.loads(run(capsys, *words, "--epsilon", "0.01", "--unit", "bits"))
    p = misieve.posterior([[30, 32], [31, 29]], prior=0.5, law="gamma", variance="exact", independence=0.2)
    assert facts["independence"] == pytest.approx(float(p.independence), rel=1e-12)
    assert facts["probability"] == pytest.approx(float(p.sf(0.01 * np.log(2))), rel=1e-12)
    assert facts["threshold"]["bits"] == pytest.approx(0.01)
    assert facts["settings"] == {"prior": 0.5, "law": "gamma", "variance": "exact", "independence": 0.2}


def test_draws_are_the_same_again_by_their_seed(capsys):
    words = ["3,1/2,4", "--law", "sampled", "--format", "json"]
    assert run(capsys, *words) == run(capsys, *words)
    assert run(capsys, *words) != run(capsys, *words, "--seed", "1")


def test_fractional_and_empty_tables(capsys):
    assert json.loads(run(capsys, "1.5,2/3,4", "--format", "json"))["counts"] == [[1.5, 2.0], [3.0, 4.0]]
    facts = json.loads(run(capsys, "0,0/0,0", "--format", "json"))  # the prior alone
    assert facts["share"] == {"mean": None, "sd": None, "interval": None}
    assert facts["probability"] == 0.5
    assert "standard deviation" in run(capsys, "0,0/0,0")


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("table", ["40,10/20,80", "30,32/31,29", "3,1/1,2", "1,0/0,1", "500,1/1,500", "9,8,7/1,2,3/4,4,4"])
def test_the_picture_fits_the_terminal(table, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run(capsys, table)
    assert max(map(len, out.splitlines())) <= columns
    assert "\x1b" not in out  # no colours when piped
    assert "threshold 0.0" in out.splitlines()[-1]
    assert "█" in out


def test_the_picture_shows_atom_threshold_and_interval(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(capsys, "30,32/31,29").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Density"))
    assert "P(independent)" in lines[start]
    area, span = lines[start + 1 : start + 9], lines[start + 9]
    filled = sum(1 for line in area if line[:2] == "██")
    assert filled == int(8 * 0.862)  # P(independent) of the height
    p = misieve.posterior([[30, 32], [31, 29]], independence=0.5)
    right = max(float(p.isf(0.001)), 1.2 * 0.00347)
    last = span.index("┫") - 4
    assert last == int(float(p.interval()[1]) / right * 76)
    light = [line.rfind("░") for line in area if "░" in line]
    dark = [line.find("█", 4) for line in area if "█" in line[4:]]
    assert max(light) - 4 == int(0.003466 / right * 76) - 1  # up to the threshold and no further
    assert min(dark) > max(light)


def test_a_sure_and_an_unsure_table_in_words(capsys):
    assert "such a feature is kept" in run(capsys, "40,10/20,80")
    assert "only backward keeps" in run(capsys, "30,32/31,29")
    assert "it is left out" in run(capsys, "3000,3000/3000,3000")
    assert "it is left out" in run(capsys, "3000,3000/3000,3000", "--level", "0.05")


def test_without_block_characters_the_picture_is_ascii(monkeypatch):
    file = io.TextIOWrapper(io.BytesIO(), "ascii", errors="strict")
    monkeypatch.setattr(sys, "stdout", file)
    assert main(["describe", "30,32/31,29"]) == 0
    file.flush()
    text = file.buffer.getvalue().decode("ascii")
    assert "#" in text
    assert "[o==" in text


def test_a_table_comes_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("40,10\n20,80\n"))
    assert json.loads(run(capsys, "-", "--format", "json"))["counts"] == TABLE
    assert json.loads(run(capsys, "40,10", "20,80", "--format", "json"))["counts"] == TABLE


def test_large_tables_are_not_printed_cell_by_cell(capsys):
    out = run(capsys, "/".join([",".join("7" * 20)] * 30))
    assert "30 values against a target of 20 classes" in out
    assert "class 1" not in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["40,x/1,2"], 1, "found 'x' in row 1"),
        (["1e20,1/2,3"], 1, "below 2^53"),
        (["0,0/0,0", "--prior", "haldane", "--independence", "0"], 1, "without any observation"),
        (["1,2/3,4", "--law", "gama"], 2, "did you mean 'gamma'"),
        (["1,2/3,4", "--format", "yaml"], 2, "--format must be one of"),
        (["1,2/3,4", "--level", "2"], 2, "level must be a number strictly between 0 and 1"),
        (["1,2/3,4", "--epsilon", "-1"], 2, "epsilon must be a number from 0 up"),
        (["1,2/3,4", "--unit", "pounds"], 2, "--unit must be one of"),
        (["1,2/3,4", "--seed", "-1"], 2, "--seed"),
        (["-5,3/3,2"], 2, "No such option"),
        ([], 2, "TABLE"),
    ],
)
def test_errors_are_one_line(words, code, said, capsys):
    found, err = failed(capsys, *words)
    assert found == code
    assert said in err
