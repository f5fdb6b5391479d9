"""Weighted scores: the evidence of every column multiplied by a weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.terms import Term
from deciban.arrays.types import Floats
from deciban.scorers.base import Piece, Scorer


@dataclass(frozen=True, eq=False, repr=False)
class Weighted(Scorer):
    """Σ w_j · log P(x_j | c), from the evidence of any scorer."""

    scorer: Scorer
    weights: Floats  # per column

    @property
    def classes(self) -> int:
        return self.scorer.classes

    @property
    def features(self) -> int:
        return self.scorer.features

    def add_scores(self, x: Frame, out: Floats) -> int:
        if (self.weights == self.weights[0]).all():
            scores = np.zeros_like(out)
            found = self.scorer.add_scores(x, scores)
            out += self.weights[0] * scores
            return found
        out += self.evidence(x).sum(axis=2)
        return 0

    def evidence(self, x: Frame) -> Floats:
        return self.scorer.evidence(x) * self.weights

    def pieces(self, x: Frame, j: int, value: Any, scores: Floats) -> list[Piece]:
        weight = float(self.weights[j])
        plain = scores / weight if weight else self.scorer.evidence(x)[0, :, j]
        pieces = self.scorer.pieces(x, j, value, plain)
        return [Piece(weight * piece.scores, piece.value, piece.word) for piece in pieces]

    def terms(self, document: str) -> list[Term]:
        return self.scorer.terms(document)

    def silence(self, x: Frame, j: int, value: Any) -> str:
        return self.scorer.silence(x, j, value)
