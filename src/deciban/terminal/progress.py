"""Progress bars on a terminal: for files that take long to read, and for computations of several steps."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from deciban.terminal.printable import printable_line

# Seconds before the bar of a file appears, and that of a computation.
PATIENCE, STEP_PATIENCE = 1.0, 2.0

# Shows the step that a computation is at, and the share of it that is done.
Announce: TypeAlias = Callable[[str, float], None]


def bar_enabled() -> bool:
    """Return whether stderr is a terminal and DECIBAN_PROGRESS is not 0."""
    return os.environ.get("DECIBAN_PROGRESS") != "0" and sys.stderr is not None and sys.stderr.isatty()


def show_progress(batches: Iterator[Any], source: Any) -> Iterator[Any]:
    """Yield the batches of a source unchanged and show how far it is read: rows, rows/s, bytes and the time left.

    The bar appears after PATIENCE seconds, and only where the size of the source is known.
    """
    if source.bytes is None or not bar_enabled():
        yield from batches
        return
    begin, rows = time.monotonic(), 0
    bar = None
    try:
        for batch in batches:
            yield batch
            rows += batch.num_rows
            elapsed = time.monotonic() - begin
            if bar is None and elapsed > PATIENCE:
                bar = _start_bar(source)
            if bar is not None:
                bar.update(
                    bar.task_ids[0],
                    completed=source.position(),
                    rows=f"{rows:,} rows",
                    rate=f"{rows / elapsed:,.0f} rows/s",
                )
    finally:
        if bar is not None:
            bar.stop()


def _start_bar(source: Any) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(),
        TextColumn("{task.fields[rows]}"), TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(printable_line(os.path.basename(source.name)), total=source.bytes, rows="", rate="")
    bar.start()
    return bar


@contextmanager
def show_steps(task: str) -> Iterator[Announce]:
    """Yield a function that shows the step a computation is at, such as "columns", and the share that is done.

    The bar appears with the first step that is announced after STEP_PATIENCE seconds.
    """
    begin, enabled = time.monotonic(), bar_enabled()
    bars: list[Any] = []

    def announce(step: str, share: float) -> None:
        if not enabled or (not bars and time.monotonic() - begin <= STEP_PATIENCE):
            return
        if not bars:
            bars.append(_start_step_bar(f"{task} {step}"))
        bars[0].update(bars[0].task_ids[0], description=f"{task} {step}", completed=share)

    try:
        yield announce
    finally:
        for bar in bars:
            bar.stop()


def _start_step_bar(description: str) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(description, total=1.0)
    bar.start()
    return bar
