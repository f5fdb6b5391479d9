"""Speed of this checkout next to another one, on deciban's part of the cases of ``python -m benchmarks``.

``python -m benchmarks.against OTHER`` needs a clone of deciban in the folder OTHER, installed in its own ``.venv``.
Every case runs in two processes, one per checkout, that have the same data and take turns: here, there, here, there. A
figure is the best of several turns. One table is printed. A ratio above 1.10 (this checkout is slower) is measured
again in new processes, and marked if it stays. The other checkout is not changed, and its own benchmarks are not used.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from benchmarks.memory import MB
from benchmarks.options import add_case_options, select_cases
from benchmarks.own_tasks import OWN_TASKS, PEAK_CASES
from benchmarks.report import announce, machine, number, table_line

ROOT = Path(__file__).parents[1]
HEADER = ("case", "seconds here", "seconds there", "ratio", "", "peak MB here", "peak MB there")
# This checkout is slower where its time is a larger multiple of the other's.
ALLOWED_RATIO = 1.10
# A task takes turns until this much time is spent in each checkout, within these numbers of turns.
SECONDS_PER_TASK = 2.0
LEAST_TURNS, MOST_TURNS = 3, 100
# A ratio above the allowed one is measured again this often, in new processes.
RETRIES = 2


class Worker:
    """A process that runs tasks of one case with the deciban of one checkout."""

    def __init__(self, python: Path, case: str, scale: float, folder: str):
        command = [str(python), "-m", "benchmarks.worker", case, str(scale), folder]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.greeting = self.read_answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def read_answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(map(str, self.process.args))} ended with code {self.process.wait()}.")
        return json.loads(line)

    def ask(self, kind: str, task: str) -> float:
        """Return the seconds of a task ("seconds"), or the bytes of its peak memory ("peak")."""
        assert self.process.stdin is not None
        print(json.dumps([kind, task]), file=self.process.stdin, flush=True)
        answer = self.read_answer()
        if "error" in answer:
            raise TaskError(answer["error"])
        return answer["result"]


class TaskError(Exception):
    """A task failed in one of the checkouts."""


@dataclass
class Result:
    """Measurements of a task in both checkouts, this one first."""

    name: str
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    peaks: list[float] = field(default_factory=list)
    note: str = ""

    @property
    def ratio(self) -> float:
        return min(self.seconds[0]) / min(self.seconds[1])

    @property
    def is_slower(self) -> bool:
        return not self.note and self.ratio > ALLOWED_RATIO

    @property
    def is_open(self) -> bool:
        """Whether the task is to be measured, for the first time or again."""
        return not self.note and (not self.seconds[0] or self.is_slower)

    def row(self) -> str:
        """Return the row of the table."""
        if self.note:
            return table_line([self.name, "", "", "", self.note, "", ""])
        times = [f"{min(seconds):.4f}" for seconds in self.seconds]
        peaks = [number(peak / MB) for peak in self.peaks] or ["", ""]
        return table_line([self.name, *times, f"{self.ratio:.2f}", "slower" if self.is_slower else "", *peaks])


def measure_case(case: str, pythons: tuple[Path, Path], scale: float) -> list[Result]:
    """Return the results of a case.

    Tasks that are slower here are measured again in new processes: where the data lie in memory differs from process to
    process, and can slow down all runs of one.
    """
    results: dict[str, Result] = {}
    with TemporaryDirectory() as folder:
        for _ in range(1 + RETRIES):
            with ExitStack() as stack:
                workers = [stack.enter_context(Worker(python, case, scale, folder)) for python in pythons]
                if not results:
                    results = new_results(case, [worker.greeting for worker in workers])
                for task, result in results.items():
                    if result.is_open:
                        measure_task(result, workers, task, with_peak=case in PEAK_CASES)
            if not any(result.is_open for result in results.values()):
                break
    return list(results.values())


def new_results(case: str, greetings: list[dict[str, Any]]) -> dict[str, Result]:
    """Return an empty result for every task that both checkouts have, or the errors of making them."""
    packages = [greeting["package"] for greeting in greetings]
    if len(set(packages)) < 2:
        raise RuntimeError(f"both checkouts import deciban from {packages[0]}.")
    errors = [f"{greeting['package']}: {greeting['error']}" for greeting in greetings if greeting["error"]]
    if errors:
        return {case: Result(case, note="; ".join(errors))}
    first, second = (greeting["tasks"] for greeting in greetings)
    return {task: Result(f"{case}: {task}") for task in first if task in second}


def measure_task(result: Result, workers: list[Worker], task: str, with_peak: bool) -> None:
    """Add the seconds of a task to a result, the workers taking turns, and the peak memory."""
    try:
        spent, turns = 0.0, 0
        while turns < LEAST_TURNS or (turns < MOST_TURNS and spent < 2 * SECONDS_PER_TASK):
            for worker, seconds in zip(workers, result.seconds):
                seconds.append(worker.ask("seconds", task))
                spent += seconds[-1]
            turns += 1
        if with_peak:
            result.peaks = [worker.ask("peak", task) for worker in workers]
    except TaskError as error:
        result.note = str(error)


def commit(checkout: Path) -> str:
    """Return the commit that is checked out, with a mark if files differ from it."""
    line = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    return subprocess.run(line, capture_output=True, text=True).stdout.strip() or "unknown commit"


def largest_process_bytes() -> int:
    """Return the peak memory of the largest process that was started."""
    kibibytes = sys.platform == "linux"  # macOS counts bytes
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1024 if kibibytes else 1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, help="a clone of deciban with its own .venv")
    add_case_options(parser, scale=0.3)
    given = parser.parse_args()
    names = select_cases(parser, given, OWN_TASKS)
    if not (given.other / ".venv" / "bin" / "python").exists():
        parser.error(f"{given.other} has no .venv/bin/python; install deciban there first (make .venv/.dev)")
    # A virtual environment is found by the path of the link to its interpreter, so the link is not resolved.
    pythons = Path(sys.executable), given.other.absolute() / ".venv" / "bin" / "python"
    print(f"{machine()}; here {commit(ROOT)}, there {commit(given.other)}, scale {given.scale:g}.\n")
    print(table_line(HEADER), table_line(["---"] * len(HEADER)), sep="\n", flush=True)
    begin, results = time.perf_counter(), []
    for case in names:
        announce(case)
        for result in measure_case(case, pythons, given.scale):
            print(result.row(), flush=True)
            results.append(result)
    slower = [result for result in results if result.is_slower]
    failed = [result for result in results if result.note]
    print(f"\n{len(slower)} of {len(results)} ratios above {ALLOWED_RATIO:.2f}, {len(failed)} failed.")
    minutes = (time.perf_counter() - begin) / 60
    print(f"{minutes:.1f} min; the largest process took {largest_process_bytes() / MB:.0f} MB.")


if __name__ == "__main__":
    main()
