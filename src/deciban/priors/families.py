"""Families of classes, whose classes share a prior, and shares of counts that are interpolated between three levels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from deciban.arrays.names import is_missing, name_array, sort_names
from deciban.arrays.tolerances import EQUAL_RATES, clear_rounding, safe_divide
from deciban.arrays.types import Floats, Longs, Mask, Names
from deciban.errors import PriorWarning, setting, warn_user

# The word that puts all classes into one family.
ALL: Literal["all"] = "all"

# What ``families=`` takes: {class: family}, a separator within labels, "all" for one family, or None for no families.
FamiliesLike: TypeAlias = Mapping[Any, Any] | str | None


@dataclass(frozen=True)
class Families:
    """The family of every class: {class: family}, the part of a label before a separator, or "all" for one family.

    >>> Families(".").of(np.array(["comp.graphics", "comp.windows", "misc"])).members()
    {'comp': ['comp.graphics', 'comp.windows'], 'misc': ['misc']}
    """

    given: Mapping[Any, Any] | str

    def __post_init__(self) -> None:
        described = f"{setting('families')} is {self.given!r}"
        if isinstance(self.given, str) and self.given:
            return
        if not isinstance(self.given, Mapping) or not self.given:
            raise ValueError(
                f"{described}; give {{class: family}}, a separator such as '.' that ends the family in a label, or "
                "'all' for one family of all classes."
            )
        for label, family in self.given.items():
            if is_missing(family) or not isinstance(family, Hashable):
                raise ValueError(f"{described}; {family!r} cannot be the family of {label!r}: give a name or a number.")

    def of(self, classes: Names) -> FamilyCodes:
        """Return the families of classes, or raise if one has none."""
        labels = classes.tolist()
        names, codes = sort_names(name_array([self._family(label, labels) for label in labels]))
        return FamilyCodes(classes, names, codes)

    def _family(self, label: Any, labels: list[Any]) -> Any:
        if isinstance(self.given, Mapping):
            if label not in self.given:
                raise ValueError(
                    f"{setting('families')} has no family for the class {label!r}; give one for each of {labels}."
                )
            return self.given[label]
        if self.given == ALL:
            return ALL
        if not isinstance(label, str):
            raise ValueError(
                f"{setting('families')} is {self.given!r}, which splits labels that are texts, and {label!r} is not a "
                "text; give {class: family}."
            )
        return label.partition(self.given)[0]


@dataclass(frozen=True, eq=False)
class FamilyCodes:
    """The families of some classes."""

    classes: Names
    names: Names  # of the families, sorted
    codes: Longs  # [classes] index of every class's family

    @cached_property
    def sizes(self) -> Longs:
        """Number of classes in every family."""
        return np.bincount(self.codes, minlength=len(self.names))

    @cached_property
    def has_level(self) -> Mask:
        """[classes] whether the family is more than the class, and less than all classes."""
        return np.asarray((self.sizes > 1) & (len(self.names) > 1))[self.codes]

    @cached_property
    def pool(self) -> Longs:
        """[classes] index of the counts of a class's family; a class has its own where its family is not a level."""
        separate = np.where(self.has_level, self.codes, len(self.names) + np.arange(len(self.codes)))
        return np.unique(separate, return_inverse=True)[1].reshape(-1)

    def pooled(self, count: Floats) -> Floats:
        """[families × …] sums of counts [classes × …] of classes with the same ``pool``."""
        total = np.zeros((int(self.pool.max(initial=-1)) + 1, *count.shape[1:]))
        np.add.at(total, self.pool, count)
        return total

    def sums(self, probability: Floats) -> Floats:
        """[rows × families] sums of the probabilities of classes [rows × classes]."""
        total = np.zeros((len(probability), len(self.names)))
        for c, family in enumerate(self.codes.tolist()):
            total[:, family] += probability[:, c]
        return total

    def members(self) -> dict[Any, list[Any]]:
        """Return the classes of every family."""
        labels = self.classes.tolist()
        return {
            family: [labels[c] for c in np.flatnonzero(self.codes == i).tolist()]
            for i, family in enumerate(self.names.tolist())
        }

    def warn_of_single_classes(self) -> None:
        """Warn of families of one class, which share nothing."""
        single = [f"{family!r} ({members[0]!r})" for family, members in self.members().items() if len(members) == 1]
        if single and len(self.names) > 1:
            warn_user(
                f"Families of one class share their prior with no other class, only with all classes: "
                f"{', '.join(single)}.",
                PriorWarning,
            )


class Levels(NamedTuple):
    """Counts of classes, of their families, and of all classes."""

    of_class: Floats
    of_family: Floats
    of_all: Floats

    def without(self, taken: Floats, is_own: Any, is_kin: Any) -> Levels:
        """Return the counts without rows: ``is_own`` for their own class, ``is_kin`` for classes of their family."""
        parts = zip(self, (taken * is_own, taken * is_kin, taken))
        return Levels(*(np.maximum(clear_rounding(n - lost, n), 0.0) for n, lost in parts))


def votes(counts: Levels, wholes: Levels, has_level: Mask, unit: Any = 1.0) -> Floats:
    """[3 × …] votes of every count of a class for the three levels, which add up to the count.

    Deleted interpolation (Jelinek and Mercer 1980; in closed form, Brants 2000): every count votes with its weight for
    the level whose estimate is largest when one count is taken out of all of them; equal levels share the vote. One
    count is ``unit``, or all that there is where that is less. A count that no level foresees votes for all classes.
    """
    taken = np.minimum(counts.of_class, unit)
    rest, rest_wholes = (levels.without(taken, 1.0, 1.0) for levels in (counts, wholes))
    rates = np.stack(np.broadcast_arrays(*(safe_divide(n, whole) for n, whole in zip(rest, rest_wholes))))
    rates[1] = np.where(has_level, rates[1], 0.0)
    best = rates.max(axis=0)
    wins = (rates >= best * (1 - EQUAL_RATES)) & (best > 0)
    wins[1] &= has_level
    wins[2] |= best <= 0
    return np.asarray(counts.of_class * wins / wins.sum(axis=0))


def with_one_more(votes_of_levels: Floats, unit: float = 1.0) -> Floats:
    """Return sums of votes [… × 3] with one more for all classes, whose shares are the weights λ of the levels.

    So no value is impossible in a class because the class and its family lack it.
    """
    return votes_of_levels + np.array([0.0, 0.0, unit])


def interpolate(weights: Floats, counts: Levels, wholes: Levels, values: Any) -> Floats:
    """Return λ₁·n/N of the class + λ₂·n/N of its family + λ₃·n/N of all classes; the last has the pseudo-counts.

    ``weights`` are λ [… × 3]. A level without any count has the shares of the next one, and without any count at all,
    the ``values`` are equally likely.
    """
    found: Any = 1.0 / np.maximum(values, 1)
    shares = []
    for n, whole in zip(counts[::-1], wholes[::-1]):
        found = np.where(whole > 0, n / np.where(whole > 0, whole, 1.0), found)
        shares.append(found)
    return np.asarray(sum(weights[..., i] * each for i, each in enumerate(shares[::-1])))
