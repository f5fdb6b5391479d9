"""Pictures of deciban's data objects, with matplotlib (``pip install 'deciban[plots]'``).

A display holds the object that it draws, as in scikit-learn: ``XDisplay.from_estimator(...)`` asks an estimator for it,
``plot(ax=None)`` draws it and sets ``ax_`` and ``figure_``. Displays compute nothing that the object does not hold.
"""

from typing import Any

from deciban.plots.columns import ColumnsDisplay
from deciban.plots.confusion import ConfusionDisplay
from deciban.plots.densities import DensitiesDisplay
from deciban.plots.em import ObjectiveDisplay
from deciban.plots.estimates import EstimatesDisplay
from deciban.plots.experiment import ExperimentDisplay
from deciban.plots.learning_curve import LearningCurveDisplay
from deciban.plots.nomogram import NomogramDisplay
from deciban.plots.operating_points import CostsDisplay, OperatingPointsDisplay, PriorsDisplay
from deciban.plots.pair import PairDisplay
from deciban.plots.regions import RegionsDisplay
from deciban.plots.reliability import ReliabilityDisplay
from deciban.plots.text import TextDisplay
from deciban.plots.top_words import TopWordsDisplay
from deciban.plots.variances import VariancesDisplay
from deciban.plots.waterfall import WaterfallDisplay

# The display of every kind of picture that ``nb.plot(kind, …)`` draws; each has ``from_estimator(nb, …)``.
KINDS: dict[str, Any] = {
    "columns": ColumnsDisplay,
    "confusion": ConfusionDisplay,
    "costs": CostsDisplay,
    "densities": DensitiesDisplay,
    "estimates": EstimatesDisplay,
    "nomogram": NomogramDisplay,
    "objective": ObjectiveDisplay,
    "pair": PairDisplay,
    "priors": PriorsDisplay,
    "regions": RegionsDisplay,
    "reliability": ReliabilityDisplay,
    "text": TextDisplay,
    "top_words": TopWordsDisplay,
    "waterfall": WaterfallDisplay,
}

__all__ = [
    "KINDS",
    "ColumnsDisplay",
    "ConfusionDisplay",
    "CostsDisplay",
    "DensitiesDisplay",
    "EstimatesDisplay",
    "ExperimentDisplay",
    "LearningCurveDisplay",
    "NomogramDisplay",
    "ObjectiveDisplay",
    "OperatingPointsDisplay",
    "PairDisplay",
    "PriorsDisplay",
    "RegionsDisplay",
    "ReliabilityDisplay",
    "TextDisplay",
    "TopWordsDisplay",
    "VariancesDisplay",
    "WaterfallDisplay",
]


def find_display(kind: str) -> Any:
    """Return the display of a kind of picture, or raise an error that names the kinds."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; a model can be drawn as {', '.join(sorted(KINDS))}.")
    return KINDS[kind]
