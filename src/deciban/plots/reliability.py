"""The reliability diagram: how often predictions come true, by their probability, above the numbers of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.plots.axes import percent_axis, short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.evaluation.reliability import Reliability, ReliabilityBins


@dataclass(eq=False, repr=False)
class ReliabilityDisplay(Display):
    """A reliability as curves before and after calibration, with 95 % intervals, and the numbers of rows below."""

    reliability: Reliability

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, bins: int = 10, *, favour: Any = None, **options: Any
    ) -> Self:
        """Ask ``estimator.reliability`` for rows X with labels y, and draw it; options are those of plot."""
        return cls(estimator.reliability(X, y, bins, favour=favour)).plot(**options)

    @property
    def title(self) -> str:
        return f"Does P({short_name(self.reliability.prediction)}) come true as often as it says?"

    @property
    def caption(self) -> str:
        result = self.reliability
        of = "the class decided on" if result.favour is None else f"the class {short_name(result.favour)}"
        changed = f" Before: prior and evidence alone; after: {result.calibration or 'class weights'}."
        return (
            f"{result.rows:,} rows with labels, in {len(result.after.rows)} bins of the probability of {of}. Points "
            "are means of the rows of a bin, larger for more rows; bars are 95 % intervals (Clopper and Pearson). On "
            f"training rows a model seems more reliable than it is.{changed if result.is_changed else ''}"
        )

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        return 6.4, 6.2

    @property
    def curves(self) -> list[tuple[str, ReliabilityBins]]:
        """The bins that are drawn, with their names: one curve if nothing was changed after the evidence."""
        if not self.reliability.is_changed:
            return [("probability", self.reliability.after)]
        return [("before calibration", self.reliability.before), ("after calibration", self.reliability.after)]

    def draw(self, ax: Axes, theme: Theme) -> None:
        upper, lower = self.axes_ = split_axes(ax, 2, 1, height_ratios=[3.6, 1.0])
        lower.sharex(upper)
        upper.plot([0, 1], [0, 1], color=theme.quiet, lw=0.9, ls=(0, (4, 3)), zorder=0.5)
        styles = [(theme.against, "s"), (theme.favour, "o")][-len(self.curves) :]
        for (name, bins), (colour, marker) in zip(self.curves, styles):
            self._draw_curve(upper, theme, name, bins, colour, marker)
        self._draw_rows(lower, [colour for colour, _ in styles])
        self._frame(upper, lower)

    def _draw_curve(self, ax: Axes, theme: Theme, name: str, bins: ReliabilityBins, colour: str, marker: str) -> None:
        seen = bins.rows > 0
        x, y, (low, high) = bins.confidence[seen], bins.share[seen], bins.interval
        ax.vlines(x, low[seen], high[seen], color=colour, lw=1.6, alpha=0.55)
        label = (
            f"{name}: says {percent(bins.mean_confidence)}, is {percent(bins.mean_share)}, "
            f"error {bins.calibration_error:.3f}"
        )
        # Bins of few rows scatter by chance, so their points are small and the line between points is faint.
        ax.plot(x, y, color=colour, lw=1.1, alpha=0.35)
        area = 14 + 130 * bins.rows[seen] / bins.rows.max()
        ax.scatter(x, y, area, color=colour, marker=marker, ec=theme.paper, lw=0.8, zorder=3)
        ax.plot([], [], color=colour, marker=marker, ms=7, mec=theme.paper, label=label)

    def _draw_rows(self, ax: Axes, colours: list[str]) -> None:
        edges, number = self.reliability.after.edges, len(self.curves)
        width = 0.88 * np.diff(edges) / number
        for k, ((_, bins), colour) in enumerate(zip(self.curves, colours)):
            ax.bar(edges[:-1] + 0.06 * np.diff(edges) + k * width, bins.rows, width, align="edge", color=colour)

    def _frame(self, upper: Axes, lower: Axes) -> None:
        upper.set_xlim(-0.02, 1.02)
        upper.set_ylim(-0.02, 1.02)
        upper.grid(axis="y")
        percent_axis(upper.yaxis)
        percent_axis(lower.xaxis)
        upper.tick_params(labelbottom=False)
        right = "right decisions" if self.reliability.favour is None else short_name(self.reliability.favour, 24)
        upper.set_ylabel(f"share that is {right}" if self.reliability.favour is not None else f"share of {right}")
        upper.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderpad=0.1)
        lower.set_ylabel("rows")
        lower.set_xlabel(f"predicted probability of {short_name(self.reliability.prediction)}")
