"""Sentences of the report: the verdict, what was read, what missing values did, and the method."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["NOT_ASSESSED", "PHRASES", "RULES_IN_WORDS", "how_missing", "in_words", "method", "read_in_words", "what_was_read"]

#: Why features are kept, by rule; the page fills the same phrases in when its sliders move.
PHRASES = {
    "forward": "their mutual information with the target exceeds {amount}, with a probability of at least {level}",
    "backward": "it is not {level} sure that their mutual information with the target is at most {amount}",
    "empirical": "their estimated mutual information with the target exceeds {amount}, however sure that is",
    "fdr": "of such a set at most {rest} are expected not to exceed {amount}",
}

#: What each rule does, for the page's control.
RULES_IN_WORDS = {
    "forward": "forward: keep what surely matters",
    "backward": "backward: drop what surely does not",
    "fdr": "fdr: limit the false discoveries",
    "empirical": "empirical: estimates alone",
}

#: What is known of a feature that could not be assessed, by its reason; of no other is it said that it tells nothing.
NOT_ASSESSED = {
    "all missing": "No value was seen: nothing is known of it.",
    "constant": "It has one value wherever it was seen: it can tell nothing.",
    "no cut tells the classes apart": (
        "No cut was found: MDL saw no split of these numbers worth its cost. This is no proof of independence: try "
        "--discretize 2 (discretize=2 in Python)."
    ),
    "the target has one class": "The target has a single class: there is nothing to tell.",
}

#: Columns and notes that are listed one by one, and names of columns of one type.
LISTED, NAMES = 12, 48


def in_words(kept: int, total: int, threshold: Mapping[str, Any]) -> str:
    """The verdict in one sentence."""
    if not kept:
        none = f"None of {total:,} features is kept." if total > 1 else "The only feature is not kept."
        return none if total else "There are no features."
    many = f"{kept:,} of {total:,} features " + ("is" if kept == 1 else "are") if total > 1 else "The only feature is"
    share = threshold["share"]
    amount = f"{threshold['nats']:.3g} nats" + ("" if share is None else f", {100 * share:.3g} % of the target's entropy")
    why = PHRASES[threshold["rule"]].format(
        amount=amount, level=f"{100 * threshold['level']:g} %", rest=f"{100 * (1 - threshold['level']):.3g} %"
    )
    if kept == 1:
        why = why.replace("their ", "its ")
    return f"{many} kept: {why}."


def read_in_words(facts: Mapping[str, Any]) -> str:
    """One line under the title."""
    data, target, features = facts["data"], facts["target"], facts["features"]
    rows = f"{data['rows']:,} rows, " if data.get("rows") is not None else ""
    return f"{rows}{_many(len(features), 'feature')}, {_many(len(target['classes']), 'class', 'classes')}"


def what_was_read(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Labels with their values, the classes, which columns are of which type, and notes."""
    data, target = facts["data"], facts["target"]
    pairs = [("Source", data["source"])]
    if data.get("format"):
        pairs.append(("Format", data["format"]))
    if data.get("rows") is not None:
        pairs.append(("Rows", f"{data['rows']:,}"))
    weighted = isinstance(target["rows"], float) and data.get("rows") not in {None, target["rows"]}
    pairs.append(("Target", target["name"]))
    if weighted:
        pairs.append(("Weight of the rows", _number(target["rows"])))
    if target["missing"]:
        pairs.append(("Rows without a class", f"{target['missing']:,}"))
    pairs.append(("Entropy of the target", f"{target['entropy']:.3g} nats"))
    if data.get("excluded"):
        pairs.append(("Left out on request", _listed(data["excluded"])))
    total = target["rows"] or 1
    classes = sorted(target["classes"], key=lambda one: -one["rows"])
    shown = [
        {"value": one["value"], "rows": _number(one["rows"]), "share": f"{100 * one['rows'] / total:.3g} %"}
        for one in classes[:LISTED]
    ]
    if len(classes) > LISTED:
        rest = sum(one["rows"] for one in classes[LISTED:])
        shown.append(
            {
                "value": f"{len(classes) - LISTED:,} other classes",
                "rows": _number(rest),
                "share": f"{100 * rest / total:.3g} %",
            }
        )
    types: dict[str, list[str]] = {}
    for one in facts["features"]:
        types.setdefault(one["type"], []).append(one["name"])
    notes = [str(note) for note in data.get("notes") or ()]
    notes += [f"{one['column']}: {one['note']}" for one in data.get("read") or () if one.get("note")]
    return {
        "pairs": pairs,
        "classes": shown,
        "types": [
            {"name": name, "count": len(own), "columns": own[:NAMES]}
            for name, own in sorted(types.items(), key=lambda one: -len(one[1]))
        ],
        "notes": notes[: 8 * LISTED],
        "more": max(len(notes) - 8 * LISTED, 0),
    }


