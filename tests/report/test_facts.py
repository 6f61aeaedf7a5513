import json
from importlib import resources

import jsonschema
import numpy as np
import pytest

import misieve
from misieve.report.plain import plain

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")

SCHEMA = json.loads(resources.files("misieve.report").joinpath("facts.schema.json").read_text())


def kinds(facts):
    return {one["kind"]: one for one in facts["warnings"]}


@pytest.fixture(scope="module")
def made(make, mixed):
    return make(*mixed)


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("rule", ["forward", "backward", "empirical", "fdr"])
def test_facts_follow_the_schema_and_are_json(make, mixed, rule):
    facts = make(*mixed, rule=rule, epsilon=0.01, unit="bits").facts
    again = json.loads(json.dumps(facts, allow_nan=False))
    jsonschema.validate(again, SCHEMA)
    assert again == facts


def test_features_say_what_the_selection_says(made):
    facts, selection, tables = made
    assert [one["name"] for one in facts["features"]] == list(selection.features)
    assert [one["kept"] for one in facts["features"]] == selection.support.tolist()
    assert [one["reason"] for one in facts["features"]] == list(selection.reason)
    np.testing.assert_array_equal([one["probability"] for one in facts["features"]], selection.probability)
    np.testing.assert_array_equal([one["interval"] for one in facts["features"]], np.transpose(selection.interval))
    assert [one["values"] for one in facts["features"]] == [len(own) for own in tables.categories.values()]
    by_rank = sorted(facts["features"], key=lambda one: one["rank"])
    assert [one["mean"] for one in by_rank] == sorted(selection.mean, reverse=True)


def test_the_verdict_adds_up(made):
    verdict = made.facts["verdict"]
    assert verdict["kept"] + verdict["dropped"] == verdict["features"] == 9
    assert verdict["kept"] == len(made.selection.kept)
    assert verdict["words"].startswith(f"{verdict['kept']} of 9 features are kept: ")


def test_what_could_not_be_assessed_is_marked(make, mixed):
    X, y = mixed
    X = X.assign(flat=np.random.default_rng(0).normal(size=len(y)))
    facts = make(X, y).facts
    reasons = {one["name"]: one["reason"] for one in facts["features"] if not one["assessed"]}
    assert reasons == {"same": "constant", "gone": "all missing", "flat": "no cut tells the classes apart"}
    assert facts["verdict"]["not_assessed"] == 3
    one_class = make(X, ["a"] * len(y)).facts
    assert one_class["verdict"]["not_assessed"] == len(one_class["features"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"epsilon": 0.8}, "1 of 9 features is kept: its mutual information"),
        ({"epsilon": 5.0, "unit": "nats"}, "None of 9 features is kept."),
        ({"rule": "fdr", "level": 0.9}, "of such a set at most 10 % are expected"),
        ({"rule": "backward"}, "it is not 95 % sure that their"),
        ({"rule": "empirical"}, "however sure that is"),
    ],
)
def test_the_verdict_in_words(make, mixed, options, words):
    assert words in make(*mixed, **options).facts["verdict"]["words"]


def test_the_threshold_in_all_units(make, mixed):
    facts = make(*mixed, epsilon=0.02, unit="share").facts
    threshold, entropy = facts["threshold"], facts["target"]["entropy"]
    assert threshold["nats"] == pytest.approx(0.02 * entropy, rel=1e-15)
    assert threshold["bits"] == pytest.approx(threshold["nats"] / np.log(2), rel=1e-15)
    assert threshold["share"] == pytest.approx(0.02, rel=1e-15)


def test_what_is_missing_comes_from_reading_or_from_the_tables(make, mixed):
    X, y = mixed
    counted = {one["name"]: one["missing"] for one in make(X, y).facts["features"]}
    assert counted == X.isna().sum().to_dict()
    for missing in ("pairwise", "category"):
        assert {one["name"]: one["missing"] for one in make(X, y, missing=missing).facts["features"]} == counted
    read = [{"column": "holes", "type": "text", "missing": 7}, {"column": "y", "type": "text", "missing": 3}]
    facts = make(X, y, read=read).facts
    holes = next(one for one in facts["features"] if one["name"] == "holes")
    assert (holes["missing"], holes["type"]) == (7, "text")
    assert facts["target"]["missing"] == 3


