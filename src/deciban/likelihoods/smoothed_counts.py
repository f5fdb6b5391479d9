"""Shares of counts in classes: of counts with pseudo-counts, or interpolated between a class, its family and all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.errors import setting
from deciban.likelihoods.factors import Workings
from deciban.likelihoods.mixtures import mixtures
from deciban.likelihoods.workings import ratios
from deciban.priors.counts import log, share
from deciban.priors.estimation import Estimation
from deciban.priors.families import FamilyCodes, Levels, interpolate, votes, with_one_more
from deciban.priors.priors import Prior

# Cells of a table [classes × values] up to which the scores of all rows that may be left out are computed at once.
SMALL_TABLE = 1 << 10
# Classes and weights of rows for which such scores are kept.
MOST_KEPT = 64


@dataclass(frozen=True, eq=False)
class PseudoCounted:
    """P = (n + α) / (N + Σα), from counts [classes × … × values] without and with the pseudo-counts."""

    plain: Floats
    smoothed: Floats

    @property
    def shares(self) -> Floats:
        """[classes × … × values] probabilities."""
        return share(self.smoothed)

    def workings(self, at: tuple[int, ...], power: float = 1) -> Workings:
        """Return the calculation of a probability in every class, to a power; ``at`` is its place after the class."""
        table: Any = (slice(None), *at[:-1])
        plain, smoothed, code = self.plain[table], self.smoothed[table], at[-1]
        return ratios(plain[:, code], smoothed[:, code], plain.sum(axis=1), smoothed.sum(axis=1), power)


def smoothed_table(counted: SmoothedCounts) -> Floats:
    """Return [classes × … × values] counts with pseudo-counts, whose shares are probabilities; families have none."""
    assert isinstance(counted, PseudoCounted)
    return counted.smoothed


@dataclass(frozen=True, eq=False)
class FamilyCounted:
    """P = λ₁·n/N of the class + λ₂·n/N of its family + λ₃·(n + α)/(N + Σα) of all classes.

    Every class has its own λ in each of the tables [classes × values] that ``plain`` is made of.
    """

    plain: Floats  # [classes × … × values]
    pseudo: Floats  # [… × values] pseudo-counts of all classes together
    families: FamilyCodes

    @cached_property
    def counts(self) -> Levels:
        """Counts of the three levels, of the classes, of the families and of all."""
        return Levels(self.plain, self.families.pooled(self.plain), self.plain.sum(axis=0) + self.pseudo)

    @cached_property
    def wholes(self) -> Levels:
        """Sums of the counts over the values, which keep that axis."""
        return Levels(*(count.sum(axis=-1, keepdims=True) for count in self.counts))

    def _by_class(self, levels: Levels) -> Levels:
        return Levels(levels.of_class, levels.of_family[self.families.pool], levels.of_all[None])

    @cached_property
    def votes(self) -> Floats:
        """[classes × … × 3] votes for class, family and all classes."""
        has_level = self.families.has_level.reshape(-1, *[1] * (self.plain.ndim - 1))
        counts, wholes = self._by_class(self.counts), self._by_class(self.wholes)
        return with_one_more(np.moveaxis(votes(counts, wholes, has_level).sum(axis=-1), 0, -1))

    @cached_property
    def weights(self) -> Floats:
        """[classes × … × 3] weights λ of class, family and all classes."""
        return share(self.votes)

    @cached_property
    def shares(self) -> Floats:
        """[classes × … × values] probabilities."""
        counts, wholes = self._by_class(self.counts), self._by_class(self.wholes)
        return interpolate(self.weights[..., None, :], counts, wholes, self.plain.shape[-1])

    def workings(self, at: tuple[int, ...], power: float = 1) -> Workings:
        """Return the calculation of a probability in every class, to a power; ``at`` is its place after the class."""
        counts, wholes = self._by_class(self.counts), self._by_class(self.wholes)
        table: Any = (slice(None), *at[:-1])
        return mixtures(
            self.votes[table],
            Levels(*(count[table][:, at[-1]] for count in counts)),
            Levels(*(whole[table][:, 0] for whole in wholes)),
            (float(self.pseudo[at]), float(self.pseudo[at[:-1]].sum())),
            power,
        )

    def left_out(self, c: Any, place: Any, codes: Codes, taken: Floats, lost: Floats) -> Floats:
        """Return log P(value | class c) of values of rows of classes ``codes``, without these rows.

        ``place`` is the index of a value among all values of all tables, of which the row takes out ``taken``, and
        ``lost`` in all from its table. The weights λ stay as they are.
        """
        values, pool = self.plain.shape[-1], self.families.pool
        table = place // values
        kin, is_own, is_kin = pool[c], c == codes, pool[c] == pool[codes]
        counts, wholes = (
            Levels(
                levels.of_class.reshape(len(pool), -1)[c, at],
                levels.of_family.reshape(len(levels.of_family), -1)[kin, at],
                levels.of_all.reshape(-1)[at],
            )
            for levels, at in ((self.counts, place), (self.wholes, table))
        )
        rest, rest_wholes = counts.without(taken, is_own, is_kin), wholes.without(lost, is_own, is_kin)
        weights = self.weights.reshape(len(pool), -1, 3)[c, table]
        return log(interpolate(weights, rest, rest_wholes, values))

    @cached_property
    def _kept(self) -> dict[tuple[int, float], Floats]:
        """The arrays that ``logs_without`` returned last."""
        return {}

    def logs_without(self, code: int, weight: float) -> Floats:
        """[classes × … × values] log P(value | class) without a row of the class ``code`` that has the value.

        A value that no row of that class has may get any number.
        """
        found = self._kept.get((code, weight))
        if found is None:
            place = np.arange(self.plain[0].size)
            codes, taken = np.full(place.size, code, dtype=np.int32), np.full(place.size, weight)
            logs = [self.left_out(c, place, codes, taken, taken) for c in range(len(self.plain))]
            found = np.stack(logs).reshape(self.plain.shape)
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[code, weight] = found
        return found

    def tables_without(self, weight: float) -> Floats:
        """[classes × classes × … × values] ``logs_without`` for a row of each class."""
        return np.stack([self.logs_without(code, weight) for code in range(len(self.plain))])

    def left_out_draws(self, rows: Longs, places: Longs, draws: Floats, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] Σ n·log P(value | class) of rows that drew values n times, without themselves."""
        total = np.bincount(rows, draws, len(codes)) * weight
        entries = places, codes[rows], weight[rows] * draws, total[rows]
        found = np.empty((len(codes), len(self.plain)))
        for c in range(len(self.plain)):
            logs = self.left_out(c, *entries)
            with np.errstate(invalid="ignore"):
                found[:, c] = np.bincount(rows, np.where(draws > 0, draws * logs, 0.0), len(codes))
        return found


