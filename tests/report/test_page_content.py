"""The report of all sorts of tables and names, of one feature, of none and of 20,000."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from visits import packed

import misieve
from misieve.report import build_page

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")

#: Names that a page could take for something else than text.
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><b>x</b>",
    "<!--",
    "a\u2028b\u2029c",
    "'\"`${1}&amp;",
    "<img src=x onerror=alert(1)>",
    "n" * 500,
    "]]>",
    "\u202eright to left",
    "{{ 7 * 7 }}",
    "tab\tand\nline",
    "é世界🙂",
    "",
    "../a.b[0]",
]


def test_names_are_text(make, visit):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    columns = {name: np.where(rng.random(300) < 0.3, "<i>a</i>", np.where(y == 1, "</td>b", "c" * 300)) for name in HOSTILE}
    names = ["</script><script>alert(2)</script>", "<b>bold</b>"]
    target = "<u>target</u>\u2028"
    made = make(pd.DataFrame(columns), np.array(names)[y], target=target, warnings=["<i>said</i>"])
    opened = visit(build_page(*made))
    assert set(opened.names()) == {name or "(no name)" for name in HOSTILE}
    assert "<u>target</u>" in opened.text("h1")
    assert "<i>said</i>" in opened.text("#cautions")
    for row in range(len(HOSTILE)):
        opened.page.locator("#table tbody button").nth(row).click()
        opened.settle()
        assert opened.page.locator("#detail-name").text_content() in {*HOSTILE, "(no name)"}
    assert "<i>a</i>" in opened.text("#counts")
    assert "</script><script>alert(2)</script>" in opened.text("#counts")
    opened.page.locator("#intervals .mark-symbol path").first.hover()
    for tag in ("#features b", "#features i", "h1 u", "#cautions i", "img", "#vg-tooltip-element b"):
        assert opened.page.locator(tag).count() == 0, tag
    assert opened.page.locator("script").count() == 2


@pytest.mark.slow
def test_twenty_thousand_features(make, visit, capsys):
    rng = np.random.default_rng(0)
    n, p = 300, 20_000
    y = rng.integers(0, 2, n)
    X = np.where(
        rng.random((n, p)) < np.r_[np.linspace(0.9, 0.1, 500), np.zeros(p - 500)], y[:, None], rng.integers(0, 4, (n, p))
    )
    made = make(X, y)
    html = build_page(*made)
    opened = visit(html)
    with capsys.disabled():
        print(f"\n20,000 features: {len(html) / 1e6:.2f} MB, ready after {opened.seconds:.2f} s")
    assert len(html.encode()) < 10e6
    assert opened.seconds < 15  # on any machine; two seconds is the aim where nothing else runs
    page = opened.page
    assert page.locator("#table tbody tr").count() == 25
    page.fill("#search", "x1999")
    assert opened.names() == sorted(
        ["x1999", *(f"x1999{i}" for i in range(10))], key=lambda name: made.facts["features"][int(name[1:])]["rank"]
    )
    page.get_by_role("button", name="x19993").click()
    opened.settle()
    assert "1,000 of 20,000 features" in opened.text("#detail-none")
    page.fill("#search", "")
    start = page.evaluate("performance.now()")
    opened.move("epsilon", 30)
    assert page.evaluate("performance.now()") - start < 5000
    with_fdr = misieve.select(made.selection.posterior, rule="fdr", epsilon=packed(html)["stops"][30]["value"])
    page.select_option("#rule", "fdr")
    opened.settle()
    assert page.locator("#names").text_content().split("\n") == list(with_fdr.kept)


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Tables of every sort."""
    rng = np.random.default_rng(1)
    n = 200
    y = rng.integers(0, 2, n)
    number = rng.normal(y, 1.0, n)
    text = np.array(["a", "b", "c"], object)[rng.integers(0, 3, n)]
    holes = np.where(rng.random(n) < 0.2, None, text)
    frame = pd.DataFrame({"number": number, "text": text, "holes": holes})
    yield "cut", {"X": frame, "y": y}
    yield "one feature", {"X": frame[["number"]], "y": y}
    yield "one class", {"X": frame, "y": np.zeros(n, int)}
    yield "nothing kept", {"X": frame, "y": rng.permutation(y), "epsilon": 5.0, "unit": "nats"}
    yield "everything kept", {"X": frame, "y": y, "epsilon": 0.0, "rule": "backward", "level": 0.9999, "unit": "bits"}
    yield "low level", {"X": frame, "y": y, "level": 0.3, "rule": "empirical"}
    yield "missing category", {"X": frame, "y": y, "missing": "category"}
    yield "missing pairwise", {"X": frame, "y": y, "missing": "pairwise"}
    yield "missing classes", {"X": frame, "y": np.where(rng.random(n) < 0.1, None, y.astype(object))}
    yield "200 classes", {"X": frame, "y": [f"c{i:03d}" for i in range(n)]}
    yield "many values", {"X": pd.DataFrame({"id": [f"i{i}" for i in range(n)], "c": rng.integers(0, 60, n)}), "y": y}
    yield "normal law", {"X": frame, "y": y, "law": "normal"}
    yield "no atom", {"X": frame, "y": y, "independence": 0.0, "law": "beta", "variance": "series", "unit": "nats"}


CASES = dict(cases())


@pytest.mark.parametrize("name", CASES)
def test_tables_of_every_sort(make, visit, name):
    made = make(**CASES[name])
    opened = visit(build_page(*made))
    assert opened.text("#sentence") == made.facts["verdict"]["words"]
    assert opened.text("#count-kept") == str(made.facts["verdict"]["kept"])
    assert opened.text("#count-undecided") == str(made.facts["verdict"]["undecided"])
    for row in range(len(made.facts["features"])):
        opened.page.locator("#table tbody button").nth(row).click()
        opened.settle()
        assert opened.page.locator("#counts tbody tr").count() <= 22
    opened.move("epsilon", 0)
    opened.move("level", 1)


