"""Joint event model: a probability for every combination of the columns' values, without assuming independence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import encode
from deciban.arrays.names import object_array
from deciban.arrays.tolerances import clear_rounding
from deciban.arrays.types import Codes, Floats
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.factors import Factors, ScoredRow
from deciban.likelihoods.fitted import FittedColumns, joined_name
from deciban.likelihoods.left_out import LeftOut, OwnClass
from deciban.likelihoods.parameters import ParameterTable
from deciban.likelihoods.scale_values import CATEGORIES, ColumnValues, ScaledColumns
from deciban.likelihoods.workings import Ratio, exact
from deciban.priors.counts import log
from deciban.priors.estimation import Estimation
from deciban.priors.priors import PriorLike, as_prior
from deciban.scorers.joint import JointTable
from deciban.statistics.combinations import Combinations, CombinedRows
from deciban.terminal.values import short_value


@dataclass(frozen=True, repr=False)
class Joint(Likelihood):
    """The columns take one of m combinations of values together: P(row) = (n + α) / (N + α·m).

    m is the product of the columns' numbers of values, though only combinations that were seen are kept. A combination
    that was never seen has α / (N + α·m), also if one of its values was never seen. A missing cell is a value like any
    other. The prior is one pseudo-count for all combinations, or a Dirichlet of one number.
    """

    prior: PriorLike = None

    keeps: ClassVar[type[Combinations]] = Combinations
    reads_names: ClassVar[bool] = True
    joins_columns: ClassVar[bool] = True

    def estimate(self, statistics: Combinations, estimation: Estimation) -> JointTable:
        return JointTable(statistics, as_prior(self.prior).single_count(estimation, "Joint"))

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    def left_out(self, statistics: Combinations, estimation: Estimation) -> LeftOut:
        scorer = self.estimate(statistics, estimation)
        table, pseudo = scorer.whole, log(scorer.alpha)
        count, class_count = statistics.weight, statistics.weight.sum(axis=1)
        count = np.append(count, np.zeros((len(count), 1)), axis=1)  # of combinations never seen

        def own_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
            n, whole = count[codes, table.codes(CombinedRows.of(x))[:, 0]], class_count[codes]
            part = np.logaddexp(log(np.maximum(clear_rounding(n - weight, n), 0.0)), pseudo)
            imagined = pseudo + scorer.log_combinations(0)
            rest = np.logaddexp(log(np.maximum(clear_rounding(whole - weight, whole), 0.0)), imagined)
            empty = np.isneginf(rest)  # nothing is left and nothing imagined: all combinations are equally likely
            score = np.where(np.isneginf(part), -np.inf, part - np.where(empty, 0.0, rest))
            return np.where(empty, -scorer.log_combinations(0), score)

        return OwnClass(scorer, own_scores)

    def factors(self, row: ScoredRow) -> Factors:
        """Return one factor for the combination of all columns: (n + α) / (N + α·m)."""
        scorer: JointTable = row.scorer
        scores, columns = np.zeros((1, scorer.classes)), list(range(scorer.features))
        scorer.add_scores(row.x, scores)

        def count_rows(_: int) -> tuple[Ratio, ...]:
            weight = row.statistics.weight
            code = int(scorer.whole.codes(CombinedRows.of(row.x))[0, 0])
            seen = weight[:, code] if code < weight.shape[1] else np.zeros(len(weight))
            alpha, combinations = exact(scorer.alpha), math.prod(size for size in row.statistics.sizes if size)
            return tuple(
                Ratio(exact(n), exact(whole), alpha, alpha * combinations)
                for n, whole in zip(seen.tolist(), weight.sum(axis=1).tolist())
            )

        return Factors(scores, np.array(columns[:1]), lambda _: row.cells(columns), count_rows)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        """Return one scale for all columns, of the combinations that were seen."""
        scorer: JointTable = columns.scorer
        combinations = tuple(tuple(row) for row in columns.statistics.rows.tolist())
        scores = scorer.whole.log_probability[0].T[: len(combinations)]
        every = tuple(range(scorer.features))
        return [ColumnValues(every, CATEGORIES, combinations, scores, columns.statistics.weight.sum(axis=0))]

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        """Return one table of all columns: a line for every combination that was seen."""
        scorer: JointTable = fitted.scorer
        weight, rows = fitted.statistics.weight, fitted.statistics.rows.tolist()
        alpha, combinations = exact(scorer.alpha), math.prod(size for size in fitted.statistics.sizes if size)

        def count_rows(i: int) -> tuple[Ratio, ...]:
            pairs = zip(weight[:, i].tolist(), weight.sum(axis=1).tolist())
            return tuple(Ratio(exact(n), exact(whole), alpha, alpha * combinations) for n, whole in pairs)

        return [
            ParameterTable(
                joined_name(fitted.names),
                np.arange(scorer.features),
                "Categorical",
                len(rows),
                lambda i: ", ".join("missing" if v is None else short_value(v) for v in rows[i]),
                lambda lines: scorer.whole.log_probability[0].T[lines],
                count_rows,
                lambda lines: weight.T[lines],
            )
        ]

    def draw(
        self, statistics: Combinations, estimation: Estimation, codes: Codes, rng: np.random.Generator
    ) -> list[Coded]:
        """Draw a row: of a class's N + α·m rows, N are combinations seen and α·m are any that there can be."""
        scorer, count = self.estimate(statistics, estimation), statistics.weight
        imagined = log(scorer.alpha) + scorer.log_combinations(0)
        share = np.exp(imagined - np.logaddexp(log(count.sum(axis=1)), imagined))
        is_imagined = rng.random(len(codes)) < share[codes]
        seen = np.empty(len(codes), dtype=np.int64)
        for c in np.unique(codes):
            members = np.flatnonzero(codes == c)
            seen[members] = rng.choice(count.shape[1], len(members), p=count[c] / count[c].sum())
        columns = []
        for values in zip(*statistics.rows.tolist()):
            names, position = encode(object_array(list(values)))
            least = int(position.min(initial=0))  # −1 if a missing cell is among the values
            drawn = np.where(is_imagined, rng.integers(least, len(names), len(codes)), position[seen])
            columns.append(Coded(drawn.astype(np.int32), names))
        return columns

    def count_parameters(self, statistics: Combinations, estimation: Estimation) -> int:
        return statistics.classes * (math.prod(statistics.sizes) - 1)
