"""Binned event model: numbers of any shape, as probabilities of the intervals between cut points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from deciban.arrays.alias import AliasTables
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Array, Codes, Floats
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.binned.bins import BinnedColumn, Bins, all_log_probabilities, all_without
from deciban.likelihoods.binned.mdl import MDL, mdl_bins
from deciban.likelihoods.binned.normal_bins import SHAPES, NormalBins
from deciban.likelihoods.binned.smoothed_bins import SHAPE_BINS, NormalScores, SmoothedBins
from deciban.likelihoods.distributions import BARS, ColumnDistribution, steps_of
from deciban.likelihoods.factors import Factors, ScoredRow, Workings, cell_factors
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass
from deciban.likelihoods.parameters import ParameterTable, value_tables
from deciban.likelihoods.scale_values import BINS, ColumnValues, ScaledColumns
from deciban.likelihoods.smoothed_counts import FamilyCounted, left_out_tables, smooth_counts
from deciban.priors.estimation import AUTO, Estimation
from deciban.priors.priors import CountTotals, PriorLike, as_prior
from deciban.scorers.steps import Steps, bin_name
from deciban.statistics import Histogram
from deciban.statistics.cuts import BucketColumn

# Fewest and most bins of a column, where the number follows from the number of rows.
FEWEST_BINS, MOST_BINS = 10, 50
# Bins under a normal distribution: many, as they cost it no parameters.
NORMAL_BINS = 50
# The shape of bins whose counts are drawn towards a smooth curve.
SMOOTH = "smooth"
# Whole numbers with no more distinct values than this have a bin each.
FEW_NUMBERS = 20
# Numbers of bins that are tried.
TRIED_BINS = (3, 5, 8, 12, 20, 40)
LARGEST_FLOAT = np.finfo(float).max


@dataclass(frozen=True, repr=False)
class Binned(Likelihood):
    """A number falls into a bin with probability (n + α) / (N + α·m), where the column has m bins.

    Bins hold about equally many rows, all classes together, except that a number which occurs often fills one by
    itself; with no more distinct numbers than bins, each has its own. By default there are 1.25·∛N of them for N known
    values, at least 10 and at most 50; a column of at most 20 distinct numbers, all whole, has a bin for each.
    ``bins="mdl"`` cuts where classes differ, as often as that pays; with ``bins="auto"``, or ``alpha="auto"`` and no
    number of bins, leave-one-out decides the number. Cut points are made from the statistics, so they can be made anew
    after training, merging and forgetting without reading the data again. The prior is a pseudo-count per bin.

    ``shape="smooth"`` draws the counts towards a normal distribution of ranks, so that few rows make a smooth curve:
    (n + s·q) / (N + s) with s = α·(m + 50). A column of d ≤ 20 distinct whole numbers in at least d² rows is read as
    categories and keeps (n + α) / (N + α·m). ``shape="normal"`` or ``"log-normal"`` gives the bins the probabilities
    that a normal distribution has there, with the mean and variance of each class; there are 50 of them then, and the
    pseudo-count is one for all together. A column that has no such shape (a single number, a logarithm of 0) keeps its
    bins. With ``alpha="auto"`` and no shape given, bins are smooth unless leave-one-out prefers another shape.
    """

    bins: int | Literal["auto", "mdl"] | None = None
    prior: PriorLike = None
    shape: str | None = None

    keeps: ClassVar[type[Histogram]] = Histogram
    unit_free: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("bins", "prior", "shape")

    def __post_init__(self) -> None:
        positive = isinstance(self.bins, int | np.integer) and not isinstance(self.bins, bool) and self.bins >= 1
        if self.bins not in (None, AUTO, MDL) and not positive:
            raise ValueError(
                f"bins is {self.bins!r}; give a whole number of at least 1, None for as many as suit the number of "
                "rows, 'mdl' for cuts that tell the classes apart, or 'auto' to have it chosen."
            )
        if self.shape is not None and not (isinstance(self.shape, str) and self.shape in (*SHAPES, SMOOTH)):
            raise ValueError(f"shape is {self.shape!r}; it can be None, {' or '.join(map(repr, (*SHAPES, SMOOTH)))}.")
        if self.shape is not None and not (self.prior is None or np.isscalar(self.prior)):
            raise ValueError(f"prior is {self.prior!r}; with a shape it is one pseudo-count.")

    def variants(self, all_open: bool) -> Sequence[Binned]:
        is_open = self.bins == AUTO or (all_open and self.bins is None)
        return [replace(self, bins=bins) for bins in TRIED_BINS] if is_open else ()

    def column_variants(self) -> Sequence[Binned]:
        is_open = self.shape in (None, SMOOTH) and self.prior is None
        return [replace(self, shape=shape) for shape in SHAPES] if is_open else ()

    def family_obstacle(self) -> str:
        return "" if self.shape is None else f"Binned(), whose bins have no shape instead of shape={self.shape!r}"

    @property
    def starting_model(self) -> Binned:
        return replace(self, shape=SMOOTH) if self.shape is None and self.prior is None else self

    def read(self, x: Frame) -> Frame:
        return super().read(x) if self.prepares else x.in_columns(self.name)

    def summarize_with_hint(self, x: Frame, labels: Labels, hint: Histogram) -> Histogram:
        return Histogram.of(x, labels, hint.drop)

    def estimate(self, statistics: Histogram, estimation: Estimation) -> Steps:
        return _steps(self.smoothed(statistics, estimation))

    def integrates_out(self, estimation: Estimation) -> bool:
        return self.shape is None and as_prior(self.prior).is_predictive(estimation)

    @property
    def is_generative(self) -> bool:
        return self.shape is None and self.bins not in (MDL, AUTO)

    def count_tables(self, statistics: Histogram, estimation: Estimation) -> list[Floats]:
        return [column.counts for column in self.smoothed(statistics, estimation)]

    def draw(
        self, statistics: Histogram, estimation: Estimation, codes: Codes, rng: np.random.Generator
    ) -> list[Floats]:
        """Draw a bin, in it a bucket of all classes together, and in that a uniform number.

        A bucket is a single number while a column has few. A column without any known number stays unknown.
        """
        drawn = []
        for j, column in enumerate(self.smoothed(statistics, estimation)):
            lower, upper = finite_edges(statistics.lower_edges(j), statistics.upper_edges(j))
            if not len(lower):
                drawn.append(np.full(len(codes), np.nan))
                continue
            position = np.searchsorted(column.cuts, lower, side="right")
            weight = statistics.of_feature(j).sum(axis=0)
            within = weight / np.bincount(position, weight, len(column.cuts) + 1)[position]
            shares = np.exp(column.log_probability())[:, position] * within
            bucket = AliasTables.of(shares).draw(len(codes), rng, codes)
            numbers = lower[bucket]
            if statistics.drop[j]:
                with np.errstate(invalid="ignore"):
                    width = np.where(lower < upper, upper - lower, 0.0)
                numbers = numbers + rng.random(len(codes)) * width[bucket]
            drawn.append(numbers)
        return drawn

    def distribution(self, fitted: FittedColumns, j: int, numbers: Floats) -> ColumnDistribution:
        scorer: Steps = fitted.scorer
        probability, single = np.exp(scorer.log_probability[j]), scorer.single_numbers[j]
        if single is not None:
            return ColumnDistribution(BARS, tuple(single.tolist()), probability)
        lower, upper = finite_edges(fitted.statistics.lower_edges(j), fitted.statistics.upper_edges(j))
        ends = (float(lower.min()), float(upper.max())) if len(lower) else (0.0, 1.0)
        return steps_of(probability, scorer.cuts[j], *ends)

    def round_drawn(self, drawn: Array) -> Array:
        return np.floor(drawn)  # a bucket of whole numbers ends just before the next

    def left_out(self, statistics: Histogram, estimation: Estimation) -> LeftOut:
        return _left_out(self.smoothed(statistics, estimation))

    def left_out_by_column(self, statistics: Histogram, estimation: Estimation) -> Sequence[LeftOut]:
        found = [_left_out([column]) for column in self.smoothed(statistics, estimation)]
        return [replace(each, scorer_without=None) if isinstance(each, OwnClass) else each for each in found]

    def count_parameters(self, statistics: Histogram, estimation: Estimation) -> int:
        """Count the probabilities of bins, or mean and variance; cut points are the same for all classes."""
        return statistics.classes * sum(column.parameters for column in self.smoothed(statistics, estimation))

    def evidence_priors(self, statistics: Histogram, estimation: Estimation) -> Sequence[float] | None:
        prior = as_prior(self.prior)
        if not prior.by_evidence:
            return None
        columns = self.smoothed(statistics, replace(estimation, kind="mle"))
        return [prior.pseudo_counts(estimation, CountTotals.of(column.counts)) for column in columns]

    def factors(self, row: ScoredRow) -> Factors:
        scorer: Steps = row.scorer
        bins = row.x.bins(scorer.cuts)[0]
        columns = np.flatnonzero(bins >= 0)

        def name_cell(i: int) -> str:
            j = int(columns[i])
            note = _bin_note(scorer, j, int(bins[j]), row.values[j])
            return row.cell(j) + (f" ({note})" if note else "")

        def count_rows(i: int) -> Workings:
            column = row.statistics.only(columns[i : i + 1])
            return self.smoothed(column, row.estimation)[0].workings(int(bins[columns[i]]))

        scores = scorer.look_up(bins[None, :])[0].T[columns]
        return replace(cell_factors(row, columns, count_rows, scores=scores), name=name_cell)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        scorer: Steps = columns.scorer
        found = []
        for j, (cuts, (names, table)) in enumerate(zip(scorer.cuts, scorer.value_tables())):
            bins = np.searchsorted(cuts, columns.statistics.lower_edges(j), side="right")
            weight = np.bincount(bins, columns.statistics.of_feature(j).sum(axis=0), len(names)).astype(float)
            found.append(ColumnValues((j,), BINS, tuple(names), table.T, weight, cuts=cuts))
        return found

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        scorer: Steps = fitted.scorer
        smoothed = self.smoothed(fitted.statistics, fitted.estimation)
        plain = [c.counts for c in self.smoothed(fitted.statistics, replace(fitted.estimation, kind="mle"))]

        def count_rows(j: int, i: int) -> Workings:
            return smoothed[j].workings(i)

        values = [scorer.bin_names(j) for j in range(scorer.features)]
        found = value_tables(fitted, values, scorer.log_probability, count_rows, plain)
        return [replace(t, are_ranges=c.single_numbers is None) for t, c in zip(found, smoothed)]

    def smoothed(self, statistics: Histogram, estimation: Estimation) -> list[BinnedColumn]:
        """Return the bins of every column, with the prior's counts."""
        return [self._column(buckets, estimation) for buckets in statistics.cut_buckets.bucket_columns]

    def _column(self, buckets: BucketColumn, estimation: Estimation) -> BinnedColumn:
        prior = as_prior(self.prior)
        if self.shape in SHAPES:
            shaped = NormalBins.of(buckets, NORMAL_BINS, self.shape)
            if shaped is not None:
                return replace(shaped, alpha=prior.pseudo_counts(estimation))
        numbers, number = few_whole_numbers(buckets.lower, buckets.upper), self._number(buckets)
        if numbers is not None and self.bins in (None, AUTO):
            number = len(numbers)
        elif number < len(buckets.lower):
            numbers = None
        if self.bins == MDL:
            cuts, binned = buckets.join(mdl_bins(buckets.count))
        else:
            _, cuts, binned = buckets.bins(number)
        is_category = numbers is not None and buckets.total >= len(numbers) ** 2
        alpha = prior.single_count(estimation, self.name) if self.shape == SMOOTH and not is_category else 0.0
        if alpha > 0:
            key = SMOOTH, self.bins, len(cuts)
            scores = buckets.derived.setdefault(key, NormalScores(binned))
            return SmoothedBins(cuts, scores, alpha * (binned.shape[1] + SHAPE_BINS), numbers)
        return Bins(cuts, smooth_counts(binned, prior, estimation, None, "classes × bins"), numbers)

    def _number(self, buckets: BucketColumn) -> int:
        """Return the number of bins for a column."""
        if self.bins is not None and self.bins not in (AUTO, MDL):
            return int(self.bins)
        return min(max(round(1.25 * buckets.total ** (1 / 3)), FEWEST_BINS), MOST_BINS)


