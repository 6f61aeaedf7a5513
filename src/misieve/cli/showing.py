"""Facts about a selection on standard output."""

import csv
import json
import sys
from collections.abc import Mapping
from typing import Any

__all__ = ["show"]


def show(facts: Mapping[str, Any], format: str, top: int) -> None:
    """Print facts as a table for people, or as JSON or CSV for machines, who get all features."""
    if format == "json":
        print(json.dumps(facts, indent=1, ensure_ascii=False, allow_nan=False))
    elif format == "csv":
        _show_csv(facts)
    else:
        from misieve.cli.table import show_table

        show_table(facts, top)


def _show_csv(facts: Mapping[str, Any]) -> None:
    """One line for each feature, the best first, with the keys of the facts as columns."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    features = sorted(facts["features"], key=lambda one: one["rank"])
    keys = ["rank", "name", "kept", "mean", "sd", "lower", "upper", "probability", "independence", "plugin", "type", "values"]
    keys += ["rows", "missing", "reason"]
    rows.writerow(keys)
    for one in features:
        lower, upper = one["interval"]
        own = one | {"lower": lower, "upper": upper, "kept": str(one["kept"]).lower()}
        own |= {key: int(own[key]) for key in ("rows", "missing") if own[key] is not None and own[key] == int(own[key])}
        rows.writerow([own[key] for key in keys])
