"""Peak memory of fit and predict, without the input.

``python -m benchmarks.memory deciban fit 1000000`` measures it once, in bytes.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import data
from benchmarks.contestants import OWN_GAUSSIAN, SK_GAUSSIAN
from benchmarks.measure import fresh_process
from benchmarks.report import Section, Target, number

PROC = Path("/proc/self")
WARM_UP_ROWS = 100_000
COLUMNS, CLASSES = 50, 5
MB = 1e6
TARGET = Target("≤", 40, "MB")
CONTESTANTS = {c.package: c for c in (OWN_GAUSSIAN, SK_GAUSSIAN)}


def memory(rows: int) -> Section:
    """Return the section on peak memory, every row measured in a new process."""
    description = f"peak resident memory above the input, {rows:,} × {COLUMNS} float64, {CLASSES} classes"
    section = Section("memory", description, ("contestant", "operation", "peak MB", "target", "reached"))
    for package, contestant in CONTESTANTS.items():
        for operation in ("fit", "predict"):
            peak = int(fresh_process("-m", "benchmarks.memory", package, operation, str(rows))) / MB
            targets = [TARGET] if contestant is OWN_GAUSSIAN else []
            cells = section.verdict(f"{contestant.name}, {operation}", {TARGET.figure: peak}, targets)
            section.rows.append([contestant.name, operation, number(peak), *cells])
    section.notes.append(f"The input is {rows * COLUMNS * 8 / MB:.0f} MB; what an operation returns is counted.")
    return section


def measure_peak(package: str, operation: str, rows: int) -> int:
    """Return the peak memory of an operation in this process, in bytes."""
    x, y = data.gaussian(rows, COLUMNS, CLASSES)
    # Imports and the start of threads do not count.
    estimator = CONTESTANTS[package].make().fit(x[:WARM_UP_ROWS], y[:WARM_UP_ROWS])
    estimator.predict(x[:WARM_UP_ROWS])
    arguments = (x, y) if operation == "fit" else (x,)
    free_memory()
    return peak_bytes(partial(getattr(estimator, operation), *arguments))


def free_memory() -> None:
    """Return freed memory to the system. Otherwise the operation would reuse it, and the peak would be too small."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim:
        trim(0)


def peak_bytes(task: Callable[[], Any]) -> int:
    """Return the resident memory that a task adds at most.

    That is the high-water mark of the Linux kernel if it can be reset, and otherwise the largest of many samples.
    """
    try:
        (PROC / "clear_refs").write_text("5")
    except OSError:
        return sampled_peak(task)
    before = status_bytes("VmRSS")
    result = task()
    peak = status_bytes("VmHWM")
    del result
    return peak - before


def status_bytes(key: str) -> int:
    """Return an entry of /proc/self/status in bytes."""
    lines = (PROC / "status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


def sampled_peak(task: Callable[[], Any]) -> int:
    """Return the resident memory that a task adds at most, from samples every millisecond."""
    import psutil

    process, done = psutil.Process(), threading.Event()
    before = process.memory_info().rss
    samples: list[int] = [before]

    def sample() -> None:
        while not done.wait(0.001):
            samples.append(process.memory_info().rss)

    sampler = threading.Thread(target=sample)
    sampler.start()
    result = task()
    samples.append(process.memory_info().rss)
    done.set()
    sampler.join()
    del result
    return max(samples) - int(before)


if __name__ == "__main__":
    print(measure_peak(sys.argv[1], sys.argv[2], int(sys.argv[3])))
