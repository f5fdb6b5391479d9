"""Bernoulli event model: columns of 0 and 1, absence counting as evidence too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.tolerances import WEIGHT_SLACK, clear_rounding
from deciban.arrays.types import Array, Codes, Floats
from deciban.likelihoods.base import Information, Likelihood
from deciban.likelihoods.distributions import ColumnDistribution
from deciban.likelihoods.factors import Factors, ScoredRow, Workings, cell_factors
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.known import denominators, with_source
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass, cells_and_mask, log_ratio
from deciban.likelihoods.parameters import ParameterTable, column_terms, value_tables
from deciban.likelihoods.scale_values import CATEGORIES, ColumnValues, ScaledColumns
from deciban.likelihoods.smoothed_counts import (
    FamilyCounted,
    PseudoCounted,
    SmoothedCounts,
    refuse_priors_of_classes,
    smoothed_table,
)
from deciban.priors.counts import as_numbers, broadcast_counts, log
from deciban.priors.estimation import Estimation
from deciban.priors.priors import PriorLike, as_prior
from deciban.scorers.information import mutual_information
from deciban.scorers.linear import Linear
from deciban.statistics import Sums
from deciban.statistics.sums import CellRules

AXES = "classes × features"


@dataclass(frozen=True, repr=False)
class Bernoulli(Likelihood):
    """x is 1 with probability θ given the class: log P = x·log θ + (1 − x)·log(1 − θ).

    The prior is a pseudo-count for ones and zeros alike, or Beta(a, b). Values must be 0 and 1; with a ``threshold``,
    x counts as 1 where it is greater.
    """

    prior: PriorLike = None
    threshold: float | None = None

    keeps: ClassVar[type[Sums]] = Sums
    unit_free: ClassVar[bool] = True
    strict: ClassVar[bool] = True  # without a threshold, refuse values other than 0 and 1

    def __post_init__(self) -> None:
        cut = as_numbers(0.0 if self.threshold is None else self.threshold)
        if cut.ndim or not np.isfinite(cut):
            raise ValueError(f"threshold is {self.threshold!r}; give a number, or None for values of 0 and 1.")

    @property
    def reads_whole_numbers(self) -> bool:
        return self.threshold is None

    def summarize(self, x: Frame, labels: Labels) -> Sums:
        binary = self.threshold is None and self.strict
        return Sums.of(x, labels, CellRules(self.threshold, binary=binary, complete=self.complete, reader=self.name))

    def estimate(self, statistics: Sums, estimation: Estimation) -> Linear:
        zeros, ones = zeros_and_ones(self.smoothed(statistics, estimation))
        return bernoulli_scorer(ones, zeros, self.threshold, self.strict)

    def family_obstacle(self) -> str:
        return ""

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    def count_parameters(self, statistics: Sums, estimation: Estimation) -> int:
        return statistics.classes * statistics.features

    def smoothed(self, statistics: Sums, estimation: Estimation) -> SmoothedCounts:
        """Return the counts of zeros and ones with the prior's, [classes × features × 2]."""
        impossible = (statistics.total < 0) | (statistics.total > statistics.weight * (1 + WEIGHT_SLACK))
        if self.strict and impossible.any():
            raise ValueError("there are fewer than no ones, or more than rows; subtract only what was added.")
        ones, zeros = statistics.total, np.maximum(statistics.weight - statistics.total, 0)
        plain, prior, families = _paired(zeros, ones), as_prior(self.prior), estimation.family_codes
        if families is not None:
            refuse_priors_of_classes(prior)
            pooled = (count.sum(axis=0, keepdims=True) for count in (ones, zeros))
            one, zero = (broadcast_counts(c, ones[:1].shape, AXES) for c in prior.binary_counts(estimation, *pooled))
            return FamilyCounted(plain, _paired(zero, one)[0], families)
        pseudo = prior.binary_counts(estimation, ones, zeros)
        one, zero = (broadcast_counts(count, ones.shape, AXES) for count in pseudo)
        return PseudoCounted(plain, _paired(zeros + zero, ones + one))

    @property
    def is_generative(self) -> bool:
        return True

    def count_tables(self, statistics: Sums, estimation: Estimation) -> list[Floats]:
        return list(smoothed_table(self.smoothed(statistics, estimation)).swapaxes(0, 1))

    def evidence_priors(self, statistics: Sums, estimation: Estimation) -> Sequence[float] | None:
        prior = as_prior(self.prior)
        if not prior.by_evidence:
            return None
        zeros = np.maximum(statistics.weight - statistics.total, 0)
        return np.atleast_1d(prior.binary_counts(estimation, statistics.total, zeros)[0]).tolist()

    def draw(self, statistics: Sums, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Draw zeros and ones; with a threshold, the whole numbers on either side of it."""
        theta = self.smoothed(statistics, estimation).shares[..., 1]
        ones = (rng.random(len(codes)) < probability[codes] for probability in theta.T)
        below = 0 if self.threshold is None else np.floor(self.threshold)
        return [below + one.astype(np.int64) for one in ones]

    @property
    def _values(self) -> tuple[Any, Any]:
        """The two values of a column: 0 and 1, or the two sides of the threshold in words."""
        return (0, 1) if self.threshold is None else (f"≤ {self.threshold:g}", f"> {self.threshold:g}")

    @property
    def _cells(self) -> Floats:
        """A cell of either value."""
        return np.array(
            [0.0, 1.0] if self.threshold is None else [self.threshold, np.nextafter(self.threshold, np.inf)]
        )

    def distribution(self, fitted: FittedColumns, j: int, numbers: Floats) -> ColumnDistribution:
        found = super().distribution(fitted, j, self._cells)
        return found if self.threshold is None else replace(found, values=self._values)

    def information(self, statistics: Sums, estimation: Estimation, scorer: Any, prior: Floats) -> Information:
        tables = np.moveaxis(log(self.smoothed(statistics, estimation).shares), 1, 0)
        return Information(np.array([mutual_information(prior, table) for table in tables]))

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        smoothed = self.smoothed(fitted.statistics, fitted.estimation)
        plain, logs = (list(np.moveaxis(numbers, 1, 0)) for numbers in (smoothed.plain, log(smoothed.shares)))

        def count_rows(j: int, i: int) -> Workings:
            return smoothed.workings((j, i))

        found = value_tables(fitted, [self._values] * len(plain), logs, count_rows, plain)
        return [replace(table, family="Bernoulli", are_ranges=self.threshold is not None) for table in found]

    def terms(self, fitted: FittedColumns) -> ParameterTable:
        """Return every column as a term: the probability of a one."""
        smoothed = self.smoothed(fitted.statistics, fitted.estimation)
        logs, counts = log(smoothed.shares)[..., 1], smoothed.plain[..., 1]
        return column_terms(fitted, logs, counts, lambda j: smoothed.workings((j, 1)))

    def factors(self, row: ScoredRow) -> Factors:
        smoothed = self.smoothed(row.statistics, row.estimation)
        cells, columns = row.x.floats()[0], row.known()
        is_one = cells > (0.5 if self.threshold is None else self.threshold)

        def count_rows(i: int) -> Workings:
            j = int(columns[i])
            return smoothed.workings((j, int(is_one[j])))

        return cell_factors(row, columns, count_rows)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        plain = self.smoothed(columns.statistics, replace(columns.estimation, kind="mle")).plain
        counts = list(np.moveaxis(plain, 1, 0))
        scores = columns.score_numbers(np.repeat(self._cells[:, None], len(counts), axis=1))
        return [
            ColumnValues((j,), CATEGORIES, self._values, scores[:, :, j], count.sum(axis=0))
            for j, count in enumerate(counts)
        ]

    def left_out(self, statistics: Sums, estimation: Estimation) -> LeftOut:
        smoothed = self.smoothed(statistics, estimation)
        if isinstance(smoothed, FamilyCounted):
            return EveryClass(partial(self._left_out_of_families, smoothed))
        zeros, ones = zeros_and_ones(smoothed)

        def own_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
            value, known = cells_and_mask(x)
            one = value if self.threshold is None else (value > self.threshold) * known
            w = weight[:, None]
            n_ones, n_zeros = ones[codes] - w * one, zeros[codes] - w * (known - one)
            whole = clear_rounding(n_ones + n_zeros, ones[codes] + zeros[codes])
            before = np.where(one > 0, ones[codes], zeros[codes])
            count = clear_rounding(np.where(one > 0, n_ones, n_zeros), before)
            return np.where(known > 0, log_ratio(count, whole, np.log(0.5)), 0.0).sum(axis=1)

        def scorer_without(w: float) -> Linear:
            """Return a scorer of rows of weight w: a cell of 1 is scored without one of the ones, a 0 without a zero.

            A value that no row has may get any score. Pseudo-counts must be positive, because a linear scorer cannot
            express P = 0 for one value and P < 1 for the other.
            """
            seen = np.maximum(statistics.total, 0.0), np.maximum(statistics.weight - statistics.total, 0.0)
            whole = np.maximum(clear_rounding(ones + zeros - w, ones + zeros), 0.0)
            present, absent = (
                log_ratio(
                    np.where(n < w * (1 - WEIGHT_SLACK), 1.0, clear_rounding(count - w, count)), whole, np.log(0.5)
                )
                for n, count in zip(seen, (ones, zeros))
            )
            return Linear(present - absent, absent, self.threshold)

        smooth = (ones > statistics.total).all() and (zeros > statistics.weight - statistics.total).all()
        return OwnClass(
            self.estimate(statistics, estimation), own_scores, lru_cache(scorer_without) if smooth else None
        )

    def _left_out_of_families(self, smoothed: FamilyCounted, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the row, class by class of the rows, and weight by weight."""
        value, known = cells_and_mask(x)
        ones = value > (0.5 if self.threshold is None else self.threshold)
        found = np.zeros((len(codes), len(smoothed.plain)))
        for own, w in set(zip(codes.tolist(), weight.tolist())):
            rows = np.flatnonzero((codes == own) & (weight == w))
            logs = smoothed.logs_without(own, w)
            for c in range(found.shape[1]):
                scores = np.where(ones[rows], logs[c, :, 1], logs[c, :, 0])
                found[rows, c] = np.where(known[rows] > 0, scores, 0.0).sum(axis=1)
        return found

    @staticmethod
    def known(probability: ArrayLike, threshold: float | None = None) -> Linear:
        """Return a scorer from known probabilities of a one [classes × features]."""
        theta = np.atleast_2d(np.asarray(probability, dtype=float))
        if not ((theta >= 0) & (theta <= 1)).all():
            raise ValueError("a known probability must lie between 0 and 1.")
        scorer = bernoulli_scorer(theta, 1 - theta, threshold, strict=True)
        scale = denominators(theta.reshape(-1, 1)).reshape(theta.shape)
        ones = np.where(scale > 1, np.rint(theta * scale), theta)
        return with_source(scorer, Bernoulli(threshold=threshold), Sums(scale, ones))


def _paired(zeros: Floats, ones: Floats) -> Floats:
    """[… × 2] zeros and ones, each contiguous in memory."""
    return np.moveaxis(np.stack([zeros, ones]), 0, -1)


def zeros_and_ones(counts: SmoothedCounts) -> tuple[Floats, Floats]:
    """[classes × features] counts of zeros and of ones with the prior's, or their shares where classes share it."""
    found = counts.smoothed if isinstance(counts, PseudoCounted) else counts.shares
    return found[..., 0], found[..., 1]


def bernoulli_scorer(ones: Floats, zeros: Floats, threshold: float | None, strict: bool) -> Linear:
    """Return a scorer from counts or probabilities of one and zero; logarithms of both are taken directly."""
    whole = ones + zeros
    ones, zeros = (np.where(whole > 0, part, 0.5) for part in (ones, zeros))
    whole = np.where(whole > 0, whole, 1.0)
    present, absent = log(ones / whole), log(zeros / whole)
    with np.errstate(invalid="ignore"):
        return Linear(present - absent, absent, threshold, binary=strict and threshold is None)
