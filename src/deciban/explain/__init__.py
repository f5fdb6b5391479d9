"""Understanding: evidence in decibans, the work shown, what is wrong with a model."""

from deciban.explain.derivation import Derivation
from deciban.explain.diagnosis import Diagnosis, Finding
from deciban.explain.explanation import Explanation, Item, RowExplanation
from deciban.explain.importance import Importance
from deciban.explain.weights import Weights

__all__ = ["Derivation", "Diagnosis", "Explanation", "Finding", "Importance", "Item", "RowExplanation", "Weights"]
