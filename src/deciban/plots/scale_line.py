"""One scale of a nomogram: values of a column at their evidence, training rows in grey, labels without overlaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import short_name
from deciban.plots.labels import LabelRoom
from deciban.plots.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.scales import Scale

# Half of the height of a scale that turns back, and the distance of labels from a line; lines are 1 apart.
LANE, LABEL = 0.27, 0.27
# Characters of a value beside a tick, and the size of its font in points.
VALUE_WIDTH, FONT = 16, 8.0
# Area of the grey circle of all training rows, in square points, and the number of circles on a line.
CIRCLE, CIRCLES = 520.0, 60


@dataclass
class ScaleLine:
    """One scale at the height ``y`` between two ends of the axis, with the labels that fit."""

    scale: Scale
    y: float
    low: float
    high: float
    row_value: Any = None

    def draw(self, ax: Axes, theme: Theme, room: LabelRoom) -> None:
        """Draw the line or curve, the training rows as grey circles, and the labels."""
        scale = self.scale
        if not len(scale):
            return
        x = np.clip(scale.decibans, self.low, self.high)
        y = self.y + lanes(scale)
        ordered = np.arange(len(x)) if turns_back(scale) else np.argsort(x, kind="stable")
        last = known_values(scale) if turns_back(scale) else len(x)
        ax.plot(x[ordered][:last], y[ordered][:last], color=theme.faint, lw=1.3, zorder=1.2)
        for beyond, marker in ((scale.decibans < self.low, "<"), (scale.decibans > self.high, ">")):
            ax.plot(x[beyond], y[beyond], marker, ms=4.5, color=theme.quiet, lw=0, zorder=1.6)
        self._draw_rows(ax, theme, x, y)
        self._label(ax, theme, room, x, y)

    def _draw_rows(self, ax: Axes, theme: Theme, x: Floats, y: Floats) -> None:
        weight = self.scale.weight
        if weight is None or not weight.sum() > 0:
            return
        # Neighbours share a circle, so that the area of circles stays the weight of rows.
        cell = np.round((x - self.low) / (self.high - self.low) * CIRCLES) + 1e4 * np.round((y - self.y) / 0.05)
        _, group = np.unique(cell, return_inverse=True)
        total = np.bincount(group, weight)
        share = weight / np.where(total > 0, total, 1.0)[group]  # first, because evidence times weight may overflow
        middle = [np.bincount(group, share * v) for v in (x, y)]
        there = total > 0
        sizes = CIRCLE * total[there] / total.sum() + 1.5
        ax.scatter(middle[0][there], middle[1][there], s=sizes, color=theme.quiet, alpha=0.3, lw=0, zorder=1.5)

    def _label(self, ax: Axes, theme: Theme, room: LabelRoom, x: Floats, y: Floats) -> None:
        left, right = ax.get_xlim()
        for text, place, height, own in self._labels(x, y):
            half = room.width(text) / 2
            middle = min(max(place, left + half), right - half)  # within the axes, away from the names beside them
            for side in (-1, 1) if height <= self.y else (1, -1):
                if not room.take(middle, height + side * LABEL, text):
                    continue
                ax.plot([place] * 2, [height, height + side * 0.1], color=theme.quiet, lw=0.8, zorder=1.8)
                ax.text(
                    middle,
                    height + side * LABEL,
                    text,
                    ha="center",
                    va="center",
                    fontsize=FONT,
                    zorder=3.5,
                    bbox={"facecolor": theme.paper, "edgecolor": "none", "pad": 0.4, "alpha": 0.8},
                    color=theme.ink if own else theme.quiet,
                    fontweight="bold" if own else "normal",
                )
                break

    def _labels(self, x: Floats, y: Floats) -> list[tuple[str, float, float, bool]]:
        """Return labels with their places, the most important first, and whether each is the row's own value."""
        scale, numbers = self.scale, known_values(self.scale)
        found = []
        if scale.kind == "numbers":
            values = np.array(scale.values[:numbers], dtype=float)
            ticks = round_numbers(values)
            places = (np.interp(ticks, values, line[:numbers]).tolist() for line in (x, y))
            found = [(number_text(t), *place, False) for t, *place in zip(ticks, *places)]
        own = row_index(scale, self.row_value)
        indices = range(numbers, len(scale)) if scale.kind == "numbers" else label_order(scale, own)
        found += [(short_name(short_label(scale, i), VALUE_WIDTH), float(x[i]), float(y[i]), i == own) for i in indices]
        return found


