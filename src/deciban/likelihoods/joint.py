"""Joint event model: a probability for every combination of the columns' values, with no independence assumed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Codes, Floats, encode, object_array
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.left_out import LeftOut, OwnClass, without_dust
from deciban.priors.priors import Estimation, log
from deciban.scorers import Parameters, Table, nothing
from deciban.statistics.combinations import Combinations, combined
from deciban.statistics.tables import OTHER


@dataclass(frozen=True, repr=False)
class Joint(Likelihood):
    """The columns take one of m combinations of values together: P(row) = (n + α) / (N + α·m).

    m is the product of the columns' numbers of values, though only combinations that were seen are kept. One that was
    not, be it for a value never seen, has α / (N + α·m). A missing cell is a value of its own. The prior is one
    pseudo-count for all combinations, or a Dirichlet of one number.
    """

    prior: Any = None

    keeps: ClassVar[type[Combinations]] = Combinations
    reads_names: ClassVar[bool] = True
    joins_columns: ClassVar[bool] = True

    def numbers(self, x: Any) -> Any:
        return x

    def estimate(self, statistics: Combinations, how: Estimation) -> JointTable:
        return JointTable(statistics, self._pseudo(how))

    def left_out(self, statistics: Combinations, how: Estimation) -> LeftOut:
        scorer = self.estimate(statistics, how)
        table, more = scorer.whole, log(scorer.alpha)
        count, class_count = statistics.weight, statistics.weight.sum(axis=1)
        count = np.append(count, np.zeros((len(count), 1)), axis=1)  # of combinations never seen

        def own(x: Any, codes: Codes, weight: Floats) -> Floats:
            n, whole = count[codes, table.codes(combined(x))[:, 0]], class_count[codes]
            part = np.logaddexp(log(np.maximum(without_dust(n - weight, n), 0.0)), more)
            rest = np.logaddexp(log(np.maximum(without_dust(whole - weight, whole), 0.0)), more + scorer.log_size(0))
            return np.where(np.isneginf(part), -np.inf, part - np.where(np.isneginf(rest), 0.0, rest))

        return OwnClass(scorer, own)

    def draw(self, statistics: Combinations, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Coded]:
        """Of a class's N + α·m rows, seen and imagined, N are combinations seen and α·m any of those there can be."""
        scorer, count = self.estimate(statistics, how), statistics.weight
        imagined = log(scorer.alpha) + scorer.log_size(0)
        share = np.exp(imagined - np.logaddexp(log(count.sum(axis=1)), imagined))
        any_of_all = rng.random(len(codes)) < share[codes]
        seen = np.empty(len(codes), dtype=np.int64)
        for c in np.unique(codes):
            members = np.flatnonzero(codes == c)
            seen[members] = rng.choice(count.shape[1], len(members), p=count[c] / count[c].sum())
        columns = []
        for values in zip(*statistics.rows.tolist()):
            names, place = encode(object_array(list(values)))
            least = int(place.min(initial=0))  # −1 if a missing cell is among the values
            drawn = np.where(any_of_all, rng.integers(least, len(names), len(codes)), place[seen])
            columns.append(Coded(drawn.astype(np.int32), names))
        return columns

    def parameters(self, statistics: Combinations, how: Estimation) -> int:
        return statistics.classes * (math.prod(statistics.sizes) - 1)

    def _pseudo(self, how: Estimation) -> float:
        pseudo = how.pseudo_counts(self.prior)
        if np.ndim(pseudo) or not isinstance(pseudo, int | float | np.number):
            raise ValueError(f"prior is {self.prior!r}; Joint takes one pseudo-count for all combinations.")
        return float(pseudo)


@dataclass(frozen=True, eq=False, repr=False)
class JointTable(Parameters):
    """log P(row | c) = log(n + α) − log(N + α·m), all in logarithms, for m may exceed any float."""

    statistics: Combinations
    alpha: float

    @property
    def classes(self) -> int:
        return self.statistics.classes

    @property
    def features(self) -> int:
        return self.statistics.columns

    def log_size(self, begin: int) -> float:
        """The logarithm of how many combinations the columns from one on may have."""
        return sum(math.log(size) for size in self.statistics.sizes[begin:] if size)

    def of_first(self, columns: int) -> Table:
        """log P of what the first columns show: each combination counts α for every way in which it may go on."""
        of_these = self.statistics.first(columns)
        imagined = log(self.alpha) + self.log_size(columns)
        whole = np.logaddexp(log(of_these.weight.sum(axis=1)), log(self.alpha) + self.log_size(0))[:, None]
        seen, never = np.logaddexp(log(of_these.weight), imagined), np.full((self.classes, 1), imagined)
        names = np.append(of_these.rows, object_array([OTHER]))
        return Table((np.hstack([seen, never]) - whole,), (names,), (len(of_these.rows),))

    @cached_property
    def whole(self) -> Table:
        """log P of whole rows."""
        return self.of_first(self.features)

    def add_scores(self, x: Any, out: Floats) -> int:
        return self.whole.add_scores(combined(x), out)

    def evidence(self, x: Any) -> Floats:
        """By the chain rule: log P(column | the columns before it, class), 0 once the columns before are impossible."""
        evidence, before = np.zeros((x.shape[0], self.classes, self.features)), np.zeros((x.shape[0], self.classes))
        for j in range(self.features):
            these, after = slice(0, j + 1), np.zeros_like(before)
            self.of_first(j + 1).add_scores(combined(x.take(these) if isinstance(x, Frame) else x[:, these]), after)
            possible = ~np.isneginf(before)
            evidence[:, :, j] = np.where(possible, after - np.where(possible, before, 0.0), 0.0)
            before = after
        return evidence

    def class_free(self, x: Any) -> Floats:
        return nothing(x)
