"""The protocol of an event model: what it keeps, how a column is prepared, how parameters follow from statistics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from deciban.labels import Labels, missing
from deciban.matrix import Array, Matrix
from deciban.prior import Estimation
from deciban.scorers import Scorer
from deciban.statistics import Block


class Likelihood(ABC):
    """An event model: P(columns | class). Subclasses are frozen dataclasses of hyperparameters, without state.

    To write one outside this package, name the block of statistics it ``keeps`` and turn such a block into a scorer in
    ``estimate``; fitting, merging, forgetting and prediction follow.
    """

    keeps: ClassVar[Any]  # a Block class

    @property
    def name(self) -> str:
        """What messages call it."""
        return type(self).__name__

    def prepare(self, x: Any) -> Any:
        """What the event model sees instead of x, both in training and in prediction; x itself by default."""
        return x

    def numbers(self, x: Array) -> Array:
        """x as an array the event model can read: numbers, unless it says otherwise; what is missing becomes NaN."""
        if x.dtype.kind in "fiubc":
            return x
        if x.dtype == object:
            x = np.where(missing(x.ravel()).reshape(x.shape), np.nan, x)
        try:
            return x.astype(float)
        except ValueError as error:
            raise ValueError(f"{self.name} needs numbers: {error}; give such a column Categorical().") from None

    def summarize(self, x: Matrix, labels: Labels) -> Block:
        """The statistics of a batch, already prepared."""
        return self.keeps.of(x, labels)

    @abstractmethod
    def estimate(self, statistics: Any, how: Estimation) -> Scorer:
        """Parameters from statistics: a pure function, so smoothing can change after training."""