#: What each treatment of missing values does with them.
TREATMENTS = {
    "model": (
        "Rows in which a feature or the class is missing are kept as incomplete samples: what is known of them still informs "
        "the posterior, and what is unknown widens it. This takes for granted that values are missing at random."
    ),
    "pairwise": (
        "Each feature was judged by the rows in which both it and the class are known; the others were left out for this "
        "feature alone. This takes for granted that values are missing at random."
    ),
    "category": "Being missing counts as a value of its own, so that it can tell about the target as any other value can.",
    "error": "Missing values were not allowed.",
}


def how_missing(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What missing values did: sentences, and the features that lack most."""
    lacking = [one for one in facts["features"] if one["missing"]]
    target = facts["target"]
    sentences = []
    if not lacking and not target["missing"]:
        return {"sentences": ["No value is missing, neither in the features nor in the target."], "worst": [], "more": 0}
    if lacking:
        sentences.append(
            f"{len(lacking):,} of {_many(len(facts['features']), 'feature')} {_have(len(lacking))} missing values."
        )
    if target["missing"]:
        sentences.append(f"The class is missing in {_many(target['missing'], 'row')}.")
    treatment = TREATMENTS.get(str(facts["settings"].get("missing")))
    if treatment:
        sentences.append(treatment)
    total = facts["data"].get("rows") or target["rows"] or 1
    worst = sorted(lacking, key=lambda one: -one["missing"])[:LISTED]
    return {
        "sentences": sentences,
        "more": len(lacking) - len(worst),
        "worst": [
            {
                "name": one["name"],
                "missing": _number(one["missing"]),
                "share": f"{100 * one['missing'] / total:.3g} %",
                "fraction": min(one["missing"] / total, 1.0),
            }
            for one in worst
        ],
    }


def method(facts: Mapping[str, Any], *, cut: bool) -> str:
    """The method in one paragraph; ``cut``: whether MDL found cut points in some numbers."""
    settings = facts["settings"]
    prior, law = settings.get("prior", "uniform"), settings.get("law", "noncentral-beta")
    rule = {
        "forward": "The forward rule keeps a feature if P(I > ε) reaches the level: only what surely matters.",
        "backward": "The backward rule drops a feature if P(I ≤ ε) reaches the level: it keeps all that may matter.",
        "empirical": "The empirical rule compares the plug-in estimate with ε and ignores how uncertain it is.",
        "fdr": "The fdr rule keeps the largest set of which on average at most 1 − level do not exceed ε.",
    }[facts["threshold"]["rule"]]
    atom = (
        " A point mass at I = 0 stands for independence; without it, noise with many values would pass any threshold."
        if settings.get("independence", "auto") != 0.0
        else ""
    )
    optimistic = (
        " Cut points of numbers were chosen by MDL where they tell the classes of these very rows apart, and are then taken "
        "for given: for numbers that were cut the probabilities are somewhat optimistic, most where there are few rows."
        if cut
        else ""
    )
    return (
        "The mutual information I between a feature and the target says how much of what is uncertain about the target goes "
        "away once the feature is known. Counted from a sample, it is itself uncertain. The counts of the feature's values by "
        f"class are taken for draws from unknown chances with a Dirichlet prior ({_prior(prior)}); the posterior of "
        "these chances gives I a distribution of its own, with a mean and a variance in closed form, to which a law "
        f"({law}) is fitted.{atom} {rule}{optimistic}"
    )


def _prior(prior: Any) -> str:
    return f"prior {prior}" if isinstance(prior, str) else "as given"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(str, names[:LISTED]))
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED:,} others"


def _many(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
