"""Class-conditional densities of one column: curves, steps or bars, the rows as a rug, the evidence below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.theme import Theme
from deciban.terminal.values import short_value, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.densities import Densities

# Values and classes that a picture has room for, and rows of a rug per class.
MOST_BARS, MOST_CLASSES, MOST_TICKS = 20, 8, 400
# Bars up to which the evidence of each is written.
MOST_NUMBERS = 12
# Evidence beyond this leaves the lower panel, in decibans.
MOST_EVIDENCE = 40.0


@dataclass(eq=False, repr=False)
class DensitiesDisplay(Display):
    """P(value | class) of one column: a curve, steps or bars for every class, the rows below as a rug.

    With two classes, or with ``favour`` and ``against``, a lower panel has the evidence of every value in decibans.
    """

    densities: Densities
    favour: Any = None
    against: Any = None

    @classmethod
    def from_estimator(cls, estimator: Any, column: Any, **options: Any) -> Self:
        """Ask ``estimator.densities(column, ...)`` and draw it.

        Options are those of that method, of this display (``favour``, ``against``) and of plot.
        """
        drawing = {name: options.pop(name) for name in ("ax", "theme") if name in options}
        pair = {name: options.pop(name) for name in ("favour", "against") if name in options}
        return cls(estimator.densities(column, **options), **pair).plot(**drawing)

    @property
    def pair(self) -> tuple[Any, Any] | None:
        """The classes whose evidence is drawn, None if there are more than two and none was given."""
        names = self.densities.classes.tolist()
        if self.favour is None and self.against is None:
            return (names[1], names[0]) if len(names) == 2 else None
        favour = self.favour if self.favour is not None else next(c for c in reversed(names) if c != self.against)
        return favour, self.against if self.against is not None else next(c for c in names if c != favour)

    @property
    def title(self) -> str:
        return f"{short_name(self.densities.column)} given the class, by {self.densities.event_model}"

    @property
    def caption(self) -> str:
        densities = self.densities
        said = [
            {
                "curve": "Curves are densities, so their areas are 1",
                "steps": "Steps are densities, so areas are probabilities of bins",
                "bars": "Bars are probabilities, which sum to 1 in every class",
            }[densities.kind]
        ]
        said[0] += ", times P(class)." if densities.weighted else "."
        if self._has_rug and densities.rows is not None:
            said.append(f"Ticks below: {densities.rows.about}.")
        hidden = len(densities.values) - MOST_BARS
        if densities.kind == "bars" and hidden > 0:
            said.append(f"Shown are the {MOST_BARS} most frequent of {len(densities.values)} values.")
        if self.pair is not None and (np.abs(densities.evidence(*self.pair)) > MOST_EVIDENCE).any():
            said.append(f"Evidence is drawn up to {MOST_EVIDENCE:g} decibans; some values have more.")
        said.append("Heights are the model's estimates, not shares of the rows.")
        said += [densities.remark] if densities.remark else []
        return " ".join(said)

    @property
    def has_panels(self) -> bool:
        return self.pair is not None

    @property
    def size(self) -> tuple[float, float]:
        return 7.6, 3.6 if self.pair is None else 4.8

    @property
    def _has_rug(self) -> bool:
        return self.densities.rows is not None and self.densities.kind != "bars"

    def draw(self, ax: Axes, theme: Theme) -> None:
        pair = self.pair
        lower = None
        if pair is not None:
            ax, lower = split_axes(ax, 2, 1, height_ratios=[2.4, 1], hspace=0.12)
            self.axes_ = [ax, lower]
        draw = self._draw_bars if self.densities.kind == "bars" else self._draw_curves
        draw(ax, lower, theme)
        ax.set_ylabel(short_name(self.densities.notation, 30))
        ax.tick_params(axis="y", labelcolor=theme.quiet)
        if lower is not None and pair is not None:
            ax.tick_params(axis="x", labelbottom=False, length=0)
            lower.axhline(0, color=theme.quiet, lw=0.8)
            favour, against = (short_name(c, 20) for c in pair)
            lower.set_ylabel("decibans")
            look: dict[str, Any] = {"xycoords": "axes fraction", "fontsize": 8.5, "color": theme.quiet}
            lower.annotate(f"↑ for {favour}", (1.015, 0.97), va="top", **look)
            lower.annotate(f"↓ for {against}", (1.015, 0.03), va="bottom", **look)
            lower.tick_params(axis="y", labelcolor=theme.quiet)
        (lower or ax).set_xlabel(short_name(self.densities.column))
        self._draw_legend(ax)

    def _draw_legend(self, ax: Axes) -> None:
        more = len(self.densities.classes) - MOST_CLASSES
        title = f"{MOST_CLASSES} of {len(self.densities.classes)} classes" if more > 0 else None
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0, title=title)

    def _classes(self) -> list[tuple[int, str, Floats]]:
        shown = self.densities.classes.tolist()[:MOST_CLASSES]
        return [(c, short_name(label, 24), self.densities.heights[c]) for c, label in enumerate(shown)]

    def _draw_curves(self, ax: Axes, lower: Axes | None, theme: Theme) -> None:
        densities = self.densities
        x, edges = np.asarray(densities.values, dtype=float), densities.edges
        for c, name, heights in self._classes():
            colour = theme.of_class(c)
            if edges is None:
                ax.plot(x, heights, color=colour, lw=1.8, label=name)
                ax.fill_between(x, heights, color=colour, alpha=0.13, lw=0)
            else:
                ax.stairs(heights, edges, color=colour, lw=1.8, label=name)
                ax.stairs(heights, edges, color=colour, alpha=0.13, fill=True)
        ax.set_ylim(0, 1.06 * float(densities.heights.max()))
        self._draw_rug(ax, theme)
        ends = (float(x[0]), float(x[-1])) if edges is None else (float(edges[0]), float(edges[-1]))
        ax.set_xlim(*ends)
        if lower is not None and self.pair is not None:
            evidence = np.nan_to_num(densities.evidence(*self.pair), posinf=1e3, neginf=-1e3)
            self._draw_evidence(lower, theme, x, edges, evidence)
            most = min(MOST_EVIDENCE, 1.1 * max(1.0, float(np.abs(evidence).max())))
            lower.set_ylim(-most, most)
            lower.set_xlim(*ends)

    def _draw_evidence(self, lower: Axes, theme: Theme, x: Floats, edges: Floats | None, evidence: Floats) -> None:
        assert self.pair is not None
        names = self.densities.classes.tolist()
        for label, part in zip(self.pair, (np.maximum(evidence, 0), np.minimum(evidence, 0))):
            colour = theme.of_class(names.index(label))
            if edges is None:
                lower.fill_between(x, part, color=colour, alpha=0.45, lw=0)
            else:
                lower.stairs(part, edges, color=colour, alpha=0.45, fill=True)
        if edges is None:
            lower.plot(x, evidence, color=theme.ink, lw=1, gid="evidence")
        else:
            lower.stairs(evidence, edges, color=theme.ink, lw=1, baseline=None)

    def _draw_rug(self, ax: Axes, theme: Theme) -> None:
        """Draw a tick for every row below the curves, one line for every class."""
        rows = self.densities.rows
        if rows is None or not self._has_rug:
            return
        shown, top = self._classes(), ax.get_ylim()[1]
        ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= top])
        ax.set_ylim(-0.05 * (len(shown) + 0.6) * top, top)
        ax.axhline(0, color=theme.faint, lw=0.8)
        for line, (c, _, _) in enumerate(shown):
            own = rows.cells[rows.codes == c, 0]
            own = own[:: max(1, -(-len(own) // MOST_TICKS))]
            look: dict[str, Any] = {"color": theme.of_class(c), "ms": 5, "mew": 0.8, "alpha": 0.8, "gid": "rug"}
            ax.plot(own, np.full(len(own), -0.05 * (line + 0.8) * top), "|", **look)

    def _draw_bars(self, ax: Axes, lower: Axes | None, theme: Theme) -> None:
        densities = self.densities
        order = np.arange(len(densities.values))
        if len(order) > MOST_BARS:
            frequent = np.argsort(-(densities.prior @ densities.distribution.heights), kind="stable")[:MOST_BARS]
            order = np.sort(frequent)
        shown = self._classes()
        width = 0.8 / len(shown)
        for c, name, heights in shown:
            places = np.arange(len(order)) + (c - (len(shown) - 1) / 2) * width
            ax.bar(places, heights[order], 0.94 * width, color=theme.of_class(c), label=name)
        values = [densities.values[i] for i in order]
        names = [f"{v:g}" if isinstance(v, float) else short_name(short_value(v), 16) for v in values]
        turned: dict[str, Any] = {"rotation": 40, "ha": "right"} if sum(map(len, names)) > 70 else {}
        (lower or ax).set_xticks(range(len(order)), names, **turned)
        ax.set_xlim(-0.6, len(order) - 0.4)
        if lower is not None and self.pair is not None:
            ax.set_xticks([])
            found = densities.evidence(*self.pair)[order]
            drawn = np.clip(found, -MOST_EVIDENCE, MOST_EVIDENCE)
            position = [densities.classes.tolist().index(self.pair[0 if e >= 0 else 1]) for e in found]
            lower.bar(range(len(order)), drawn, 0.5, color=[theme.of_class(c) for c in position])
            for i, e in enumerate(found if len(found) <= MOST_NUMBERS else ()):
                lower.annotate(
                    signed(e),
                    (i, drawn[i]),
                    xytext=(0, 2 if e >= 0 else -2),
                    textcoords="offset points",
                    ha="center",
                    va="bottom" if e >= 0 else "top",
                    fontsize=8,
                )
            lower.margins(y=0.35)
            lower.set_xlim(-0.6, len(order) - 0.4)
