"""The program as a whole: version, help, exit codes, errors in one line."""

import subprocess
import sys

import pytest

import misieve
from misieve.cli import main


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("a,b,y\n" + "".join(f"{i % 2},{'uvw'[i % 3]},{'no' if i % 2 else 'yes'}\n" for i in range(60)))
    return path


def failed(capsys, *words):
    """The only line on standard error, and the exit code."""
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("misieve: error: ")
    assert err.count("\n") == 1
    return code, err


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"misieve {misieve.__version__}\n"


def test_it_runs_as_a_module_too():
    done = subprocess.run([sys.executable, "-m", "misieve", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"misieve {misieve.__version__}\n"


def test_nothing_heavy_is_imported_before_a_command_runs():
    code = "import sys; from misieve.cli import main; main(['--help']); print(sorted(set(sys.modules) & set(sys.argv[1:])))"
    heavy = ["numpy", "scipy", "polars", "sklearn", "pandas", "matplotlib", "altair", "narwhals"]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands(words, capsys):
    assert main(words) == 0
    assert "select" in capsys.readouterr().out


def test_wrong_usage_is_one_line_and_exits_with_2(small, capsys):
    code, err = failed(capsys, "select", small, "--tarrget", "y")
    assert code == 2
    assert "No such option: --tarrget" in err
    assert "(see misieve select --help)" in err
    code, err = failed(capsys, "selekt")
    assert code == 2
    assert "selekt" in err
    code, err = failed(capsys, "select", small, "--target", "y", "--rule", "sideways")
    assert code == 2
    assert "--rule must be one of" in err


def test_bad_data_is_one_line_and_exits_with_1(small, capsys):
    code, err = failed(capsys, "select", small, "--target", "Y")
    assert code == 1
    assert f"{small}: there is no column 'Y': did you mean 'y'?" in err


def test_debug_shows_where_an_error_comes_from(small, capsys):
    assert main(["select", str(small), "--target", "Y", "--debug"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert err.splitlines()[-1].startswith("misieve: error: ")


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "typer", None)
    code, err = failed(capsys, "--version")
    assert code == 1
    assert "pip install 'misieve[cli]'" in err


def test_an_unforeseen_fault_is_one_line_too(small, monkeypatch, capsys):
    def broken(*args, **kwargs):
        raise ZeroDivisionError("over\nnothing")

    monkeypatch.setattr("misieve.files.open_data", broken)
    monkeypatch.setattr("misieve.cli.inputs.open_data", broken)
    code, err = failed(capsys, "select", small, "--target", "y")
    assert code == 1
    assert "ZeroDivisionError: over nothing (this is a fault of misieve; --debug shows where)" in err


def test_ctrl_c_exits_with_130(small, monkeypatch, capsys):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("misieve.cli.inputs.open_data", interrupted)
    code, err = failed(capsys, "select", small, "--target", "y")
    assert code == 130
    assert "interrupted" in err


def test_completion_knows_the_commands(monkeypatch):
    env = {"_MISIEVE_COMPLETE": "complete_bash", "COMP_WORDS": "misieve se", "COMP_CWORD": "1"}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    done = subprocess.run([sys.executable, "-m", "misieve"], capture_output=True, text=True, check=False)
    assert "select" in done.stdout
