"""A text with its words marked by their evidence, and the strongest words as bars."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from deciban.plots.axes import mark_zero, short_name, write_beside
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme
from deciban.terminal.printable import printable
from deciban.terminal.values import signed
from deciban.terminal.width import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.explain.item import Item
    from deciban.explain.row_explanation import RowExplanation

# Columns of a line of text, lines that are drawn, and columns of a tab; a longer text is cut.
COLUMNS, LINES, TAB = 84, 16, 4
# Width of a monospaced character as a share of the font's size, and the range of sizes in points.
CHARACTER, LEAST_SIZE, GREATEST_SIZE = 0.602, 4.0, 11.0
# Inches of a line of text and of a bar.
LINE_HEIGHT, BAR_HEIGHT = 0.27, 0.25
TITLE_WIDTH = 80


class TextPiece(NamedTuple):
    """A piece of a line of text: line, column, printable characters, and the evidence of the segment it is from."""

    line: int
    column: int
    text: str
    decibans: float


@dataclass(eq=False, repr=False)
class TextDisplay(Display):
    """A text of a row: every word in the colour of its evidence, below it the ``n`` strongest words as bars.

    ``column`` names a column of texts, if the model reads several. Words for the class are underlined with a solid
    line, words against it with a dashed one, so that the picture can be read without colours.
    """

    row: RowExplanation
    column: str | None = None
    n: int = 10

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        column: str | None = None,
        favour: Any = None,
        against: Any = None,
        n: int = 10,
        **options: Any,
    ) -> Self:
        """Explain the first of the rows X, as ``estimator.explain`` does, and draw a text; options as in plot."""
        return cls(estimator.explain(X, favour=favour, against=against)[0], column, n).plot(**options)

    @property
    def title(self) -> str:
        return short_name(self.row.title, TITLE_WIDTH)

    @property
    def caption(self) -> str:
        shown, every = self.words, self._all_words
        more = ""
        if len(every) > len(shown):
            rest = sum(v for _, v in every) - sum(v for _, v in shown)
            more = f"{len(every) - len(shown)} more words: {signed(rest)} dB. "
        cut = "The text is cut. " if self._is_cut else ""
        return (
            f"{cut}{more}A mark shows the evidence of the words at that place; where words overlap, it is their sum. "
            "The evidence of a word is divided among its occurrences. Words without a mark are unknown to the model, "
            "or equally probable in both classes."
        )

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        return 8.0, 1.2 + LINE_HEIGHT * self._line_count + BAR_HEIGHT * max(1, len(self.words))

    @property
    def words(self) -> list[tuple[Item, float]]:
        """The strongest words with their evidence, from the most in favour to the most against."""
        order = sorted(self._all_words, key=lambda pair: -abs(pair[1]))[: self.n]
        return sorted(order, key=lambda pair: -pair[1])

    @property
    def _all_words(self) -> list[tuple[Item, float]]:
        j = self.row.text_column(self.column)
        pairs = zip(self.row.items, self.row.evidence.tolist())
        return [(item, value) for item, value in pairs if item.column == j and item.word is not None and value]

    @property
    def parts(self) -> list[TextPiece]:
        """The text in at most LINES lines of at most COLUMNS columns, cut where the evidence changes."""
        j = self.row.text_column(self.column)
        text = self.row.texts.get(j, "")
        pieces = [(text[s.begin : s.end], s.decibans) for s in self.row.segments(self.column)]
        return [part for part in wrap_parts(pieces) if part.line < LINES]

    @property
    def _is_cut(self) -> bool:
        j = self.row.text_column(self.column)
        lines = wrap_parts([(self.row.texts.get(j, ""), 0.0)])
        return bool(lines) and lines[-1].line >= LINES

    @property
    def _line_count(self) -> int:
        return max((part.line + 1 for part in self.parts), default=1)

    def draw(self, ax: Axes, theme: Theme) -> None:
        heights = [LINE_HEIGHT * self._line_count + 0.1, BAR_HEIGHT * max(1, len(self.words)) + 0.5]
        top, bottom = split_axes(ax, 2, height_ratios=heights)
        self.axes_ = [top, bottom]
        self._draw_bars(bottom, theme)
        self._draw_text(top, theme)

    def _draw_text(self, ax: Axes, theme: Theme) -> None:
        from matplotlib.patches import Rectangle

        ax.set_axis_off()
        ax.set_xlim(-0.5, COLUMNS + 0.5)
        ax.set_ylim(self._line_count - 0.4, -0.6)
        figure = ax.get_figure(root=True)
        assert figure is not None
        with warnings.catch_warnings():  # of missing glyphs; the drawing itself warns
            warnings.simplefilter("ignore", UserWarning)
            figure.draw_without_rendering()  # lays the axes out, so that their width is known
        inches = ax.get_window_extent().width / figure.dpi
        # Columns are as wide as characters at this size, so that words stand where the text has them.
        size = float(np.clip(inches / (COLUMNS + 1) * 72 / CHARACTER, LEAST_SIZE, GREATEST_SIZE))
        scale = max((abs(p.decibans) for p in self.parts if np.isfinite(p.decibans)), default=0.0) or 1.0
        for part in self.parts:
            width = text_width(part.text)
            if part.decibans and part.text.strip():
                strength = min(1.0, abs(part.decibans) / scale) if np.isfinite(part.decibans) else 1.0
                colour = theme.of_evidence(part.decibans)
                corner = part.column, part.line - 0.36
                ax.add_patch(Rectangle(corner, width, 0.72, color=colour, alpha=0.08 + 0.36 * strength, lw=0, zorder=1))
                ax.plot(
                    [part.column, part.column + width],
                    [part.line + 0.4] * 2,
                    color=colour,
                    lw=0.8 + 1.8 * strength,
                    ls="-" if part.decibans > 0 else (0, (2.5, 1.2)),
                    solid_capstyle="butt",
                    zorder=2,
                )
            fonts = ["DejaVu Sans Mono", "DejaVu Sans"]
            ax.text(part.column, part.line, part.text, fontsize=size, va="center", zorder=3, family=fonts)

    def _draw_bars(self, ax: Axes, theme: Theme) -> None:
        words = self.words
        values = [value for _, value in words]
        finite = [abs(v) for v in values if np.isfinite(v)]
        longest = max(finite, default=1.0) * (2 if len(finite) < len(values) else 1)
        for i, (item, value) in enumerate(words):
            length = float(np.clip(value, -longest, longest))
            ax.barh(i, length, height=0.64, color=theme.of_evidence(value))
            write_beside(ax, length, i, signed(value), right=value > 0, color=theme.quiet)
            write_beside(ax, 0.0, i, short_name(_name(item)), right=value < 0, color=theme.ink)
        ax.set_xlim(-1.2 * longest, 1.2 * longest)
        ax.set_ylim(max(1, len(words)) - 0.4, -0.6)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        mark_zero(ax, theme)
        favour, against = (short_name(c, 30) for c in (self.row.decision, self.row.other))
        ax.set_xlabel(f"← for {against} (dashed)     evidence of a word, decibans     for {favour} (solid) →")


def _name(item: Item) -> str:
    return f"{item.word}" + (f" ×{item.value:g}" if item.value != 1 else "")


def wrap_parts(pieces: list[tuple[str, float]]) -> list[TextPiece]:
    """Break pieces of a text into lines, between words where that is possible.

    >>> [(part.line, part.column, part.text) for part in wrap_parts([("two ", 0.0), ("words", 1.0)])]
    [(0, 0, 'two '), (0, 4, 'words')]
    """
    found: list[TextPiece] = []
    line = column = 0
    for text, decibans in pieces:
        for token in _tokens(text):
            if token == "\n":
                line, column = line + 1, 0
                continue
            shown = " " * text_width(token.expandtabs(TAB)) if token.isspace() else printable(token)
            width = text_width(shown)
            if column and column + width > COLUMNS:
                line, column = line + 1, 0
                if shown.isspace():
                    continue
            while shown:
                head, shown = shown[:COLUMNS], shown[COLUMNS:]
                found.append(TextPiece(line, column, head, decibans))
                column += text_width(head)
                if shown:
                    line, column = line + 1, 0
    return _joined(found)


def _tokens(text: str) -> list[str]:
    """Return words, spaces and ends of lines."""
    return re.findall(r"\n|[^\S\n]+|\S+", text.replace("\r\n", "\n"))


def _joined(parts: list[TextPiece]) -> list[TextPiece]:
    """Join neighbours on one line that have the same evidence."""
    found: list[TextPiece] = []
    for part in parts:
        last = found[-1] if found else None
        follows = last is not None and (last.line, last.decibans) == (part.line, part.decibans)
        if last is not None and follows and last.column + text_width(last.text) == part.column:
            found[-1] = last._replace(text=last.text + part.text)
        else:
            found.append(part)
    return found
