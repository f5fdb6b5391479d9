"""Known parameters as statistics of one imagined row per class, from which the same parameters are estimated."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from deciban.arrays.types import Floats
from deciban.scorers.base import KnownSource, Scorer
from deciban.statistics import Block

# Fractions with larger denominators are not simpler than the decimal number.
LARGEST_DENOMINATOR = 1000

AnyScorer = TypeVar("AnyScorer", bound=Scorer)


def with_source(scorer: AnyScorer, likelihood: Any, block: Block) -> AnyScorer:
    """Return a scorer that knows the event model and the statistics whose maximum-likelihood estimate it is.

    With these, a model of known parameters can draw rows and derive its decisions like any other.
    """
    object.__setattr__(scorer, "source", KnownSource(likelihood, block))  # scorers are frozen
    return scorer


def denominators(probability: Floats) -> Floats:
    """Return the least common denominator of every row of probabilities, 1 if they are not simple fractions.

    Counts of imagined rows are then whole numbers, so that a derivation shows 9/14 and not 0.642857.

    >>> denominators(np.array([[0.5, 1 / 3], [0.25, 0.75], [0.1234567, 0.5]])).tolist()
    [6.0, 4.0, 1.0]
    """
    found = []
    for row in probability.tolist():
        simple = [Fraction(p).limit_denominator(LARGEST_DENOMINATOR) for p in row]
        common = math.lcm(*(f.denominator for f in simple))
        close = all(abs(float(f) - p) <= 1e-15 for f, p in zip(simple, row))
        found.append(float(common) if close and common <= LARGEST_DENOMINATOR**2 else 1.0)
    return np.array(found)


def whole_counts(probability: Floats) -> Floats:
    """Return every row of probabilities as counts, whole numbers if the probabilities are simple fractions."""
    scale = denominators(probability)[:, None]
    counts = probability * scale
    return np.asarray(np.where(scale > 1, np.rint(counts), counts))
