"""Every example of the gallery runs, without a warning, and draws; the kept pictures are theirs."""

import contextlib
import io
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLES = sorted((DOCS / "examples").glob("plot_*.py"))


@pytest.fixture
def plt():
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    matplotlib.use("Agg")
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.close("all")
    yield plt
    plt.close("all")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(example, plt):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(example), run_name="__main__")
    assert printed.getvalue().strip()
    (number,) = plt.get_fignums()
    axes = plt.figure(number).axes
    assert axes
    assert all(ax.has_data() for ax in axes)


def test_there_are_examples_with_a_title_and_a_text():
    assert len(EXAMPLES) >= 10
    for example in EXAMPLES:
        title, rule, blank, *text = example.read_text().removeprefix('"""\n').splitlines()
        assert (len(rule), set(rule), blank) == (len(title), {"="}, "")
        assert text[0]


def test_every_kept_picture_is_that_of_an_example():
    kept = {path.stem for path in (DOCS / "pictures").glob("*.png")}
    assert kept <= {path.stem.removeprefix("plot_") for path in EXAMPLES}
