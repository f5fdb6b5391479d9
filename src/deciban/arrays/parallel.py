"""Threads over fixed-size blocks of rows; results come in order, so that sums do not depend on the threads."""

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
    """Return the number of threads: the argument, else ``DECIBAN_THREADS``, else the cores this process may use."""
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
    """Cut rows into blocks of a fixed size, whatever the number of threads; no rows are one empty block."""
    return [(begin, min(begin + size, rows)) for begin in range(0, rows, size)] or [(0, 0)]


def map_blocks(function: Callable[[int, int], T], blocks: list[Block], threads: int | None) -> Iterator[T]:
    """Yield ``function(begin, end)`` of every block, in order; one block or one thread needs no pool."""
    workers = 1 if len(blocks) == 1 and threads is None else min(thread_count(threads), len(blocks))
    return map_ordered(lambda block: function(*block), blocks, workers)


def map_ordered(function: Callable[[S], T], items: Iterable[S], workers: int) -> Iterator[T]:
    """Yield ``function(item)`` of every item, in order, computed on threads; only a few items are taken in advance."""
    if workers == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(workers) as pool:
        remaining = iter(items)
        waiting: deque[Future[T]] = deque()
        try:
            waiting.extend(pool.submit(function, item) for item in islice(remaining, workers + 1))
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(function, item) for item in islice(remaining, 1))
                yield result
        finally:
            for future in waiting:
                future.cancel()
