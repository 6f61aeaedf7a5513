"""Files that several commands read."""

import numpy as np
import polars as pl
import pytest

from misieve.cli import main

N = 400


@pytest.fixture(scope="session")
def rows() -> pl.DataFrame:
    """Columns of every type, with missing values, against a target of two classes."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, N)
    words = np.array(["red", "green", "blue"])[y + rng.integers(0, 2, N)].tolist()
    return pl.DataFrame(
        {
            "strong": np.where(rng.random(N) < 0.1, 1 - y, y).tolist(),
            "word": [None if i % 9 == 0 else word for i, word in enumerate(words)],
            "number": rng.normal(y, 1.0).round(3).tolist(),
            "noise": [f"n{i:02d}" for i in rng.integers(0, 50, N).tolist()],
            "id": [f"row {i}" for i in range(N)],
            "same": ["x"] * N,
            "flag": [bool(i) for i in np.where(rng.random(N) < 0.3, 1 - y, y).tolist()],
            "y": [["no", "yes"][i] for i in y.tolist()],
        }
    )


@pytest.fixture
def data(rows, tmp_path, monkeypatch):
    """The rows as data.csv in a folder of their own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    rows.write_csv("data.csv")
    return tmp_path / "data.csv"


@pytest.fixture
def run(capsys):
    """Runs a command that succeeds; returns what it printed."""

    def succeeded(*words: object) -> str:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    return succeeded


@pytest.fixture
def fails(capsys):
    """Runs a command that fails; returns the exit code and the only line on standard error."""

    def failed(*words: object) -> tuple[int, str]:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("misieve: error: ")
        assert err.count("\n") == 1
        return code, err.removeprefix("misieve: error: ").rstrip()

    return failed