def test_rows_without_a_class_are_counted(make, mixed):
    X, y = mixed
    facts = make(X, [None if i < 5 else one for i, one in enumerate(y)]).facts
    assert facts["target"]["missing"] == 5
    assert facts["target"]["rows"] == len(y) - 5


def test_cautions_name_what_is_wrong(made):
    said = kinds(made.facts)
    assert said["identifier"]["features"] == ["codes"]
    assert said["noise"]["features"] == ["noise"]
    assert said["constant"]["features"] == ["same"]
    assert said["all-missing"]["features"] == ["gone"]
    assert said["too-good"]["features"] == ["leak"]
    assert said["missing-tells"]["features"] == ["holes"]
    assert "of the rows of class 'good'" in said["missing-tells"]["text"]
    assert '--missing category (missing="category" in Python)' in said["missing-tells"]["text"]
    assert "a feature of 64 values" in said["noise"]["text"]


def test_many_values_that_tell_something(make):
    rng = np.random.default_rng(0)
    city = rng.integers(0, 60, 600)
    y = (rng.random(600) < np.where(city % 3 == 0, 0.9, 0.2)).astype(int)
    said = kinds(make(np.array([[f"c{i}"] for i in city], object), y).facts)
    assert said["many-values"]["features"] == ["x0"]
    assert "has 60, 10.0 rows each" in said["many-values"]["text"]


def test_targets_that_need_a_word(make):
    X = np.arange(200)[:, None] % 3
    assert "single class, 'a'" in kinds(make(X, ["a"] * 200).facts)["one-class"]["text"]
    rare = kinds(make(X, [1] * 6 + [0] * 194).facts)["rare-class"]["text"]
    assert "'1' is rare: 6 rows of 200 (3 %)" in rare
    few = kinds(make(X[:20], [0, 1] * 10).facts)["rare-class"]["text"]  # which are not rare, there are few of all
    assert "has only 10 rows, of 20 in all" in few
    assert "100 classes" in kinds(make(X, np.arange(200) // 2).facts)["many-classes"]["text"]


def test_one_class_keeps_nothing_and_says_so_once(make):
    facts = make(np.arange(20)[:, None] % 3, ["a"] * 20).facts
    jsonschema.validate(facts, SCHEMA)
    assert facts["threshold"]["share"] is None
    assert list(kinds(facts)) == ["one-class"]


def test_what_was_said_on_the_way_comes_first(make, mixed):
    facts = make(*mixed, warnings=["column 'a' has 3 kinds of dates"]).facts
    assert facts["warnings"][0] == {"kind": "said", "text": "column 'a' has 3 kinds of dates", "features": [], "count": 0}


def test_names_and_classes_become_text(make):
    X, y = np.arange(40)[:, None] % 2, np.arange(40) % 4 // 2
    frame = misieve.count(X, y)
    facts = make(X, y.astype(bool)).facts
    assert [one["value"] for one in facts["target"]["classes"]] == ["False", "True"]
    assert frame.features == ("x0",)
    assert plain({1: np.int64(3), "a": np.array([np.nan, 1.0]), "b": {2.5}, "c": object}) == {
        "1": 3,
        "a": [None, 1.0],
        "b": [2.5],
        "c": "<class 'object'>",
    }


def test_weights_give_weights(make, mixed):
    X, y = mixed
    selector = misieve.MISelector().fit(X, y, sample_weight=np.full(len(y), 0.1))
    from misieve.report import build_facts

    facts = build_facts(
        selector.selection_, selector.tables_, data={"source": "a", "rows": 600, "target": "y"}, settings={}, reproduce={}
    )
    jsonschema.validate(facts, SCHEMA)
    assert facts["target"]["rows"] == pytest.approx(60.0)
    assert facts["target"]["missing"] is None
    assert facts["features"][0]["missing"] == 0.0
