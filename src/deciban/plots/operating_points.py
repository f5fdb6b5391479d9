"""Other class priors and other costs as a picture: three confusion matrices above curves of the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from deciban.plots.axes import draw_cells, percent_axis, short_name
from deciban.plots.confusion import cell_colours, readable_on
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import MARKERS, Theme
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.evaluation.operating_points import OperatingPoints

# Characters of a class in the small matrices, and of one in a title.
CELL_WIDTH, TITLE_WIDTH = 12, 24


@dataclass(eq=False, repr=False)
class OperatingPointsDisplay(Display):
    """Operating points as three confusion matrices of a class against the rest, above curves of the scores."""

    points: OperatingPoints
    shown: ClassVar[tuple[float, float]]  # values of the first and last matrix; the one in between changes nothing

    @property
    def drawn_points(self) -> list[int]:
        """Positions of the points whose matrices are drawn, in ascending order; at most three."""
        wanted = (self.shown[0], self.points.current, self.shown[1])
        return sorted({self.points.nearest(value) for value in wanted})

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        return 8.4, 5.8

    @property
    def scored_points(self) -> OperatingPoints:
        """The points whose scores are drawn as curves: by default those of the rows as they are."""
        return self.points

    @property
    def curves(self) -> dict[str, Any]:
        """Scores that are drawn over the values, by name."""
        scored = self.scored_points
        return {
            "recall": scored.recall,
            "precision": scored.precision,
            "accuracy": scored.accuracy,
            "share predicted": scored.predicted_share,
        }

    def value_text(self, value: float) -> str:
        """Return the value of a point as the title of its matrix."""
        raise NotImplementedError

    def draw(self, ax: Axes, theme: Theme) -> None:
        upper, lower = split_axes(ax, 2, 1, height_ratios=[1.0, 1.25])
        found = self.drawn_points
        matrices = split_axes(upper, 1, len(found))
        self.axes_ = [*matrices, lower]
        for k, (each, i) in enumerate(zip(matrices, found)):
            self._draw_matrix(each, theme, i, names=k == 0)
        self._draw_curves(lower, theme)
        for i in found:
            lower.axvline(self.points.values[i], color=theme.quiet, lw=0.9, ls=(0, (2, 2)), zorder=0.5)

    def _draw_matrix(self, ax: Axes, theme: Theme, i: int, names: bool) -> None:
        counts = self.points.against_rest[i]
        rows = counts.sum(axis=1, keepdims=True)
        shares = np.divide(counts, rows, out=np.zeros_like(counts), where=rows > 0)
        image = cell_colours(shares, theme)
        draw_cells(ax, image)
        for true in (0, 1):
            for predicted in (0, 1):
                text = f"{counts[true, predicted]:,.0f}\n{shares[true, predicted]:.0%}"
                colour = readable_on(image[true, predicted])
                ax.text(predicted, true, text, ha="center", va="center", fontsize=9, color=colour)
        others = [c for c in self.points.classes.tolist() if c != self.points.favour]
        rest = short_name(others[0], CELL_WIDTH) if len(others) == 1 else "the others"
        labels = [rest, short_name(self.points.favour, CELL_WIDTH)]
        ax.set_xticks([0, 1], labels, fontsize=8.5)
        ax.set_yticks([0, 1], labels if names else ["", ""], fontsize=8.5)
        ax.tick_params(length=0, labelcolor=theme.ink)
        ax.set_xlabel("predicted", fontsize=8.5)
        if names:
            ax.set_ylabel("true", fontsize=8.5)
        ax.set_title(self.value_text(float(self.points.values[i])), fontsize=9.5, loc="center")
        for spine in ax.spines.values():
            spine.set_visible(False)

    def _draw_curves(self, ax: Axes, theme: Theme) -> None:
        for k, (name, values) in enumerate(self.curves.items()):
            ax.plot(self.points.values, values, color=theme.of_class(k), marker=MARKERS[k], ms=4.5, lw=1.6, label=name)
        ax.grid(axis="y")
        ax.margins(x=0.02)
        ax.set_ylim(-0.03, 1.03)
        percent_axis(ax.yaxis)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


class PriorsDisplay(OperatingPointsDisplay):
    """Decisions under other class priors: three confusion matrices, and recall, precision and accuracy where used."""

    shown = (0.1, 0.9)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, favour: Any = None, *, priors: Any = None, **options: Any
    ) -> Self:
        """Ask ``estimator.vary_prior`` for rows X with labels y, and draw it; options are those of plot."""
        return cls(estimator.vary_prior(X, y, favour, priors=priors)).plot(**options)

    @property
    def title(self) -> str:
        return f"If {short_name(self.points.favour, TITLE_WIDTH)} is rarer or more frequent than in training"

    @property
    def caption(self) -> str:
        return (
            f"Matrices: decisions for the same {self.points.rows:,} rows, by true class, under three class priors; the "
            f"model itself has P = {percent(self.points.current)}. Curves: expected where classes are as frequent as "
            "the prior says, if rows of a class look there as they do here. Evidence and calibration stay the same."
        )

    @property
    def scored_points(self) -> OperatingPoints:
        return self.points.where_used()

    def value_text(self, value: float) -> str:
        return f"prior {percent(value)}"

    def _draw_curves(self, ax: Axes, theme: Theme) -> None:
        super()._draw_curves(ax, theme)
        percent_axis(ax.xaxis)
        ax.set_xlabel(f"prior probability of {short_name(self.points.favour)}")


class CostsDisplay(OperatingPointsDisplay):
    """Decisions under other costs of mistakes: three confusion matrices, and the scores with the mean cost."""

    shown = (0.1, 10.0)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, favour: Any = None, *, ratios: Any = None, **options: Any
    ) -> Self:
        """Ask ``estimator.vary_costs`` for rows X with labels y, and draw it; options are those of plot."""
        return cls(estimator.vary_costs(X, y, favour, ratios=ratios)).plot(**options)

    @property
    def title(self) -> str:
        return f"If predicting {short_name(self.points.favour, TITLE_WIDTH)} wrongly costs more or less"

    @property
    def caption(self) -> str:
        threshold = " With two classes, r means: predict it above a probability of r / (1 + r)."
        return (
            f"Decisions of least expected cost for the same {self.points.rows:,} rows; other mistakes cost 1. Shares "
            f"in the matrices are of the true class.{threshold if len(self.points.classes) == 2 else ''} The decisions "
            "are only as good as the probabilities: see the reliability diagram."
        )

    def value_text(self, value: float) -> str:
        return f"cost {value:.4g}, mean {self.points.mean_cost[self.points.nearest(value)]:.3f}"

    def _draw_curves(self, ax: Axes, theme: Theme) -> None:
        super()._draw_curves(ax, theme)
        ax.set_xscale("log")
        ax.minorticks_off()
        ticks = self.points.values[[self.points.nearest(v) for v in (0.01, 0.1, 1, 10, 100)]]
        ax.set_xticks(sorted(set(ticks.tolist())), [f"{tick:.4g}" for tick in sorted(set(ticks.tolist()))])
        ax.set_xlabel(f"cost of predicting {short_name(self.points.favour)} wrongly; other mistakes cost 1")
