"""The program, run in a process of its own, and rows for it."""

import subprocess
import sys

import numpy as np
import pandas as pd

RNG = np.random.default_rng(9)
Y = np.array(["no", "yes"])[(RNG.random(400) < 0.4).astype(int)]
FRAME = pd.DataFrame(
    {
        "id": np.arange(400) + 1000,
        "x": RNG.normal(size=400) + 2 * (Y == "yes"),
        "word": np.array(["red", "green", "blue"])[RNG.integers(0, 3, 400)],
        "y": Y,
    }
)


def run(*words, folder=None, stdin=None):
    """Run the program and return the process with its output."""
    command = [sys.executable, "-c", "from deciban.cli import main; main()", *map(str, words)]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, timeout=120, check=False)


def remarks(*words, folder=None):
    """Run the program and return what it says on stderr."""
    done = run(*words, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr


def deciban(*words, folder=None, stdin=None, ok=True):
    """Run the program and return its output; where it must fail, return its exit code and its error."""
    done = run(*words, folder=folder, stdin=stdin)
    if ok:
        assert done.returncode == 0, done.stderr
        return done.stdout
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr
