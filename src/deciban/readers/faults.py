"""Faults: values and rows of a text file that do not fit its columns and are left out, counted for a warning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from deciban.errors import UnreadableValueWarning, warn_user


@dataclass(frozen=True)
class Faults:
    """Numbers of values read as missing and of rows left out, with the first of them in words.

    ``+`` joins the faults of one block and the next.
    """

    values: int = 0
    rows: int = 0
    first_row: int = 0  # index in the block, or in the file once blocks are added up
    first: str = ""

    def __add__(self, other: Faults) -> Faults:
        begin = self if self.first else other
        return Faults(self.values + other.values, self.rows + other.rows, begin.first_row, begin.first)

    def warn(self, name: str, place: Callable[[int], str]) -> None:
        """Warn of the faults of a file; ``place`` names a row of it."""
        if not self.first:
            return
        found = [f"{self.values:,} values that do not fit their columns are missing values"] if self.values else []
        found += [f"{self.rows:,} rows that do not fit the columns are left out"] if self.rows else []
        message = f"In {name}, {' and '.join(found)}; the first is {self.first} in {place(self.first_row)}."
        warn_user(message, UnreadableValueWarning)


NO_FAULTS = Faults()


@dataclass(frozen=True)
class Parsed:
    """Batches parsed from a block of text, and its faults."""

    batches: list[pa.RecordBatch]
    faults: Faults = NO_FAULTS

    @property
    def rows(self) -> int:
        """The number of rows in the text, including rows that are left out."""
        return sum(batch.num_rows for batch in self.batches) + self.faults.rows

    def faults_after(self, rows: int) -> Faults:
        """Return the faults with their place in the file, where ``rows`` rows precede the block."""
        return Faults(self.faults.values, self.faults.rows, self.faults.first_row + rows, self.faults.first)
