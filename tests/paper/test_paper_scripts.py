import os
import subprocess
import sys

import numpy as np
import pytest
from paper.published import PAPER_SHARES, SIGNIFICANT, STATEMENTS, TABLE_1, TABLE_2, TITLES
from paper.results import HERE, Run
from paper.style import RULES, figure, panel
from scipy.stats import chi2_contingency
from sklearn.feature_selection import mutual_info_classif

from misieve._core import CORE
from paper import __main__ as command
from paper import beyond, checks, data, experiments, missing, missing_page, readings, report, section_2_variance, table_2

with_data = [
    pytest.mark.data,
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("MISIEVE_DATA"), reason="MISIEVE_DATA is not set"),
]


def test_the_published_numbers_cover_the_ten_sets():
    for table in (TITLES, TABLE_1, TABLE_2):
        assert tuple(table) == data.PAPER_SETS
    assert set(checks.BANDS) <= set(TITLES.values())
    assert {name for name, _, _ in STATEMENTS} == set(SIGNIFICANT)
    assert set(PAPER_SHARES) <= set(STATEMENTS)


def test_the_bands_hold_the_papers_values():
    by_title = {TITLES[name]: values for name, values in TABLE_2.items()}
    for name, bands in checks.BANDS.items():
        assert all(low <= value <= high for (low, high), value in zip(bands, by_title[name], strict=True)), name


def test_results_are_written_as_they_are_read(tmp_path):
    settings = Run(out=tmp_path / "results")
    content = {"a": np.float64(1 / 3), "b": np.arange(2), "c": (True, None, np.int64(7)), 4: "é"}
    assert settings.write("x", content) == settings.read("x") == {"a": 0.3333333, "b": [0, 1], "c": [True, None, 7], "4": "é"}
    assert Run().out == HERE
    assert (Run().orders(20), Run(quick=True).orders(20)) == (20, 2)


@pytest.mark.parametrize(
    ("mean", "sd", "paper", "answer"), [(5.0, 0.5, 6.0, True), (5.0, 0.5, 6.1, False), (18.0, 0.0, 18.04, True)]
)
def test_within_two_standard_deviations(mean, sd, paper, answer):
    assert table_2.within(mean, sd, paper) is answer


@pytest.mark.parametrize("dependent", [True, False])
def test_the_variance_claims_are_measured(dependent):
    per_cell = np.geomspace(100.0, 1e4, 4)
    for r, s in ((2, 2), (3, 2)):
        error = section_2_variance.errors(r, s, dependent, per_cell)
        assert section_2_variance.slope(1 / per_cell, error) == pytest.approx(2 if dependent else 1, abs=0.02)


def test_a_picture_is_written_twice_and_does_not_change(tmp_path):
    for name in ("one", "two"):
        with figure(tmp_path / f"{name}.png") as (_, ax):
            ax.plot([0, 1], [1, 0], **RULES["forward"])
            panel(ax, "a", "line")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "one.svg", "two.png", "two.svg"]
    assert (tmp_path / "one.svg").read_text() == (tmp_path / "two.svg").read_text()


def failing(tmp_path, **changes):
    """Results that pass every check, but for the changes."""
    settings = Run(out=tmp_path)
    middle = {name: [{"mean": (low + high) / 2} for low, high in bands] for name, bands in checks.BANDS.items()}
    if "chess" in changes:
        middle["Chess"][1]["mean"] = changes["chess"]
    lines = [{"name": name, **dict(zip(experiments.RULES, cells, strict=True))} for name, cells in middle.items()]
    settings.write("table_2", [*lines, {"name": "Spam", "forward": {"mean": 1.0}}])
    spam = {"forward": [0.8, 0.9], "empirical": [0.7, 0.8], "backward": [0.6, 0.7]}
    settings.write("figure_3", {"at 100": spam, "at 300": {**spam, "empirical": changes.get("spam", [0.7, 0.8])}})
    settings.write("figure_2", {"at the end": {"forward": [0.87, changes.get("end", 0.88)], "empirical": [0.87, 0.88]}})
    return checks.failures(settings)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"chess": 11.5}, "Table 2, Chess: empirical keeps 11.50 features on average, not 17.3 to 20.3"),
        ({"spam": [0.95, 0.95]}, "Spam at k = 300: FF > F > BF"),
        ({"end": 0.87}, "Chess at the end: FF at least as accurate as F, found 0.8700 and 0.8750"),
    ],
)
def test_each_check_can_fail(tmp_path, changes, message):
    assert failing(tmp_path) == []
    (line,) = failing(tmp_path, **changes)
    assert line.startswith(message)


def test_the_command_says_what_failed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "EXPERIMENTS", ())
    monkeypatch.setattr(checks, "failures", lambda settings: ["the sky is blue"])
    assert command.main(["--quick", "--out", str(tmp_path)]) == 1
    assert "does not hold: the sky is blue" in capsys.readouterr().err
    monkeypatch.setattr(checks, "failures", lambda settings: [])
    assert command.main(["--quick", "--out", str(tmp_path)]) == 0
    assert "all checks hold" in capsys.readouterr().out


def test_the_command_needs_the_data(tmp_path, capsys):
    data.load.cache_clear()
    assert command.main(["table_1", "--data", str(tmp_path), "--out", str(tmp_path)]) == 1
    assert "australian.data is missing" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        command.main(["table_9"])
    assert "there is no experiment 'table_9'" in capsys.readouterr().err


