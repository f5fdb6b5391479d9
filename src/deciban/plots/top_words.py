"""Top words as a picture: two classes share one panel of bars, more classes have a panel each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.plots.axes import short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme
from deciban.terminal.values import short_count, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.top_words import TopWord, TopWords

# Classes that are drawn, the most panels in a row, and characters of a word.
SHOWN_CLASSES, IN_A_ROW, WORD_WIDTH = 12, 3, 22
# With two classes, half the width of the middle, where the words stand, in lengths of the longest bar.
MIDDLE = 1.0


@dataclass(eq=False, repr=False)
class TopWordsDisplay(Display):
    """The words with the most evidence for every class, as bars of decibans with their counts."""

    words: TopWords

    @classmethod
    def from_estimator(cls, estimator: Any, n: int = 10, *, columns: Any = None, **options: Any) -> Self:
        """Ask an estimator for its top words and draw them; options are those of plot."""
        return cls(estimator.top_words(n, columns)).plot(**options)

    @property
    def title(self) -> str:
        target = short_name(self.words.target)
        return f"Words with the most evidence for each {'class' if target == 'class' else f'class of {target}'}"

    @property
    def caption(self) -> str:
        more = len(self.words.classes) - SHOWN_CLASSES
        omitted = f" {more} more classes are not drawn." if more > 0 else ""
        omitted += f" {self.words.remark}" if self.words.remark else ""
        return (
            "Bars are the decibans that one occurrence adds: 10·log₁₀ of P(word | class) over P(word | other classes). "
            f"Beside them: {self.words.unit} in the class : in all others, in the training rows. Chosen by "
            f"decibans × √count, so that rare words do not crowd out the rest.{omitted}"
        )

    @property
    def _panels(self) -> list[int]:
        """The classes that have a panel: with two classes, both share one."""
        number = len(self.words.classes)
        return [1] if number == 2 else list(range(min(number, SHOWN_CLASSES)))

    @property
    def _grid(self) -> tuple[int, int]:
        number = len(self._panels)
        columns = 2 if number == 4 else min(number, IN_A_ROW)
        return -(-len(self._panels) // columns), columns

    @property
    def has_panels(self) -> bool:
        return len(self._panels) > 1

    @property
    def size(self) -> tuple[float, float]:
        rows, columns = self._grid
        most = max((max(map(len, self._sides(c))) for c in self._panels), default=1)
        return (8.6 if columns == 1 else 3.7 * columns), rows * (0.9 + 0.27 * max(most, 2))

    def _sides(self, c: int) -> tuple[Sequence[TopWord], Sequence[TopWord]]:
        """Return the words to the right and to the left of a panel: with two classes, those against the class too."""
        return self.words.favour[c], self.words.against[c] if len(self.words.classes) == 2 else ()

    def draw(self, ax: Axes, theme: Theme) -> None:
        rows, columns = self._grid
        self.axes_ = [ax] if len(self._panels) == 1 else split_axes(ax, rows, columns)
        for panel in self.axes_[len(self._panels) :]:
            panel.set_axis_off()
        words = [w for c in self._panels for side in self._sides(c) for w in side]
        longest = max((abs(w.decibans) for w in words if np.isfinite(w.decibans)), default=1.0)
        for panel, c in zip(self.axes_, self._panels):
            favour, against = self._sides(c)
            middle = MIDDLE * longest if len(self.words.classes) == 2 else 0.0
            self._draw_bars(panel, theme, favour, longest, middle)
            self._draw_bars(panel, theme, against, longest, -middle)
            self._frame(panel, theme, max(len(favour), len(against)), longest, middle)
            self._name_class(panel, theme, c)

    def _draw_bars(self, ax: Axes, theme: Theme, words: Sequence[TopWord], longest: float, start: float) -> None:
        """Draw bars that begin at ``start``: the word on one side, decibans and counts on the other."""
        lengths = np.clip([w.decibans for w in words], -1.2 * longest, 1.2 * longest)
        for i, (word, length) in enumerate(zip(words, lengths.tolist())):
            ax.barh(i, length, left=start, height=0.68, color=theme.of_evidence(length))
            sign = 1 if length >= 0 else -1
            counts = (word.count, word.other_count)[::sign]
            numbers = f"{signed(word.decibans)}   {short_count(counts[0])} : {short_count(counts[1])}"
            sides = ["left", "right"][::sign]
            place: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
            ax.annotate(
                numbers,
                (start + length, i),
                xytext=(4 * sign, 0),
                ha=sides[0],
                color=theme.quiet,
                fontsize=8,
                **place,
            )
            width = WORD_WIDTH if start == 0 else WORD_WIDTH - 7
            ax.annotate(
                short_name(word.text, width), (start, i), xytext=(-4 * sign, 0), ha=sides[1], fontsize=9, **place
            )

    def _frame(self, ax: Axes, theme: Theme, rows: int, longest: float, middle: float) -> None:
        for place in {middle, -middle}:
            ax.axvline(place, color=theme.quiet, lw=0.8)
        reach = middle + 1.75 * max(longest, 1e-9)
        ax.set_xlim(-reach if middle else -1.25 * longest, reach)
        ax.set_ylim(max(rows, 1) - 0.4, -0.6)
        ax.set(xticks=[], yticks=[])
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)

    def _name_class(self, ax: Axes, theme: Theme, c: int) -> None:
        classes = [short_name(label, 28) for label in self.words.classes]
        if len(classes) != 2:
            ax.set_title(f"for {classes[c]}", fontsize=10, color=theme.favour_text)
            return
        bold: dict[str, Any] = {"transform": ax.transAxes, "fontweight": "bold"}
        ax.text(0.0, 1.0, f"← for {classes[0]}", color=theme.against_text, **bold)
        ax.text(1.0, 1.0, f"for {classes[1]} →", color=theme.favour_text, ha="right", **bold)
