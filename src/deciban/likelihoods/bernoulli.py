"""Bernoulli event model: columns of 0 and 1, absence counting as evidence too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.tolerances import WEIGHT_SLACK, clear_rounding
from deciban.arrays.types import Array, Codes, Floats
from deciban.likelihoods.base import Information, Likelihood
from deciban.likelihoods.distributions import ColumnDistribution
from deciban.likelihoods.factors import Factors, ScoredRow, cell_factors
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.known import denominators, with_source
from deciban.likelihoods.left_out import LeftOut, OwnClass, cells_and_mask, log_ratio
from deciban.likelihoods.parameters import ParameterTable, column_terms, value_tables
from deciban.likelihoods.scale_values import CATEGORIES, ColumnValues, ScaledColumns
from deciban.likelihoods.workings import Ratio, ratios, table_ratios
from deciban.priors.counts import as_numbers, broadcast_counts, log, share
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
        return bernoulli_scorer(*self.smoothed(statistics, estimation), self.threshold, self.strict)

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    def count_parameters(self, statistics: Sums, estimation: Estimation) -> int:
        return statistics.classes * statistics.features

    def smoothed(self, statistics: Sums, estimation: Estimation) -> tuple[Floats, Floats]:
        """Return ones and zeros per class and feature, with the prior's."""
        impossible = (statistics.total < 0) | (statistics.total > statistics.weight * (1 + WEIGHT_SLACK))
        if self.strict and impossible.any():
            raise ValueError("there are fewer than no ones, or more than rows; subtract only what was added.")
        ones, zeros = statistics.total, np.maximum(statistics.weight - statistics.total, 0)
        pseudo = as_prior(self.prior).binary_counts(estimation, ones, zeros)
        one, zero = (broadcast_counts(count, ones.shape, AXES) for count in pseudo)
        return ones + one, zeros + zero

    @property
    def is_generative(self) -> bool:
        return True

    def count_tables(self, statistics: Sums, estimation: Estimation) -> list[Floats]:
        return [np.stack(pair, axis=1) for pair in zip(*(count.T for count in self.smoothed(statistics, estimation)))]

    def evidence_priors(self, statistics: Sums, estimation: Estimation) -> Sequence[float] | None:
        prior = as_prior(self.prior)
        if not prior.by_evidence:
            return None
        zeros = np.maximum(statistics.weight - statistics.total, 0)
        return np.atleast_1d(prior.binary_counts(estimation, statistics.total, zeros)[0]).tolist()

    def draw(self, statistics: Sums, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Draw zeros and ones; with a threshold, the whole numbers on either side of it."""
        theta = share(np.stack(self.smoothed(statistics, estimation)), axis=0)[0]
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
        ones, zeros = self.smoothed(statistics, estimation)
        tables = (log(share(np.stack(pair, axis=1))) for pair in zip(ones.T, zeros.T))
        return Information(np.array([mutual_information(prior, table) for table in tables]))

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        plain, tables = self._tables(fitted)
        logs = [log(share(table)) for table in tables]

        def count_rows(j: int, i: int) -> tuple[Ratio, ...]:
            return table_ratios(plain[j], tables[j], i)

        found = value_tables(fitted, [self._values] * len(tables), logs, count_rows, plain)
        return [replace(table, family="Bernoulli", are_ranges=self.threshold is not None) for table in found]

    def terms(self, fitted: FittedColumns) -> ParameterTable:
        """Return every column as a term: the probability of a one."""
        plain, tables = self._tables(fitted)
        logs = np.stack([log(share(table))[:, 1] for table in tables], axis=1)
        counts = np.stack([table[:, 1] for table in plain], axis=1)
        return column_terms(fitted, logs, counts, lambda j: table_ratios(plain[j], tables[j], 1))

    def _tables(self, fitted: FittedColumns) -> tuple[list[Floats], list[Floats]]:
        """Return the counts of zeros and ones [classes × 2] of every column, without the prior's and with them."""
        both = fitted.estimation, replace(fitted.estimation, kind="mle")
        smoothed, plain = (self.smoothed(fitted.statistics, estimation)[::-1] for estimation in both)
        return [list(np.moveaxis(np.stack(counts, axis=-1), 1, 0)) for counts in (plain, smoothed)]  # type: ignore[return-value]

    def factors(self, row: ScoredRow) -> Factors:
        smoothed = self.smoothed(row.statistics, row.estimation)
        plain = self.smoothed(row.statistics, replace(row.estimation, kind="mle"))
        cells, columns = row.x.floats()[0], row.known()
        is_one = cells > (0.5 if self.threshold is None else self.threshold)

        def count_rows(i: int) -> tuple[Ratio, ...]:
            j = int(columns[i])
            k = 0 if is_one[j] else 1
            wholes = plain[0][:, j] + plain[1][:, j], smoothed[0][:, j] + smoothed[1][:, j]
            return ratios(plain[k][:, j], smoothed[k][:, j], *wholes)

        return cell_factors(row, columns, count_rows)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        counts = self._tables(columns)[0]
        scores = columns.score_numbers(np.repeat(self._cells[:, None], len(counts), axis=1))
        return [
            ColumnValues((j,), CATEGORIES, self._values, scores[:, :, j], count.sum(axis=0))
            for j, count in enumerate(counts)
        ]

    def left_out(self, statistics: Sums, estimation: Estimation) -> LeftOut:
        ones, zeros = self.smoothed(statistics, estimation)

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


def bernoulli_scorer(ones: Floats, zeros: Floats, threshold: float | None, strict: bool) -> Linear:
    """Return a scorer from counts or probabilities of one and zero; logarithms of both are taken directly."""
    whole = ones + zeros
    ones, zeros = (np.where(whole > 0, part, 0.5) for part in (ones, zeros))
    whole = np.where(whole > 0, whole, 1.0)
    present, absent = log(ones / whole), log(zeros / whole)
    with np.errstate(invalid="ignore"):
        return Linear(present - absent, absent, threshold, binary=strict and threshold is None)
