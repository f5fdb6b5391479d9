"""Categorical event model: a table of probabilities per class for every column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.alias import AliasTables
from deciban.arrays.date_parts import DATE_PARTS
from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names, is_missing, name_array, sort_names, union
from deciban.arrays.types import MISSING, Codes, Floats, Names
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.factors import Factors, ScoredRow, Workings, cell_factors
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.known import whole_counts, with_source
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass, log_tables, own_table_scores, tables_without
from deciban.likelihoods.parameters import ParameterTable, value_tables
from deciban.likelihoods.scale_values import CATEGORIES, ColumnValues, ScaledColumns
from deciban.likelihoods.smoothed_counts import (
    FamilyCounted,
    PseudoCounted,
    SmoothedCounts,
    left_out_tables,
    smooth_counts,
    smoothed_table,
)
from deciban.priors.counts import is_count, log, share
from deciban.priors.estimation import Estimation
from deciban.priors.priors import CountTotals, PriorLike, as_prior
from deciban.scorers.table import Table
from deciban.statistics import Tables
from deciban.statistics.tables import OTHER, OTHERS

# The greatest limit of categories: their codes are integers of 32 bits.
MOST_CATEGORIES = (1 << 31) - 1


class SmoothedTables(NamedTuple):
    """Smoothed counts of every feature [classes × values], the values, and the one that stands for others."""

    counts: list[SmoothedCounts]
    values: tuple[Names, ...]
    unseen: tuple[int, ...]  # −1: a value without an entry is not evidence

    def scorer(self, tables: tuple[Floats, ...] | None = None) -> Table:
        """Return a scorer with these log probabilities, by default those of the counts."""
        return Table(tables or tuple(log(count.shares) for count in self.counts), self.values, self.unseen)


@dataclass(frozen=True, repr=False)
class Categorical(Likelihood):
    """x takes one of m values given the class: P(value) = (n + α) / (N + α·m), m being this column's values.

    Values may be integers, strings or anything hashable. A value never seen in training is not evidence; with
    ``unseen="share"`` all such values together count as one more value, which no class has shown: α / (N + α·(m + 1)).
    ``values`` declares values beyond those seen, so that they get their smoothed share. Beyond ``max_categories``
    values, further ones count as "(other)", and so do values never seen in training. The prior is a pseudo-count: one
    number, one per value in sorted order, classes × values, or {value: number}; or a Dirichlet of the same. In a
    table's column of dates or times, ``part`` reads the year, quarter, month, week, day, weekday, hour or minute.
    """

    prior: PriorLike = None
    values: Sequence[Any] | None = None
    unseen: str = "ignore"
    max_categories: int = 100_000
    part: str | None = None

    keeps: ClassVar[type[Tables]] = Tables
    unit_free: ClassVar[bool] = True
    reads_names: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("prior", "values", "unseen")

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Iterable | None):
            raise ValueError(f"values is {self.values!r}; give a list of the values this column can take.")
        if any(map(is_missing, () if self.values is None else self.values)):
            raise ValueError(f"values is {self.values!r}; a missing value is not a category: leave it out.")
        if self.unseen not in ("ignore", "share"):
            raise ValueError(f"unseen is {self.unseen!r}; it can be 'ignore' or 'share'.")
        if not is_count(self.max_categories) or not 1 <= self.max_categories <= MOST_CATEGORIES:
            raise ValueError(
                f"max_categories is {self.max_categories!r}; give a whole number from 1 to {MOST_CATEGORIES:,}."
            )
        if self.part is not None and self.part not in DATE_PARTS:
            raise ValueError(f"part is {self.part!r}; it can be {', '.join(DATE_PARTS)}, or None.")

    @property
    def date_part(self) -> str | None:
        return self.part

    def summarize(self, x: Frame, labels: Labels) -> Tables:
        return Tables.of(x, labels, int(self.max_categories))

    def estimate(self, statistics: Tables, estimation: Estimation) -> Table:
        return self.smoothed(statistics, estimation).scorer()

    def family_obstacle(self) -> str:
        return ""

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    @property
    def is_generative(self) -> bool:
        return True

    def count_tables(self, statistics: Tables, estimation: Estimation) -> list[Floats]:
        return [smoothed_table(count) for count in self.smoothed(statistics, estimation).counts]

    def left_out(self, statistics: Tables, estimation: Estimation) -> LeftOut:
        smoothed = self.smoothed(statistics, estimation)
        shared = [count for count in smoothed.counts if isinstance(count, FamilyCounted)]
        if shared:
            codes_of = smoothed.scorer().codes
            return EveryClass(lambda x, codes, weight: left_out_tables(shared, codes_of(x), codes, weight))
        counts = [count.smoothed for count in smoothed.counts if isinstance(count, PseudoCounted)]
        table = smoothed.scorer(log_tables(counts))

        def own_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
            return own_table_scores(counts, table.codes(x), codes, weight)

        scorer_without = lru_cache(lambda w: smoothed.scorer(tables_without(counts, w)))
        return OwnClass(table, own_scores, scorer_without)

    def count_parameters(self, statistics: Tables, estimation: Estimation) -> int:
        values = self.smoothed(statistics, estimation).values
        return statistics.classes * sum(max(0, len(names) - 1) for names in values)

    def evidence_priors(self, statistics: Tables, estimation: Estimation) -> Sequence[float] | None:
        prior = as_prior(self.prior)
        if not prior.by_evidence:
            return None
        columns = (self._count(statistics, j)[1] for j in range(statistics.features))
        return [prior.pseudo_counts(estimation, CountTotals.of(count)) for count in columns]

    def factors(self, row: ScoredRow) -> Factors:
        codes = row.scorer.codes(row.x)[0]
        columns = np.flatnonzero(codes >= 0)

        def count_rows(i: int) -> Workings:
            column = row.statistics.only(columns[i : i + 1])
            return self.smoothed(column, row.estimation).counts[0].workings((int(codes[columns[i]]),))

        scores = row.scorer.look_up(codes[None, :])[0].T[columns]
        return cell_factors(row, columns, count_rows, scores=scores)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        found = []
        for j, (values, table) in enumerate(columns.scorer.value_tables()):
            weight = self._count(columns.statistics, j)[1].sum(axis=0)
            found.append(ColumnValues((j,), CATEGORIES, tuple(values), table.T, weight))
        return found

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        smoothed = self.smoothed(fitted.statistics, fitted.estimation)
        plain = [count.plain for count in smoothed.counts]
        values = [names.tolist() for names in smoothed.values]

        def count_rows(j: int, i: int) -> Workings:
            return smoothed.counts[j].workings((i,))

        return value_tables(fitted, values, fitted.scorer.log_probability, count_rows, plain)

    def draw(self, statistics: Tables, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> list[Coded]:
        """Draw values that have a name. "(other)" is drawn among strings, and is missing among other values."""
        columns = []
        for j, (smoothed, names, other) in enumerate(zip(*self.smoothed(statistics, estimation))):
            count = smoothed.shares
            lumped = statistics.lumps_categories(j)
            if other >= 0 and not lumped:  # a value that nobody has seen has no name
                count, names = np.delete(count, other, axis=1), np.delete(names, other)
            if not len(names):
                columns.append(Coded(np.full(len(codes), MISSING, dtype=np.int32), names))
                continue
            drawn = AliasTables.of(share(count)).draw(len(codes), rng, codes)
            if lumped and not all(isinstance(name, str) for name in names.tolist()):
                drawn[drawn == other] = MISSING
                columns.append(Coded(drawn, names).in_use())
            else:
                columns.append(Coded(drawn, names))
        return columns

    def smoothed(self, statistics: Tables, estimation: Estimation) -> SmoothedTables:
        """Return the counts of every feature with the prior's."""
        prior = as_prior(self.prior)
        counts, values, unseen = [], [], []
        for j in range(statistics.features):
            names, count, other = self._count(statistics, j)
            unseen.append(other)
            values.append(names)
            counts.append(smooth_counts(count, prior, estimation, names, "classes × values"))
        return SmoothedTables(counts, tuple(values), tuple(unseen))

    def _count(self, statistics: Tables, j: int) -> tuple[Names, Floats, int]:
        """Return the values of a feature, their counts, and the position of the value that stands for others."""
        names, count = self._with_declared(statistics.categories[j], statistics.of_feature(j))
        other = int(find_names(OTHERS, names)[0]) if statistics.lumps_categories(j) else -1
        if other < 0 and self.unseen == "share":
            other, names = len(names), np.append(names.astype(object), [OTHER])
            count = np.append(count, np.zeros((len(count), 1)), axis=1)
        return names, count, other

    def _with_declared(self, names: Names, count: Floats) -> tuple[Names, Floats]:
        """Return counts over the values seen and the values declared."""
        declared = as_prior(self.prior).values if self.values is None else self.values
        if declared is None:
            return names, count
        merged, position, _ = union(names, sort_names(name_array(declared))[0])
        wide = np.zeros((len(count), len(merged)))
        wide[:, position] = count
        return merged, wide

    @staticmethod
    def known(probability: Sequence[ArrayLike], categories: Sequence[Sequence[Any]] | None = None) -> Table:
        """Return a scorer from known tables [classes × values], one per feature; values are 0, 1, 2 … unless named."""
        tables = [np.atleast_2d(np.asarray(p, dtype=float)) for p in probability]
        for theta in tables:
            if not (theta >= 0).all() or not np.allclose(theta.sum(axis=1), 1.0):
                raise ValueError("known probabilities must be at least 0 and sum to 1 in every class.")
        names = [
            np.arange(t.shape[1]) if categories is None else name_array(categories[j]) for j, t in enumerate(tables)
        ]
        for theta, values in zip(tables, names):
            if theta.shape[1] != len(values):
                raise ValueError(f"known probabilities of {theta.shape[1]} values have {len(values)} names.")
        in_order = [sort_names(values) for values in names]
        counts = [np.zeros_like(theta) for theta in tables]
        for count, theta, (_, position) in zip(counts, tables, in_order):
            count[:, position] = whole_counts(theta)
        block = Tables(np.hstack(counts), tuple(values for values, _ in in_order))
        return with_source(Table(tuple(log(t) for t in tables), tuple(names)), Categorical(), block)