SmoothedCounts: TypeAlias = PseudoCounted | FamilyCounted


def left_out_tables(tables: Sequence[FamilyCounted], position: Any, codes: Codes, weight: Floats) -> Floats:
    """[rows × classes] Σ log P(cell | class) of rows without themselves, from a table [classes × values] per column.

    ``position`` [rows × columns] is the index of every cell's value, below 0 for a missing one.
    """
    found = np.zeros((len(codes), len(tables[0].plain)))
    if not len(codes):
        return found
    for table, place in zip(tables, position.T):
        rows = np.flatnonzero(place >= 0)
        at, own, taken = place[rows].astype(np.int64), codes[rows], weight[rows]
        if (weight == weight[0]).all() and table.plain.size <= SMALL_TABLE:
            found[rows] += table.tables_without(float(weight[0]))[own, :, at]
        else:
            for c in range(found.shape[1]):
                found[rows, c] += table.left_out(c, at, own, taken, taken)
    return found


def smooth_counts(
    count: Floats, prior: Prior, estimation: Estimation, names: Names | None, axes: str
) -> SmoothedCounts:
    """Return the shares of counts [classes × values] under a prior, or under families of classes that share it."""
    families = estimation.family_codes
    if families is None:
        return PseudoCounted(count, count + prior.table_counts(estimation, count, names, axes))
    refuse_priors_of_classes(prior)
    pooled = count.sum(axis=0, keepdims=True)
    return FamilyCounted(count, prior.table_counts(replace(estimation, classes=None), pooled, names, axes)[0], families)


def refuse_priors_of_classes(prior: Prior) -> None:
    """Raise if a prior has numbers for single classes, or seeks them for classes that do not share it."""
    if prior.by_evidence or prior.is_by_class:
        raise ValueError(
            f"prior is {prior!r}, and {setting('families')} has one prior for all classes; give one pseudo-count, or "
            "one per value."
        )
