"""One set of rows under three assumptions on the variance of a Gaussian: fixed at 1, shared, and one per class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deciban.arrays.types import Floats
from deciban.describe.regions import Regions
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from deciban.plots.variances import VariancesDisplay


@dataclass(frozen=True, eq=False, repr=False)
class Variances:
    """Decision regions of Gaussian naive Bayes for the same rows with variance 1, a shared one, and one per class.

    With variance 1 and with a shared variance the log-odds are linear, so boundaries are straight lines; with a
    variance per class they are quadratic. ``errors`` are the shares of these rows that are decided wrongly.
    """

    names: tuple[str, ...]
    regions: tuple[Regions, ...]
    errors: Floats

    def _table(self) -> PrintedTable:
        cells = [[name, percent(error)] for name, error in zip(self.names, self.errors)]
        return PrintedTable("", ["variance", "training rows decided wrongly"], cells)

    def to_dict(self) -> dict[str, float]:
        """Return the share of wrong decisions by assumption."""
        return dict(zip(self.names, self.errors.tolist()))

    def __str__(self) -> str:
        return tables_text([self._table()])

    def __repr__(self) -> str:
        shares = ", ".join(f"{name}: {percent(error)} wrong" for name, error in zip(self.names, self.errors))
        return f"Variances({shares})"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self._table()))

    def plot(self, ax: Any = None, *, theme: str | None = None) -> VariancesDisplay:
        """Draw the three models side by side (needs matplotlib); see ``deciban.plots.VariancesDisplay``."""
        from deciban.plots.variances import VariancesDisplay

        return VariancesDisplay(self).plot(ax, theme=theme)
