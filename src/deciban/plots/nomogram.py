"""The nomogram: a scale per column, the place of a row on each, their sum, and the probability that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import mark_zero, name_rows, odds_ticks, percent_tick, short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.labels import LabelRoom
from deciban.plots.scale_line import FONT, VALUE_WIDTH, ScaleLine, place_in_lane, turns_back
from deciban.plots.theme import Theme
from deciban.terminal.values import percent, short_value, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.scales import Scale, Scales

# Characters of a name beside an axis, and of the title.
NAME_WIDTH, TITLE_WIDTH = 30, 80
# Share of the training rows at either end of the axis that need not fit on it, and how far it reaches beyond the rest.
RARE, ROOM = 0.01, 1.5
# Probabilities on the last scale, those that are written first.
PROBABILITIES = (0.5, 0.01, 0.99, 0.1, 0.9, 0.2, 0.8, 0.05, 0.95, 0.3, 0.7, 0.001, 0.999, 0.4, 0.6)
# Least and greatest reach of the scale of the sum, in decibans.
LEAST_REACH, GREATEST_REACH = 25.0, 300.0


@dataclass(eq=False, repr=False)
class NomogramDisplay(Display):
    """The ``n`` widest scales of a model, and the sum of prior and evidence with the probability that belongs to it.

    A scale whose evidence rises and falls again is drawn as a curve, its least value at the bottom.
    """

    scales: Scales
    n: int = 10

    @classmethod
    def from_estimator(
        cls, estimator: Any, row: Any = None, *, favour: Any = None, against: Any = None, n: int = 10, **options: Any
    ) -> Self:
        """Draw the scales of a fitted estimator, with the place of a row if one is given; options are those of plot."""
        return cls(estimator.scales(favour, against, row), n).plot(**options)

    @property
    def title(self) -> str:
        row = self.scales.row
        return short_name(self.scales.title if row is None else row.title, TITLE_WIDTH)

    @property
    def caption(self) -> str:
        units = dict.fromkeys(s.unit for s in self.shown if s.weight is not None)
        grey = f"Grey: {', or '.join(units)}. " if units else ""
        hidden = len(self.scales) - len(self.shown)
        more = f"{hidden} narrower scales are not drawn. " if hidden else ""
        curves = (
            "Curves: evidence rises and falls; the least value is at the bottom. "
            if any(map(turns_back, self.shown))
            else ""
        )
        limits = self._limits()
        beyond = any(((s.decibans < limits[0]) | (s.decibans > limits[1])).any() for s in self.shown)
        curves += "Arrowheads: evidence beyond the axis, of values that few training rows have. " if beyond else ""
        sums = "Prior and evidence of a row's values add up to its log-odds under the model; they do not show causes."
        notes = [note[0].upper() + note[1:] + "." for note in self.scales.probability_notes]
        if self.scales.probability is not None and self.scales.probability.changes_odds:
            notes.insert(0, "The last scale includes calibration, class weights and a class prior that was given.")
        return " ".join([grey + more + curves + sums, *notes])

    @property
    def shown(self) -> list[Scale]:
        """The scales that are drawn, the widest first."""
        return self.scales.widest(self.n)

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        return 8.2, 1.2 + 0.62 * len(self.shown) + (1.5 if self.scales.probability else 0.9)

    def draw(self, ax: Axes, theme: Theme) -> None:
        rows = max(1, len(self.shown))
        top, bottom = split_axes(ax, 2, height_ratios=[rows + 0.9, 2.2 if self.scales.probability else 1.3])
        self.axes_ = [top, bottom]
        low, high = self._limits()
        pad = 0.07 * (high - low)
        top.set_xlim(low - pad, high + pad)
        top.set_ylim(rows - 0.4, -0.75)
        room = LabelRoom.of(top, FONT)
        for i, scale in enumerate(self.shown):
            ScaleLine(scale, i, low - pad / 2, high + pad / 2, self._row_value(scale)).draw(top, theme, room)
            self._draw_row(top, theme, scale, i)
        mark_zero(top, theme)
        name_rows(top, [self._name(scale) for scale in self.shown])
        favour, against = (short_name(c, NAME_WIDTH) for c in (self.scales.favour, self.scales.against))
        top.set_xlabel(f"← for {against}     evidence of the value, decibans     for {favour} →")
        odds_ticks(top, theme)
        self._draw_sum(bottom, theme)

    def _limits(self) -> tuple[float, float]:
        """Return the ends of the axis of evidence: all evidence fits, or the evidence of most training rows.

        A few rare values with very strong evidence would leave no room for the others; they are drawn at the ends.
        """
        every = [usual_evidence(scale) for scale in self.shown]
        values = np.concatenate([v for v, _ in every]) if every else np.zeros(0)
        share = np.concatenate([w for _, w in every]) if every else np.zeros(0)
        order = np.argsort(values)
        low = high = 0.0
        if len(values):
            passed = np.cumsum(share[order]) / max(float(share.sum()), 1e-300)
            ends = values[order][np.searchsorted(passed, [RARE, 1 - RARE]).clip(0, len(values) - 1)]
            low, high = max(values.min(), ROOM * ends[0]), min(values.max(), ROOM * ends[1])
        row = self.scales.row_decibans
        shown = [] if row is None else row[np.isfinite(row)].tolist()
        return float(min([low, -1.0, *shown])), float(max([high, 1.0, *shown]))

    def _row_evidence(self, scale: Scale) -> float | None:
        found = self.scales.row_decibans
        return None if found is None else float(found[list(self.scales).index(scale)])

    def _row_value(self, scale: Scale) -> Any:
        """Return the row's value in the column of a scale; None without a row, or if a row has several values there."""
        row = self.scales.row
        if row is None or len(scale.columns) > 1 or scale.kind in ("words", "counts"):
            return None
        items = [item for item in row.items if item.column == scale.columns[0] and not item.presence]
        return items[0].value if items else None

    def _name(self, scale: Scale) -> str:
        value = self._row_value(scale)
        name = short_name(scale.name, NAME_WIDTH)
        text = ", ".join(map(short_value, value)) if isinstance(value, tuple) else short_value(value)
        return name if value is None else f"{name} = {short_name(text, VALUE_WIDTH)}"

    def _draw_row(self, ax: Axes, theme: Theme, scale: Scale, y: float) -> None:
        """Draw the row's place on a scale and its evidence as a bar from zero, and write it at the end of the line."""
        evidence = self._row_evidence(scale)
        if evidence is None:
            return
        low, high = ax.get_xlim()
        x = float(np.clip(evidence, low, high))
        colour = theme.of_evidence(evidence)
        height = y + place_in_lane(scale, self._row_value(scale))
        ax.plot([0, x], [height, height], color=colour, lw=3.2, solid_capstyle="butt", zorder=2.5)
        ax.plot([x], [height], "o", ms=7.5, mfc=colour, mec=theme.paper, mew=1.3, zorder=4)
        ax.annotate(
            signed(evidence),
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            fontweight="bold",
            color=theme.of_evidence(evidence, text=True),
            annotation_clip=False,
        )

    @property
    def row_sum(self) -> float | None:
        """Prior and evidence of the row, in decibans; None without a row."""
        if self.scales.row_decibans is None:
            return None
        with np.errstate(invalid="ignore"):
            return float(self.scales.prior + self.scales.row_decibans.sum())

    def _draw_sum(self, ax: Axes, theme: Theme) -> None:
        """Draw the scale of prior plus evidence and, for two classes, the scale of the probability below it."""
        scales, total = self.scales, self.row_sum
        reach = self._reach()
        ax.set_xlim(-reach, reach)
        ax.set_ylim(-0.95 if scales.probability else 0.2, 1.75)
        room = LabelRoom.of(ax, FONT)
        power = 10.0 ** np.floor(np.log10(reach / 6))
        step = max(5.0, next(m * power for m in (1, 2, 5, 10) if 6 * m * power >= reach))
        _line(ax, theme, 1.0, reach)
        for x in np.arange(-np.floor(reach / step), np.floor(reach / step) + 1) * step:
            _tick(ax, theme, room, float(x), 1.0, signed(x, 0) if x else "0", 0.42)
        if scales.probability is not None:
            _line(ax, theme, 0.0, reach)
            for p in PROBABILITIES:
                place = scales.probability.decibans_at(p, reach)
                if place is not None:
                    _tick(ax, theme, room, place, 0.0, percent_tick(p), -0.42)
        if np.isfinite(scales.prior):
            ax.plot([scales.prior], [1.0], "D", ms=5.5, color=theme.quiet, zorder=3)
            on_left = total is not None and scales.prior < total
            ax.annotate(
                "prior",
                (scales.prior, 1.0),
                xytext=(-5 if on_left else 5, -9),
                textcoords="offset points",
                ha="right" if on_left else "left",
                va="center",
                fontsize=FONT,
                color=theme.quiet,
            )
        if total is not None:
            self._draw_total(ax, theme, total, reach)
        target = f"{scales.target} = {scales.favour}" if scales.target else f"{scales.favour}"
        names = ["prior + evidence", f"P({target})"]
        lines = 2 if scales.probability is not None else 1
        name_rows(ax, names[:lines], [1.0, 0.0][:lines])
        ax.set_xticks([])
        ax.spines["bottom"].set_visible(False)

    def _reach(self) -> float:
        """Return the end of the scale of sums, in decibans, far enough out for probabilities from 1 % to 99 %."""
        found = [self.scales.prior if np.isfinite(self.scales.prior) else 0.0, LEAST_REACH - 8]
        if self.scales.probability is not None:
            places = [self.scales.probability.decibans_at(p) for p in (0.01, 0.99)]
            found += [min(abs(place), GREATEST_REACH) for place in places if place is not None]
        total = self.row_sum
        if total is not None and np.isfinite(total):
            found.append(abs(total))
        return max(map(abs, found)) * 1.04 + 8

    def _draw_total(self, ax: Axes, theme: Theme, total: float, reach: float) -> None:
        """Draw the row's sum, and a line from it to its probability."""
        scales = self.scales
        assert scales.row is not None
        x = float(np.clip(np.nan_to_num(total), -reach, reach))
        colour, two = theme.of_evidence(total), scales.probability is not None
        ends = [1.0, 0.0] if two else [1.0]
        ax.plot([x] * len(ends), ends, "-o", color=colour, lw=1.3, ms=8, mec=theme.paper, mew=1.3, zorder=4)
        p = scales.row.posterior[scales.row.favour]
        text = f"{signed(total)} dB" + (f"  =  {percent(p)}" if two else "")
        right = x < 0.5 * reach
        ax.annotate(
            text,
            (x, 0.5 if two else 0.55),
            xytext=(7 if right else -7, 0),
            textcoords="offset points",
            ha="left" if right else "right",
            va="center",
            fontsize=10,
            fontweight="bold",
            zorder=5,
            bbox={"facecolor": theme.paper, "edgecolor": "none", "pad": 0.6},
        )


def usual_evidence(scale: Scale) -> tuple[Floats, Floats]:
    """Return the finite evidence of a scale's usual values, and the share of the training rows at each."""
    keep = np.isfinite(scale.decibans) & scale.usual
    weight = np.ones(len(scale)) if scale.weight is None else scale.weight
    return scale.decibans[keep], weight[keep] / max(float(weight.sum()), 1e-300)


def _line(ax: Axes, theme: Theme, y: float, reach: float) -> None:
    ax.plot([-reach, reach], [y, y], color=theme.faint, lw=1.3, zorder=1)


def _tick(ax: Axes, theme: Theme, room: LabelRoom, x: float, y: float, text: str, offset: float) -> None:
    """Draw a tick with its label, unless another label is in the way."""
    if room.take(x, y + offset, text):
        ax.plot([x, x], [y, y + np.sign(offset) * 0.14], color=theme.quiet, lw=0.8, zorder=1.5)
        ax.text(x, y + offset, text, ha="center", va="center", fontsize=FONT, color=theme.quiet)
