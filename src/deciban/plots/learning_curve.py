"""Learning curves of two classifiers as a picture, above their paired difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.plots.axes import short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import MARKERS, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.tables.learning_curve import LearningCurve

# Standard errors on either side of a mean that a band covers.
BAND = 2.0
# Training sizes whose logarithms are nearer than this share of the axis are not both labelled.
NEAREST_TICKS = 0.055


@dataclass(eq=False, repr=False)
class LearningCurveDisplay(Display):
    """Errors of two classifiers by training size, and their paired difference with the sizes of a sure lead."""

    curve: LearningCurve

    @property
    def title(self) -> str:
        for name, size in self.curve.sure_from.items():
            if size is not None:
                return f"{short_name(name, 30)} surely leads from {size:,} training rows on"
        return f"{' and '.join(short_name(name, 26) for name in self.curve.names)}: no sure lead at the largest size"

    @property
    def caption(self) -> str:
        repeats = self.curve.errors.shape[1]
        bands = " Bands are ± 2 standard errors; repeats overlap in their rows, so other data may differ by more."
        return (
            f"Mean error on held-out rows in {repeats} repeat{'s' if repeats > 1 else ''}. Both classifiers learn from "
            "the same rows and are tested on the same rows; the difference is taken within each repeat."
            f"{bands if repeats > 1 else ' One repeat cannot show a sure lead.'}"
        )

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        return 7.6, 5.4

    def draw(self, ax: Axes, theme: Theme) -> None:
        upper, lower = self.axes_ = split_axes(ax, 2, 1, height_ratios=[2.4, 1.0])
        lower.sharex(upper)
        curve = self.curve
        for k, (name, style) in enumerate(zip(curve.names, ("-", (0, (5, 2))))):
            mean, error = curve.mean[k], BAND * curve.standard_error[k]
            colour = theme.of_class(k)
            upper.fill_between(curve.sizes, np.maximum(mean - error, 0), mean + error, color=colour, alpha=0.18, lw=0)
            upper.plot(curve.sizes, mean, color=colour, lw=2, ls=style, marker=MARKERS[k], ms=5, label=short_name(name))
        upper.legend(loc="upper right")
        self._draw_difference(lower, theme)
        for lead in curve.leads:
            for each in (upper, lower):
                each.axvline(lead.first, color=theme.quiet, lw=0.9, ls=(0, (2, 2)), zorder=0.5)
        self._frame(upper, lower)

    def _draw_difference(self, ax: Axes, theme: Theme) -> None:
        curve = self.curve
        mean, _ = curve.difference
        low, high = curve.difference_interval
        ax.fill_between(curve.sizes, low, high, color=theme.quiet, alpha=0.25, lw=0)
        ax.plot(curve.sizes, mean, color=theme.ink, lw=1.4, zorder=2)
        ax.axhline(0, color=theme.quiet, lw=0.9)
        for code in (-1, 0, 1):
            found = curve.lead == code
            colour, marker = (theme.paper, "o") if code < 0 else (theme.of_class(code), MARKERS[code])
            ax.scatter(curve.sizes[found], mean[found], 34, color=colour, marker=marker, ec=theme.ink, lw=0.9, zorder=3)
        ax.margins(y=0.32)
        for place, va, name in ((0.97, "top", curve.names[1]), (0.04, "bottom", curve.names[0])):
            side = "above" if va == "top" else "below"
            note = f"{side} 0: {short_name(name)} errs less"
            box = {"facecolor": theme.paper, "edgecolor": "none", "pad": 1.0, "alpha": 0.8}
            ax.text(0.01, place, note, transform=ax.transAxes, va=va, fontsize=8, color=theme.quiet, bbox=box)

    def _frame(self, upper: Axes, lower: Axes) -> None:
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        upper.set_xscale("log")
        sizes = labelled_sizes(self.curve.sizes.tolist())
        lower.set_xticks(sizes, [f"{size:,}" for size in sizes])
        lower.minorticks_off()
        upper.minorticks_off()
        upper.tick_params(labelbottom=False)
        upper.set_ylim(bottom=0)
        for ax, ticks in ((upper, 6), (lower, 4)):
            ax.yaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 5, 10]))
            ax.yaxis.set_major_formatter(PercentFormatter(1))
            ax.grid(axis="y")
        upper.set_ylabel("error on held-out rows")
        lower.set_ylabel("difference")
        lower.set_xlabel("training rows (filled points: a sure lead)")


def labelled_sizes(sizes: list[int]) -> list[Any]:
    """Return the sizes that get a label on a logarithmic axis: the largest first, without collisions."""
    span = np.log(sizes[-1] / sizes[0]) or 1.0
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or np.log(kept[-1] / size) > NEAREST_TICKS * span:
            kept.append(size)
    return kept[::-1]
