"""Programs that are killed while they write a file: the file is the old one or the new one, never a part of one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import deciban as db

ROWS, WORDS = 3000, 2000
PROGRAM = [sys.executable, "-c", "from deciban.cli import main; main()"]
# A child for every line of standard input, because imports take long.
SAVE = """
import os, sys, deciban as db
models, path = [db.load(name) for name in sys.argv[1:3]], sys.argv[3]
for line in sys.stdin:
    child = os.fork()
    while not child:
        for model in models:
            model.save(path)
    print(child, flush=True)
    os.waitpid(child, 0)
"""


class Program:
    """A command, run once and killed."""

    def __init__(self, *command: object) -> None:
        self.command = [*map(str, command)]

    def seconds(self) -> float:
        """Return how long the command takes."""
        begin = time.perf_counter()
        subprocess.run(self.command, check=True, capture_output=True)
        return time.perf_counter() - begin

    def run_until(self, moment: Callable[[], None]) -> None:
        """Start the command, and kill it after ``moment`` returns."""
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            moment()
        finally:
            process.kill()
            process.wait()


class Saver:
    """A process whose children save two models in turn until they are killed."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-c", SAVE, *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def seconds(self) -> float:
        return 0.05

    def run_until(self, moment: Callable[[], None]) -> None:
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        child = int(self.process.stdout.readline())
        try:
            moment()
        finally:
            os.kill(child, signal.SIGKILL)
            wait_until(lambda: not Path(f"/proc/{child}").exists())


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until a condition holds, at most for some seconds."""
    end = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < end:
        time.sleep(0.0005)


@dataclass
class Killed:
    """A program that writes ``target`` and is killed; ``contents`` are the bytes that may stand in it afterwards."""

    program: Program | Saver
    target: Path
    contents: list[bytes]

    def kill_often(self, times: int, seed: int) -> Counter:
        """Kill the program many times; return how often it left a temporary file."""
        rng, seconds = np.random.default_rng(seed), 1.1 * self.program.seconds()
        return Counter(self.kill_once(rng, seconds) for _ in range(times))

    def kill_once(self, rng: np.random.Generator, seconds: float) -> str:
        """Kill the program at a random moment, or soon after its temporary file appears; return what it left."""
        self.target.write_bytes(self.contents[0])

        def moment() -> None:
            if rng.random() < 0.5:
                wait_until(self.parts, seconds)
                time.sleep(rng.random() * 0.01)
            else:
                time.sleep(rng.random() * seconds)

        self.program.run_until(moment)
        return self.check()

    def parts(self) -> list[Path]:
        return list(self.target.parent.glob(f".{self.target.name}.*.part"))

    def check(self) -> str:
        content, left = self.target.read_bytes(), self.parts()
        assert content in self.contents, f"{self.target.name} is neither the old file nor the new one"
        for part in left:
            part.unlink()
        state = "the old file" if content == self.contents[0] else "the new file"
        return f"{state} and a temporary one" if left else state


def write_rows(path: Path, seed: int) -> None:
    """Write a table with a text and many categories, so that its model takes more than one write."""
    rng = np.random.default_rng(seed)
    y, words = rng.integers(0, 2, ROWS), rng.integers(0, WORDS, (ROWS, 3))
    lines = [f"word{a} word{b},{c},{'ab'[k]}" for (a, b, c), k in zip(words.tolist(), y.tolist())]
    path.write_text("text,number,y\n" + "\n".join(lines) + "\n")


@contextmanager
def killed_programs(folder: Path) -> Iterator[dict[str, Killed]]:
    """Yield what can be killed: ``save``, ``deciban update`` and ``deciban predict -o``."""
    rows, more = folder / "rows.csv", folder / "more.csv"
    write_rows(rows, 1)
    write_rows(more, 2)
    first, second, model = folder / "first.deciban", folder / "second.deciban", folder / "model.deciban"
    db.NaiveBayes({"text": db.Words()}).fit(str(rows), "y").save(first)
    Program(*PROGRAM, "update", first, more, "-o", second).seconds()
    models = [first.read_bytes(), second.read_bytes()]
    assert models[0] != models[1]
    output = folder / "predictions.csv"
    predict = Program(*PROGRAM, "predict", first, rows, "-o", output, "--proba")
    predict.seconds()
    model.write_bytes(models[0])
    with closing(Saver(second, first, model)) as saver:
        yield {
            "save": Killed(saver, model, models),
            "update": Killed(Program(*PROGRAM, "update", model, more), model, models),
            "predict -o": Killed(predict, output, [b"old\n", output.read_bytes()]),
        }
