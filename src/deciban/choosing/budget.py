"""The budget of a search, counted in cells: choices depend on the data, never on the speed of the machine or its load.

A cell is one row under one class in one column, scored once: about 4 ns. A default fit should cost no more than a
second of CPU, or than a random forest of 100 trees, whose cost grows with rows × classes too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from deciban.statistics.row_sample import RowSample

# Cells that every search may spend: about 0.6 s.
CELLS = 160_000_000
# Cells that it may spend in addition, for every row and class of the sample.
CELLS_PER_SCORE = 128
# Rows × classes of the sample, at most: there are fewer rows where there are very many classes.
MOST_SCORES = 1 << 20
# Rows × classes × cells of a row, at most: there are fewer rows where texts are long.
MOST_CELLS = 1 << 22
# Rows that a sample has in any case.
FEWEST_ROWS = 500
# The overhead of estimating a column, and of trying another event model for one, in cells.
COLUMN_OVERHEAD, TRIAL_OVERHEAD = 1 << 14, 1 << 15
# Passes over rows × classes that it takes to score a column, add it, and find the temperature.
TRIAL_PASSES = 4


def affordable_rows(sample: RowSample, classes: int, text_cells: float = 0.0) -> RowSample:
    """Return the sample, cut to the rows of the least keys if its rows × classes exceed MOST_SCORES.

    ``text_cells`` is the number of terms of a row's texts, which must not exceed MOST_CELLS together.
    """
    scores = min(MOST_SCORES, int(MOST_CELLS / max(1.0, text_cells)))
    rows = max(FEWEST_ROWS, scores // max(1, classes))
    if len(sample) <= rows:
        return sample
    limit = int(sample.key[rows])
    return replace(sample.below(limit), limit=limit)


@dataclass
class Budget:
    """Cells that a search may still spend; ``scores`` are rows × classes of its sample."""

    scores: int
    columns: float  # cells of a row: columns, and terms of texts
    spent: float = 0.0

    @property
    def whole(self) -> float:
        """Cells that the search may spend in all."""
        return float(CELLS + CELLS_PER_SCORE * self.scores)

    @property
    def evaluation(self) -> float:
        """Cells that it takes to score all columns and find the temperature."""
        return float(self.columns * (self.scores + COLUMN_OVERHEAD) + TRIAL_PASSES * self.scores)

    @property
    def trial(self) -> float:
        """Cells that it takes to try another event model for one column."""
        return float(TRIAL_PASSES * (self.scores + TRIAL_OVERHEAD))

    @property
    def share(self) -> float:
        """Share of the budget that is spent."""
        return self.spent / max(self.whole, 1.0)

    def affords(self, cells: float) -> bool:
        """Return whether that much is left."""
        return self.spent + cells <= self.whole

    def spend(self, cells: float) -> bool:
        """Spend the cells if that much is left, and return whether it was."""
        affordable = self.affords(cells)
        self.spent += cells if affordable else 0.0
        return affordable
