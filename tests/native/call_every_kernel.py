"""Call every function and method of the native module with valid and with changed arguments.

Run as a program under the sanitizers, it prints for each how many calls got past the checks of its arguments."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from zlib import crc32

import numpy as np
import text_kernel_calls  # noqa: F401 - registers its generators
from changed_arguments import change
from kernel_arguments import Draw
from kernel_calls import GENERATORS

from deciban.arrays.native import kernels

SIZES = [0, 1, 2, 3, 9, 17, 70]
REFUSALS = ValueError, TypeError, IndexError


def native_functions() -> dict[str, Callable]:
    """Return what the native module offers, methods as `Class.method`."""
    found = {name: value for name, value in vars(kernels).items() if type(value).__name__ == "nb_func"}
    for owner in vars(kernels).values():
        if isinstance(owner, type):
            methods = {name: value for name, value in vars(owner).items() if type(value).__name__ == "nb_method"}
            found |= {f"{owner.__name__}.{name}": value for name, value in methods.items()}
    return found


def random_draw(rng: np.random.Generator) -> Draw:
    """Return a draw of random sizes, each of them zero now and then."""
    rows, features, classes = rng.choice(SIZES, 3, p=[0.1, *[0.15] * 6]).tolist()
    return Draw(rng, rows if classes else 0, features, classes)


def call_randomly(name: str, calls: int, seed: int) -> Counter:
    """Call a kernel with valid arguments in one of four calls, else with changed ones; count what happened."""
    function, outcome = native_functions()[name], Counter()
    for i in range(calls):
        rng = np.random.default_rng([seed, crc32(name.encode()), i])
        arguments, others = (GENERATORS[name](random_draw(rng)) for _ in range(2))
        arguments = change(arguments, others, i % 4, rng)
        kind = "changed" if i % 4 else "valid"
        try:
            function(*arguments)
        except REFUSALS:
            outcome[f"{kind} refused"] += 1
        else:
            outcome[f"{kind} accepted"] += 1
    return outcome


def main(calls: int, seed: int) -> int:
    """Print a line for every kernel; return 1 if a kernel accepted no valid call."""
    heads = [f"{kind} {end}" for kind in ("valid", "changed") for end in ("accepted", "refused")]
    print(f"{'calls that got past the checks, and others':46}" + "".join(f"{head:>18}" for head in heads))
    unreached = []
    for name in sorted(native_functions()):
        outcome = call_randomly(name, calls, seed)
        print(f"{name:46}" + "".join(f"{outcome[head]:18,}" for head in heads), flush=True)
        if not outcome["valid accepted"]:
            unreached.append(name)
    print(f"never reached: {', '.join(unreached)}" if unreached else "every kernel was reached")
    return int(bool(unreached))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
