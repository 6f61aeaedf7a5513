"""Run the examples of pages and write what they print below them: ``python docs/outputs.py [page ...]``; by default all pages.

A page's blocks run in their order, in one empty folder. Python blocks share their names, and what they print stands in the text
block that follows, if one does. In console blocks each line that starts with a dollar sign is a command, followed by what it
prints. The tests compare: on every page stands what comes out.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["BLOCK", "PAGES", "renewed"]

ROOT = Path(__file__).resolve().parent.parent
#: The pages that people wrote.
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if not {"_build", "gallery"} & set(page.relative_to(ROOT).parts)),
]
#: A block with what it prints: the language, the code, and the text block that may follow.
BLOCK = re.compile(r"```(python|console)\n(.*?)```(?:(\s*```text\n)(.*?)```)?", re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*(?:\\\n.*)*)$", re.MULTILINE)
# Commands print what they print on a wide terminal that knows no colours and no moving bars.
_TERMINAL = {"COLUMNS": "114", "LINES": "50", "TERM": "dumb", "FORCE_COLOR": "1", "PYTHONIOENCODING": "utf-8"}


def renewed(page: Path) -> str:
    """Return the text of a page with what its blocks print now."""
    names: dict[str, object] = {}

    def run(block: re.Match[str]) -> str:
        language, code, between, _ = block.groups()
        if language == "console":
            return f"```console\n{_commands(code)}```"
        printed = _python(code, page.name, names)
        return f"```python\n{code}```" + (f"{between}{printed}```" if between else "")

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return BLOCK.sub(run, page.read_text(encoding="utf-8"))


def _python(code: str, name: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, name, "exec"), names)
    return _tidy(printed.getvalue())


def _commands(block: str) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, **_TERMINAL, "PATH": path}
    shown = []
    for command in _COMMAND.findall(block):
        made = subprocess.run(
            ["sh", "-c", command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        shown.append(f"$ {command}\n{_tidy(made.stdout)}")
    return "\n".join(shown)


def _tidy(printed: str) -> str:
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    for chosen in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        chosen.write_text(renewed(chosen), encoding="utf-8")
        print(chosen.relative_to(ROOT))
