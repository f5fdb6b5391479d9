"""A picture of a pair of columns: the evidence of every combination of their values, as a table of colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.axes import draw_cells, short_name
from deciban.plots.confusion import readable_on
from deciban.plots.display import Display
from deciban.plots.theme import Theme
from deciban.terminal.values import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.scales import Scale, Scales

# The longest name of a value in characters, and the most columns of cells that have numbers.
VALUE_WIDTH, NUMBERED_COLUMNS = 14, 12


@dataclass(eq=False, repr=False)
class PairDisplay(Display):
    """The evidence that two columns give together, beyond what each gives alone: a colour for every combination."""

    scales: Scales
    first: str
    second: str

    @classmethod
    def from_estimator(
        cls, estimator: Any, first: str, second: str, *, favour: Any = None, against: Any = None, **options: Any
    ) -> Self:
        """Ask ``estimator.scales`` for the pair of two columns, in either order, and draw it."""
        return cls(estimator.scales(favour, against), first, second).plot(**options)

    @cached_property
    def scale(self) -> Scale:
        """The scale of the pair."""
        names = [scale.name for scale in self.scales]
        turned = f"{self.second} × {self.first}"
        return self.scales[turned if turned in names else f"{self.first} × {self.second}"]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values of the first and of the second column of the scale."""
        values = self.scale.values
        for n in range(1, len(values) + 1):
            firsts, seconds = [v[0] for v in values[::n]], [v[1] for v in values[:n]]
            if tuple(product(firsts, seconds)) == values:
                return len(firsts), n
        raise ValueError(f"the scale {self.scale.name!r} is not one of two columns.")

    @property
    def title(self) -> str:
        return f"What {self.scale.name} says beyond each alone"

    @property
    def caption(self) -> str:
        return (
            f"Decibans for {self.scales.title}, with the number of rows that have both values. A combination adds its "
            "decibans to those of the two values. Values that no row has are left out."
        )

    @property
    def size(self) -> tuple[float, float]:
        weight = self._by_cell(self.scale.weight)
        rows, columns = (weight > 0).any(axis=1).sum(), (weight > 0).any(axis=0).sum()
        return min(12.0, 2.6 + 1.1 * columns), min(10.0, 1.5 + 0.6 * rows)

    def _by_cell(self, values: Floats | None) -> Floats:
        """[values of the first × of the second] numbers of the scale; 0 where there are none."""
        found = np.zeros(len(self.scale)) if values is None else np.asarray(values)
        return found.reshape(self.shape)

    def draw(self, ax: Axes, theme: Theme) -> None:
        weight, decibans = self._by_cell(self.scale.weight), self._by_cell(self.scale.decibans)
        used = np.flatnonzero((weight > 0).any(axis=1)), np.flatnonzero((weight > 0).any(axis=0))
        weight, decibans = weight[np.ix_(*used)], decibans[np.ix_(*used)]
        image = evidence_colours(decibans, theme)
        draw_cells(ax, image)
        if decibans.shape[1] <= NUMBERED_COLUMNS:
            for i, j in product(*map(range, decibans.shape)):
                cell = f"{signed(decibans[i, j])}\n{weight[i, j]:,.4g}"
                ax.text(j, i, cell, ha="center", va="center", fontsize=9, color=readable_on(image[i, j]))
        values = self.scale.values
        firsts, seconds = [values[i * self.shape[1]][0] for i in used[0]], [values[j][1] for j in used[1]]
        ax.set_yticks(range(len(firsts)), [short_name(name, VALUE_WIDTH) for name in firsts])
        ax.set_xticks(range(len(seconds)), [short_name(name, VALUE_WIDTH) for name in seconds])
        ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False, labelcolor=theme.ink)
        ax.xaxis.set_label_position("top")
        turned = self.scale.name == f"{self.second} × {self.first}"
        a, b = (self.second, self.first) if turned else (self.first, self.second)
        ax.set_ylabel(short_name(a))
        ax.set_xlabel(short_name(b))
        for spine in ax.spines.values():
            spine.set_visible(False)
        for edge in np.arange(len(firsts) + 1) - 0.5:
            ax.axhline(edge, color=theme.paper, lw=1.5)
        for edge in np.arange(len(seconds) + 1) - 0.5:
            ax.axvline(edge, color=theme.paper, lw=1.5)


def evidence_colours(decibans: Floats, theme: Theme) -> Floats:
    """[rows × columns × 3] colours of evidence: a hue for each class, and the paper where there is none."""
    from matplotlib.colors import to_rgb

    paper, favour, against = (np.array(to_rgb(colour)) for colour in (theme.paper, theme.favour, theme.against))
    strength = np.abs(decibans) / max(float(np.abs(decibans).max(initial=0.0)), 1e-9)
    hue = np.where((decibans >= 0)[:, :, None], favour, against)
    return np.asarray(paper + (hue - paper) * 0.85 * strength[:, :, None])
