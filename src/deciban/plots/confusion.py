"""An evaluation as a picture: the confusion matrix, or the most frequent mistakes, next to guessing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.plots.axes import draw_cells, name_rows, percent_axis, short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.arrays.types import Floats
    from deciban.evaluation.evaluation import Evaluation

# The most classes of a matrix; with more, the most frequent mistakes are drawn.
MATRIX_CLASSES = 20
# The most mistakes that are drawn, and the longest name in characters.
DRAWN_MISTAKES, CLASS_WIDTH = 20, 18


@dataclass(eq=False, repr=False)
class ConfusionDisplay(Display):
    """An evaluation as a confusion matrix with rows and shares of the true class, next to the accuracy of guessing."""

    evaluation: Evaluation

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, folds: int | None = None, **options: Any) -> Self:
        """Ask ``estimator.evaluate`` for rows X with labels y, and draw it; options are those of plot."""
        return cls(estimator.evaluate(X, y, folds=folds)).plot(**options)

    @property
    def title(self) -> str:
        best = max(guess.accuracy for guess in self.evaluation.guesses)
        return f"{percent(self.evaluation.accuracy)} of rows are right, {percent(best)} by guessing"

    @property
    def caption(self) -> str:
        result = self.evaluation
        folds = "" if result.folds is None else f" by {result.folds}-fold cross-validation"
        what = "Percentages and colours are shares of the true class (recall on the diagonal)."
        if not self.is_matrix:
            what = "Bars are rows of one class that are predicted as another, with their share of the true class."
        return (
            f"{result.rows:,} rows with labels, predicted{folds}. {what} Guesses do not look at the row. On training "
            "rows a model seems better than it is."
        )

    @property
    def is_matrix(self) -> bool:
        """Whether the matrix is drawn, because its classes are few enough to read it."""
        return len(self.evaluation.classes) <= MATRIX_CLASSES

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        classes = len(self.evaluation.classes)
        if not self.is_matrix:
            return 7.6, 2.2 + 0.26 * len(self.evaluation.mistakes(DRAWN_MISTAKES))
        side = min(9.0, max(2.4, 0.55 * classes))
        return side + 2.6, side + 2.4

    def draw(self, ax: Axes, theme: Theme) -> None:
        first, second = self.size[1] - 1.4, 1.0
        upper, lower = self.axes_ = split_axes(ax, 2, 1, height_ratios=[first, second])
        if self.is_matrix:
            self._draw_matrix(upper, theme)
        else:
            self._draw_mistakes(upper, theme)
        self._draw_guesses(lower, theme)

    def _draw_matrix(self, ax: Axes, theme: Theme) -> None:
        result, number = self.evaluation, len(self.evaluation.classes)
        shares = np.nan_to_num(result.confusion_shares)
        image = cell_colours(shares, theme)
        draw_cells(ax, image)
        size = 9.5 if number <= 10 else 7.5
        for i, j in zip(*np.nonzero(result.confusion)):
            cell = f"{result.confusion[i, j]:,.10g}" + (f"\n{shares[i, j]:.0%}" if number <= 12 else "")
            weight = "bold" if i == j else "normal"
            colour = readable_on(image[i, j])
            ax.text(j, i, cell, ha="center", va="center", fontsize=size, color=colour, fontweight=weight)
        names = [short_name(name, CLASS_WIDTH) for name in result.classes.tolist()]
        turned = max(map(len, names)) > 48 // number
        ax.set_xticks(range(number), names, rotation=90 if turned else 0)
        ax.set_yticks(range(number), names)
        ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
        ax.tick_params(axis="x", labelcolor=theme.ink)
        ax.xaxis.set_label_position("top")
        ax.set_xlabel("predicted")
        ax.set_ylabel("true")
        for spine in ax.spines.values():
            spine.set_visible(False)
        for edge in np.arange(number + 1) - 0.5:
            ax.axhline(edge, color=theme.paper, lw=1.5)
            ax.axvline(edge, color=theme.paper, lw=1.5)

    def _draw_mistakes(self, ax: Axes, theme: Theme) -> None:
        found = self.evaluation.mistakes(DRAWN_MISTAKES)
        for i, mistake in enumerate(found):
            ax.barh(i, mistake.rows, height=0.68, color=theme.against)
            text = f" {mistake.rows:,.4g} ({mistake.share:.0%} of its class)"
            ax.text(mistake.rows, i, text, va="center", fontsize=8.5, color=theme.quiet)
        pairs = [f"{short_name(m.true, CLASS_WIDTH)} → {short_name(m.predicted, CLASS_WIDTH)}" for m in found]
        ax.set_yticks(range(len(pairs)), pairs)
        ax.spines["left"].set_visible(False)
        ax.set_ylim(max(len(found), 1) - 0.4, -0.6)
        ax.set_xlim(0, 1.35 * max((m.rows for m in found), default=1.0))
        ax.set_xlabel(f"rows (true → predicted), most frequent mistakes of {len(self.evaluation.classes)} classes")

    def _draw_guesses(self, ax: Axes, theme: Theme) -> None:
        scores = [self.evaluation, *self.evaluation.guesses]
        for i, score in enumerate(scores):
            ax.barh(i, score.accuracy, height=0.62, color=theme.favour if i == 0 else theme.quiet)
            ax.text(score.accuracy, i, f" {percent(score.accuracy)}", va="center", fontsize=8.5)
        name_rows(ax, ["model", "majority class", "fair coin", "probability matching"])
        ax.tick_params(axis="y", labelsize=8.5)
        ax.set_ylim(3.6, -0.6)
        ax.set_xlim(0, 1.12)
        ax.set_xticks([0, 0.5, 1])
        percent_axis(ax.xaxis)
        ax.set_xlabel("accuracy")


def cell_colours(shares: Floats, theme: Theme) -> Floats:
    """[true × predicted × 3] colours by share: right decisions in one hue, mistakes in the other."""
    from matplotlib.colors import to_rgb

    paper, right, wrong = (np.array(to_rgb(colour)) for colour in (theme.paper, theme.favour, theme.against))
    is_right = np.eye(len(shares), dtype=bool)[:, :, None]
    # Mistakes are rarer than right decisions; a root makes those of a few percent visible.
    strength = np.where(is_right, shares[:, :, None], np.sqrt(shares)[:, :, None])
    return np.asarray(paper + (np.where(is_right, right, wrong) - paper) * 0.85 * strength)


def readable_on(colour: Floats) -> str:
    """Return black or white, whichever has more contrast on a colour."""
    return "#111111" if float(colour @ [0.299, 0.587, 0.114]) > 0.4 else "#ffffff"
