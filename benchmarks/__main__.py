"""Run the cases, print their tables to stdout and progress to stderr."""

from __future__ import annotations

import argparse
import sys

from benchmarks.cases import CASES, Options
from benchmarks.report import Check, machine, summary


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure deciban against its peers.")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the rows or bytes; targets are set for 1 (default)"
    )
    parser.add_argument("--repeats", type=int, default=5, help="rounds to take the best of (default 5)")
    parser.add_argument("--only", default="", metavar="CASE", help="run the cases whose name contains this")
    parser.add_argument("--peers-only", action="store_true", help="leave deciban out of the cases of tables and text")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    given = parser.parse_args()
    if given.repeats < 1:
        parser.error("--repeats must be at least 1")
    if not any(given.only in name for name in CASES):
        parser.error(f"no case contains {given.only!r}; there are {', '.join(CASES)}")
    return given


def main() -> None:
    given = arguments()
    if given.list:
        print("\n".join(CASES))
        return
    options = Options(given.scale, given.repeats, given.peers_only)
    print(f"# Benchmarks\n\n{machine()}.\n")
    print(f"Best of {given.repeats}, in turns. Compare ratios within this run, nothing across runs.\n", flush=True)
    if given.scale != 1:
        print(f"Rows scaled by {given.scale:g}: the targets are set for full size and mean little here.\n")
    checks: list[Check] = []
    for name in (name for name in CASES if given.only in name):
        print(f"{name} ...", file=sys.stderr, flush=True)
        section = CASES[name](options)
        print(section.markdown(), flush=True)
        checks += section.checks
    print(summary(checks))


if __name__ == "__main__":
    main()
