"""``misieve merge a.npz b.npz -o c.npz``: counts of several parts of the data as one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from misieve._errors import DataError, OptionError

if TYPE_CHECKING:
    from rich.console import Console

    from misieve.tables import Tables

__all__ = ["merge"]

# So many new categories are named.
_SHOWN = 3


def merge(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE.npz", show_default=False, help="Files of Tables, as select --tables writes them."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.npz", show_default=False, help="The file of Tables to write.")
    ],
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace the output if it exists.")] = False,
) -> None:
    """Add up the counts of several files of Tables.

    The files must hold the same features against the same target, continuous features cut at the same points. Categories and
    classes may differ: one that is absent counts as zero. The output is written at the end, whole or not at all, and may be
    one of the inputs if --force says so.

    Example: `misieve merge monday.npz tuesday.npz -o week.npz`, and then `misieve select week.npz -t churned`
    """
    from rich.console import Console

    from misieve.tables import Tables

    _refuse_twice(files)
    if output.exists() and not force:
        raise OptionError(f"{output} exists already: choose another name, or say --force to replace it")
    if not output.absolute().parent.is_dir():
        raise DataError(f"there is no folder {str(output.parent)!r} to write {output.name!r} into")
    total: Tables | None = None
    parts: list[dict[str, Any]] = []
    for path in files:
        if not path.is_file():
            raise DataError(f"there is no file {str(path)!r}")
        own = Tables.load(path)
        before, total = total, own if total is None else _sum(total, own, path, files[0])
        news = [] if before is None else _news(before, total)
        parts.append({"file": str(path), "rows": own.class_counts.sum(), "news": news})
    assert total is not None
    total.save(output)
    _print(Console(highlight=False), parts, total, output)


def _refuse_twice(files: list[Path]) -> None:
    """The same rows must not be counted twice by mistake."""
    seen: dict[Path, Path] = {}
    for path in files:
        earlier = seen.setdefault(path.resolve(), path)
        if earlier is not path:
            raise OptionError(f"{path} is given twice, and its rows would count twice: name each file once")


def _sum(total: "Tables", own: "Tables", path: Path, first: Path) -> "Tables":
    try:
        return total + own
    except DataError as wrong:
        found, other_cuts, _ = str(wrong).partition(": count the later batch")
        if other_cuts:
            found += (
                f": count the rows of {path} anew, as misieve select DATA -t TARGET --resume {first} --tables NEW.npz; NEW.npz "
                f"then holds the rows of {first} as well, so do not merge these two"
            )
        raise DataError(f"{path} cannot be added to {first}: {found}") from wrong


def _news(before: "Tables", total: "Tables") -> list[str]:
    """Classes and categories that a file brings, in words."""
    news = [f"class {value!r}" for value in total.classes if value not in set(before.classes)]
    for name, values in total.categories.items():
        earlier = before.categories[name]
        if len(values) > len(earlier):
            news += [f"{name} = {value!r}" for value in values if value not in set(earlier)]
    return news


def _print(console: "Console", parts: list[dict[str, Any]], total: "Tables", output: Path) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("file", overflow="fold")
    table.add_column("rows", justify="right")
    table.add_column("classes and categories that are new", overflow="fold")
    for part in parts:
        news = part["news"]
        more = f" and {len(news) - _SHOWN:,} more" if len(news) > _SHOWN else ""
        table.add_row(Text(part["file"]), _number(part["rows"]), Text(", ".join(news[:_SHOWN]) + more))
    console.print(table, "")
    rows = f"{_number(total.class_counts.sum())} rows" + (" (weighted)" if total.dtype.kind == "f" else "")
    console.print(Text(f"{output}: {len(total):,} features, {len(total.classes)} classes, {rows}"), soft_wrap=True)


def _number(rows: Any) -> str:
    """Whole numbers in full, sums of weights with a decimal."""
    return f"{rows:,.1f}" if rows.dtype.kind == "f" else f"{rows:,}"
