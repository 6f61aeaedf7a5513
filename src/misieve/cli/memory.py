"""How much memory the data of a command may take."""

import os
from pathlib import Path

__all__ = ["allowance"]

# What may be used of the memory that is free, and what is taken to be free where the system does not tell.
SHARE, UNKNOWN = 0.25, 8 << 30


def allowance(gigabytes: float | None) -> int:
    """Bytes that rows may take at once: as many as asked for, else a quarter of what is free."""
    return int(gigabytes * 1e9) if gigabytes is not None else int(SHARE * _free())


def _free() -> int:
    """Free memory in bytes: of the machine and of a container, whichever is less."""
    found = [_limit_of_container()]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        found += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    known = [one for one in found if one is not None]
    return min(known) if known else UNKNOWN


def _limit_of_container() -> int | None:
    """What a container may still use (Linux control groups, version 2); None where there is no limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit, used = (folder / "memory.max").read_text().strip(), int((folder / "memory.current").read_text())
    except (OSError, ValueError):
        return None
    return max(int(limit) - used, 0) if limit.isdigit() else None
