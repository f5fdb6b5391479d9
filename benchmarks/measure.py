"""Best-of-n timing, in turns: a slow moment of the machine hits everyone and the minimum forgets it."""

from __future__ import annotations

import random
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
    """Run every task once per round; a slow task sits out the rounds after its second.

    The first round goes in order; later ones are shuffled, so that nobody always follows the same neighbour.
    """
    times: dict[Key, list[float]] = {key: [] for key in tasks}
    order = list(tasks)
    for turn in range(repeats):
        for key in order:
            if turn < SLOW_REPEATS or min(times[key]) < SLOW_SECONDS:
                times[key].append(seconds(tasks[key]))
        random.Random(turn).shuffle(order)
    return times
