"""Decision regions of Gaussian naive Bayes with variance 1, a shared variance and a variance per class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deciban.plots.axes import short_name
from deciban.plots.display import Display, split_axes
from deciban.plots.regions import RegionParts, RegionsDisplay, draw_legend, regions_caption
from deciban.plots.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.describe.variances import Variances

WITHOUT_LEGEND = RegionParts(legend=False)


@dataclass(eq=False, repr=False)
class VariancesDisplay(Display):
    """Decision regions of the same rows under three assumptions on the variance: straight, straight and curved."""

    variances: Variances

    @property
    def title(self) -> str:
        x, y = (short_name(name, 28) for name in self.variances.regions[0].columns)
        return f"Three assumptions on the variance of {x} and {y}"

    @property
    def caption(self) -> str:
        caption = regions_caption(self.variances.regions[0], WITHOUT_LEGEND)
        return f"{caption} All three models are trained on these rows by maximum likelihood."

    @property
    def has_panels(self) -> bool:
        return True

    @property
    def size(self) -> tuple[float, float]:
        return 12.0, 4.0

    def draw(self, ax: Axes, theme: Theme) -> None:
        panels = zip(self.variances.names, self.variances.regions, self.variances.errors, strict=True)
        self.axes_ = split_axes(ax, 1, len(self.variances.names))
        for i, (panel, (name, regions, error)) in enumerate(zip(self.axes_, panels)):
            RegionsDisplay(regions, WITHOUT_LEGEND).draw(panel, theme)
            panel.set_title(f"{name}:\n{error:.0%} of rows wrong", fontsize=10)
            if i:
                panel.set_ylabel("")
                panel.tick_params(labelleft=False)
        draw_legend(self.axes_[-1], theme, self.variances.regions[0])
