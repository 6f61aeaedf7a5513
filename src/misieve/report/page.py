"""The report as one HTML file that needs nothing else: facts, what the sliders need, and charts, put into a template.

Everything that the page shows at first is computed here or upstream. What moves with the sliders is computed in the page
(``decide.js``) from the probabilities of :mod:`misieve.report.stops`, by the rules of :mod:`misieve.decide`.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from inspect import signature
from typing import Any

import numpy as np

from misieve._optional import need
from misieve.decide import Selection, select
from misieve.report.cautions import LIKELY
from misieve.report.details import LETTERS, Details, chosen_features, collect
from misieve.report.packing import pack
from misieve.report.prose import NOT_ASSESSED, PHRASES, RULES_IN_WORDS, how_missing, method, read_in_words, what_was_read
from misieve.report.stops import FLOOR, TOP, WIDEST, differences, epsilons, levels, probability_codes
from misieve.tables import Tables

__all__ = ["build_page"]

#: Scripts of the page, in the order in which they build on each other.
SCRIPTS = ("decide.js", "charts.js", "views.js", "pictures.js", "page.js")

#: Template and style sheet.
TEMPLATE, STYLE = "page.html", "page.css"

#: So many names of kept features are in the page before its script adds the others.
NAMES = 300

#: What a reason ends with where a feature is kept only because so many were asked for.
BEST = ", kept as one of the best"

#: Cautions about what a single feature's numbers seem to say; such features are marked.
MARKED = {"too-good", "identifier", "many-values", "missing-tells"}


def build_page(facts: Mapping[str, Any], selection: Selection, tables: Tables) -> str:
    """The whole report as HTML.

    Parameters
    ----------
    facts
        What :func:`misieve.report.build_facts` made of the same selection and tables.
    selection, tables
        What was decided, and the counts that it was decided on.

    Returns
    -------
    str
        One file: no network is needed to read it. Write it as UTF-8.
    """
    jinja2 = need("jinja2", extra="cli", purpose="a report")
    details = collect(selection, tables, chosen_features(facts, selection))
    text, arrays = _state(facts, selection, details)
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(_own(TEMPLATE))
    html: str = template.render(
        facts=facts,
        read=what_was_read(facts),
        missing=how_missing(facts),
        method=method(facts, cut=_cut_by_mdl(facts, tables)),
        independent=sum(one["assessed"] and (one["independence"] or 0.0) >= LIKELY for one in facts["features"]),
        kept=[one["name"] for one in facts["features"] if one["kept"]],
        names=NAMES,
        subtitle=read_in_words(facts),
        rules=RULES_IN_WORDS,
        style=_own(STYLE),
        charts=_charts(),
        scripts="\n".join(_own(name) for name in SCRIPTS),
        data=pack(text, arrays),
    )
    # Half of a surrogate pair, which a name may hold, has no place in a file of UTF-8.
    return html.encode("utf-8", "replace").decode("utf-8")


def _own(name: str) -> str:
    """A file beside this module."""
    return resources.files("misieve.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _charts() -> str:
    """Vega-Lite with what it needs, as one script."""
    bundle: str = need("vl_convert", extra="cli", purpose="a report").javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def _state(facts: Mapping[str, Any], selection: Selection, details: Details) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the page computes with: texts and settings, and arrays by feature, threshold or detail."""
    features, entropy = facts["features"], facts["target"]["entropy"]
    if len(features):  # to the last digit as it was decided
        entropy = float(selection.posterior.target_entropy[0])
    stops, steps = epsilons(selection, entropy), levels(selection.level)
    nats = np.array([one.nats for one in stops])
    codes = probability_codes(selection.posterior, nats)
    types = sorted({one["type"] for one in features})
    fixed, fixed_of = _fixed_reasons(features)
    cautions = [one for one in facts["warnings"] if one["kind"] in MARKED]
    share = selection.unit == "share" and entropy > 0
    at_least = int(facts["settings"].get("min_features") or 0) if selection.filled is None else int(selection.support.sum())
    text = {
        "names": [one["name"] for one in features],
        "types": types,
        "fixed": fixed,
        "cautions": [{"text": one["text"], "features": one["features"]} for one in cautions],
        "rule": selection.rule,
        "unit": selection.unit,
        "stops": [vars(one) for one in stops],
        "levels": [vars(one) for one in steps],
        "stop": next(i for i, one in enumerate(stops) if one.value == selection.epsilon),
        "level": next(i for i, one in enumerate(steps) if one.value == selection.level),
        "atLeast": at_least,
        "others": "".join(f", {name}={value!r}" for name, value in _unusual(facts["settings"]).items()),
        "enough": f".at_least({at_least})" if at_least else "",
        # Charts and tables show shares in percent.
        "scale": entropy / 100.0 if share else {"nats": 1.0, "bits": float(np.log(2.0))}.get(selection.unit, 1.0),
        "shown": _shown("share" if share else selection.unit, facts["target"]["name"]),
        "floor": FLOOR,
        "widest": WIDEST,
        "top": TOP,
        "phrases": PHRASES,
        "classes": details.classes,
        "labels": details.labels,
    }
    arrays = {
        "codes": differences(codes),
        "mean": _column(features, "mean"),
        "sd": _column(features, "sd").astype(np.float32),
        "lower": np.array([_number(one["interval"][0]) for one in features]),
        "upper": np.array([_number(one["interval"][1]) for one in features]),
        "plugin": np.asarray(selection.posterior.empirical, np.float64),
        "independence": _column(features, "independence"),
        "values": np.array([one["values"] for one in features], np.uint32),
        "seen": _column(features, "rows"),
        "missing": _column(features, "missing"),
        "rank": np.array([one["rank"] for one in features], np.uint32),
        "type": np.array([types.index(one["type"]) for one in features], np.uint32),
        "fixed_of": fixed_of,
        "kept": selection.support.astype(np.uint8),
        "filled": (np.zeros(len(features)) if selection.filled is None else selection.filled).astype(np.uint8),
        **{f"detail_{name}": array for name, array in details.arrays.items()},
    }
    return text, arrays


