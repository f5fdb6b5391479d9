"""Decision regions over two columns: shades of certainty, exact boundaries, rows and ellipses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import short_name
from deciban.plots.display import Display
from deciban.plots.theme import MARKERS, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.regions import Regions

# Share of a class's colour in its region: least where all classes are equally probable, most where one is certain.
LEAST_SHADE, MOST_SHADE = 0.07, 0.45
# Rows and classes that a picture has room for.
MOST_ROWS, MOST_NAMES = 3000, 8


@dataclass(frozen=True)
class RegionParts:
    """The parts that a picture of regions has besides the regions themselves."""

    points: bool = True
    ellipses: bool = True
    legend: bool = True


@dataclass(eq=False, repr=False)
class RegionsDisplay(Display):
    """Decision regions: the colour is the class decided on, a deeper shade a higher probability.

    Points are rows with the marker of their class, ringed where the model decides otherwise. Ellipses are one and two
    standard deviations around the mean of a class.
    """

    regions: Regions
    parts: RegionParts = RegionParts()

    @classmethod
    def from_estimator(cls, estimator: Any, x: Any, y: Any, **options: Any) -> Self:
        """Ask ``estimator.regions(x, y, ...)`` and draw it; ``ax`` and ``theme`` are options of plot."""
        drawing = {name: options.pop(name) for name in ("ax", "theme") if name in options}
        return cls(estimator.regions(x, y, **options)).plot(**drawing)

    @property
    def title(self) -> str:
        x, y = (short_name(name, 28) for name in self.regions.columns)
        return f"Decisions over {x} and {y}"

    @property
    def caption(self) -> str:
        return regions_caption(self.regions, self.parts)

    @property
    def size(self) -> tuple[float, float]:
        return 6.6, 4.8

    def draw(self, ax: Axes, theme: Theme) -> None:
        regions = self.regions
        draw_shades(ax, theme, regions)
        if self.parts.ellipses:
            draw_ellipses(ax, theme, regions)
        if self.parts.points:
            draw_points(ax, theme, regions)
        ax.set_xlabel(short_name(regions.columns[0]))
        ax.set_ylabel(short_name(regions.columns[1]))
        ax.tick_params(axis="y", length=3, labelcolor=theme.quiet)
        if self.parts.legend:
            draw_legend(ax, theme, regions)


def regions_caption(regions: Regions, parts: RegionParts) -> str:
    """Return the caption of a picture of regions."""
    said = ["The colour is the class decided on; a deeper shade is a higher probability under the model."]
    if regions.held:
        said.append(f"{regions.held[0].upper()}{regions.held[1:]}.")
    if parts.ellipses and regions.ellipses:
        said.append("Ellipses: one and two standard deviations around the mean of a class under the model.")
    if regions.rows is not None and parts.points:
        hidden = "" if regions.held == "" else ", which reads all columns of the row,"
        shown = regions.rows.about
        said.append(f"Points: {shown}; rings mark rows for which the model{hidden} decides on another class.")
    elif parts.points:
        said.append("No points: the model remembers no rows, and none were given as rows= and labels=.")
    return " ".join(said)


def shades(theme: Theme, regions: Regions) -> Floats:
    """[y × x × 3] colours of the grid: paper mixed with the colour of the class decided on."""
    from matplotlib.colors import to_rgb

    paper = np.array(to_rgb(theme.paper))
    colours = np.array([to_rgb(theme.of_class(c)) for c in range(len(regions.classes))])
    classes = len(regions.classes)
    best = np.take_along_axis(regions.posterior, regions.decision[..., None].astype(np.int64), axis=2)
    sure = np.clip((best - 1 / classes) / (1 - 1 / classes), 0, 1) if classes > 1 else np.ones_like(best)
    return np.asarray(paper + (colours[regions.decision] - paper) * (LEAST_SHADE + (MOST_SHADE - LEAST_SHADE) * sure))


def draw_shades(ax: Axes, theme: Theme, regions: Regions) -> None:
    """Draw the regions and the boundaries between them."""
    from matplotlib.collections import LineCollection

    ax.pcolormesh(regions.x, regions.y, shades(theme, regions), shading="nearest", rasterized=True, zorder=0)
    ax.add_collection(LineCollection(list(regions.segments), colors=theme.ink, linewidths=1.1, zorder=2))
    ends = [(0.5 if whole else 0.0) for whole in regions.whole]
    ax.set_xlim(regions.x[0] - ends[0], regions.x[-1] + ends[0])
    ax.set_ylim(regions.y[0] - ends[1], regions.y[-1] + ends[1])


def draw_ellipses(ax: Axes, theme: Theme, regions: Regions) -> None:
    """Draw the mean of every class, and ellipses of one and two standard deviations around it."""
    from matplotlib.patches import Ellipse

    for c, ellipse in enumerate(regions.ellipses):
        colour = theme.of_class(c)
        for times, style in ((1, "-"), (2, (0, (4, 2)))):
            width, height = (2 * times * deviation for deviation in ellipse.deviation)
            line: dict[str, Any] = {
                "fill": False,
                "ec": colour,
                "lw": 1.6 if times == 1 else 1.0,
                "ls": style,
                "zorder": 2.5,
            }
            ax.add_patch(Ellipse(ellipse.mean, width, height, **line))
        ax.plot(*ellipse.mean, "+", color=colour, ms=9, mew=1.8, zorder=2.6)


def draw_points(ax: Axes, theme: Theme, regions: Regions) -> None:
    """Draw the rows with the markers of their classes, and rings around rows that are decided wrongly."""
    rows = regions.rows
    if rows is None:
        return
    step = max(1, -(-len(rows) // MOST_ROWS))
    large = 5.6 if len(rows) <= 250 else 4.2
    cells, codes, wrong = rows.cells[::step], rows.codes[::step], rows.is_wrong[::step]
    for c in range(-1, len(regions.classes)):
        colour = theme.quiet if c < 0 else theme.of_class(c)
        marker = "." if c < 0 else MARKERS[c % len(MARKERS)]
        own = cells[codes == c]
        look: dict[str, Any] = {"ms": large, "mfc": colour, "mec": theme.paper, "mew": 0.5, "ls": "none", "zorder": 3}
        ax.plot(own[:, 0], own[:, 1], marker, **look)
    ring: dict[str, Any] = {
        "ms": 1.7 * large,
        "mfc": "none",
        "mec": theme.ink,
        "mew": 0.8,
        "zorder": 2.9,
        "gid": "wrong",
    }
    ax.plot(cells[wrong, 0], cells[wrong, 1], "o", **ring)


def draw_legend(ax: Axes, theme: Theme, regions: Regions) -> None:
    """Name the classes by marker and colour, right of the axes so that no row is covered."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [], [], ls="none", marker=MARKERS[c % len(MARKERS)], color=theme.of_class(c), label=short_name(label, 24)
        )
        for c, label in enumerate(regions.classes.tolist()[:MOST_NAMES])
    ]
    more = len(regions.classes) - MOST_NAMES
    if more > 0:
        handles.append(Line2D([], [], ls="none", label=f"and {more} more"))
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0, handletextpad=0.2)
