"""How far a command is, on standard error; nothing where that is no terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from misieve._optional import need

__all__ = ["Advance", "advancing", "working"]

#: Takes the rows that were read so far, and the share of the file that they are, if that is known.
Advance = Callable[[int, float | None], None]


@contextmanager
def working(words: str) -> Iterator[None]:
    """Say what is done as long as it takes."""
    with _console().status(words):
        yield


@contextmanager
def advancing(words: str) -> Iterator[Advance]:
    """A bar with rows, rows per second and the time that is left."""
    rich = need("rich.progress", extra="cli", purpose="showing progress")
    bar = rich.Progress(
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        rich.TaskProgressColumn(),
        rich.TextColumn("{task.fields[rows]:,} rows, {task.fields[pace]} rows/s,"),
        rich.TimeRemainingColumn(),
        rich.TextColumn("left"),
        console=_console(),
        transient=True,
        disable=not _console().is_terminal,
    )
    with bar:
        task = bar.add_task(words, total=None, rows=0, pace="-")

        def advance(rows: int, share: float | None) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            pace = f"{rows / elapsed:,.0f}" if elapsed > 0 else "-"
            total = None if share is None else 1.0
            bar.update(task, completed=share or 0.0, total=total, rows=rows, pace=pace)

        yield advance


def _console() -> Any:
    return need("rich.console", extra="cli", purpose="showing progress").Console(stderr=True)
