"""Class-conditional densities: P(value | class) of one column in every class, with the rows that have the values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.types import Floats, Names
from deciban.describe.columns import (
    LabelledCells,
    ModelColumn,
    drawn_numbers,
    padded,
    positions_between,
    value_range,
)
from deciban.describe.groups import weight_remark
from deciban.likelihoods.distributions import BARS, ColumnDistribution
from deciban.model.classifier import Classifier
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import label_list, short_value

if TYPE_CHECKING:
    from deciban.plots.densities import DensitiesDisplay

# Numbers at which a curve is evaluated, per class.
CURVE_POINTS = 401
# Standard deviations of a normal curve that are shown on both sides of its mean.
DEVIATIONS = 4.5
# Values in the printed table.
SHOWN_VALUES = 12


@dataclass(frozen=True, eq=False, repr=False)
class Densities:
    """P(value | class) of one column for every class, or the density where the column is continuous.

    ``kind`` is "curve" (a density at ``values``), "steps" (a density between ``edges``) or "bars" (a probability for
    each of the ``values``). ``heights`` [classes × values] are multiplied by P(class) if ``weighted``.
    """

    column: str
    event_model: str
    classes: Names
    prior: Floats  # P(class)
    distribution: ColumnDistribution
    weighted: bool
    rows: LabelledCells | None  # rows whose values are drawn as a rug
    remark: str = ""  # that a refined model gives the column a weight

    @property
    def kind(self) -> str:
        """ "curve", "steps" or "bars"."""
        return self.distribution.kind

    @property
    def values(self) -> tuple[Any, ...]:
        """Numbers of a curve, middles of bins, or the values of the column."""
        return self.distribution.values

    @property
    def edges(self) -> Floats | None:
        """Edges of the bins, None unless the kind is "steps"."""
        return self.distribution.edges

    @property
    def heights(self) -> Floats:
        """[classes × values] probability or density, multiplied by P(class) if ``weighted``."""
        found = self.distribution.heights
        return found * self.prior[:, None] if self.weighted else found

    @property
    def areas(self) -> Floats:
        """[classes] sum of the probabilities, or integral of the densities: 1, less the part outside ``values``."""
        return self.distribution.areas

    def evidence(self, favour: Any, against: Any) -> Floats:
        """[values] evidence of every value for one class against another, in decibans, before any weight."""
        names = self.classes.tolist()
        for label in (favour, against):
            if label not in names:
                raise ValueError(f"{label!r} is not among the classes {label_list(names)}.")
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = 10 * np.log10(self.distribution.heights)
            found = logs[names.index(favour)] - logs[names.index(against)]
        return np.where(np.isnan(found), 0.0, found)

    @property
    def notation(self) -> str:
        """The quantity that ``heights`` holds, as it is written in formulas."""
        p = "P" if self.kind == BARS else "p"
        return f"{p}({self.column} | class)" + (" · P(class)" if self.weighted else "")

    def _table(self) -> PrintedTable:
        step = max(1, -(-len(self.values) // SHOWN_VALUES)) if self.kind != BARS else 1
        shown = list(range(0, len(self.values), step))[:SHOWN_VALUES]
        cells = [[self._value(i), *(f"{h:.4g}" for h in self.heights[:, i])] for i in shown]
        left = len(self.values) - len(shown)
        remarks = [f"{len(shown)} of {len(self.values)} values"] if left else []
        below = "\n".join([*remarks, self.remark] if self.remark else remarks)
        return PrintedTable(f"{self.notation}, {self.event_model}", ["value", *map(str, self.classes)], cells, below)

    def _value(self, i: int) -> str:
        if self.edges is not None:
            return f"{self.edges[i]:.4g} to {self.edges[i + 1]:.4g}"
        value = self.values[i]
        return f"{value:.6g}" if isinstance(value, float) else short_value(value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rows as plain values."""
        return {
            "column": self.column,
            "event_model": self.event_model,
            "kind": self.kind,
            "values": list(self.values),
            "edges": None if self.edges is None else self.edges.tolist(),
            "weighted": self.weighted,
            "heights": {str(c): h.tolist() for c, h in zip(self.classes.tolist(), self.heights)},
        }

    def __str__(self) -> str:
        return tables_text([self._table()])

    def __repr__(self) -> str:
        return f"Densities({self.column!r}, {self.event_model}, {len(self.classes)} classes, {self.kind})"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self._table()))

    def plot(
        self, ax: Any = None, *, favour: Any = None, against: Any = None, theme: str | None = None
    ) -> DensitiesDisplay:
        """Draw the densities with the rows as a rug (needs matplotlib); see ``deciban.plots.DensitiesDisplay``.

        With two classes, or with ``favour`` and ``against``, the evidence of every value is drawn below.
        """
        from deciban.plots.densities import DensitiesDisplay

        return DensitiesDisplay(self, favour, against).plot(ax, theme=theme)


def find_densities(
    classifier: Classifier, column: ModelColumn, rows: LabelledCells | None, weighted: bool = False
) -> Densities:
    """Return the densities of a column."""
    likelihood = column.likelihood
    if likelihood.reads_text or likelihood.joins_columns:
        what = "its words" if likelihood.reads_text else "its columns"
        raise ValueError(
            f"column {column.name!r} has no distribution of its own: {likelihood} reads {what} together; "
            "nb.parameters() shows their probabilities."
        )
    if column.is_ignored:
        raise ValueError(f"predictions ignore column {column.name!r}, so it has no distribution in the model.")
    numbers = np.zeros(0) if likelihood.reads_names else _curve_numbers(classifier, column, rows)
    distribution = likelihood.distribution(column.fitted, column.within, numbers)
    model = classifier.model
    prior, remark = np.exp(model.log_prior), weight_remark(classifier)
    return Densities(column.name, str(likelihood), model.classes, prior, distribution, weighted, rows, remark)


def _curve_numbers(classifier: Classifier, column: ModelColumn, rows: LabelledCells | None) -> Floats:
    """Return the numbers at which a curve is evaluated, closer to each other where a class is narrow."""
    whole = column.likelihood.reads_whole_numbers
    drawn = drawn_numbers(classifier, column)
    cells = drawn if rows is None else np.concatenate([drawn, rows.cells[:, 0]])
    low, high = padded(*value_range(classifier, column, cells), whole)
    if whole:
        return positions_between(low, high + 0.25 * (high - low) * (high > 1), CURVE_POINTS, whole)
    numbers = [positions_between(low, high, CURVE_POINTS, whole)]
    if column.normal is not None:
        reach = np.linspace(-DEVIATIONS, DEVIATIONS, CURVE_POINTS)
        numbers += [mean + deviation * reach for mean, deviation in zip(*column.normal)]
    return np.unique(np.concatenate(numbers))
