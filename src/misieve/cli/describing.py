"""The posterior of one table as a plain dict, and printed: in numbers, in words and as a picture."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import misieve
from misieve.cli.density import density_lines
from misieve.mixture import Posterior
from misieve.report.plain import plain

__all__ = ["described", "print_description"]

# A larger table is not shown, and a wider picture does not get clearer.
_MOST_CELLS, _WIDEST = 12, 100
_BITS = math.log(2.0)


def described(
    p: Posterior, counts: NDArray[np.float64], *, epsilon: float, unit: str, level: float, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """What is known about the mutual information, ready for JSON; in nats, and as shares of the target's entropy."""
    entropy = float(p.target_entropy)
    nats = epsilon * {"share": entropy, "nats": 1.0, "bits": _BITS}[unit]
    values = {"mean": float(p.mean()), "sd": float(p.std()), "interval": [float(end) for end in p.interval(level)]}

    def share(value: Any) -> Any:
        if entropy == 0:
            return None
        return [share(end) for end in value] if isinstance(value, list) else value / entropy

    whole = bool((counts == np.trunc(counts)).all())
    facts = {
        "version": misieve.__version__,
        "counts": (counts.astype(np.int64) if whole else counts).tolist(),
        "observations": p.observations,
        **values,
        "probability": float(p.sf(nats)),
        "independence": p.independence,
        "plugin": p.empirical,
        "upper": p.upper,
        "target_entropy": entropy,
        "share": {key: share(value) for key, value in values.items()},
        "threshold": {
            "epsilon": epsilon,
            "unit": unit,
            "level": level,
            "nats": nats,
            "bits": nats / _BITS,
            "share": share(nats),
        },
        "law": str(p.families),
        "settings": settings,
    }
    return {key: plain(value) for key, value in facts.items()}


def print_description(console: Console, p: Posterior, counts: NDArray[np.float64], facts: Mapping[str, Any]) -> None:
    """The table, what is known about its mutual information, and the density, in the width of the console."""
    _print_counts(console, counts)
    _print_numbers(console, facts)
    _print_density(console, p, facts)


def _print_counts(console: Console, counts: NDArray[np.float64]) -> None:
    r, s = counts.shape
    total = f"{counts.sum():,.15g}"
    console.print(f"[bold]Counts of a feature of {r} values against a target of {s} classes[/], {total} in all\n")
    if max(r, s) > _MOST_CELLS:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    for name in (*(f"class {j}" for j in range(1, s + 1)), "all"):
        table.add_column(name, justify="right", overflow="fold", header_style="dim", style="dim" if name == "all" else "")
    for i, row in enumerate(counts, 1):
        table.add_row(f"[dim]value {i}[/]", *(f"{n:,.15g}" for n in (*row, row.sum())))
    table.add_row("all", *(f"{n:,.15g}" for n in (*counts.sum(axis=0), counts.sum())), style="dim")
    console.print(table, "")


def _print_numbers(console: Console, facts: Mapping[str, Any]) -> None:
    settings, threshold = facts["settings"], facts["threshold"]
    law = facts["law"] + ("" if facts["law"] == settings["law"] else f" (in place of {settings['law']})")
    console.print(f"[bold]Posterior of their mutual information (MI)[/], prior {settings['prior']}, law {law}\n")
    unit, scale = _shown_unit(facts)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column()
    table.add_column(unit, header_style="dim")
    table.add_column("share of the target's entropy", header_style="dim")

    def row(name: str, nats: Any, shares: Any) -> None:
        several = isinstance(nats, list)
        known = shares is not None and (not several or shares[0] is not None)
        table.add_row(
            name,
            " to ".join(f"{scale * value:.4g}" for value in (nats if several else [nats])),
            " to ".join(f"{100 * value:.3g} %" for value in (shares if several else [shares])) if known else "-",
        )

    level = f"{100 * threshold['level']:g} %"
    for name, key in (("mean", "mean"), ("standard deviation", "sd"), (f"{level} interval", "interval")):
        row(name, facts[key], facts["share"][key])
    row("threshold", threshold["nats"], threshold["share"])
    table.add_row("P(MI > threshold)", f"[bold]{probability(facts['probability'])}[/]")
    chance = settings["independence"]
    if chance != 0:
        before = "0.5" if chance == "auto" else f"{chance:g}"
        table.add_row("P(independent)", f"[bold]{probability(facts['independence'])}[/]", f"[dim]before the data {before}[/]")
    console.print(table, "")
    console.print(in_words(facts) + "\n")


def in_words(facts: Mapping[str, Any]) -> str:
    """What a filter would do with such a feature."""
    level = max(facts["threshold"]["level"], 1.0 - facts["threshold"]["level"])
    if facts["probability"] >= level:
        return f"Sure enough ({100 * level:g} %) that MI exceeds the threshold: such a feature is kept."
    if facts["probability"] <= 1.0 - level:
        return f"Sure enough ({100 * level:g} %) that MI does not exceed the threshold: it is left out."
    return "Not sure on which side of the threshold MI is: only backward keeps the feature."


def _print_density(console: Console, p: Posterior, facts: Mapping[str, Any]) -> None:
    unit, scale = _shown_unit(facts)
    threshold = facts["threshold"]
    lines = density_lines(
        p,
        threshold=threshold["nats"],
        level=threshold["level"],
        scale=scale,
        label=f"threshold {scale * threshold['nats']:.3g} {unit}",
        width=min(console.width, _WIDEST),
        ascii_only=console.options.ascii_only,
    )
    for line in lines:
        console.print(line, no_wrap=True, overflow="crop")


def _shown_unit(facts: Mapping[str, Any]) -> tuple[str, float]:
    """What values are shown in, and how many of it are a nat."""
    return ("bits", 1.0 / _BITS) if facts["threshold"]["unit"] == "bits" else ("nats", 1.0)


def probability(value: float) -> str:
    """Four decimals, but never 1.0000 or 0.0000 for what is not certain."""
    if 0.99995 < value < 1.0:
        return "> 0.9999"
    return "< 0.0001" if 0.0 < value < 0.00005 else f"{value:.4f}"
