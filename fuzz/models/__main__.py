"""Compare deciban with the reference on random cases: ``python -m fuzz.models --seconds 600``.

A case follows from its seed; ``--only 17`` repeats the case of seed 17 and prints the smallest part of it that fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from .cases import CHECKS, STEPS, make_case
from .checks import Finding
from .choices import WAYS, Choices
from .columns import MAKERS
from .session import Session
from .shrink import finding_of, shrink

# Every so many cases a table is left to deciban's own choices.
CHOICES_EVERY = 10
Counts = Counter[tuple[str, str]]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz.models", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to run")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first seed; they count upwards")
    parser.add_argument("--only", type=int, help="the seed of a single case to run")
    parser.add_argument("--findings", type=int, default=5, help="stop after so many findings")
    return parser.parse_args()


def run_seed(seed: int, counts: Counts) -> bool:
    """Run the case of a seed; print what it finds and return whether it found anything."""
    try:
        if seed % CHOICES_EVERY:
            Session(make_case(seed), counts).run()
        else:
            Choices(seed).run(counts)
    except Finding as finding:
        report(seed, finding)
        return True
    return False


def report(seed: int, finding: Finding) -> None:
    """Print a finding and the smallest case that shows it."""
    if seed % CHOICES_EVERY:
        small = shrink(make_case(seed), finding.kind)
        print(f"\n{small}\n{finding_of(small) or finding}")
    else:
        print(f"\n{Choices(seed)}\n{finding}")
    print(f"Repeat it: python -m fuzz.models --only {seed}", flush=True)


def run(first: int, seconds: float, most: int) -> bool:
    """Run cases from a first seed on, print what was covered, and return whether all is well.

    A slow machine gets three times the seconds to try every operation with every event model at least once.
    """
    counts: Counts = Counter()
    begin, seed, findings = time.monotonic(), first, 0
    while findings < most and time.monotonic() < begin + (3 * seconds if never_tried(counts) else seconds):
        findings += run_seed(seed, counts)
        seed += 1
    print_counts(counts)
    for name, operation in never_tried(counts):
        print(f"never tried: {operation} with {name}")
    print(f"{seed - first} cases from seed {first} on, {findings} findings")
    return not findings and not never_tried(counts)


def never_tried(counts: Counts) -> list[tuple[str, str]]:
    """Return the pairs of event model and operation that have not come about."""
    pairs = [(name, operation) for name in MAKERS for operation in (*STEPS, *CHECKS)]
    return [pair for pair in (*pairs, *(("chosen", way) for way in WAYS)) if not counts[pair]]


def print_counts(counts: Counts) -> None:
    """Print how often every operation was done with every event model."""
    print(" " * 16 + "".join(f"{name:>12}" for name in sorted(MAKERS)))
    for operation in (*STEPS, *CHECKS):
        print(f"{operation:16}" + "".join(f"{counts[name, operation]:12}" for name in sorted(MAKERS)))
    print("columns left to deciban: " + ", ".join(f"{way} {counts['chosen', way]}" for way in WAYS))


if __name__ == "__main__":
    given = arguments()
    if given.only is None:
        sys.exit(not run(given.seed, given.seconds, given.findings))
    sys.exit(run_seed(given.only, Counter()))
