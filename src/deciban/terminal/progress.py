"""A progress bar on a terminal, for files that take a while."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

# A job shorter than this needs no bar.
PATIENCE = 1.0


def wanted() -> bool:
    """On a terminal, unless DECIBAN_PROGRESS is 0."""
    return os.environ.get("DECIBAN_PROGRESS") != "0" and sys.stderr is not None and sys.stderr.isatty()


def watched(batches: Iterator[Any], source: Any) -> Iterator[Any]:
    """The same batches; once they have taken a second, with a bar of rows, rows/s, bytes and the time left."""
    if source.bytes is None or not wanted():
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
                bar = _bar(source)
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


def _bar(source: Any) -> Any:
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