def test_weights_and_sparse_tables(visit):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 150)
    X = sparse.csr_array((rng.random((150, 40)) < 0.1 + 0.3 * y[:, None]).astype(float))
    selector = misieve.MISelector().fit(X, y, sample_weight=rng.random(150))
    facts = misieve.report.build_facts(
        selector.selection_, selector.tables_, data={"source": "a", "rows": 150, "target": "y"}, settings={}, reproduce={}
    )
    opened = visit(build_page(facts, selector.selection_, selector.tables_))
    assert opened.text("#sentence") == facts["verdict"]["words"]
    assert "Weight of the rows" in opened.page.locator("main").inner_text()


def test_no_features_at_all(visit):
    y = np.arange(10) % 2
    tables = misieve.count(pd.DataFrame({"a": y}), y).take(np.array([], np.int64))
    selection = misieve.select(tables)
    facts = misieve.report.build_facts(
        selection, tables, data={"source": "a", "rows": 10, "target": "y"}, settings={}, reproduce={}
    )
    opened = visit(build_page(facts, selection, tables))
    assert opened.text("#sentence") == "There are no features."
    assert not opened.page.locator("#features").is_visible()


def test_only_some_names_are_there_without_scripts(browser, make, monkeypatch, tmp_path, visit):
    monkeypatch.setattr("misieve.report.page.NAMES", 2)
    y = np.arange(100) % 2
    html = build_page(*make(np.stack([y] * 5, axis=1), y))
    path = tmp_path / "still.html"
    path.write_text(html, encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("#names").inner_text() == "x0\nx1\nand 3 others"
    context.close()
    assert visit(html).page.locator("#names").text_content() == "x0\nx1\nx2\nx3\nx4"


def test_nothing_is_claimed_of_what_could_not_be_assessed(make, mixed, visit):
    X, y = mixed
    made = make(X.assign(flat=np.random.default_rng(0).normal(size=len(y))), y)
    opened = visit(build_page(*made))
    page = opened.page
    probable = [one["name"] for one in made.facts["features"] if one["independence"] >= 0.95 and one["assessed"]]
    assert opened.text("#count-independent") == str(len(probable))
    assert opened.text("#count-not-assessed") == "3"
    said = {"flat": ("–", "no proof of independence"), "gone": ("–", "nothing is known"), "same": ("0", "it can tell nothing")}
    for name, (mean, words) in said.items():
        row = page.locator("#table tbody tr").filter(has=page.get_by_role("button", name=name, exact=True))
        cells = [row.locator(f".{cell}").text_content() for cell in ("mean", "interval", "independence")]
        assert cells == [mean, "–", "–"]
        row.locator("button").click()
        opened.settle()
        assert words in opened.text("#density-note")
        assert "P(" not in opened.text("#detail-facts")
        assert "Quantiles" not in opened.text("#detail-facts")
    assert "0.000" not in opened.text("#table")
    assert "5 % to 95 %" in opened.text("#table thead")
    page.locator("#intervals svg").wait_for()
    drawn = page.locator("#intervals svg").text_content()
    assert all(reason in drawn for reason in ("no cut tells the classes apart", "all missing", "constant", "⚠ leak"))


def test_features_that_a_caution_names_are_marked(make, mixed, visit):
    opened = visit(build_page(*make(*mixed)))
    page = opened.page
    marked = page.locator("#table tbody tr").filter(has=page.locator("span.caution")).locator("button").all_text_contents()
    assert set(marked) == {"leak", "codes", "holes"}
    page.get_by_role("button", name="leak").click()
    opened.settle()
    assert "'leak' alone tells at least" in opened.text("#detail-cautions")
    page.get_by_role("button", name="strong").click()
    opened.settle()
    assert opened.text("#detail-cautions") == ""


def test_shares_above_all_are_explained(make, visit):
    y = np.array([0] * 190 + [1] * 10)  # so few of a class that the entropy itself is uncertain
    X = pd.DataFrame({"told": np.where(y == 1, "a", "b"), "rest": ["a", "b"] * 100})
    made = make(X, y)
    entropy = made.facts["target"]["entropy"]
    told, rest = (one["interval"][1] / entropy for one in made.facts["features"])
    assert rest < 1 < told
    opened = visit(build_page(*made))
    words = "true entropy may be greater"
    assert words in opened.text("#intervals-note")
    for name, there in (("told", True), ("rest", False)):
        opened.page.get_by_role("button", name=name).click()
        opened.settle()
        assert (words in opened.page.locator("#detail-above").text_content()) == there


def test_a_browser_too_old_for_it_is_told(browser, sampled, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(sampled, encoding="utf-8")
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(path.as_uri())
    page.locator("#broken").wait_for()
    assert page.locator("#sentence").inner_text().startswith("20 of 32 features are kept")
    page.close()


def test_what_was_decided_can_be_read_without_scripts(browser, sampled, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(sampled, encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    text = page.locator("main").inner_text()
    for words in ("20 of 32 features are kept", "need JavaScript", "What missing values did", "misieve select", "UAI"):
        assert words in text
    assert "somewhat optimistic" in text  # about the numbers that MDL cut
    kept = page.locator("#names").inner_text().split("\n")
    assert len(kept) == 20
    assert {"worst perimeter", "mean texture"} <= set(kept)
    assert not page.locator("#controls").is_visible()
    context.close()
