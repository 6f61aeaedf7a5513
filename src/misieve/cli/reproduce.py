"""Two ways to a result: the command line that was given, and the Python that does the same."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields
from inspect import signature
from typing import Any

from misieve.files import Reading

__all__ = ["command_line", "counting_lines", "python_lines", "reading_rows"]


def command_line(words: Sequence[str]) -> str:
    """The words as a shell takes them."""
    return shlex.join(["misieve", *words])


def python_lines(counting: Sequence[str], settings: Mapping[str, Any]) -> str:
    """Statements that decide the same, after those that count into ``tables``; options that are as by default are left out."""
    from misieve.decide import select  # loads while the file is read

    usual = {name: one.default for name, one in signature(select).parameters.items() if name != "x"}
    deciding = {name: settings[name] for name, default in usual.items() if settings[name] != default}
    enough = f".at_least({settings['min_features']})" if settings["min_features"] else ""
    selection = f"selection = misieve.select({', '.join(['tables', *_given(deciding)])}){enough}"
    return "\n".join(["import misieve", *counting, selection, "print(selection.to_frame())"])


def counting_lines(counted: str, settings: Mapping[str, Any], resume: str | None, exclude: Sequence[str] = ()) -> list[str]:
    """Lines that count into ``tables``; ``counted`` are the first arguments of counting."""
    lines = [f"earlier = misieve.Tables.load({resume!r})"] if resume else []
    options = _given({"bins": None if resume else settings["discretize"], "missing": settings["missing"]})
    if resume:
        options.insert(0, "like=earlier")
    lines.append(f"tables = misieve.count({', '.join([counted, *options])})")
    if resume:
        lines.append("tables = earlier + tables")
    if exclude:
        lines.append(f"tables = tables[[name for name in tables if name not in {list(exclude)!r}]]")
    return lines


def reading_rows(
    source: str, reading: Reading, format: str | None, *, target: str, positive: str | None, batch: int | None
) -> list[str]:
    """Lines that read a file of rows into ``rows``."""
    plain = Reading()
    own = {one.name: getattr(reading, one.name) for one in fields(Reading)}
    given = ", ".join(_given({name: value for name, value in own.items() if value != getattr(plain, name)}))
    options = [repr(source), *([f"Reading({given})"] if given else []), *([f"format={format!r}"] if format else [])]
    lines = [f"from misieve.files import {'Reading, ' if given else ''}open_data"]
    lines.append(f"rows = open_data({', '.join(options)}).{'whole()' if batch is None else f'batches({batch})'}")
    if positive is not None:
        asked = f"Target({target!r}, {positive!r}, text={target in reading.text}).prepared"
        lines.insert(0, "from misieve.cli.targets import Target")
        lines.append(f"rows = {asked}(rows)" if batch is None else f"rows = map({asked}, rows)")
    return lines


def _given(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items() if value is not None]
