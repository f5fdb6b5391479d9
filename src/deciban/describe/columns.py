"""Columns of a model as pictures need them: found by name, with remembered or drawn values and rows that vary them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.kept_table import KeptTable, as_objects
from deciban.arrays.matrix import Dense
from deciban.arrays.names import find_names
from deciban.arrays.types import Codes, Floats, Names
from deciban.describe.groups import all_groups, fitted_groups
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.fitted import FittedColumns
from deciban.model.classifier import Classifier
from deciban.tables.declared import nearest_hint

# Rows that are drawn from the model to see which values a column has, where no row is remembered.
DRAWN_ROWS = 2000


@dataclass(frozen=True, eq=False)
class ModelColumn:
    """One column of a model: its event model, and the statistics and parameters that it shares with its group."""

    name: str
    position: int  # among all columns
    likelihood: Likelihood
    fitted: FittedColumns  # the columns of its group; without a scorer if predictions ignore them
    within: int  # position among the columns of its group

    def require_numbers(self, purpose: str) -> None:
        """Raise unless the column is read as numbers."""
        if self.likelihood.reads_names:
            raise ValueError(
                f"column {self.name!r} is read as {'text' if self.likelihood.reads_text else 'categories'} by "
                f"{self.likelihood}; {purpose} takes columns of numbers."
            )

    @property
    def normal(self) -> tuple[Floats, Floats] | None:
        """Mean and standard deviation in every class, None unless the column is normal as it is given."""
        if self.is_ignored or self.likelihood.prepares:
            return None
        found: tuple[Floats, Floats] | None = self.fitted.scorer.normal_parameters(self.within)
        return found

    @property
    def is_ignored(self) -> bool:
        """Whether predictions ignore the column."""
        return self.fitted.scorer is None


@dataclass(frozen=True, eq=False)
class LabelledCells:
    """Cells of some columns [rows × columns] with the class of every row, −1 for a row without a label."""

    cells: Floats
    codes: Codes
    weight: Floats
    predicted: Codes  # the class that the model decides on
    about: str  # which rows these are, for captions

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def is_wrong(self) -> Any:
        """Mask of the labelled rows that are predicted as another class."""
        return (self.codes >= 0) & (self.codes != self.predicted)


def find_column(classifier: Classifier, names: Sequence[str], column: Any) -> ModelColumn:
    """Return the column of that name or number, or raise with the nearest name."""
    position = column_index(names, column)
    for group in [*fitted_groups(classifier, names), *all_groups(classifier, names)]:
        if position in group.positions:
            within = group.positions.index(position)
            return ModelColumn(str(names[position]), position, group.likelihood, group.fitted, within)
    raise ValueError(f"column {names[position]!r} has no event model.")


def column_index(names: Sequence[str], column: Any) -> int:
    """Return the position of a column that is given by its name or its number."""
    if isinstance(column, int | np.integer) and not isinstance(column, bool) and column not in names:
        if not -len(names) <= column < len(names):
            raise ValueError(f"column {column} is not among the {len(names)} columns; they are numbered from 0.")
        return int(column) % len(names)
    shown = [str(name) for name in names]
    if str(column) not in shown:
        some = ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "")
        raise ValueError(f"{column!r} is not a column of the model{nearest_hint(str(column), shown)}; it reads {some}.")
    return shown.index(str(column))


def cells_of(x: Frame, columns: Sequence[int]) -> Floats:
    """[rows × columns] cells of columns of numbers as floats, NaN if missing."""
    return np.column_stack([x.take(np.array([j])).numbers("a picture")[:, 0].astype(float) for j in columns])


def remembered_cells(classifier: Classifier, columns: Sequence[int]) -> LabelledCells | None:
    """Return the rows of the model's sample; None if it remembers none."""
    sample = classifier.sample
    if sample.rows is None or not len(sample):
        return None
    x = classifier.sample_frame()
    codes = find_names(sample.names, classifier.model.classes)[sample.codes].astype(np.int32)
    about = "the training rows" if sample.is_complete else f"{len(sample):,} remembered training rows"
    return LabelledCells(cells_of(x, columns), codes, sample.weight, classifier.model.codes(x), about)


