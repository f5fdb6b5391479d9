"""The base of every display: a figure or the caller's axes, a theme, a title and a caption."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Self

from deciban.errors import needs
from deciban.plots.theme import Theme, drawing
from deciban.terminal.printable import printable_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Characters of a caption's line per inch of the figure.
CAPTION_CHARACTERS = 15


class Display:
    """A picture of a data object: ``plot`` draws it, and sets ``ax_``, ``figure_`` and, for several axes, ``axes_``.

    Subclasses define ``title``, ``caption`` and ``draw``, and ``size`` if it depends on the data.
    """

    ax_: Axes
    figure_: Figure
    axes_: list[Axes]

    @property
    def title(self) -> str:
        """The subject of the picture, or its main result, as a heading."""
        raise NotImplementedError

    @property
    def caption(self) -> str:
        """Sentences that say which data the picture shows, how to read it, and what it does not show."""
        raise NotImplementedError

    @property
    def has_panels(self) -> bool:
        """Whether there are several axes. On the caller's axes, the title is then written into a strip above them."""
        return False

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of a figure of its own, in inches, without the caption."""
        return 7.6, 4.2

    def __repr__(self) -> str:
        return f"{type(self).__name__}({printable_line(self.title)})"

    def draw(self, ax: Axes, theme: Theme) -> None:
        """Draw on axes. Pictures with several axes replace ``ax`` by ``split_axes`` and set ``axes_``."""
        raise NotImplementedError

    def plot(self, ax: Axes | None = None, *, theme: str | None = None) -> Self:
        """Draw the picture on ``ax``, or in a figure of its own, which then also has the caption.

        ``theme`` is "light" or "dark"; by default it follows matplotlib's own background.
        """
        figure = None
        if ax is None:
            with needs("matplotlib", extra="plots", purpose="a picture"):
                from matplotlib import pyplot as plt
            # Made before settings change: the first figure of a notebook switches interactive mode on, which must stay.
            figure = plt.figure(figsize=self._whole_size(), layout="constrained")
        with drawing(theme) as chosen:
            if figure is not None:
                figure.set_facecolor(chosen.paper)
                ax = figure.subplots()
            assert ax is not None
            self._fill(ax, figure, chosen)
            if figure is None:
                _show_dollars(ax, *self.axes_)
        return self

    def figure(self, theme: str = "light", *, words: bool = True) -> Figure:
        """Return a figure outside pyplot, for a file; it is not shown and need not be closed.

        Without ``words`` it has no title and no caption.
        """
        with drawing(theme) as chosen:
            from matplotlib.figure import Figure

            figure = Figure(figsize=self._whole_size() if words else self.size, layout="constrained")
            self._fill(figure.subplots(), figure, chosen, words)
        return figure

    def _fill(self, ax: Axes, figure: Figure | None, theme: Theme, words: bool = True) -> None:
        """Draw on axes; ``figure`` is the picture's own figure, None if the axes are the caller's."""
        self.ax_, self.figure_, self.axes_ = ax, ax.get_figure(root=True), [ax]  # type: ignore[assignment]
        if not words:
            self.draw(ax, theme)
            return
        title = printable_line(self.title)
        if figure is None and self.has_panels:
            strip, body = split_axes(ax, 2, 1, height_ratios=[0.001, 1])
            strip.set_axis_off()
            strip.set_title(title, loc="left")
            self.draw(body, theme)
            return
        self.draw(ax, theme)
        if figure is None:
            ax.set_title(title, loc="left")
            return
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
        if self.caption:
            figure.supxlabel(self._wrapped_caption(), x=0.01, ha="left", fontsize=8.5, color=theme.quiet)

    def _wrapped_caption(self) -> str:
        return textwrap.fill(printable_line(self.caption), int(self.size[0] * CAPTION_CHARACTERS))

    def _whole_size(self) -> tuple[float, float]:
        """Width and height of the figure, with title and caption."""
        width, height = self.size
        return width, height + 0.3 + 0.17 * (self._wrapped_caption().count("\n") + 1)


def _show_dollars(*axes: Axes) -> None:
    """Turn formulas off in all texts of the caller's axes, some of which are older than the settings of the picture."""
    from matplotlib.text import Text

    for ax in axes:
        for text in ax.findobj(Text):
            text.set_parse_math(False)


def split_axes(ax: Axes, rows: int = 1, columns: int = 1, **ratios: Any) -> list[Axes]:
    """Replace axes by a grid of axes in the same place, row by row; ``ax`` stays as an invisible frame."""
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError("this picture has several axes, so ax must be one of plt.subplots(), not of add_axes().")
    ax.set_axis_off()
    figure = ax.get_figure()
    assert figure is not None
    grid = place.subgridspec(rows, columns, **ratios)
    return [figure.add_subplot(grid[i, j]) for i in range(rows) for j in range(columns)]
