"""A process that runs tasks of one case when asked: ``python -m benchmarks.worker CASE SCALE FOLDER``.

It reads one request per line from stdin, a JSON list of "seconds" or "peak" and the name of a task, and answers each
with a line of JSON. The first line it writes names the deciban it imported, and the tasks.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import deciban
from benchmarks.measure import seconds
from benchmarks.memory import free_memory, peak_bytes
from benchmarks.options import Options
from benchmarks.own_tasks import OWN_TASKS


def measure(kind: str, task: Callable[[], Any]) -> float:
    """Return the seconds that a task takes, or its peak memory in bytes."""
    if kind == "seconds":
        return seconds(task)
    free_memory()
    return peak_bytes(task)


def attempt(function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """Return the result of a call, or its error."""
    try:
        return {"result": function(*arguments)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    case, scale, folder = sys.argv[1:]
    # Only answers go to the real stdout: a task that prints would disturb them.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(message: dict[str, Any]) -> None:
        print(json.dumps(message), file=answers, flush=True)

    made = attempt(OWN_TASKS[case], Options(float(scale)), Path(folder))
    tasks = made.get("result", {})
    answer({"package": str(Path(deciban.__file__).parent), "tasks": list(tasks), "error": made.get("error")})
    for line in sys.stdin:
        kind, name = json.loads(line)
        answer(attempt(measure, kind, tasks[name]))


if __name__ == "__main__":
    main()
