"""Timing in turns, best of n: a slow moment of the machine delays one run of a task, and the minimum leaves it out."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)

# A task that takes longer than this is repeated SLOW_REPEATS times at most.
SLOW_SECONDS = 3.0
SLOW_REPEATS = 2


def seconds(task: Callable[[], Any]) -> float:
    """Return how long a task takes. Its result is freed after the clock stops."""
    begin = time.perf_counter()
    result = task()
    end = time.perf_counter()
    del result
    return end - begin


def times_in_turns(tasks: Mapping[Key, Callable[[], Any]], repeats: int) -> dict[Key, list[float]]:
    """Return the seconds of every task in each round. A slow task takes part in the first SLOW_REPEATS rounds only.

    The first round is in order, the later ones are shuffled, so that no task always follows the same other task.
    """
    times: dict[Key, list[float]] = {key: [] for key in tasks}
    order = list(tasks)
    for turn in range(repeats):
        for key in order:
            if turn < SLOW_REPEATS or min(times[key]) < SLOW_SECONDS:
                times[key].append(seconds(tasks[key]))
        random.Random(turn).shuffle(order)
    return times


def fresh_process(*arguments: str) -> str:
    """Return what a new Python process with these arguments prints."""
    return subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
