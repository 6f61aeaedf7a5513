"""Facts about a selection on standard output."""

import csv
import json
import sys
from collections.abc import Mapping
from typing import Any

from misieve._optional import need

__all__ = ["show"]


def show(facts: Mapping[str, Any], format: str) -> None:
    """Print facts as a table for people, or as JSON or CSV for machines."""
    if format == "json":
        print(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
    elif format == "csv":
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(["rank", "feature", "kept", "mean", "lower", "upper", "probability", "independence", "reason"])
        for one in sorted(facts["features"], key=lambda one: one["rank"]):
            low, high = one["interval"]
            sure = [one["mean"], low, high, one["probability"], one["independence"]]
            rows.writerow([one["rank"], one["name"], one["kept"], *sure, one["reason"]])
    else:
        rich = need("rich.table", extra="cli", purpose="showing a table")
        table = rich.Table("rank", "feature", "MI", "P(independent)", "kept", "why", box=None)
        for one in sorted(facts["features"], key=lambda one: one["rank"]):
            cells = [str(one["rank"]), one["name"], f"{one['mean']:.4f}", f"{one['independence']:.3f}"]
            table.add_row(*cells, "yes" if one["kept"] else "no", one["reason"])
        console = need("rich.console", extra="cli", purpose="showing a table").Console(highlight=False)
        console.print(table, markup=False)
        console.print(facts["verdict"]["words"], markup=False)
