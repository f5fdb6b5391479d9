"""Distributions of single columns as event models have them: curves, steps and bars, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.types import Floats

# Kinds of distributions.
CURVE, STEPS, BARS = "curve", "steps", "bars"


@dataclass(frozen=True, eq=False)
class ColumnDistribution:
    """P(value | class) of one column, or the density p(value | class) where its kind is "curve" or "steps"."""

    kind: str
    values: tuple[Any, ...]  # numbers of a curve, middles of bins, or the values of the column
    heights: Floats  # classes × values
    edges: Floats | None = None  # of the bins, one more than there are values

    @property
    def areas(self) -> Floats:
        """[classes] sum of the probabilities, or integral of the densities: 1, less the part outside ``values``."""
        if self.kind == BARS:
            return np.asarray(self.heights.sum(axis=1))
        if self.edges is not None:
            return np.asarray(self.heights @ np.diff(self.edges))
        return np.asarray(np.trapezoid(self.heights, np.asarray(self.values, dtype=float), axis=1))


def steps_of(probability: Floats, cuts: Floats, least: float, greatest: float) -> ColumnDistribution:
    """Return probabilities of bins [classes × bins] as densities between cuts; the outer bins end at the numbers seen.

    An outer bin that holds a single number has no width, and gets the mean width of the others.
    """
    if not len(cuts):
        width = (greatest - least) or 1.0
        edges = np.array([least, least + width])
    else:
        usual = float(np.diff(cuts).mean()) if len(cuts) > 1 else max(greatest - least, 1.0)
        low = least if least < cuts[0] else float(cuts[0]) - usual
        high = greatest if greatest > cuts[-1] else float(cuts[-1]) + usual
        edges = np.array([low, *cuts, high])
    middles = (edges[1:] + edges[:-1]) / 2
    return ColumnDistribution(STEPS, tuple(middles.tolist()), probability / np.diff(edges), edges)
