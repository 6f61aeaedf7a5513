"""How long a call takes: the best of several repeats, which is what the machine can do when nobody disturbs it."""

import time
from collections.abc import Callable
from typing import Any

__all__ = ["alternating", "best_seconds"]


def best_seconds(call: Callable[[], object], budget: float = 0.5, least: int = 3) -> float:
    """Seconds of the fastest of the calls that fit into ``budget`` seconds, at least ``least`` of them."""
    best, spent, calls = float("inf"), 0.0, 0
    while calls < least or spent < budget:
        start = time.perf_counter()
        call()
        taken = time.perf_counter() - start
        best, spent, calls = min(best, taken), spent + taken, calls + 1
    return best


def alternating(first: Callable[[], Any], second: Callable[[], Any], repeats: int) -> tuple[float, float]:
    """Best seconds of two calls taken in turn, so that a busy moment of the machine meets both."""

    def once(call: Callable[[], Any]) -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    rounds = [(once(first), once(second)) for _ in range(repeats)]
    return min(one for one, _ in rounds), min(two for _, two in rounds)
