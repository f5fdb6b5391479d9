"""The part of an event model that learns from rows without labels, by expectation-maximisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from deciban.arrays.types import Floats
from deciban.priors.counts import log, share
from deciban.priors.estimation import Estimation
from deciban.scorers.words import WordScorer
from deciban.statistics import WordCounts


@dataclass(frozen=True, eq=False)
class WordShares:
    """The words of texts that count: P(word | class) is the share of a word's count plus the pseudo-count.

    ``finder`` finds these words in documents.
    """

    counts: WordCounts
    finder: WordScorer
    pseudo_count: float


class Generative:
    """Members of event models that rows without labels need; by default an event model cannot learn from them."""

    @property
    def is_generative(self) -> bool:
        """Whether P(columns | class) has a most probable parameter, so that rows without labels can be learned from.

        Such an event model defines ``count_tables``, or overrides ``log_posterior``.
        """
        return False

    def generative_default(self, classes: int) -> Self:
        """Return the event model that takes its place where it was left to deciban and rows have no labels."""
        return self

    def count_tables(self, statistics: Any, estimation: Estimation) -> Sequence[Floats]:
        """Return tables [classes × values] of counts with those of the prior, whose shares are the parameters."""
        raise NotImplementedError(f"{type(self).__name__} has no tables of counts.")

    def log_posterior(self, rows: Any, statistics: Any, estimation: Estimation) -> float:
        """Return log P(labelled rows | parameters) + log P(parameters), up to a constant.

        The parameters follow from ``statistics``. ``rows`` has every class twice: first its labelled rows,
        and behind all classes its other rows.
        """
        counts = self.count_tables(rows, replace(estimation, kind="mle"))
        total = 0.0
        for smoothed, counted in zip(self.count_tables(statistics, estimation), counts):
            others = counted[len(smoothed) :]
            used = smoothed > 0
            total += float(np.sum(np.where(used, (smoothed - others) * np.where(used, log(share(smoothed)), 0.0), 0.0)))
        return total

    def word_shares(self, statistics: Any, estimation: Estimation) -> WordShares | None:
        """Return the words that are drawn from one table per class, None for columns that are not such texts."""
        return None
