"""Columns as few codes, the way a diagnosis looks at them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from deciban.arrays.frame import Frame
from deciban.arrays.types import Codes
from deciban.statistics import Block


@dataclass(frozen=True)
class InspectedColumn:
    """A column of codes: a column of the group, or a word of its text."""

    place: int  # of the column in its group
    values: int  # number of codes
    word: str | None = None


@dataclass(frozen=True)
class Inspection:
    """The inspected columns of a group, and the function that turns rows into their codes [rows × columns]."""

    columns: list[InspectedColumn]
    codes: Callable[[Frame], Codes]  # −1 for a missing value


def inspect_columns(statistics: Block) -> Inspection | None:
    """Return every column as the few codes that its statistics tell apart; None if they tell none."""
    if not statistics.has_few_codes:
        return None
    columns = [InspectedColumn(j, statistics.few_values(j)) for j in range(statistics.features)]
    return Inspection(columns, statistics.few_codes)
