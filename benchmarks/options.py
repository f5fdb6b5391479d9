"""Options of the command lines that run cases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """Size of the data as a share of rows or bytes, rounds to take the best of, and whether deciban is left out."""

    scale: float
    repeats: int = 1
    peers_only: bool = False

    def rows(self, full: int) -> int:
        """Return the number of rows at this scale, at least 1000."""
        return max(1000, int(full * self.scale))


def add_case_options(parser: argparse.ArgumentParser, scale: float) -> None:
    """Add ``--scale`` with its default, ``--only`` and ``--list``."""
    parser.add_argument("--scale", type=float, default=scale, help=f"share of the rows or bytes (default {scale:g})")
    parser.add_argument("--only", default="", metavar="CASE", help="run the cases whose name contains this")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")


def select_cases(parser: argparse.ArgumentParser, given: argparse.Namespace, names: Iterable[str]) -> list[str]:
    """Return the names of the cases to run. With ``--list``, print all and exit."""
    names = list(names)
    if given.list:
        print("\n".join(names))
        sys.exit()
    selected = [name for name in names if given.only in name]
    if not selected:
        parser.error(f"no case contains {given.only!r}; there are {', '.join(names)}")
    return selected
