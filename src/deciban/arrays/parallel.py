"""Threads over fixed-size blocks of rows: the same sum as a cluster's, whatever the number of threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

Block = tuple[int, int]


def thread_count(threads: int | None) -> int:
    """How many threads to use: the argument, else ``DECIBAN_THREADS``, else the cores this process may use."""
    given = threads if threads is not None else os.environ.get("DECIBAN_THREADS")
    if given is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        count = int(given)
    except (TypeError, ValueError):
        count = 0
    if count < 1 or count != float(given):
        source = "threads" if threads is not None else "the environment variable DECIBAN_THREADS"
        raise ValueError(f"{source} is {given!r}; give a whole number of at least 1, or leave it out for all cores.")
    return count


def row_blocks(rows: int, size: int) -> list[Block]:
    """Cut rows into blocks of a fixed size; the cut depends on the data's shape alone, never on the threads."""
    return [(begin, min(begin + size, rows)) for begin in range(0, rows, size)] or [(0, 0)]


def map_blocks(function: Callable[[int, int], T], blocks: list[Block], threads: int | None) -> Iterator[T]:
    """``function(begin, end)`` for every block, results in order; one block or one thread needs no pool."""
    workers = 1 if len(blocks) == 1 and threads is None else min(thread_count(threads), len(blocks))
    return map_ordered(lambda block: function(*block), blocks, workers)


def map_ordered(function: Callable[[S], T], items: Iterable[S], workers: int) -> Iterator[T]:
    """``function(item)`` for every item, on threads, results in order; few items are taken ahead of their turn."""
    if workers == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(workers) as pool:
        todo = iter(items)
        waiting: deque[Future[T]] = deque()
        try:
            waiting.extend(pool.submit(function, item) for item in islice(todo, workers + 1))
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(function, item) for item in islice(todo, 1))
                yield result
        finally:
            for future in waiting:
                future.cancel()
