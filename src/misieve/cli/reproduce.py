"""Two ways to a result: the command line that was given, and the Python that does the same."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields
from inspect import signature
from typing import Any

from misieve.files import Reading

__all__ = ["command_line", "python_lines"]


def command_line(words: Sequence[str]) -> str:
    """The words as a shell takes them."""
    return shlex.join(["misieve", *words])


def python_lines(reading: Sequence[str], counted: str, settings: Mapping[str, Any], resume: str | None) -> str:
    """Statements that read, count and decide the same; options that are as by default are left out.

    ``reading`` are the lines that make what is counted, ``counted`` are these arguments of counting.
    """
    from misieve.decide import select  # loads while the file is read

    counting = {"bins": None if resume else settings["discretize"], "missing": settings["missing"]}
    usual = {name: one.default for name, one in signature(select).parameters.items() if name != "x"}
    deciding = {name: settings[name] for name, default in usual.items() if settings[name] != default}
    lines = ["import misieve", *reading]
    if resume:
        lines.append(f"earlier = misieve.Tables.load({resume!r})")
        counted += ", like=earlier"
    lines.append(f"tables = misieve.count({', '.join([counted, *_given(counting)])})")
    if resume:
        lines.append("tables = earlier + tables")
    enough = f".at_least({settings['min_features']})" if settings["min_features"] else ""
    lines.append(f"selection = misieve.select({', '.join(['tables', *_given(deciding)])}){enough}")
    return "\n".join([*lines, "print(selection.to_frame())"])


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
