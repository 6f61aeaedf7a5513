"""Tables and pictures in Markdown."""

from typing import Any

__all__ = ["picture", "table"]


def table(head: list[str], lines: list[list[Any]]) -> str:
    """A table, its first column to the left and the others to the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in [head, rule, *lines])


def picture(name: str, text: str) -> str:
    """A picture among the results, with the text that stands for it."""
    return f"![{text}](results/{name}.png)"
