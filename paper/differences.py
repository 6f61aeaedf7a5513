"""What of the tables does not match the paper, from the results of :mod:`paper.readings` and of the tables themselves."""

from typing import Any

from paper.markdown import table
from paper.published import FILTERS, TABLE_1, TABLE_2, TITLES
from paper.results import Run
from paper.words import DIFFERENCES

__all__ = ["differences"]


def differences(settings: Run) -> str:
    """Return the section as Markdown."""
    sizes = {line["name"]: line for line in settings.read("table_1")}
    kept = {line["name"]: line for line in settings.read("table_2")}
    other, chess = settings.read("readings"), settings.read("figure_2")["at 422"]
    tenths = other[TITLES["shuttle-small"]]
    eight = [tenth for tenth in tenths if tenth["features"] == 8]
    left_out = [sizes["Australian"]["features"] - kept["Australian"][rule]["mean"] for rule in FILTERS]
    return DIFFERENCES.format(
        australian=", ".join(f"{mean:.1f}" for mean in left_out[:2]) + f" and {left_out[2]:.1f}",
        hypothyroid_rows=sizes["Hypothyroid"]["rows"],
        hypothyroid_bf=kept["Hypothyroid"]["backward"]["mean"],
        sets=other["Hypothyroid"]["sets"],
        nearest=other["Hypothyroid"]["nearest"],
        chess_ff=max(chess["forward"]),
        chess_below=sum(accuracy < 0.832 for accuracy in chess["empirical"]),
        chess_orders=len(chess["empirical"]),
        german=kept["German-org"]["backward"]["mean"] - TABLE_2["german-org"][2],
        chess_bf=kept["Chess"]["backward"]["mean"] - TABLE_2["chess"][2],
        tenths=len(tenths),
        seven=sum(tenth["features"] == 7 for tenth in tenths),
        eight=len(eight),
        tenth_ff=_range([tenth["forward"] for tenth in eight]),
        tenth_f=_range([tenth["empirical"] for tenth in eight]),
        lymph_ff=_spread(kept["Lymphography"]["forward"]),
        lymph_f=_spread(kept["Lymphography"]["empirical"]),
        orders=other["orders"],
        readings=_readings(other["Spam"]),
    )


def _readings(found: dict[str, dict[str, Any]]) -> str:
    """The table of readings of Spam, indented as a part of its item."""
    features, paper = TABLE_1["spam"][0], TABLE_2["spam"]
    lines = [["the paper", f"{features:,}", *(f"{mean:,.0f}" for mean in paper)]]
    for name, line in found.items():
        lines.append([name, f"{line['features']:,}", *(f"{line[rule]:,.0f}" for rule in FILTERS)])
    listed = table(["reading", "tokens", *FILTERS.values()], lines)
    return "\n".join(f"  {line}" for line in listed.splitlines())


def _range(means: list[float]) -> str:
    return f"{min(means):.1f} to {max(means):.1f}"


def _spread(cell: dict[str, float]) -> str:
    return f"{cell['least']:.1f} to {cell['greatest']:.1f}"
