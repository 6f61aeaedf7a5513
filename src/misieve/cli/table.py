"""Facts about a selection as a table in the terminal: what was read, feature by feature how sure it is, and the verdict.

What does not fit into a narrow terminal is left out, the least important column first; into a pipe goes all, without colours.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from misieve._optional import need
from misieve.cli.seen import in_words

__all__ = ["show_table"]

# Cells of the bar, and the longest name that is shown in full.
BAR, LONGEST_NAME = 21, 40
# From this posterior probability on a feature is called independent.
LIKELY = 0.95
# Cautions that put a mark on what is kept.
DOUBTFUL = {"identifier", "too-good"}
# What is short enough for a cell.
SHORTER = {"no cut tells the classes apart": "no cut found", "the target has one class": "one class"}
# Wide enough for anything: a pipe has no edge.
ENDLESS = 10_000

Fact = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column: its head, its cells, and how soon it goes when the terminal is narrow (0: never)."""

    head: str
    cell: Callable[[Fact], str]
    goes: int = 0
    right: bool = True
    style: str = ""


def show_table(facts: Mapping[str, Any], top: int) -> None:
    """Print what people want to see; ``top`` is how many features at most, 0 for all."""
    rich = need("rich.console", extra="cli", purpose="showing a table")
    console = rich.Console(highlight=False)
    if not console.is_terminal:
        console = rich.Console(highlight=False, width=ENDLESS)
    for line in _read(facts):
        _print(console, line)
    features = sorted(facts["features"], key=lambda one: one["rank"])
    shown = features[: top or None]
    console.print()
    if shown:
        _print_table(console, _fitting(console, facts, shown))
        console.print()
    if len(shown) < len(features):
        kept = sum(one["kept"] for one in features[len(shown) :])
        _print(console, f"{_many(len(features) - len(shown), 'more feature')}, {kept:,} of them kept: --top 0 shows all", "dim")
    _print(console, facts["verdict"]["words"], "bold")
    for one in facts["warnings"]:
        _print(console, f"{'!' if console.options.ascii_only else '⚠'} {one['text']}", "yellow")


def _print(console: Any, text: str, style: str = "") -> None:
    console.print(text, style=style, markup=False, soft_wrap=not console.is_terminal)


def _print_table(console: Any, table: Any) -> None:
    """A table without spaces at the ends of its lines."""
    text = need("rich.text", extra="cli", purpose="showing a table")
    for cells in console.render_lines(table, pad=False):
        line = text.Text.assemble(*((one.text, one.style or "") for one in cells))
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _read(facts: Mapping[str, Any]) -> Sequence[str]:
    """What was read, and what was taken for granted."""
    data, target = facts["data"], facts["target"]
    read = data["read"]
    of = f": {in_words(read, target['name'])}" if read else ""
    rows = "" if data["rows"] is None else f"{_many(data['rows'], 'row')}, "
    lines = [f"{data['source']}: {rows}{_many(facts['verdict']['features'], 'feature')}{of}"]
    classes = sorted(target["classes"], key=lambda one: -one["rows"])
    some = ", ".join(f"{_short(one['value'])} ({one['rows']:,.6g})" for one in classes[:6])
    more = f" and {len(classes) - 6:,} more" if len(classes) > 6 else ""
    none = f"; {_many(target['missing'], 'row')} without" if target["missing"] else ""
    lines.append(f"target {target['name']}: {some}{more}{none}")
    holes = sorted((one for one in facts["features"] if one["missing"]), key=lambda one: -one["missing"])
    if holes:
        some = ", ".join(f"{_short(one['name'])} ({one['missing']:,.6g})" for one in holes[:6])
        more = f" and {_many(len(holes) - 6, 'more column')}" if len(holes) > 6 else ""
        lines.append(f"missing values: {some}{more}; treated as --missing {facts['settings']['missing']}")
    else:
        lines.append("missing values: none")
    if data.get("excluded"):
        lines.append(f"left out: {', '.join(map(_short, data['excluded']))}")
    return [*lines, *data.get("notes", ())]


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _fitting(console: Any, facts: Mapping[str, Any], shown: Sequence[Fact]) -> Any:
    """The table with as many columns as the console has room for."""
    rich = need("rich.measure", extra="cli", purpose="showing a table")
    columns = _columns(facts, shown, console.options.ascii_only, _longest_name(console))
    unbounded = console.options.update(width=ENDLESS)
    while True:
        table = _table(columns, shown)
        last = max(columns, key=lambda one: one.goes)
        if not last.goes or rich.Measurement.get(console, unbounded, table).maximum <= console.width:
            return table
        columns = [one for one in columns if one is not last]


