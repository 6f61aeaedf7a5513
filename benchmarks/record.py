"""Run a benchmark in a process of its own and keep what it prints, with the machine it ran on."""

import datetime
import subprocess
import sys
import time
from pathlib import Path

from misieve._config import config

__all__ = ["RESULTS", "processor", "run"]

#: The results that are kept with the project, and that the documentation shows.
RESULTS = Path(__file__).parent / "results"


def run(command: list[str], into: Path) -> None:
    """Run ``python -m command``, pass on what it prints, and write that to a file under a head that says where it ran.

    A benchmark that fails raises CalledProcessError and leaves the file as it was.
    """
    start, printed = time.perf_counter(), []
    with subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            printed.append(line.rstrip())
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    head = [
        f"python -m {' '.join(command)}",
        f"{datetime.date.today()}, {time.perf_counter() - start:.0f} s",
        *machine(),
    ]
    into.parent.mkdir(parents=True, exist_ok=True)
    body = "\n".join(printed).strip("\n")
    into.write_text("\n".join(f"# {line}" for line in head) + f"\n\n{body}\n", encoding="utf-8")


def machine() -> list[str]:
    """The processor, the core in use and the versions, in two lines."""
    facts = config()
    libraries = ", ".join(f"{name} {facts[name]}" for name in ("numpy", "scipy", "scikit-learn"))
    return [
        f"{processor()}, {facts['machine']}, {facts['simd'].split()[0]}",
        f"misieve {facts['misieve']} ({facts['core']} core, {facts['compiler']}), Python {facts['python']}, {libraries}",
    ]


def processor(listing: Path = Path("/proc/cpuinfo")) -> str:
    """The name of the processor where the system tells it, else "a processor"."""
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "a processor")
