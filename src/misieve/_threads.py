"""How many threads a call may use."""

import multiprocessing
import os
import sys

import numpy as np

from misieve._errors import OptionError

__all__ = ["threads"]


def threads(n_jobs: int | None) -> int:
    """The number of threads: None means all cores, one inside a joblib worker; -1 all, -2 all but one.

    >>> threads(2)
    2
    """
    if n_jobs is None:
        return 1 if _inside_worker() else _cores()
    if not isinstance(n_jobs, (int, np.integer)) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise OptionError(f"n_jobs must be None or a whole number other than 0, not {n_jobs!r}")
    return int(n_jobs) if n_jobs > 0 else max(_cores() + 1 + int(n_jobs), 1)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _inside_worker() -> bool:
    """Whether joblib already shares the cores out: in one of its processes, or in a thread that it started."""
    if multiprocessing.parent_process() is not None and "joblib" in sys.modules:
        return True
    parallel = sys.modules.get("joblib.parallel")
    if parallel is None:
        return False
    backend, _ = parallel.get_active_backend()
    return bool((backend.nesting_level or 0) > 0)
