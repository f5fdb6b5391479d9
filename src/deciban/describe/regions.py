"""Decision regions: the posterior over two columns of numbers, and the exact boundaries between its classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.describe.columns import (
    LabelledCells,
    ModelColumn,
    VaryingRows,
    find_column,
    padded,
    positions_between,
    value_range,
)
from deciban.model.classifier import Classifier
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import label_list, percent

if TYPE_CHECKING:
    import pyarrow as pa

    from deciban.plots.regions import RegionsDisplay

# Halvings of a grid step until a boundary is as exact as floating-point numbers allow.
HALVINGS = 52
# A class is among the best where its log probability is this near to the largest.
NEAR_BEST = 1e-7
# Points of a line of the grid, at most.
MOST_POINTS = 2_000

# Returns [points × classes] log P(class | row) of points (x, y).
Score = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, eq=False)
class Ellipse:
    """The normal distribution of two columns in one class: its centre and its standard deviations."""

    label: Any
    mean: tuple[float, float]
    deviation: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Crossings:
    """Points at which the decision changes between two neighbours of the grid."""

    points: Floats  # crossings × 2
    pairs: Codes  # crossings × 2: the classes on either side, the smaller one first
    cells: Longs  # crossings × 2: the cells of the grid whose border is crossed, −1 beyond the grid


@dataclass(frozen=True, eq=False, repr=False)
class Regions:
    """The posterior and the decision of a model over a grid of two columns of numbers.

    ``posterior`` [y × x × classes] is what ``predict_proba`` gives for the points of the grid; other columns are
    missing, or held at the values of a row. ``boundary(a, b)`` are points where two classes are equally probable and
    no other class is more so, found by bisection along the lines of the grid. ``ellipses`` has mean and standard
    deviations of every class where both columns are Gaussian.
    """

    columns: tuple[str, str]
    classes: Names
    x: Floats  # numbers of the grid in the first column
    y: Floats  # and in the second
    posterior: Floats  # y × x × classes
    decision: Codes  # y × x: position of the class decided on
    ellipses: tuple[Ellipse, ...]
    rows: LabelledCells | None  # rows to draw, with what is decided for them
    held: str  # the other columns, in words; empty if there are none
    score: Score
    whole: tuple[bool, bool]  # columns that hold whole numbers only: there is nothing between two of them

    def boundary(self, a: Any, b: Any) -> Floats:
        """[points × 2] numbers at which classes ``a`` and ``b`` are equally probable, and no other class more so.

        There is a point wherever a line of the grid crosses the boundary, exact to rounding. The points are sorted by
        the first column, then by the second; there are none if the two regions do not touch. Between whole numbers a
        boundary lies half-way.
        """
        pair = np.sort([self._position(a), self._position(b)])
        if pair[0] == pair[1]:
            raise ValueError(f"a boundary lies between two classes; both are {a!r}.")
        points = self.crossings.points[(self.crossings.pairs == pair).all(axis=1)]
        if len(points) and not any(self.whole):
            best = self.score(*points.T)
            other = np.delete(best, pair, axis=1).max(axis=1, initial=-np.inf)
            points = points[best[:, pair].max(axis=1) >= other - NEAR_BEST]
        return points[np.lexsort(points.T[::-1])]

    @cached_property
    def crossings(self) -> Crossings:
        """All points at which the decision changes along a line of the grid."""
        across, along = self._changes(1), self._changes(0)
        starts = np.concatenate([across[0], along[0]])
        ends = np.concatenate([across[1], along[1]])
        cells = np.concatenate([across[2], along[2]])
        first, second = self.decision[tuple(starts.T)], self.decision[tuple(ends.T)]
        begin, end = (np.column_stack([self.x[p[:, 1]], self.y[p[:, 0]]]) for p in (starts, ends))
        middle = np.full(len(begin), 0.5)
        found = ~np.repeat(self.whole, [len(across[0]), len(along[0])])
        if found.any():
            middle[found] = self._bisect(begin[found], end[found], first[found], second[found])
        points = begin + middle[:, None] * (end - begin)
        return Crossings(points, np.sort(np.column_stack([first, second]), axis=1), cells)

    def _changes(self, axis: int) -> tuple[Longs, Longs, Longs]:
        """Return neighbours on the grid with different decisions, and the cells on both sides of the line between."""
        step = np.array([1, 0]) if axis == 0 else np.array([0, 1])
        rows, columns = self.decision.shape
        near = self.decision[: rows - step[0], : columns - step[1]]
        start = np.argwhere(near != self.decision[step[0] :, step[1] :])
        # The cell (i, j) lies between the points (i, j) and (i + 1, j + 1).
        sides = np.stack([start - step[::-1], start], axis=1)
        inside = ((sides >= 0) & (sides < [rows - 1, columns - 1])).all(axis=2)
        cells = np.where(inside, sides[..., 0] * max(columns - 1, 1) + sides[..., 1], -1)
        return start, start + step, cells

    def _bisect(self, begin: Floats, end: Floats, first: Codes, second: Codes) -> Floats:
        """[edges] share of the way from begin to end at which the second class becomes more probable than the first."""
        low, high = np.zeros(len(begin)), np.ones(len(begin))
        each = np.arange(len(begin))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            scores = self.score(*(begin + middle[:, None] * (end - begin)).T)
            before = scores[each, first] >= scores[each, second]
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        return (low + high) / 2

    @cached_property
    def segments(self) -> Floats:
        """[lines × 2 × 2] the boundaries of all regions as short lines, one or more in every cell that they cross."""
        found = self.crossings
        if any(self.whole):
            return self._borders()
        sides = np.repeat(np.arange(len(found.points)), 2)
        cells = found.cells.ravel()
        sides, cells = sides[cells >= 0], cells[cells >= 0]
        order = np.argsort(cells, kind="stable")
        _, start, count = np.unique(cells[order], return_index=True, return_counts=True)
        points = found.points[sides[order]]
        two = start[count == 2]
        lines = [np.stack([points[two], points[two + 1]], axis=1)]
        for begin, n in zip(start[count > 2].tolist(), count[count > 2].tolist()):  # regions that meet in one point
            group = points[begin : begin + n]
            lines.append(np.stack([group, np.broadcast_to(group.mean(axis=0), group.shape)], axis=1))
        return np.concatenate(lines)

    def _borders(self) -> Floats:
        """[lines × 2 × 2] borders between the rectangles around points of the grid, for columns of whole numbers."""
        found = self.crossings.points
        number = len(self._changes(1)[0])
        lines = []
        for positions, axis, points in ((self.y, 1, found[:number]), (self.x, 0, found[number:])):
            ends = np.concatenate([positions[:1], (positions[1:] + positions[:-1]) / 2, positions[-1:]])
            if self.whole[axis]:
                ends[0], ends[-1] = ends[0] - 0.5, ends[-1] + 0.5
            place = np.searchsorted(positions, points[:, axis])
            begin, end = points.copy(), points.copy()
            begin[:, axis], end[:, axis] = ends[place], ends[place + 1]
            lines.append(np.stack([begin, end], axis=1))
        return np.concatenate(lines)

    @property
    def shares(self) -> Floats:
        """[classes] share of the grid that is decided as each class."""
        return np.bincount(self.decision.ravel(), minlength=len(self.classes)) / self.decision.size

    def _position(self, label: Any) -> int:
        names = self.classes.tolist()
        if label not in names:
            raise ValueError(f"{label!r} is not among the classes {label_list(names)}.")
        return names.index(label)

    def _table(self) -> PrintedTable:
        names = ["class", "share of the grid"]
        cells = [[str(c), percent(share)] for c, share in zip(self.classes.tolist(), self.shares)]
        if self.rows is not None:
            names += ["rows", "rows decided wrongly"]
            for c, line in enumerate(cells):
                own = self.rows.weight * (self.rows.codes == c)
                line += [f"{own.sum():,.6g}", f"{own @ self.rows.is_wrong:,.6g}"]
        return PrintedTable(self.title, names, cells, self.held)

    @property
    def title(self) -> str:
        """The two columns in words."""
        return f"decision regions over {self.columns[0]} and {self.columns[1]}"

    def to_arrow(self) -> pa.Table:
        """Return a row for every point of the grid: its two numbers, the class decided on, and P(class) of each."""
        import pyarrow as pa

        x, y = np.meshgrid(self.x, self.y)
        decided = [self.classes.tolist()[c] for c in self.decision.ravel().tolist()]
        names = [*self.columns, "decision", *(f"P({label})" for label in self.classes.tolist())]
        probabilities = list(self.posterior.reshape(x.size, -1).T)
        return pa.table([x.ravel(), y.ravel(), pa.array(map(str, decided)), *probabilities], names=names)

    def __str__(self) -> str:
        return tables_text([self._table()])

    def __repr__(self) -> str:
        return f"Regions({self.columns[0]!r} × {self.columns[1]!r}, {len(self.x)} × {len(self.y)} points)"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self._table()))

    def plot(self, ax: Any = None, *, theme: str | None = None) -> RegionsDisplay:
        """Draw the regions, the rows and the ellipses (needs matplotlib); see ``deciban.plots.RegionsDisplay``."""
        from deciban.plots.regions import RegionsDisplay

        return RegionsDisplay(self).plot(ax, theme=theme)


def find_regions(
    classifier: Classifier,
    names: Sequence[str],
    columns: tuple[Any, Any],
    rows: LabelledCells | None,
    row: Frame | None = None,
    resolution: int = 200,
    bounds: Any = None,
) -> Regions:
    """Return the regions of a model over two columns; the others are those of ``row``, or missing."""
    both = [find_column(classifier, names, column) for column in columns]
    for column in both:
        column.require_numbers("a picture of regions")
    if both[0].position == both[1].position:
        raise ValueError(f"x and y are both column {both[0].name!r}; give two columns.")
    is_number = isinstance(resolution, int | np.integer) and not isinstance(resolution, bool)
    if not is_number or not 2 <= resolution <= MOST_POINTS:
        raise ValueError(
            f"resolution is {resolution!r}; give a whole number from 2 to {MOST_POINTS:,}, the points of a line."
        )
    whole = tuple(column.likelihood.reads_whole_numbers for column in both)
    ranges = _ranges(classifier, both, rows, whole, bounds)
    x, y = (positions_between(*span, int(resolution), is_whole) for span, is_whole in zip(ranges, whole))
    varying, model = VaryingRows(classifier, row), classifier.model

    def frame(x: Floats, y: Floats) -> Frame:
        return varying.frame({both[0].position: x, both[1].position: y})

    grid = frame(*(axis.ravel() for axis in np.meshgrid(x, y)))
    shape = len(y), len(x)
    others = len(names) - 2
    which, are = (f"{others} other columns", "are") if others != 1 else ("the other column", "is")
    return Regions(
        (both[0].name, both[1].name),
        model.classes,
        x,
        y,
        model.posterior(grid).reshape(*shape, -1),
        model.codes(grid).reshape(shape),
        _ellipses(model.classes, both),
        rows,
        "" if not others else f"{which} {are} missing" if row is None else f"{which} {are} held at the values of a row",
        lambda x, y: model.log_posterior(frame(x, y)),
        whole,  # type: ignore[arg-type]
    )


def _ranges(
    classifier: Classifier, both: list[ModelColumn], rows: LabelledCells | None, whole: tuple[bool, ...], bounds: Any
) -> list[tuple[float, float]]:
    """Return the ends of both axes: those given, else those of the rows with some room."""
    if bounds is None:
        cells: list[Floats | None] = [None, None] if rows is None else list(rows.cells.T)
        spans = [value_range(classifier, column, own) for column, own in zip(both, cells)]
        return [padded(*span, is_whole) for span, is_whole in zip(spans, whole)]
    try:
        given = np.asarray(bounds, dtype=float)
    except (TypeError, ValueError):
        given = np.empty(0)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.diff(given) if given.shape == (2, 2) else np.array([np.nan])
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError(f"bounds is {bounds!r}; give ((least x, greatest x), (least y, greatest y)).")
    return [(float(low), float(high)) for low, high in given]


def _ellipses(classes: Names, both: list[ModelColumn]) -> tuple[Ellipse, ...]:
    first, second = both[0].normal, both[1].normal
    if first is None or second is None:
        return ()
    parameters = zip(classes.tolist(), *(p.tolist() for p in (*first, *second)))
    return tuple(Ellipse(label, (mx, my), (sx, sy)) for label, mx, sx, my, sy in parameters)
