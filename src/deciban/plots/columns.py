"""A diagnosis as a picture: the evidence of every column, and a matrix of what pairs of columns share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.plots.axes import draw_cells, short_name
from deciban.plots.confusion import readable_on
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.arrays.types import Floats
    from deciban.explain.findings import Diagnosis

# Steps of the colour scale; matplotlib draws one of few steps as shapes, not as an image.
COLOURS = 40
# Characters of a name beside the matrix.
NAME_WIDTH = 26
# The most columns whose cells hold a number, and the least share that is written.
WRITTEN_COLUMNS, WRITTEN_SHARE = 16, 0.1


@dataclass(eq=False, repr=False)
class ColumnsDisplay(Display):
    """A diagnosis as bars of every column's evidence about the class, beside a matrix of what pairs of columns share.

    Columns that share much are drawn next to each other.
    """

    diagnosis: Diagnosis

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        """Ask ``estimator.diagnose`` for rows X with labels y, and draw it; options are those of plot."""
        return cls(estimator.diagnose(X, y)).plot(**options)

    @property
    def title(self) -> str:
        return "Evidence of every column, and columns that repeat each other"

    @property
    def caption(self) -> str:
        pairs = self.diagnosis.pairs
        more = f" {pairs.left_out:,} columns that tell less are left out." if pairs.left_out else ""
        twice = "Naive Bayes assumes 0; above it, evidence is counted more than once."
        if self.diagnosis.is_refined:
            twice = "The counts assume 0; above it, the weights of this refined model make up for what counts twice."
        return (
            f"{self.diagnosis.rows:,} diagnosed rows. Bars: mutual information of the column and the class, less "
            "the amount expected by chance; the dashed line is the entropy of the class, the most that a column can "
            "tell. Matrix: mutual information of two columns given the class, as a share of the entropy of the one "
            f"that varies more. {twice}{more}"
        )

    @property
    def has_panels(self) -> bool:
        return bool(self.diagnosis.pairs.names)

    @property
    def size(self) -> tuple[float, float]:
        columns = len(self.diagnosis.pairs.names)
        side = min(11.0, max(2.2, 0.21 * columns + 0.9))
        return max(8.4, 4.6 + side), side + 1.7

    @property
    def order(self) -> list[int]:
        """Positions of the columns from top to bottom; columns that share much are neighbours."""
        return similar_order(self.diagnosis.pairs.share)

    def draw(self, ax: Axes, theme: Theme) -> None:
        if not self.diagnosis.pairs.names:
            ax.set_axis_off()
            ax.text(0.5, 0.5, "no column can be diagnosed on its own", ha="center", va="center", color=theme.quiet)
            return
        bars, matrix = self.axes_ = split_axes(ax, 1, 2, width_ratios=[1.0, 1.35])
        self._draw_bars(bars, theme)
        self._draw_matrix(matrix, theme)

    def _names(self) -> list[str]:
        return [short_name(self.diagnosis.pairs.names[j], NAME_WIDTH) for j in self.order]

    def _draw_bars(self, ax: Axes, theme: Theme) -> None:
        pairs, number = self.diagnosis.pairs, len(self.order)
        values = pairs.evidence[self.order]
        ax.barh(range(number), values, height=0.7, color=theme.favour)
        for i, value in enumerate(values):
            ax.text(value, i, f" {value:.2f}", va="center", fontsize=8, color=theme.quiet)
        ax.axvline(pairs.class_entropy, color=theme.quiet, lw=0.9, ls=(0, (3, 2)))
        ax.set_yticks(range(number), self._names())
        ax.tick_params(axis="y", labelsize=8.5)
        ax.spines["left"].set_visible(False)
        ax.set_ylim(number - 0.5, -0.5)
        ax.set_xlim(0, 1.16 * max(float(values.max()), pairs.class_entropy, 1e-9))
        ax.set_xlabel("evidence about the class, decibans per row")

    def _draw_matrix(self, ax: Axes, theme: Theme) -> None:
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.ticker import PercentFormatter

        share = self.diagnosis.pairs.share[np.ix_(self.order, self.order)].copy()
        number = len(share)
        np.fill_diagonal(share, np.nan)
        colours = LinearSegmentedColormap.from_list("shared", [theme.paper, theme.against], COLOURS)
        image = draw_cells(ax, share, cmap=colours, vmin=0, vmax=1)
        ax.plot(range(number), range(number), ls="", marker=".", ms=3, color=theme.quiet)
        if number <= WRITTEN_COLUMNS:
            for i, k in zip(*np.nonzero(share >= WRITTEN_SHARE)):
                colour = readable_on(np.array(colours(share[i, k])[:3]))
                ax.text(k, i, f"{share[i, k]:.0%}", ha="center", va="center", fontsize=7.5, color=colour)
        ax.set_xticks(range(number), self._names(), rotation=90, fontsize=8)
        ax.tick_params(axis="x", length=0, labelcolor=theme.ink)
        ax.set_yticks([])
        for edge in np.arange(number + 1) - 0.5:
            ax.axhline(edge, color=theme.faint, lw=0.4)
            ax.axvline(edge, color=theme.faint, lw=0.4)
        for spine in ax.spines.values():
            spine.set_visible(False)
        bar = ax.figure.colorbar(image, ax=ax, fraction=0.05, pad=0.02)
        bar.outline.set_visible(False)
        bar.ax.yaxis.set_major_formatter(PercentFormatter(1))
        bar.set_label("shared given the class")


def similar_order(share: Floats) -> list[int]:
    """Return positions in an order that puts columns of large shares next to each other (average linkage)."""
    if len(share) < 3:
        return list(range(len(share)))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    return leaves_list(linkage(squareform(1.0 - share, checks=False), "average", optimal_ordering=True)).tolist()
