"""Best-of-n timing, in turns: a slow moment of the machine hits everyone and the minimum forgets it."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)

SLOW_SECONDS = 3.0
SLOW_REPEATS = 2


def seconds(task: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    result = task()
    end = time.perf_counter()
    # Freed after the clock stops, for everyone alike.
    del result
    return end - begin


def times_in_turns(tasks: Mapping[Key, Callable[[], Any]], repeats: int) -> dict[Key, list[float]]:
    """Run every task once per round, in order; a slow task sits out the rounds after its second."""
    times: dict[Key, list[float]] = {key: [] for key in tasks}
    for turn in range(repeats):
        for key, task in tasks.items():
            if turn < SLOW_REPEATS or min(times[key]) < SLOW_SECONDS:
                times[key].append(seconds(task))
    return times
