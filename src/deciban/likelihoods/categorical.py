"""Categorical event model: a table of probabilities per class for every column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.alias import AliasTables
from deciban.arrays.frame import Coded
from deciban.arrays.labels import MISSING, Codes, Floats, Labels, Names, find, name_array, sort_names, union
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.left_out import LeftOut, OwnClass, entries_without, own_entries
from deciban.priors.priors import Dirichlet, Estimation, by_label, fitted_to, log, share
from deciban.scorers import Table
from deciban.statistics import Tables
from deciban.statistics.tables import OTHER, OTHERS


@dataclass(frozen=True, repr=False)
class Categorical(Likelihood):
    """x takes one of m values given the class: P(value) = (n + α) / (N + α·m), m being this column's values.

    Values may be integers, strings or anything hashable. A value never seen in training is no evidence; with
    ``unseen="share"`` all such values together count as one value more, which no class has shown: α / (N + α·(m + 1)).
    ``values`` declares values beyond those seen, so that they get their smoothed share. Of more than
    ``max_categories`` values the later ones count as "(other)", and so does then a value never seen. The prior is a
    pseudo-count: one number, one per value in sorted order, classes × values, or {value: number}; or a Dirichlet of
    the same.
    """

    prior: Any = None
    values: Any = None
    unseen: str = "ignore"
    max_categories: int = 100_000

    keeps: ClassVar[type[Tables]] = Tables
    unit_free: ClassVar[bool] = True
    reads_names: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("prior", "values", "unseen")

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Iterable | None):
            raise ValueError(f"values is {self.values!r}; give a list of the values this column can take.")
        if self.unseen not in ("ignore", "share"):
            raise ValueError(f"unseen is {self.unseen!r}; it can be 'ignore' or 'share'.")
        if not isinstance(self.max_categories, int | np.integer) or self.max_categories < 1:
            raise ValueError(f"max_categories is {self.max_categories!r}; give a whole number of at least 1.")

    def numbers(self, x: Any) -> Any:
        return x

    def summarize(self, x: Any, labels: Labels) -> Tables:
        return Tables.of(x, labels, int(self.max_categories))

    def estimate(self, statistics: Tables, how: Estimation) -> Table:
        counts, categories, unseen = self.smoothed(statistics, how)
        return Table(tuple(log(share(count)) for count in counts), categories, unseen)

    def left_out(self, statistics: Tables, how: Estimation) -> LeftOut:
        counts, categories, unseen = self.smoothed(statistics, how)
        table = Table(tuple(log(share(count)) for count in counts), categories, unseen)
        without = lru_cache(lambda w: Table(entries_without(counts, w), categories, unseen))
        return OwnClass(table, partial(own_entries, counts, table.codes), without)

    def parameters(self, statistics: Tables, how: Estimation) -> int:
        _, values, _ = self.smoothed(statistics, how)
        return statistics.classes * sum(max(0, len(names) - 1) for names in values)

    def draw(self, statistics: Tables, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Coded]:
        """Values that have a name. Those lumped together are drawn as "(other)" among strings, and are missing among
        other values."""
        columns = []
        for j, (count, names, other) in enumerate(zip(*self.smoothed(statistics, how))):
            lumped = statistics.is_full(j)
            if other >= 0 and not lumped:  # what nobody has seen has no name
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

    def smoothed(self, statistics: Tables, how: Estimation) -> tuple[list[Floats], tuple[Names, ...], tuple[int, ...]]:
        """For every feature: counts with the prior's (classes × values), the values, and which stands for others."""
        counts, categories, unseen = [], [], []
        for j in range(statistics.features):
            names, count = self._declared(statistics.categories[j], statistics.of_feature(j))
            other = int(find(OTHERS, names)[0]) if statistics.is_full(j) else -1
            if other < 0 and self.unseen == "share":
                other, names = len(names), np.append(names.astype(object), [OTHER])
                count = np.append(count, np.zeros((len(count), 1)), axis=1)
            unseen.append(other)
            pseudo = how.pseudo_counts(self.prior, count)
            if isinstance(pseudo, Mapping):
                pseudo = by_label(pseudo, names, "prior")
            categories.append(names)
            counts.append(count + fitted_to(pseudo, count.shape, "classes × values"))
        return counts, tuple(categories), tuple(unseen)

    def _declared(self, names: Names, count: Floats) -> tuple[Names, Floats]:
        """Counts over the values seen and the values declared."""
        declared = self.values
        if declared is None:
            beta = self.prior.beta if isinstance(self.prior, Dirichlet) else self.prior
            declared = list(beta) if isinstance(beta, Mapping) else None
        if declared is None:
            return names, count
        every, place, _ = union(names, sort_names(name_array(declared))[0])
        wide = np.zeros((len(count), len(every)))
        wide[:, place] = count
        return every, wide

    @staticmethod
    def known(probability: Sequence[ArrayLike], categories: Sequence[Sequence[Any]] | None = None) -> Table:
        """A scorer from known tables, one per feature (classes × values); values are 0, 1, 2 … unless named."""
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
        return Table(tuple(log(t) for t in tables), tuple(names))
