"""Room for labels on a scale: the most important labels come first, and none may overlap another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Width of a character and height of a line, as a multiple of the font's size, and points per inch.
CHARACTER, LINE, POINTS = 0.62, 1.25, 72
# Share of the width of axes that is left to the picture when names stand beside it.
LEFT_BY_NAMES = 0.72


@dataclass
class LabelRoom:
    """The rectangles of axes that labels have taken, in units of the data."""

    character: float  # width of a character
    line: float  # height of a line
    taken: list[tuple[float, float, float, float]] = field(default_factory=list)

    @staticmethod
    def of(ax: Axes, size: float) -> LabelRoom:
        """Return the free room of axes whose limits are set, for text of a font size in points."""
        figure = ax.get_figure(root=True)
        assert figure is not None
        box, (left, right), (bottom, top) = ax.get_window_extent(), ax.get_xlim(), ax.get_ylim()
        inch_x = abs(right - left) / max(box.width / figure.dpi * LEFT_BY_NAMES, 0.5)
        inch_y = abs(top - bottom) / max(box.height / figure.dpi, 0.5)
        return LabelRoom(CHARACTER * size / POINTS * inch_x, LINE * size / POINTS * inch_y)

    def width(self, text: str) -> float:
        """Return the width of a text with a little room beside it."""
        return self.character * (len(text) + 2)

    def take(self, x: float, y: float, text: str) -> bool:
        """Return whether a text centred at a place overlaps no other text; if so, its room is taken."""
        half_width, half_height = self.width(text) / 2, self.line / 2
        box = x - half_width, x + half_width, y - half_height, y + half_height
        if any(box[0] < b[1] and b[0] < box[1] and box[2] < b[3] and b[2] < box[3] for b in self.taken):
            return False
        self.taken.append(box)
        return True
