"""Experiments of the lecture: accuracy under several conditions, as a table and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deciban.arrays.types import Floats
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from deciban.plots.experiment import ExperimentDisplay


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """Accuracies of an experiment: one line (``series``) for each condition, over the numbers of an axis.

    ``standard_error`` has the same shape as ``accuracy``; 0 where the accuracy is exact.
    """

    title: str
    axis: str  # the quantity that varies
    values: tuple[float, ...]
    names: tuple[str, ...]  # of the values, as they are printed
    series: tuple[str, ...]
    accuracy: Floats  # series × values
    standard_error: Floats
    about: str  # the data, for captions

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain values, by condition."""
        lines = zip(self.series, self.accuracy.tolist(), self.standard_error.tolist())
        found = {name: {"accuracy": a, "standard_error": e} for name, a, e in lines}
        return {"axis": self.axis, "values": list(self.values), "series": found}

    def _table(self) -> PrintedTable:
        rows = []
        for i, name in enumerate(self.names):
            pairs = zip(self.accuracy[:, i], self.standard_error[:, i])
            rows.append([name, *(percent(a) + (f" ± {100 * e:.1f}" if e else "") for a, e in pairs)])
        return PrintedTable(self.title, [self.axis, *self.series], rows, self.about)

    def __str__(self) -> str:
        return tables_text([self._table()])

    def __repr__(self) -> str:
        return f"Experiment({self.title!r}, {len(self.series)} × {len(self.values)} accuracies)"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self._table()))

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ExperimentDisplay:
        """Draw the accuracies with their standard errors; see ``deciban.plots.ExperimentDisplay``."""
        from deciban.plots.experiment import ExperimentDisplay

        return ExperimentDisplay(self).plot(ax, theme=theme)