def _unusual(settings: Mapping[str, Any]) -> dict[str, Any]:
    """How the posterior was made, as far as it is not what :func:`misieve.select` does of itself."""
    usual = {name: signature(select).parameters[name].default for name in ("prior", "law", "variance", "independence")}
    return {name: settings[name] for name in usual if name in settings and settings[name] != usual[name]}


def _shown(unit: str, target: str) -> dict[str, Any]:
    """How mutual information is written: sign, title of an axis, a sentence, and what is too little to spell out."""
    if unit == "share":
        words = f"Mutual information is shown as a share of the entropy of {_shortened(target)}, of what is uncertain about it."
        return {"sign": "%", "axis": "% of the entropy", "words": words, "least": 0.001}
    sign = "bits" if unit == "bits" else "nats"
    return {
        "sign": sign,
        "axis": f"mutual information ({sign})",
        "words": f"Mutual information is shown in {sign}.",
        "least": 0.00001,
    }


def _fixed_reasons(features: list[Mapping[str, Any]]) -> tuple[list[dict[str, str]], np.ndarray[Any, np.dtype[np.int32]]]:
    """What is said of features that could not be assessed, whatever the threshold; and which feature has which, else -1.

    Only one that takes a single value has a mutual information that is known, which is 0.
    """
    said = [None if one["assessed"] else one["reason"].removesuffix(BEST) for one in features]
    known = sorted({one for one in said if one is not None})
    mean = {"constant": "0", "the target has one class": "0"}
    fixed = [{"reason": one, "words": NOT_ASSESSED[one], "mean": mean.get(one, "–")} for one in known]
    return fixed, np.array([-1 if one is None else known.index(one) for one in said], np.int32)


def _cut_by_mdl(facts: Mapping[str, Any], tables: Tables) -> bool:
    return facts["settings"].get("discretize", "mdl") == "mdl" and any(len(own) for own in tables.cuts.values())


def _shortened(name: str) -> str:
    return name if len(name) <= LETTERS // 3 else name[: LETTERS // 3 - 1] + "…"


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _column(features: list[Mapping[str, Any]], key: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([_number(one[key]) for one in features], np.float64)
