"""How far a call raises the resident memory above what is there already (Linux)."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


def _kilobytes(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", _STATUS.read_text())
    assert found is not None
    return int(found.group(1))


def peak_megabytes(call: Callable[[], Any]) -> float | None:
    """Megabytes at the call's peak above its start; None where the system does not tell."""
    try:
        _RESET.write_text("5")  # the peak starts again from what is resident now
        before = _kilobytes("VmRSS")
        call()
        return max(0, _kilobytes("VmHWM") - before) / 1024
    except (OSError, AssertionError):
        return None
