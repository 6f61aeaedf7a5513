"""The section of paper/README.md on missing values, from the results of :mod:`paper.missing`."""

from statistics import fmean
from typing import Any

from paper.markdown import picture, table
from paper.published import FILTERS, TITLES
from paper.words import MISSING

__all__ = ["REAL_TITLES", "missing_values"]

_POLICIES = ("model", "pairwise", "category")
#: What the sets are called whose values are missing in truth.
REAL_TITLES = {
    "crx": "Crx, all rows",
    "hypothyroid": "Hypothyroid, all rows",
    "mushroom": "Mushroom",
    "soybean": "Soybean",
    "audiology": "Audiology",
    "breast.w": "Breast-w",
    "colic": "Horse colic",
    "hepatitis": "Hepatitis",
    "vote": "Vote, ? as missing",
}


def missing_values(result: dict[str, Any]) -> str:
    """Return the section as Markdown."""
    parts = [
        "## Missing values",
        picture("missing", "Accuracy and features used where values are deleted"),
        _words(result).strip(),
        "### Values deleted at random: mean over the sets",
        _averages(result),
        "### How far FF is ahead of F in accuracy, with model (points)",
        _ahead(result["deleted"]),
        "### Values missing in truth: accuracy and features used",
        _real(result["real"]),
    ]
    return "\n\n".join(parts)


def _words(result: dict[str, Any]) -> str:
    deleted, real = result["deleted"], result["real"]
    shares = [share for share in next(iter(deleted.values())) if share != "0%"]

    def gaps(policy: str, rule: str, share: str) -> dict[str, float]:
        """How many points more accurate model is than another policy, by set."""
        cells = {name: found[share] for name, found in deleted.items()}
        return {name: 100 * (c["model"][rule]["accuracy"] - c[policy][rule]["accuracy"]) for name, c in cells.items()}

    every = [(share, rule) for share in shares for rule in FILTERS]
    of_model = [gaps("pairwise", rule, share) for share, rule in every]
    most, where = max((abs(gap), name) for by_set in of_model for name, gap in by_set.items())
    losses = [fmean(gaps("category", rule, share).values()) for share, rule in every]
    forward = [gap for share in shares for gap in gaps("category", "forward", share).values()]
    lead = {name: {share: 100 * found[share]["model"]["FF - F"]["mean"] for share in shares} for name, found in deleted.items()}
    rest = {name: leads for name, leads in lead.items() if name not in ("spam", "chess")}
    others = [value for leads in rest.values() for value in leads.values()]
    last = deleted["chess"]["70%"]["model"]
    won = {name: 100 * (_accuracy(line, "model") - _accuracy(line, "category")) for name, line in real.items()}
    best = max(won, key=lambda name: won[name])
    fewer = sum(
        line["found"]["model"]["forward"]["features"] <= line["found"]["category"]["forward"]["features"]
        for line in real.values()
    )
    return MISSING.format(
        groups=result["groups"],
        orders=result["orders"],
        spam=result["spam orders"],
        model_mean=max(abs(fmean(by_set.values())) for by_set in of_model),
        model_most=most,
        model_set=TITLES[where],
        loss_low=min(losses),
        loss_high=max(losses),
        lower=sum(gap > 0 for gap in forward),
        cases=len(forward),
        spam_low=min(lead["spam"].values()),
        spam_high=max(lead["spam"].values()),
        chess_none=100 * deleted["chess"]["0%"]["model"]["FF - F"]["mean"],
        chess_half=lead["chess"]["50%"],
        chess_most=lead["chess"]["70%"],
        chess_ff=last["forward"]["features"],
        chess_f=last["empirical"]["features"],
        rest=len(rest),
        rest_low=min(others),
        rest_high=max(others),
        behind=sum(value < 0 for value in others),
        rest_cases=len(others),
        real_more=sum(value > 0 for value in won.values()),
        real=len(won),
        gain=won[best],
        gain_set=REAL_TITLES[best],
        fewer=fewer,
        real_less=", ".join(f"{REAL_TITLES[name]} ({value:+.1f})" for name, value in won.items() if value < 0) or "none",
        vote=abs(won["vote"]),
    )


def _accuracy(line: dict[str, Any], policy: str) -> float:
    return float(line["found"][policy]["forward"]["accuracy"])


def _averages(result: dict[str, Any]) -> str:
    deleted, sizes = result["deleted"], result["sizes"]
    lines = []
    for share in next(iter(deleted.values())):
        for rule, title in FILTERS.items():
            line = [share.replace("%", " %") if rule == "forward" else "", title]
            line += [f"{fmean(found[share][p][rule]['accuracy'] for found in deleted.values()):.3f}" for p in _POLICIES]
            for p in _POLICIES:
                used = fmean(100 * found[share][p][rule]["features"] / sizes[name] for name, found in deleted.items())
                line.append(f"{used:.1f}")
            lines.append(line)
    accuracy, features = ([f"{what}: {p}" if p == "model" else p for p in _POLICIES] for what in ("accuracy", "features (%)"))
    return table(["deleted", "filter", *accuracy, *features], lines)


def _ahead(deleted: dict[str, Any]) -> str:
    lines = []
    for name, found in deleted.items():
        cells = [found[share]["model"]["FF - F"] for share in found]
        lines.append([TITLES[name], *(f"{100 * cell['mean']:+.1f} ± {100 * cell['sd']:.1f}" for cell in cells)])
    head = ["data set", *(share.replace("%", " %") for share in next(iter(deleted.values())))]
    return table(head, lines) + "\n\nMean and standard deviation over the runs."


def _real(real: dict[str, Any]) -> str:
    lines = []
    for name, line in real.items():
        row = [REAL_TITLES[name], line["rows"], line["features"], f"{100 * line['missing']:.1f}", f"{100 * line['most']:.0f}"]
        for policy in _POLICIES:
            cells = [line["found"][policy][rule] for rule in FILTERS]
            row.append("/".join(f"{cell['accuracy']:.3f}"[1:] for cell in cells))
            row.append("/".join(f"{cell['features']:.1f}" for cell in cells))
        lines.append(row)
    head = ["data set", "rows", "features", "missing (%)", "at most (%)"]
    head += [word for policy in _POLICIES for word in (f"{policy}: FF/F/BF", "features")]
    note = "Missing: of all values; at most: of the feature that lacks most. The class never is."
    return f"{table(head, lines)}\n\n{note}"