def few_whole_numbers(lower: Floats, upper: Floats) -> Floats | None:
    """Return the numbers of a column that has few distinct ones, all whole; None for any other column."""
    few = 0 < len(lower) <= FEW_NUMBERS and np.isfinite(lower).all()
    return lower if few and (lower == upper).all() and (lower == np.floor(lower)).all() else None


def _steps(columns: list[BinnedColumn]) -> Steps:
    return Steps(
        tuple(c.cuts for c in columns),
        tuple(c.log_probability() for c in columns),
        tuple(c.single_numbers for c in columns),
    )


def _bin_note(scorer: Steps, j: int, b: int, value: Any) -> str:
    """Return the bin of a column's value in words, empty if the bin holds nothing but this value."""
    numbers = scorer.single_numbers[j]
    is_same = numbers is not None and float(value) == numbers[b]
    return "" if is_same else bin_name(scorer.cuts[j], b, numbers)


def _left_out(columns: list[BinnedColumn]) -> LeftOut:
    shared = [c.smoothed for c in columns if isinstance(c, Bins) and isinstance(c.smoothed, FamilyCounted)]
    if shared:
        cuts = tuple(np.ascontiguousarray(c.cuts) for c in columns)
        return EveryClass(lambda x, codes, weight: left_out_tables(shared, x.bins(cuts), codes, weight))
    fine = tuple(np.ascontiguousarray(c.fine_cuts) for c in columns)

    def own_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
        out = np.zeros(len(codes))
        for column, position in zip(columns, x.bins(fine).T):
            own = column.own_scores(np.maximum(position, 0), codes, weight)
            out += np.where(position >= 0, own, 0.0)
        return out

    scorer_without = lru_cache(lambda w: Steps(fine, all_without(columns, w)))
    scorer = Steps(tuple(c.cuts for c in columns), all_log_probabilities(columns))
    # A normal distribution has too many fine bins to be worth a table of all of them.
    return OwnClass(scorer, own_scores, scorer_without if all(c.is_counted for c in columns) else None)


def finite_edges(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return the edges of buckets, none of them infinite unless the bucket holds nothing but infinity."""
    return (
        np.where(np.isinf(upper), lower, np.maximum(lower, -LARGEST_FLOAT)),
        np.where(np.isinf(lower), upper, np.minimum(upper, LARGEST_FLOAT)),
    )
