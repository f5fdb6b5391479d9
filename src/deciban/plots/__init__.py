"""Pictures of deciban's data objects, with matplotlib (``pip install 'deciban[plots]'``).

A display holds the object that it draws, as in scikit-learn: ``XDisplay.from_estimator(...)`` asks an estimator for it,
``plot(ax=None)`` draws it and sets ``ax_`` and ``figure_``. Displays compute nothing that the object does not hold.
"""

from deciban.plots.densities import DensitiesDisplay
from deciban.plots.experiment import ExperimentDisplay
from deciban.plots.regions import RegionsDisplay
from deciban.plots.variances import VariancesDisplay
from deciban.plots.waterfall import WaterfallDisplay

__all__ = ["DensitiesDisplay", "ExperimentDisplay", "RegionsDisplay", "VariancesDisplay", "WaterfallDisplay"]
