"""Prior, likelihood and posterior of a probability as curves, with its three estimates: a panel per class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.estimates import ClassEstimates, EstimateComparison

# Classes that are drawn, and the most in a row.
SHOWN_CLASSES, IN_A_ROW = 9, 3
# Peaks narrower than this part of the axis are enlarged.
NARROW = 0.2
# Widths of a narrow peak that are left free on the side of the legend.
LEGEND_ROOM = 3.0
# Estimates in the order of ClassEstimates.estimates.
MARKERS = ("o", "D", "s")


@dataclass(eq=False, repr=False)
class EstimatesDisplay(Display):
    """The curves behind the estimates of P(value | class), and the estimates on the axis below them."""

    comparison: EstimateComparison

    @classmethod
    def from_estimator(
        cls, estimator: Any, column: str, value: Any = None, *, prior: Any = None, **options: Any
    ) -> Self:
        """Compare the estimates of one value, as ``estimator.compare_estimates`` does; options are those of plot."""
        return cls(estimator.compare_estimates(column, value, prior=prior)).plot(**options)

    @property
    def title(self) -> str:
        return f"Prior, likelihood and posterior of {short_name(self.comparison.title, 60)}"

    @property
    def caption(self) -> str:
        more = len(self.comparison) - SHOWN_CLASSES
        omitted = f" {more} more classes are not drawn." if more > 0 else ""
        return (
            "The likelihood of the training counts is scaled to an area of 1; it is not a probability of θ. The "
            "posterior is prior times likelihood: MAP is its maximum, the predictive estimate its mean. Curves show "
            f"what the counts leave open, not whether the model is right.{omitted}"
        )

    @property
    def _grid(self) -> tuple[int, int]:
        panels = min(len(self.comparison), SHOWN_CLASSES)
        columns = min(panels, IN_A_ROW)
        return -(-panels // columns), columns

    @property
    def has_panels(self) -> bool:
        return self._grid != (1, 1)

    @property
    def size(self) -> tuple[float, float]:
        rows, columns = self._grid
        return 1.6 + 3.1 * max(columns, 2), 0.5 + 2.9 * rows

    def draw(self, ax: Axes, theme: Theme) -> None:
        rows, columns = self._grid
        shown = self.comparison.classes[:SHOWN_CLASSES]
        self.axes_ = [ax] if len(shown) == 1 else split_axes(ax, rows, columns)
        for panel in self.axes_[len(shown) :]:
            panel.set_axis_off()
        for i, (panel, found) in enumerate(zip(self.axes_, shown)):
            self._draw_class(panel, theme, found, legend=i == 0)

    def _draw_class(self, ax: Axes, theme: Theme, found: ClassEstimates, legend: bool) -> None:
        styles = (
            ("prior", found.prior, theme.quiet, (0, (1, 1.5))),
            ("likelihood", found.likelihood, theme.against, (0, (5, 2))),
            ("posterior", found.posterior, theme.favour, "solid"),
        )
        for name, curve, colour, line in styles:
            ax.plot(found.theta, curve, color=colour, ls=line, lw=1.8, label=name)
        ax.fill_between(found.theta, found.posterior, color=theme.favour, alpha=0.12, lw=0)
        top = 1.12 * highest(found)
        colours = theme.against, theme.favour, theme.ink
        for (name, estimate), marker, colour in zip(found.estimates.items(), MARKERS, colours):
            if estimate is not None:
                place = float(estimate)
                label = f"{name} {place:.3g}"
                ax.plot([place], [0], marker, color=colour, ms=7, mec=theme.paper, clip_on=False, zorder=5, label=label)
                ax.plot([place] * 2, [0, top], color=colour, lw=0.6, alpha=0.6, zorder=1)
        ax.set(xlim=shown_part(found), ylim=(0, top), yticks=[], xlabel="θ")
        if shown_part(found) == (0.0, 1.0):
            ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        ax.spines["left"].set_visible(False)
        seen = f"{found.count:.6g} of {found.whole:.6g}, Beta({found.a:.4g}, {found.b:.4g})"
        name = short_name(self.comparison.class_text(found), 24)
        ax.set_title(f"{name}: {seen}" if name else seen, fontsize=9.5, fontweight="normal")
        handles = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
        low, high = shown_part(found)
        is_left = float(found.predictive) < (low + high) / 2
        shown = handles if legend else handles[3:]  # curves are named in the first panel
        ax.legend(handles=shown, loc="upper right" if is_left else "upper left", fontsize=8, handlelength=1.8)


def highest(found: ClassEstimates) -> float:
    """Return the height of the panel: the highest finite point of likelihood and posterior."""
    curves: Floats = np.concatenate([found.likelihood, found.posterior])
    return float(max(curves[np.isfinite(curves)].max(initial=0.0), 1.0))


def shown_part(found: ClassEstimates) -> tuple[float, float]:
    """Return the part of the axis that is drawn: all of it, unless the posterior and likelihood are narrow peaks."""
    high = np.maximum(found.likelihood, found.posterior)
    peak = found.theta[np.isfinite(high) & (high > 1e-4 * high[np.isfinite(high)].max(initial=1.0))]
    width = float(np.ptp(peak)) if len(peak) else 1.0
    if width > NARROW:
        return 0.0, 1.0
    width = max(width, 1e-12)  # a peak that is narrower than the numbers between 0 and 1 can show
    first, last = float(peak.min()), float(peak.max())
    left, right = (1.0, LEGEND_ROOM) if first + last < 1 else (LEGEND_ROOM, 1.0)
    return max(0.0, first - left * width), min(1.0, last + right * width)
