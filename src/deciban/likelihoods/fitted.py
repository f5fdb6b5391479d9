"""Columns of a fitted event model, which its descriptions are made from: tables, scales and distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deciban.priors.estimation import Estimation


@dataclass(frozen=True, eq=False)
class FittedColumns:
    """The columns of an event model: their names, and the statistics and parameters that follow from training."""

    names: Sequence[str]
    statistics: Any
    estimation: Estimation
    scorer: Any


def joined_name(names: Sequence[str], shown: int = 3) -> str:
    """Return the names of columns that are read together, the first of them if there are many.

    >>> joined_name(["a", "b"]), joined_name(list("abcde"))
    ('a, b', 'a, b, c, … 2 more')
    """
    rest = len(names) - shown
    return ", ".join(names[:shown]) + (f", … {rest} more" if rest > 0 else "")
