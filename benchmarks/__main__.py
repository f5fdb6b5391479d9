"""Run the cases, and print their tables to stdout and progress to stderr."""

from __future__ import annotations

import argparse

from benchmarks.cases import CASES
from benchmarks.options import Options, add_case_options, select_cases
from benchmarks.report import Check, announce, machine, summary


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure deciban against its peers.")
    add_case_options(parser, scale=1.0)
    parser.add_argument("--repeats", type=int, default=5, help="rounds to take the best of (default 5)")
    parser.add_argument("--peers-only", action="store_true", help="leave deciban out of the cases of tables and text")
    given = parser.parse_args()
    if given.repeats < 1:
        parser.error("--repeats must be at least 1")
    names = select_cases(parser, given, CASES)
    options = Options(given.scale, given.repeats, given.peers_only)
    print(f"# Benchmarks\n\n{machine()}.\n")
    print(f"Best of {given.repeats}, in turns. Compare ratios within this run, nothing across runs.\n", flush=True)
    if given.scale != 1:
        print(f"Rows scaled by {given.scale:g}: the targets are set for full size and mean little here.\n")
    checks: list[Check] = []
    for name in names:
        announce(name)
        section = CASES[name](options)
        print(section.markdown(), flush=True)
        checks += section.checks
    print(summary(checks))


if __name__ == "__main__":
    main()