def labelled_cells(
    classes: Names, names: Names, codes: Codes, scored: tuple[Floats, Codes], about: str = "the rows given"
) -> LabelledCells:
    """Return given rows: ``codes`` are labels among ``names``, ``scored`` has the cells and the predicted classes."""
    cells, predicted = scored
    position = np.append(find_names(names, classes), -1).astype(np.int32)
    return LabelledCells(cells, position[codes], np.ones(len(cells)), predicted, about)


def value_range(classifier: Classifier, column: ModelColumn, cells: Floats | None) -> tuple[float, float]:
    """Return the least and the greatest number of a column: of the cells given, else of drawn numbers."""
    found = np.zeros(0) if cells is None else cells
    found = found[np.isfinite(found)]
    if not len(found):
        found = drawn_numbers(classifier, column)
    if not len(found):
        raise ValueError(
            f"no row is remembered that has a number in column {column.name!r}; give rows=, or bounds= for the picture."
        )
    return float(found.min()), float(found.max())


def drawn_numbers(classifier: Classifier, column: ModelColumn) -> Floats:
    """Draw numbers of a column from the model; the result is empty if the event model cannot draw."""
    rng = np.random.default_rng(0)
    prior = np.exp(classifier.log_prior)
    codes = rng.choice(len(prior), DRAWN_ROWS, p=prior / prior.sum()).astype(np.int32)
    try:
        drawn = column.likelihood.draw(column.fitted.statistics, classifier.estimation, codes, rng)[column.within]
        numbers = np.asarray(drawn, dtype=float)
    except (ValueError, TypeError, AttributeError, NotImplementedError):
        return np.zeros(0)
    return numbers[np.isfinite(numbers)]


def padded(low: float, high: float, whole: bool, share: float = 0.08) -> tuple[float, float]:
    """Return a range that is wider by a share on both sides; whole numbers are not widened."""
    if whole:
        return float(np.floor(low)), float(np.ceil(high))
    room = share * (high - low) if high > low else max(1.0, 0.1 * abs(low))
    return low - room, high + room


def positions_between(low: float, high: float, n: int, whole: bool) -> Floats:
    """Return at most n numbers from low to high, equally far apart; whole ones if the column holds whole numbers."""
    if not whole:
        return np.linspace(low, high, n)
    first, last = int(np.floor(low)), int(np.ceil(high))
    return np.arange(first, last + 1, -(-(last - first + 1) // n), dtype=float)


@dataclass(frozen=True, eq=False)
class VaryingRows:
    """Rows that differ in a few columns of numbers: all other columns are missing, or those of one row."""

    classifier: Classifier
    row: Frame | None = None

    def frame(self, numbers: Mapping[int, Floats]) -> Frame:
        """Return a row for every number, with the numbers in the columns of these positions."""
        n = len(next(iter(numbers.values())))
        schema = self.classifier.table_schema
        if schema is not None:
            fixed = {} if self.row is None else self.row.keep(np.array([0])).columns  # type: ignore[attr-defined]
            columns = {name: np.repeat(column, n) for name, column in fixed.items()}
            given = {schema.names[j]: column for j, column in numbers.items()}
            return KeptTable(n, columns | given).frame(schema.readings)
        cells = np.full((1, self.classifier.features), np.nan) if self.row is None else self._cells()
        matrix = np.repeat(cells, n, axis=0)
        for j, column in numbers.items():
            matrix[:, j] = column
        return Dense(matrix)

    def _cells(self) -> Any:
        """[1 × columns] cells of the row, as floats if all are numbers."""
        assert self.row is not None
        values = np.array([self.row.values(0)], dtype=object)
        try:
            return np.where(values == None, np.nan, values).astype(float)  # noqa: E711
        except (TypeError, ValueError):
            return as_objects(values.ravel()).reshape(1, -1)
