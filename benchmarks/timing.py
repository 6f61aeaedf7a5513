"""How long a call takes: the best of several repeats, which is what the machine can do when nobody disturbs it."""

import time
from collections.abc import Callable

__all__ = ["best_seconds"]


def best_seconds(call: Callable[[], object], budget: float = 0.5, least: int = 3) -> float:
    """Seconds of the fastest of the calls that fit into ``budget`` seconds, at least ``least`` of them."""
    best, spent, calls = float("inf"), 0.0, 0
    while calls < least or spent < budget:
        start = time.perf_counter()
        call()
        taken = time.perf_counter() - start
        best, spent, calls = min(best, taken), spent + taken, calls + 1
    return best
