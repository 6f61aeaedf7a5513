"""A progress bar for long runs: with rich, where it is installed, on a terminal, and only after two seconds."""

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["progress"]

_PATIENCE = 2.0


@contextmanager
def progress(what: str, total: int, clock: Callable[[], float] = time.monotonic) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of steps done; the bar appears by itself, and goes at the end."""
    start, done = clock(), 0
    bar: Any = None
    task: Any = None
    shown = sys.stderr.isatty() and importlib.util.find_spec("rich") is not None

    def advance(steps: int) -> None:
        nonlocal bar, task, done
        done += steps
        if bar is None and shown and clock() - start > _PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(what, total=total)
        if bar is not None:
            bar.update(task, completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
