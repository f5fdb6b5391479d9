"""Scorers: parameters ready to use. They add the log-likelihood of rows under every class, feature by feature.

The law that every scorer obeys: ``evidence(x).sum(-1)`` equals what ``add_scores`` adds.
"""

from deciban.scorers.base import LinearTerms, Piece, Scorer
from deciban.scorers.joint import JointTable
from deciban.scorers.linear import Linear
from deciban.scorers.positions import PositionScorer
from deciban.scorers.predictive import GammaPoisson, Polya, Student
from deciban.scorers.quadratic import Quadratic
from deciban.scorers.steps import Steps
from deciban.scorers.table import Table
from deciban.scorers.words import WordPolya, WordScorer

__all__ = [
    "GammaPoisson",
    "JointTable",
    "Linear",
    "LinearTerms",
    "Piece",
    "Polya",
    "PositionScorer",
    "Quadratic",
    "Scorer",
    "Steps",
    "Student",
    "Table",
    "WordPolya",
    "WordScorer",
]
