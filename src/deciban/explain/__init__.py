"""Explanations: evidence in decibans, worked solutions, importance of columns, and a diagnosis of a model."""

from deciban.explain.derivation import Derivation
from deciban.explain.explanation import Explanation
from deciban.explain.findings import Diagnosis, Finding
from deciban.explain.importance import Importance
from deciban.explain.item import Item
from deciban.explain.row_explanation import RowExplanation
from deciban.explain.score_derivation import ScoreDerivation
from deciban.explain.weights import Weights

__all__ = [
    "Derivation",
    "Diagnosis",
    "Explanation",
    "Finding",
    "Importance",
    "Item",
    "RowExplanation",
    "ScoreDerivation",
    "Weights",
]
