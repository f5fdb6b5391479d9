"""Progress bar on a terminal for files that take longer than a second to read."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

# Seconds before the bar appears.
PATIENCE = 1.0


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
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TextColumn("{task.fields[rows]}"),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(os.path.basename(source.name), total=source.bytes, rows="", rate="")
    bar.start()
    return bar