def _longest_name(console: Any) -> int:
    return min(LONGEST_NAME, max(console.width // 3, 12)) if console.is_terminal else ENDLESS


def _table(columns: Sequence[Column], shown: Sequence[Fact]) -> Any:
    rich = need("rich.table", extra="cli", purpose="showing a table")
    text = need("rich.text", extra="cli", purpose="showing a table")
    table = rich.Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(
            column.head, justify="right" if column.right else "left", no_wrap=True, overflow="ellipsis", style=column.style
        )
    for one in shown:
        table.add_row(*(text.Text(column.cell(one)) for column in columns), style="" if one["kept"] else "dim")
    return table


def _columns(facts: Mapping[str, Any], shown: Sequence[Fact], ascii_only: bool, longest: int) -> list[Column]:
    threshold = facts["threshold"]
    epsilon, level = threshold["nats"], threshold["level"]
    scale = max([one["interval"][1] or 0.0 for one in shown] + [2 * epsilon, 1e-12])

    nothing, mark = ("-", "!") if ascii_only else ("–", "⚠")
    doubtful = {name for one in facts["warnings"] if one["kind"] in DOUBTFUL for name in one["features"]}

    def assessed(key: str) -> Callable[[Fact], str]:
        return lambda one: _probability(one[key], nothing) if one["assessed"] else nothing

    def verdict(one: Fact) -> str:
        said = _verdict(one, threshold["rule"], level)
        return f"{said} {mark}" if one["kept"] and one["name"] in doubtful else said

    def interval(one: Fact) -> str:
        low, high = one["interval"]
        if not one["assessed"]:
            return nothing
        return "" if low is None or one["mean"] is None else _bar(low, one["mean"], high, epsilon, scale, ascii_only)

    columns = [
        Column("rank", lambda one: str(one["rank"]), 4),
        Column("feature", lambda one: _short(one["name"], longest), right=False),
        Column("type", lambda one: one["type"], 6, right=False),
        Column("values", lambda one: f"{one['values']:,}", 5),
    ]
    if any(one["missing"] for one in shown):
        columns.append(Column("missing", lambda one: f"{one['missing']:,.6g}" if one["missing"] else "", 7))
    return [
        *columns,
        Column("MI in\nnats", lambda one: _amount(one["mean"])),
        Column(f"interval {_percent(1 - level)} to {_percent(level)},\nfrom 0 to {_amount(scale)}", interval, 2, right=False),
        Column(f"P(MI >\n{_amount(epsilon)})", assessed("probability"), 1),
        Column("P(inde-\npendent)", assessed("independence"), 3),
        Column("kept", verdict, right=False),
    ]


def _bar(low: float, mean: float, high: float, epsilon: float, scale: float, ascii_only: bool) -> str:
    """An interval from 0 to ``scale`` with its mean, and the threshold where nothing else is.

    >>> _bar(0.1, 0.2, 0.4, 0.05, 0.5, True)
    '  : |---o-------|    '
    """
    left, line, right, dot, tick = "|-|o:" if ascii_only else "├─┤●┊"
    cells = [" "] * BAR

    def place(value: float) -> int:
        return min(max(int(value / scale * BAR), 0), BAR - 1)

    start, stop = place(low), place(high)
    cells[place(epsilon)] = tick
    cells[start : stop + 1] = line * (stop - start + 1)
    if stop > start:
        cells[start], cells[stop] = left, right
    cells[place(mean)] = dot
    return "".join(cells)


def _verdict(one: Fact, rule: str, level: float) -> str:
    """Kept, or why not, in a few words."""
    if one["kept"]:
        return "kept, one of the best" if one["reason"].endswith("kept as one of the best") else "kept"
    if not one["reason"].startswith(("P(MI", "plug-in")):
        return f"no: {SHORTER.get(one['reason'], one['reason'])}"
    if (one["independence"] or 0.0) >= LIKELY:
        return "no: independent"
    if rule == "empirical":
        return "no: estimate too low"
    sure = one["probability"] is not None and one["probability"] <= 1.0 - level
    return "no: too little" if sure else "no: not sure enough"


def _amount(value: float | None) -> str:
    """An amount of information: three digits, without exponents.

    >>> [_amount(v) for v in (None, 0.0, 0.00012345, 0.5, 1.234)]
    ['-', '0', '0.00012', '0.5000', '1.2340']
    """
    if value is None:
        return "-"
    if value == 0.0:
        return "0"
    return f"{value:.4f}" if value >= 0.001 else f"{value:.5f}" if value >= 0.00001 else "0.00000"


def _probability(value: float | None, nothing: str) -> str:
    """A probability: three digits, and never quite 0 or 1.

    >>> [_probability(p, "-") for p in (None, 0.0, 0.0004, 0.25, 1.0)]
    ['-', '< 0.001', '< 0.001', '0.250', '> 0.999']
    """
    if value is None:
        return nothing
    return "> 0.999" if value > 0.9995 else "< 0.001" if value < 0.0005 else f"{value:.3f}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name without what would break a line, and not longer than that."""
    shown = "".join(one if one.isprintable() else "�" for one in name)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
