"""What the page is made of: stops of its sliders, details, sentences."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

import misieve
from misieve.report import details, prose
from misieve.report.packing import pack
from misieve.report.stops import LEVELS, TOP, WIDEST, epsilons, levels, probability_codes

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")


@pytest.mark.parametrize("unit", ["share", "nats", "bits"])
@pytest.mark.parametrize("chosen", [0.0, 1e-9, 0.0123, 0.97])
def test_thresholds_cover_the_entropy_and_hold_the_chosen_one(make, mixed, unit, chosen):
    made = make(*mixed, unit=unit, epsilon=chosen)
    entropy = made.facts["target"]["entropy"]
    stops = epsilons(made.selection, entropy)
    values, nats = [one.value for one in stops], np.array([one.nats for one in stops])
    assert values == sorted(set(values))
    assert {0.0, chosen} <= set(values)
    assert 75 < len(values) < 90
    inner = nats[(nats > 0) & (np.array(values) != chosen)]
    assert inner[0] == pytest.approx(1e-4 * entropy, rel=0.13)
    assert inner[-1] == pytest.approx(entropy, rel=0.13)
    assert np.diff(np.log(inner)).max() < 0.27  # one in twenty may be away for the chosen one
    place = values.index(chosen)
    np.testing.assert_allclose(nats[place], made.selection.threshold[0], rtol=1e-15)
    assert made.facts["verdict"]["words"].startswith("None") or stops[place].amount in made.facts["verdict"]["words"]


def test_levels_hold_the_chosen_one():
    assert [one.value for one in levels(0.95)] == list(LEVELS)
    some = {one.value: one for one in levels(0.123)}
    assert (some[0.123].text, some[0.123].rest) == ("12.3 %", "87.7 %")


def test_probabilities_survive_their_codes(make, mixed):
    p = make(*mixed).selection.posterior
    thresholds = np.array([0.0, 1e-4, 0.003, 0.02, 0.1, 0.4, 0.6, 2.0])
    codes = probability_codes(p, thresholds).astype(float)
    exact = p.sf(thresholds[:, None])
    back = ndtr(((codes - 1) / (TOP - 2) * 2 - 1) * WIDEST)
    np.testing.assert_allclose(np.where(codes == 0, 0, np.where(codes == TOP, 1, back)), exact, atol=5e-5)
    assert ((codes == 0) == (exact <= 1e-12)).mean() > 0.9
    assert ((exact > 1e-3) & (exact < 0.999)).sum() > 10


def test_many_values_and_classes_are_summed_up():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 60, 3000) ** 2 // 60, rng.integers(0, 25, 3000)
    frame = pd.DataFrame({"x": [f"v{i}" for i in x], "short": [f"v{i % 3}" for i in x]})
    tables = misieve.count(frame, [f"c{i:02d}" for i in y])
    found = details.collect(misieve.select(tables), tables, np.arange(2))
    names = found.labels[found.arrays["pool"][0]]
    assert (len(names), len(found.classes)) == (details.VALUES, details.CLASSES)
    others = len(tables.categories["x"]) - details.VALUES + 1
    assert names[-1] == f"{others} other values"
    assert found.classes[-1] == f"{25 - details.CLASSES + 1} other classes"
    counts = found.arrays["counts"].reshape(-1, details.CLASSES)
    assert counts[: details.VALUES].sum() == counts[details.VALUES :].sum() == 3000
    most = tables["x"].sum(axis=1).max()
    assert counts[0].sum() == most
    assert names[0] == tables.categories["x"][int(tables["x"].sum(axis=1).argmax())]
    assert found.labels[found.arrays["pool"][1]] == ["v0", "v1", "v2"]
    assert found.arrays["overall"].sum() == 3000


def test_densities_lie_where_the_posterior_does(make, mixed):
    made = make(*mixed)
    found = details.collect(made.selection, made.tables, np.arange(len(made.tables))).arrays
    strong = made.tables.features.index("strong")
    heights = found["density"][strong].astype(float)
    steps = (np.arange(details.POINTS) + 0.5) / details.POINTS
    x = found["left"][strong] + (found["right"][strong] - found["left"][strong]) * steps
    mean = (heights * x).sum() / heights.sum()
    assert mean == pytest.approx(made.selection.mean[strong], rel=0.01)
    for name in ("same", "gone"):
        place = made.tables.features.index(name)
        assert found["right"][place] == found["left"][place] == 0


def test_details_go_to_the_features_that_matter(make, monkeypatch):
    monkeypatch.setattr(details, "MOST", 5)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500)
    X = np.where(rng.random((500, 30)) < np.r_[np.zeros(27), 0.5, 0.6, 0.7], y[:, None], rng.integers(0, 2, (500, 30)))
    made = make(X, y)
    chosen = details.chosen_features(made.facts, made.selection)
    assert len(chosen) == 5
    assert set(np.flatnonzero(made.selection.support)) <= set(chosen)
    assert list(chosen) == sorted(chosen)


def test_bins_as_people_write_them():
    assert details.bins_in_words(np.array([1.5, 2.0])) == ["up to 1.5", "1.5 to 2", "above 2"]
    assert details.bins_in_words(np.array([])) == ["all values"]
    assert details.bins_in_words(np.array([1.0, 1.0 + 1e-9]))[1] == "1 to 1.000000001"


def test_arrays_of_unknown_type_are_not_packed():
    with pytest.raises(AssertionError, match="i8"):
        pack({}, {"a": np.arange(3)})


@pytest.mark.parametrize(
    ("missing", "words"),
    [("model", "incomplete samples"), ("pairwise", "for this feature alone"), ("category", "a value of its own")],
)
def test_missing_values_in_words(make, mixed, missing, words):
    told = prose.how_missing(make(*mixed, missing=missing).facts)
    assert words in " ".join(told["sentences"])
    assert told["sentences"][0] == "2 of 9 features have missing values."
    assert told["worst"][0]["name"] == "gone"
    assert told["worst"][0]["share"] == "100 %"


def test_nothing_is_missing_in_words(make):
    told = prose.how_missing(make(np.arange(40)[:, None] % 3, np.arange(40) % 2).facts)
    assert told == {"sentences": ["No value is missing, neither in the features nor in the target."], "worst": [], "more": 0}


def test_what_was_read_in_words(make, mixed):
    X, y = mixed
    read = [{"column": "weak", "type": "whole numbers", "missing": 0, "note": "looks like a code"}]
    made = make(X, [None if i < 5 else one for i, one in enumerate(y)], read=read, target="y")
    told = prose.what_was_read(made.facts)
    assert ("Rows without a class", "5") in told["pairs"]
    assert told["notes"] == ["weak: looks like a code"]
    assert {"name": "whole numbers", "count": 1, "columns": ["weak"]} in told["types"]
    assert sum(one["count"] for one in told["types"]) == 9
    assert prose.read_in_words(made.facts) == "600 rows, 9 features, 2 classes"


def test_many_classes_are_summed_up_in_words(make):
    y = np.repeat([f"c{i:02d}" for i in range(20)], 10)
    shown = prose.what_was_read(make(np.arange(200)[:, None] % 3, y).facts)["classes"]
    assert shown[-1] == {"value": "8 other classes", "rows": "80", "share": "40 %"}


def test_columns_and_gaps_that_are_not_listed_are_counted(make):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(["a", "b", None], (40, 60)))
    facts = make(X, np.arange(40) % 2).facts
    (categories,) = prose.what_was_read(facts)["types"]
    assert (categories["count"], categories["columns"]) == (60, [str(i) for i in range(prose.NAMES)])
    told = prose.how_missing(facts)
    assert (len(told["worst"]), told["more"]) == (prose.LISTED, 60 - prose.LISTED)


def test_the_method_warns_of_cuts_only_where_there_are_some(make, mixed):
    facts = make(*mixed).facts
    assert "somewhat optimistic" in prose.method(facts, cut=True)
    assert "optimistic" not in prose.method(facts, cut=False)
