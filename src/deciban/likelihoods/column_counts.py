"""Base classes of event models over columns of counts: they keep sums, and estimate shares of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.scale_values import OCCURRENCES, ColumnValues, ScaledColumns, count_values
from deciban.priors.estimation import Estimation
from deciban.priors.priors import CountTotals, PriorLike, as_prior
from deciban.statistics import Sums
from deciban.statistics.sums import CellRules


@dataclass(frozen=True, repr=False)
class ColumnCounts(Likelihood):
    """An event model of counts, which keeps their sum per class and column and refuses negative cells."""

    prior: PriorLike = None

    keeps: ClassVar[type[Sums]] = Sums
    unit_free: ClassVar[bool] = True

    @property
    def reads_whole_numbers(self) -> bool:
        return True

    def summarize(self, x: Frame, labels: Labels) -> Sums:
        return Sums.of(x, labels, CellRules(nonnegative=True, complete=self.complete, reader=self.name))


@dataclass(frozen=True, repr=False)
class ColumnShares(ColumnCounts):
    """An event model of counts whose parameters are the shares of the columns in a class's total."""

    joins_columns: ClassVar[bool] = True

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        """Return one scale for all columns, because they are counts of one event: the evidence of one count in each."""
        return [count_values(columns, columns.scorer.draw_scores(), columns.names, OCCURRENCES)]

    def count_parameters(self, statistics: Sums, estimation: Estimation) -> int:
        return statistics.classes * (statistics.features - 1)

    def evidence_priors(self, statistics: Sums, estimation: Estimation) -> Sequence[float] | None:
        prior = as_prior(self.prior)
        if not prior.by_evidence:
            return None
        return [prior.pseudo_counts(estimation, CountTotals.of(statistics.total))] * statistics.features


def minus_log_factorials(x: Frame) -> Floats:
    """[rows] −Σ log x!."""
    return minus_log_factorial(np.nan_to_num(x.numbers().astype(float))).sum(axis=1)


def minus_log_factorial(x: Floats) -> Floats:
    """Return −log x! of every count."""
    from scipy.special import gammaln

    return np.asarray(-gammaln(x + 1))
