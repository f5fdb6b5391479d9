"""The waterfall of one row: from the prior, by the evidence of every column, to the posterior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import mark_zero, name_rows, probability_ticks, short_name, write_beside
from deciban.plots.display import Display
from deciban.plots.theme import Theme
from deciban.terminal.values import percent, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.explain.row_explanation import RowExplanation

# Characters of a title: two labels can be of any length.
TITLE_WIDTH = 80


@dataclass(eq=False, repr=False)
class WaterfallDisplay(Display):
    """The explanation of one row as a waterfall: every bar begins where the one above it ends.

    The ``n`` strongest items are drawn; the others are one bar.
    """

    row: RowExplanation
    n: int = 12

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, favour: Any = None, against: Any = None, n: int = 12, **options: Any
    ) -> Self:
        """Explain the first of the rows X, as ``estimator.explain`` does, and draw it; options are those of plot."""
        return cls(estimator.explain(X, favour=favour, against=against)[0], n).plot(**options)

    @property
    def title(self) -> str:
        return short_name(self.row.title, TITLE_WIDTH)

    @property
    def caption(self) -> str:
        weight = ", times its weight; columns that are read together have bars too" if self.row.is_refined else ""
        return (
            "Evidence in decibans is 10·log₁₀ of P(value | class) over P(value | other class) under the model"
            f"{weight}. The bars add up to the log-odds of the two classes. They show what the model used, not what "
            "causes the class."
        )

    @property
    def size(self) -> tuple[float, float]:
        return 7.6, 1.3 + 0.36 * len(self.row.lines(self.n))

    def draw(self, ax: Axes, theme: Theme) -> None:
        *steps, posterior = self.row.lines(self.n)
        lengths = drawn_lengths([line.decibans for line in steps])
        ends = np.cumsum(lengths)
        paper = {"facecolor": theme.paper, "edgecolor": "none", "pad": 0.8}  # so that no line crosses a number
        for i, line in enumerate(steps):
            colour = theme.quiet if line.kind == "prior" else theme.of_evidence(line.decibans)
            ax.barh(i, lengths[i], left=ends[i] - lengths[i], height=0.62, color=colour)
            ax.plot([ends[i]] * 2, [i + 0.31, i + 0.69], color=theme.quiet, lw=0.8, ls=":", zorder=0.5)
            write_beside(ax, ends[i], i, signed(line.decibans), right=lengths[i] >= 0, bbox=paper)
        last, odds = len(steps), ends[-1]
        ax.barh(last, odds, height=0.36, color=theme.of_evidence(odds))
        result = f"{signed(posterior.decibans)} dB → {percent(self.row.posterior[self.row.favour])}"
        write_beside(ax, odds, last, result, right=odds >= 0, bbox=paper, fontweight="bold")
        ax.axhline(last - 0.5, color=theme.faint, lw=0.8)
        mark_zero(ax, theme)
        self._frame(ax, theme, [line.text for line in (*steps, posterior)], ends)

    def _frame(self, ax: Axes, theme: Theme, names: list[str], ends: Any) -> None:
        low, high = min(0.0, ends.min()), max(0.0, ends.max())
        room = 0.16 * max(high - low, 1.0)
        ax.set_xlim(low - room, high + room)
        ax.set_ylim(len(names) - 0.4, -0.6)
        name_rows(ax, names)
        ax.get_yticklabels()[-1].set_fontweight("bold")
        row = self.row
        ax.set_xlabel(f"← for {short_name(row.other)}     decibans     for {short_name(row.decision)} →")
        one_of_two = "" if len(row.classes) == 2 else ", of these two classes"
        probability_ticks(ax, theme, f"P({short_name(row.decision)}) after each line{one_of_two}")


def drawn_lengths(decibans: list[float]) -> Floats:
    """Return evidence as lengths of bars: infinite evidence is twice as long as all finite evidence together."""
    found = np.array(decibans)
    finite = np.isfinite(found)
    return np.where(finite, found, np.sign(found) * 2 * max(1.0, np.abs(found[finite]).sum()))
