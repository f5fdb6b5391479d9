"""The load tests in full: threads for a minute, a hundred kills of every program, a full disk. Prints what it saw."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from busy_threads import BusyModel
from full_disks import check_full, small_disk, write_commands
from killed_programs import killed_programs

PREDICTORS, UPDATERS = 16, 4
# The memory of the second half may exceed that of the first by allocations of threads that were never busy at once.
GROWTH = 1.1


def resident_megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


def soak_threads(seconds: int) -> None:
    busy, memory = BusyModel(), []

    def measure_memory() -> bool:
        """Measure once a second; return whether the time is over."""
        sleep(1)
        memory.append(resident_megabytes())
        return len(memory) == seconds

    rows = busy.run(PREDICTORS, UPDATERS, measure_memory)
    busy.check_sums()
    quarters = [max(memory[i * seconds // 4 : (i + 1) * seconds // 4]) for i in range(4)]
    print(f"{PREDICTORS} threads predicted {rows:,} rows in {seconds} s, each with a distribution")
    print(f"{UPDATERS} threads made {dict(busy.actions)}; the statistics are the sum of all {sum(busy.added.values())}")
    print("most memory in every quarter, MB: " + ", ".join(f"{q:.0f}" for q in quarters), flush=True)
    assert quarters[3] < quarters[1] * GROWTH, "memory grows"


def soak_kills(folder: Path, times: int) -> None:
    with killed_programs(folder) as programs:
        for name, killed in programs.items():
            left = killed.kill_often(times, seed=1)
            print(f"{name} killed {times} times left {dict(left)}", flush=True)


def soak_disks(folder: Path) -> None:
    model, rows = folder / "first.deciban", folder / "rows.csv"
    for path, command in write_commands(model, rows, folder).items():
        print(f"limit of a file's size: {check_full(path, command, size=8192)}")
    with small_disk(folder / "disk", "16k") as disk:
        if disk is None:
            print("no small disk: only root may mount one")
            return
        for path, command in write_commands(model, rows, disk).items():
            print(f"disk of 16 KB: {check_full(path, command)}")


def main(seconds: int = 60, times: int = 100) -> None:
    soak_threads(seconds)
    with TemporaryDirectory() as folder:
        soak_kills(Path(folder), times)
        soak_disks(Path(folder))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
