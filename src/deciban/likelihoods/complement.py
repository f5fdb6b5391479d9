"""Complement event model: a class is scored by how little a row looks like all the others (Rennie et al. 2003)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NoReturn

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import clear_rounding
from deciban.arrays.types import Codes, Floats, Longs, Mask
from deciban.likelihoods.base import refuse_negative_counts
from deciban.likelihoods.column_counts import ColumnShares
from deciban.likelihoods.draws import DrawnValues, name_draws
from deciban.likelihoods.factors import SCORE, Factors, ScoredRow, Workings
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.left_out import EveryClass, LeftOut
from deciban.likelihoods.parameters import ParameterTable, column_terms
from deciban.likelihoods.smoothed_counts import PseudoCounted
from deciban.priors.counts import log_shares_inplace
from deciban.priors.estimation import Estimation
from deciban.priors.priors import as_prior
from deciban.scorers.left_out import complement_scores
from deciban.scorers.linear import Linear
from deciban.scorers.predictive import refuse_counts
from deciban.statistics import Sums

NO_DISTRIBUTION = (
    "{} scores a class by the rows of all others, which is not a probability to draw by; fit {} to the same columns "
    "for samples."
)

# Stands for a count of zero among the other classes, whose weight would be infinite (maximum likelihood only).
LEAST_COUNT = 1e-10


@dataclass(frozen=True, repr=False)
class Complement(ColumnShares):
    """score(x | c) = −Σ n_j·log θ̃_cj with θ̃_c the shares of column j among all *other* classes.

    This is not a probability of x, but a better decision when classes are of uneven size. ``norm`` divides each class's
    weights by their sum, the second normalisation of the paper.
    """

    norm: bool = False

    opinions: ClassVar[tuple[str, ...]] = ("prior", "norm")

    def __post_init__(self) -> None:
        if not isinstance(self.norm, bool | np.bool_):
            raise ValueError(f"norm is {self.norm!r}; it can be True or False.")

    @property
    def needs_uniform_prior(self) -> bool:
        return bool(self.norm)

    def estimate(self, statistics: Sums, estimation: Estimation) -> Linear:
        refuse_negative_counts(statistics)
        return Linear(_weights(self._others(statistics, estimation), self.norm), nonnegative=True)

    def _others(self, statistics: Sums, estimation: Estimation) -> Floats:
        """[classes × features] new array of the counts of all other classes, with the prior's."""
        total = statistics.total
        others = total.sum(axis=0) - total
        np.maximum(others, 0.0, out=others)
        others += as_prior(self.prior).table_counts(estimation, total, None, "classes × features")
        return others

    def draw(self, statistics: Sums, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> NoReturn:
        raise ValueError(NO_DISTRIBUTION.format("Complement()", "Multinomial()"))

    def factors(self, row: ScoredRow) -> Factors:
        """Return the score 1/θ̃^n of every column with a count n above 0; θ̃ is its share among the other classes."""
        smoothed = self._others(row.statistics, row.estimation)
        plain = self._others(row.statistics, replace(row.estimation, kind="mle"))
        columns, drawn = DrawnValues.of_columns(row, PseudoCounted(plain, smoothed))

        def count_others(i: int) -> Workings:
            return None if self.norm else drawn.powers(i, sign=-1)

        def name_column(i: int) -> str:
            return name_draws(row.names[int(columns[i])], drawn.draws[i])

        return Factors(row.cell_scores(columns), columns, name_column, count_others, SCORE, row.missing())

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        return [self.terms(fitted)]

    def terms(self, fitted: FittedColumns) -> ParameterTable:
        """Return every column as a term, with the score of one draw and the counts of the class itself."""
        return column_terms(fitted, fitted.scorer.weight, fitted.statistics.total, lambda j: None, SCORE)

    def left_out(self, statistics: Sums, estimation: Estimation) -> LeftOut:
        others = self._others(statistics, estimation)

        def all_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
            matrix = x.matrix()
            if matrix is not None and not self.norm:
                scores = complement_scores(matrix, codes, weight, others)
                if not np.isnan(scores).any():
                    return scores
            return left_out_of_others(x.entries(), others.__getitem__, len(others), codes, weight, self.norm)

        return EveryClass(all_scores)


def left_out_of_others(
    entries: tuple[Longs, Longs, Floats],
    others: Callable[[int], Floats],
    classes: int,
    codes: Codes,
    weight: Floats,
    norm: bool,
    scored: tuple[Floats, Mask] | None = None,
) -> Floats:
    """[rows × classes] −Σ n_j·log of the shares among the other classes, which hold a row unless it is of the class.

    ``others(c)`` are the counts of all classes but c, feature by feature. ``scored`` are the values of entries in the
    score, if they are not those in the counts, and a mask of features that are gone with the row.
    """
    rows, columns, values = entries
    refuse_counts(values)
    draws, gone = (values, np.zeros(len(values), dtype=bool)) if scored is None else scored
    n, lost = np.bincount(rows, draws, len(codes)), np.bincount(rows, gone, len(codes))
    scores = np.empty((len(codes), classes))
    for c in range(classes):
        counts = others(c)
        w, count = np.where(codes == c, 0.0, weight), counts[columns]
        full = np.maximum(counts, LEAST_COUNT)
        before = np.maximum(count, LEAST_COUNT)
        after = np.maximum(clear_rounding(count - w[rows] * values, count), LEAST_COUNT)
        whole = _sums_without(full, before, after, rows, len(codes)) - np.bincount(rows, gone * after, len(codes))
        whole = np.log(np.maximum(whole, LEAST_COUNT))
        logs = np.bincount(rows, draws * np.log(after), len(codes)) - n * whole
        if not norm:
            scores[:, c] = -logs
            continue
        change = np.bincount(rows, ~gone * np.log(after) - np.log(before), len(codes))
        all_logs = np.log(full).sum() + change - (len(full) - lost) * whole
        scores[:, c] = np.divide(logs, all_logs, out=np.zeros_like(logs), where=all_logs != 0)
    return scores


def _sums_without(full: Floats, before: Floats, after: Floats, rows: Longs, documents: int) -> Floats:
    """[documents] sum of the counts ``full`` with ``after`` in place of ``before`` in the entries of every row.

    LEAST_COUNT, which stands for a count of 0, is added last: beside large counts it would be lost to rounding.
    """
    if (after > LEAST_COUNT).all():
        return np.asarray(full.sum() + np.bincount(rows, after - before, documents))
    counted = np.where(full > LEAST_COUNT, full, 0.0).sum()
    change = np.where(after > LEAST_COUNT, after, 0.0) - np.where(before > LEAST_COUNT, before, 0.0)
    zeros = (after <= LEAST_COUNT).astype(float) - (before <= LEAST_COUNT)
    rest = clear_rounding(counted + np.bincount(rows, change, documents), counted)
    return rest + LEAST_COUNT * ((full <= LEAST_COUNT).sum() + np.bincount(rows, zeros, documents))


def _weights(others: Floats, norm: bool) -> Floats:
    """Return the weights of the paper, in the memory of ``others``."""
    logs = log_shares_inplace(np.maximum(others, LEAST_COUNT, out=others))
    if not norm:
        return np.negative(logs, out=logs)
    whole = logs.sum(axis=1, keepdims=True)
    return np.divide(logs, np.where(whole != 0, whole, np.inf), out=logs)