def row_index(scale: Scale, value: Any) -> int | None:
    """Return the index of a row's value among those of a scale of categories or bins; None for other scales."""
    if value is None or scale.kind == "numbers":
        return None
    if scale.cuts is not None:
        try:
            return int(np.searchsorted(scale.cuts, float(value), side="right"))
        except (TypeError, ValueError):
            return None
    matches = [i for i, v in enumerate(scale.values) if v == value]
    return matches[0] if matches else None


def known_values(scale: Scale) -> int:
    """Return the number of values without "(missing)", which comes last and has no place among numbers."""
    has_missing = scale.kind in ("numbers", "bins") and bool(scale.values) and scale.values[-1] == "(missing)"
    return len(scale) - int(has_missing)


def turns_back(scale: Scale) -> bool:
    """Return whether the evidence of numbers rises and falls, so that one line would carry several scales."""
    if scale.kind not in ("numbers", "bins"):
        return False
    steps = np.diff(np.nan_to_num(scale.decibans[: known_values(scale)], posinf=1e9, neginf=-1e9))
    return bool((steps > 1e-9).any() and (steps < -1e-9).any())


def lanes(scale: Scale) -> Floats:
    """[values] height of every value beside its line: 0, or from below to above where the scale turns back."""
    if not turns_back(scale):
        return np.zeros(len(scale))
    numbers = known_values(scale)
    return np.append(np.linspace(LANE, -LANE, numbers), np.zeros(len(scale) - numbers))


def place_in_lane(scale: Scale, value: Any) -> float:
    """Return the height of a row's value beside its line."""
    if not turns_back(scale) or value is None:
        return 0.0
    index = row_index(scale, value)
    if index is not None:
        return float(lanes(scale)[index])
    numbers = known_values(scale)
    try:
        return float(np.interp(float(value), scale.values[:numbers], lanes(scale)[:numbers]))
    except (TypeError, ValueError):
        return 0.0


def label_order(scale: Scale, first: int | None) -> list[int]:
    """Return the indices of values in the order in which they get a label.

    ``first`` comes first, the index of the row's own value. Then come ends and turning points, or the strongest words,
    or the values that most training rows have.
    """
    count = len(scale)
    if scale.kind in ("words", "counts"):
        order = np.argsort(-np.abs(np.nan_to_num(scale.decibans)), kind="stable").tolist()
    elif turns_back(scale):
        steps = np.sign(np.diff(np.nan_to_num(scale.decibans)))
        turns = [i for i in range(1, count - 1) if steps[i - 1] * steps[i] < 0]
        order = [0, count - 1, *sorted(turns, key=lambda i: -abs(scale.decibans[i])), *scale.shown(count)]
    else:
        weight = np.ones(count) if scale.weight is None else scale.weight
        order = np.argsort(-weight, kind="stable").tolist()
    return list(dict.fromkeys(([] if first is None else [first]) + order))


def round_numbers(numbers: Floats) -> list[float]:
    """Return about eight round numbers within the range of numbers: multiples of 1, 2 or 5 times a power of ten."""
    span = float(np.ptp(numbers)) if len(numbers) else 0.0
    if not 0 < span < np.inf:
        return numbers[:1].tolist()
    power = 10.0 ** np.floor(np.log10(span / 8))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= span / 8)
    return (np.arange(np.ceil(numbers[0] / step), np.floor(numbers[-1] / step) + 1) * step).tolist()


def number_text(number: float) -> str:
    """Return a number with at most four digits, whole numbers of up to seven digits in full."""
    return f"{number:.0f}" if 1000 <= abs(number) < 1e7 else f"{round(float(number), 12) + 0.0:.4g}".replace("-", "−")


def short_label(scale: Scale, i: int) -> str:
    """Return a value for a tick: bins as ranges, other values in words."""
    if scale.cuts is None or not scale.text(i).startswith(("from", "below")):
        return scale.text(i)
    low, high = (number_text(cut) for cut in (scale.cuts[max(0, i - 1)], scale.cuts[min(i, len(scale.cuts) - 1)]))
    return f"<{high}" if i == 0 else f"≥{low}" if i == len(scale.cuts) else f"{low}–{high}"
