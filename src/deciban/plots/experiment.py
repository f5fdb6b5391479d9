"""Accuracies of an experiment: a line for every condition, with standard errors as bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.plots.axes import short_name
from deciban.plots.display import Display
from deciban.plots.theme import MARKERS, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.teaching.experiments import Experiment

# Values whose names fit below the axis.
MOST_NAMES = 12


@dataclass(eq=False, repr=False)
class ExperimentDisplay(Display):
    """Accuracy over the values of an experiment, a line for every condition and a band of two standard errors.

    The values are equally far apart, because they usually grow by factors.
    """

    experiment: Experiment

    @property
    def title(self) -> str:
        return self.experiment.title

    @property
    def caption(self) -> str:
        has_errors = bool(self.experiment.standard_error.any())
        bands = " Bands: two standard errors on both sides." if has_errors else ""
        return f"{self.experiment.about}{bands}"

    def draw(self, ax: Axes, theme: Theme) -> None:
        found = self.experiment
        places = np.arange(len(found.values))
        for s, name in enumerate(found.series):
            colour, accuracy, error = theme.of_class(s), found.accuracy[s], 2 * found.standard_error[s]
            low, high = np.clip([accuracy - error, accuracy + error], 0, 1)
            ax.fill_between(places, low, high, color=colour, alpha=0.18, lw=0)
            look: dict[str, Any] = {"color": colour, "marker": MARKERS[s % len(MARKERS)], "ms": 5, "lw": 1.8}
            ax.plot(places, accuracy, label=short_name(name), **look)
        step = max(1, -(-len(places) // MOST_NAMES))
        ax.set_xticks(places[::step], list(found.names[::step]))
        ax.set_xlabel(found.axis)
        ax.set_ylabel("accuracy")
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        ax.yaxis.grid(True)
        ax.tick_params(axis="y", labelcolor=theme.quiet)
        if len(found.series) > 1:
            ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
