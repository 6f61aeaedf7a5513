"""The report in a real browser: it decides as Python does, finds, orders, pages, and shows the table of a feature."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from visits import packed

import misieve
from misieve.report import build_page
from misieve.report.prose import in_words

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")


@pytest.fixture(scope="module")
def graded(make):
    """Sixty features of all strengths, some of many values, with some values missing."""
    rng = np.random.default_rng(5)
    n, y = 400, rng.integers(0, 3, 400)
    columns = {}
    for i in range(60):
        values = int(rng.choice([2, 3, 8, 40]))
        told = np.where(rng.random(n) < (i / 70) ** 2, y, rng.integers(0, values, n))
        columns[f"f{i}"] = pd.Series(told).mask(rng.random(n) < 0.1 * (i % 3))
    return make(pd.DataFrame(columns).astype("Int64").astype(object), y, rule="forward", epsilon=0.0123)


#: Move the controls to each of many places and read which features are kept.
WALK = """async ([rules, stops, levels]) => {
  const pause = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const put = (id, value, kind) => {
    const e = document.getElementById(id);
    if (e.value === String(value)) return;
    e.value = value;
    e.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  const found = [];
  for (const rule of rules) for (const stop of stops) for (const level of levels) {
    put('rule', rule, 'change'); put('epsilon', stop, 'input'); put('level', level, 'input');
    await pause();
    found.push([rule, stop, level, document.getElementById('names').textContent.split('\\n').filter(Boolean),
                document.getElementById('sentence').textContent, document.getElementById('count-undecided').textContent]);
  }
  return found;
}"""


def doubtful(selection: Any) -> set[str]:
    """Features that a probability within a thousandth of its bound may put on either side."""
    p, level = selection.probability, selection.level
    names = np.array(selection.features, object)
    if selection.rule in {"forward", "backward"}:
        return set(names[np.abs(p - (level if selection.rule == "forward" else 1 - level)) < 0.001])
    if selection.rule == "fdr":
        order = np.argsort(1 - p, kind="stable")
        share = np.cumsum(1 - p[order]) / np.arange(1, len(p) + 1)
        return set(names[order[np.abs(share - (1 - level)) < 0.001]])
    return set()


def test_the_page_decides_as_python_does(graded, visit):
    html = build_page(*graded)
    state = packed(html)
    opened = visit(html)
    opened.page.select_option("#size", "10")
    stops = sorted({0, state["stop"], *range(5, len(state["stops"]), 11)})
    levels = sorted({0, state["level"], len(state["levels"]) - 1})
    rules = ["forward", "backward", "empirical", "fdr"]
    counts = set()
    for rule, stop, level, kept, sentence, undecided in opened.page.evaluate(WALK, [rules, stops, levels]):
        epsilon, sure = state["stops"][stop]["value"], state["levels"][level]["value"]
        expected = misieve.select(graded.selection.posterior, rule=rule, epsilon=epsilon, level=sure)
        assert set(kept) ^ set(expected.kept) <= doubtful(expected), (rule, epsilon, sure)
        stated = {"rule": rule, "level": sure, "nats": state["stops"][stop]["nats"], "share": epsilon}
        assert sentence == in_words(len(kept), 60, stated)
        p, bound = expected.probability, max(sure, 1 - sure)
        near = np.minimum(np.abs(p - bound), np.abs(p - (1 - bound))) < 0.001
        assert abs(int(undecided) - ((p > 1 - bound) & (p < bound)).sum()) <= near.sum()
        counts.add(len(kept))
    assert len(counts) > 20


def test_chosen_settings_stand_exactly_where_they_were_chosen(graded, visit):
    html = build_page(*graded)
    state = packed(html)
    assert state["stops"][state["stop"]]["value"] == 0.0123
    opened = visit(html)
    shown = opened.page.locator("#table tbody tr").evaluate_all(
        "rows => rows.map(r => [r.querySelector('button').textContent, r.querySelector('.pill').className, "
        "r.querySelector('.reason').textContent, r.querySelector('.interval').textContent])"
    )
    by_name = {one["name"]: one for one in graded.facts["features"]}
    scale = graded.facts["target"]["entropy"] / 100
    assert len(shown) == 25
    for name, pill, reason, interval in shown:
        assert ("kept" in pill) == by_name[name]["kept"]
        assert reason == by_name[name]["reason"]
        low, high = (value / scale for value in by_name[name]["interval"])
        assert [float(v) for v in interval.split(" to ")] == pytest.approx([low, high], rel=0.006)


def test_intervals_at_other_levels_are_near_the_quantiles(graded, visit):
    html = build_page(*graded)
    state = packed(html)
    opened = visit(html)
    scale = graded.facts["target"]["entropy"] / 100
    for level in (0.8, 0.99):
        opened.move("level", [one["value"] for one in state["levels"]].index(level))
        exact = misieve.select(graded.selection.posterior, level=level).interval
        for row in opened.page.locator("#table tbody tr").all()[:12]:
            place = graded.selection.features.index(row.locator("button").text_content())
            found = [float(v) for v in row.locator(".interval").text_content().split(" to ")]
            assert found == pytest.approx([end[place] / scale for end in exact], rel=0.02)


def test_at_least_so_many(make, mixed, visit):
    made = make(*mixed, epsilon=0.9, min_features=4, law="gamma", independence=0.3)
    opened = visit(build_page(*made))
    assert opened.text("#count-kept") == "4"
    assert opened.page.locator("#names").text_content().split("\n") == [str(name) for name in made.selection.kept]
    assert ", kept as one of the best" in opened.page.locator("#table").text_content()
    opened.move("epsilon", 0)
    assert int(opened.text("#count-kept")) >= 4
    opened.move("epsilon", 60)
    opened.page.select_option("#rule", "empirical")
    again = eval(opened.page.locator("#call").text_content(), {"misieve": misieve, "tables": made.tables})
    assert again.posterior.law == "gamma"
    assert opened.page.locator("#names").text_content().split("\n") == list(again.kept)
    said = opened.page.locator("#options").text_content()
    assert said == f"--rule empirical --epsilon {again.epsilon:g} --unit share --level 0.95"


def test_search_filter_order_and_pages(graded, visit):
    opened = visit(build_page(*graded))
    page = opened.page
    ranked = [one["name"] for one in sorted(graded.facts["features"], key=lambda one: one["rank"])]
    assert opened.names() == ranked[:25]
    page.click("#next")
    page.click("#next")
    assert opened.names() == ranked[50:]
    assert page.locator("#next").is_disabled()
    page.select_option("#size", "100")
    assert opened.names() == ranked
    page.fill("#search", "F1")
    assert opened.names() == [name for name in ranked if name.startswith("f1")]
    page.fill("#search", "nothing")
    assert opened.names() == []
    assert "No feature" in opened.text("#range")
    page.fill("#search", "")
    page.select_option("#filter", "kept")
    assert set(opened.names()) == set(graded.selection.kept)
    page.select_option("#filter", "dropped")
    assert set(opened.names()) == set(ranked) - set(graded.selection.kept)
    page.select_option("#filter", "all")
    page.select_option("#sort", "name")
    assert opened.names() == sorted(ranked)
    page.select_option("#sort", "missing")
    missing = {one["name"]: one["missing"] for one in graded.facts["features"]}
    assert [missing[name] for name in opened.names()] == sorted(missing.values(), reverse=True)


def test_details_are_those_of_the_table(graded, visit):
    opened = visit(build_page(*graded))
    page = opened.page
    page.fill("#search", "f59")
    page.get_by_role("button", name="f59").click()
    page.locator("#profile svg").wait_for()
    assert opened.text("#detail-name") == "f59"
    rows = page.locator("#counts tbody tr").evaluate_all(
        "rows => rows.map(r => [...r.cells].map(c => c.firstChild?.textContent ?? ''))"
    )
    table = graded.tables["f59"]
    assert [[float(v) for v in row[1:4]] for row in rows[: len(table)]] == table.tolist()
    assert rows[-2][0] == "missing"
    assert [float(v) for v in rows[-2][1:4]] == graded.tables.missing["f59"].by_class.tolist()
    assert rows[-1][:4] == ["all rows", *map(str, graded.tables.class_counts.tolist())]
    for part in ("intervals", "density", "profile"):
        assert page.locator(f"#{part}").get_attribute("role") == "img"
        assert len(page.locator(f"#{part}").get_attribute("aria-label")) > 40
