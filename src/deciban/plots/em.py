"""The objective of expectation-maximisation over its iterations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.plots.display import Display
from deciban.plots.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.unlabelled.result import EM


@dataclass(eq=False, repr=False)
class ObjectiveDisplay(Display):
    """The objective before every iteration and after the last, and of a mixture the ends of its other starts."""

    em: EM

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Draw ``estimator.em_``; options are those of plot."""
        return cls(estimator.em_).plot(**options)

    @property
    def title(self) -> str:
        before, after = (f"{value:,.6g}".replace("-", "−") for value in self.em.objective[[0, -1]])
        return f"{self.em.iterations} iterations raise the objective from {before} to {after}"

    @property
    def caption(self) -> str:
        others = (
            f" Circles: the ends of the other {len(self.em.restarts) - 1} random starts, of which the best was kept."
            if len(self.em.restarts) > 1
            else ""
        )
        return (
            "Log-likelihood of the labelled rows, plus weight × that of the rows without labels, plus the log prior, "
            f"up to a constant. {self.em.rows:,.6g} rows without labels, weight {self.em.weight:g}.{others} It never "
            "falls; a higher end is a better fit to the rows, and does not show that more rows get the right class."
        )

    def draw(self, ax: Axes, theme: Theme) -> None:
        from matplotlib.ticker import MaxNLocator

        objective = self.em.objective
        steps = np.arange(len(objective))
        ax.plot(steps, objective, color=theme.of_class(0), lw=2, marker="o", ms=4, clip_on=False)
        others = np.sort(self.em.restarts)[:-1]
        ends = np.full(len(others), steps[-1] * 1.04)
        ax.scatter(ends, others, 30, facecolor="none", edgecolor=theme.quiet, linewidth=1.0)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter("{x:,.6g}")
        ax.grid(axis="y")
        ax.set_xlabel("iterations")
        ax.set_ylabel("objective")
