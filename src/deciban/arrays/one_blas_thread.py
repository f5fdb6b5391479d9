"""One thread for NumPy's matrix products, where many small ones follow each other.

OpenBLAS lets its threads wait actively for the next product, which takes CPU time from everything else.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Limit:
    """The limit is one for the whole process: the first user sets it, and the last one takes it away."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.limits: Any = None

    def enter(self) -> None:
        from threadpoolctl import threadpool_limits

        with self.lock:
            if not self.users:
                self.limits = threadpool_limits(1, user_api="blas")
            self.users += 1

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                self.limits.restore_original_limits()


_LIMIT = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let matrix products run on one thread each, for as long as the context lasts."""
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()
