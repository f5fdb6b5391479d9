"""Scorers: parameters ready to use. They add the log-likelihood of rows under every class, feature by feature.

The law every scorer obeys: ``evidence(x).sum(-1)`` equals what ``add_scores`` adds.
"""

from deciban.scorers.base import Parameters, Scorer, dense_numbers, nothing
from deciban.scorers.contrasts import contrast, contrast_of, two_best
from deciban.scorers.left_out import others_counts, own_counts, own_curves, shared_curves
from deciban.scorers.linear import Linear
from deciban.scorers.posterior import decide, normalize
from deciban.scorers.quadratic import Quadratic
from deciban.scorers.steps import Steps
from deciban.scorers.table import Table

__all__ = [
    "Linear",
    "Parameters",
    "Quadratic",
    "Scorer",
    "Steps",
    "Table",
    "contrast",
    "contrast_of",
    "decide",
    "dense_numbers",
    "normalize",
    "nothing",
    "others_counts",
    "own_counts",
    "own_curves",
    "shared_curves",
    "two_best",
]
