"""Run random cases for some seconds: ``python -m fuzz.models --seconds 600``; ``--only 17`` repeats the case of seed 17."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from .cases import CHECKS, MAKERS, STEPS, make_case
from .checks import Finding
from .session import Session
from .shrink import finding_of, shrink


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz.models", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to run")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first seed; they count upwards")
    parser.add_argument("--only", type=int, help="the seed of a single case to run, shrink and print")
    parser.add_argument("--findings", type=int, default=5, help="stop after so many findings")
    return parser.parse_args()


def report(seed: int, finding: Finding) -> None:
    """Print a finding and the smallest case that shows it."""
    small = shrink(make_case(seed), finding.kind)
    print(f"\n{small}\n{finding_of(small) or finding}\nRepeat it: python -m fuzz.models --only {seed}", flush=True)


def run(first: int, seconds: float, most: int) -> int:
    """Run cases from a first seed on, print what was covered, and return the number of findings."""
    counts: Counter[tuple[str, str]] = Counter()
    until, seed, findings = time.monotonic() + seconds, first, 0
    while time.monotonic() < until and findings < most:
        try:
            Session(make_case(seed), counts).run()
        except Finding as finding:
            findings += 1
            report(seed, finding)
        seed += 1
    print_counts(counts)
    print(f"{seed - first} cases from seed {first} on, {findings} findings")
    return findings or missed(counts)


def print_counts(counts: Counter[tuple[str, str]]) -> None:
    """Print how often every operation was done with every event model."""
    print(" " * 16 + "".join(f"{name:>12}" for name in sorted(MAKERS)))
    for operation in (*STEPS, *CHECKS):
        print(f"{operation:16}" + "".join(f"{counts[name, operation]:12}" for name in sorted(MAKERS)))


def missed(counts: Counter[tuple[str, str]]) -> int:
    """Return how many pairs of an event model and an operation never came about, and print them."""
    never = [(name, op) for name in MAKERS for op in (*STEPS, *CHECKS) if not counts[name, op]]
    for name, operation in never:
        print(f"never tried: {operation} with {name}")
    return len(never)


if __name__ == "__main__":
    given = arguments()
    if given.only is None:
        sys.exit(bool(run(given.seed, given.seconds, given.findings)))
    found = finding_of(make_case(given.only))
    print(make_case(given.only))
    if found is not None:
        report(given.only, found)
    sys.exit(found is not None)