def toy(features=5, rows=150, seed=0):
    rng = np.random.default_rng(seed)
    sizes = [2, 3, 4, 2, 3][:features]
    y = rng.integers(3, size=rows)
    X = np.stack(
        [(rng.integers(r, size=rows) + (y * (j < 2)) * rng.integers(2, size=rows)) % r for j, r in enumerate(sizes)], axis=1
    )
    categories = tuple(tuple(map(str, range(r))) for r in sizes)
    return data.DataSet("toy", X, y, categories, ("a", "b", "c"), tuple(f"f{j}" for j in range(features)))


def counted(found):
    sizes = [len(values) for values in found.categories]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    tables = [
        np.array([[np.sum((column == i) & (found.y == j)) for j in range(3)] for i in range(r)], dtype=float)
        for column, r in zip(found.X.T, sizes, strict=True)
    ]
    return tables, np.concatenate(tables), owner


def test_top_k_ranks_as_scikit_learn_does():
    found = toy()
    _, counts, owner = counted(found)
    expected = mutual_info_classif(found.X, found.y, discrete_features=True)
    np.testing.assert_allclose(beyond.plug_in(counts, owner, 5), expected, rtol=1e-10)


def test_the_chi2_test_is_scipys():
    found = toy()
    tables, counts, owner = counted(found)
    expected = [chi2_contingency(table, correction=False).pvalue for table in tables]
    np.testing.assert_allclose(beyond.chi2_p_values(counts, owner, 5), expected, rtol=1e-10)
    one_class = np.concatenate([[[n, 0.0] for n in table[:, 0]] for table in tables])
    assert (beyond.chi2_p_values(one_class, owner, 5) == 1).all()


def test_replay_is_naive_bayes_on_what_was_kept():
    found = toy()
    order = np.random.default_rng(4).permutation(len(found.y))
    replayed = list(beyond.replay(found, order, groups=3))
    assert [method for method, *_ in replayed] == list(beyond.METHODS) * 2
    _, kept, chances, truth = replayed[0]
    seen, group = order[:50], order[50:100]
    assert kept == 5
    assert np.array_equal(truth, found.y[group])
    np.testing.assert_allclose(np.exp(chances).sum(axis=1), 1.0)
    scores = np.zeros((len(group), 3))
    for c in range(3):
        own = seen[found.y[seen] == c]
        scores[:, c] = np.log(len(own) + 1)
        for j, values in enumerate(found.categories):
            hits = np.array([np.sum(found.X[own, j] == v) for v in found.X[group, j]])
            scores[:, c] += np.log((hits + 1) / (len(own) + len(values)))
    expected = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(chances, expected, rtol=1e-10)


def test_values_are_deleted_at_random_and_what_was_missing_stays_so():
    X = np.tile([[-1, 0, 1, 2]], (5000, 1))
    found = missing.delete(X, 0.3, np.random.default_rng(5))
    gone = np.isnan(found)
    assert gone[:, 0].all()
    np.testing.assert_array_equal(found[~gone], X[~gone])
    np.testing.assert_allclose(gone[:, 1:].mean(axis=0), 0.3, atol=5 * np.sqrt(0.3 * 0.7 / 5000))
    np.testing.assert_array_equal(missing.delete(X, 0.0, np.random.default_rng(5))[:, 1:], X[:, 1:])


def test_question_marks_become_missing():
    X = np.array([[0, 1], [1, 0], [2, 1]])
    found = missing.question_marks(
        data.DataSet("toy", X, np.arange(3), (("n", "?", "y"), ("f", "t")), ("a", "b", "c"), ("u", "v"))
    )
    assert found.categories == (("n", "y"), ("f", "t"))
    np.testing.assert_array_equal(found.X, [[0, 1], [-1, 0], [1, 1]])
    np.testing.assert_array_equal(X[:, 0], [0, 1, 2])


def test_all_three_agree_where_nothing_is_missing():
    complete = missing.compare(toy(), 0.0, orders=2)
    assert complete["model"] == complete["pairwise"] == complete["category"]
    lead = complete["model"]["forward"]["accuracy"] - complete["model"]["empirical"]["accuracy"]
    assert complete["model"]["FF - F"]["mean"] == pytest.approx(lead)
    lacking = missing.compare(toy(), 0.5, orders=2)
    assert lacking["category"] != lacking["pairwise"] != lacking["model"]
    assert set(missing_page.REAL_TITLES) - set(data.PAPER_SETS) <= set(data.EXTRAS)


def test_tokens_are_counted_up_to_the_most_asked_for():
    messages = [("a", "Subject: 7 7\n\n3 1 3 3\n"), ("b", "Subject: 1\n7\n")]
    np.testing.assert_array_equal(readings.tokens(messages), [[1, 1, 1], [1, 0, 1]])  # of 1, 3, 7
    np.testing.assert_array_equal(readings.tokens(messages, most=2), [[1, 2, 2], [1, 0, 1]])
    np.testing.assert_array_equal(readings.tokens(messages, subject=False), [[1, 1, 0], [0, 0, 1]])


def test_rows_left_when_unknowns_are_overlooked():
    cells = [["?", "1", "x"], ["?", "?", "x"], ["2", "1", "x"], ["2", "?", "x"], ["2", "1", "x"]]
    assert readings.hypothyroid(cells) == ([2, 3, 5], 2)


def test_the_page_is_what_the_results_say():
    assert (HERE.parent / "README.md").read_text(encoding="utf-8") == report.page(Run())


@pytest.mark.skipif(CORE == "twin", reason="the twin takes more than a minute, and a test compares the cores")
@pytest.mark.parametrize("mark", [pytest.param(None, marks=with_data)])
def test_the_quick_version_holds(mark, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "paper", "--quick", "--out", str(tmp_path), "table_1", "table_2", "figure_2", "figure_3"],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE.parent.parent,
    )
    assert ran.returncode == 0, ran.stderr
    assert checks.failures(Run(out=tmp_path)) == []
