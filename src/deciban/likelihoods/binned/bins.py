"""The bins of one column: cut points and the probabilities between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from deciban.arrays.types import Codes, Floats
from deciban.likelihoods.factors import Workings
from deciban.likelihoods.left_out import log_tables, own_entry, tables_without
from deciban.likelihoods.smoothed_counts import PseudoCounted, SmoothedCounts
from deciban.priors.counts import log


class BinnedColumn(Protocol):
    """A column cut into bins: by its counts alone, or with the probabilities of a normal distribution."""

    @property
    def cuts(self) -> Floats:
        """Cut points between bins."""
        ...

    @property
    def counts(self) -> Floats:
        """[classes × bins] counts with the prior's."""
        ...

    @property
    def fine_cuts(self) -> Floats:
        """Cuts between the finest bins in which left-out probabilities differ."""
        ...

    @property
    def is_counted(self) -> bool:
        """Whether probabilities are shares of counts."""
        ...

    @property
    def single_numbers(self) -> Floats | None:
        """The only number of every bin, None if bins hold ranges of numbers."""
        ...

    @property
    def is_table(self) -> bool:
        """Whether left-out probabilities follow from the counts alone."""
        ...

    @property
    def parameters(self) -> int:
        """Number of free parameters of a class."""
        ...

    def workings(self, b: int) -> Workings:
        """Return the calculation of the probability of a bin in every class, None if it is not one of counts."""
        ...

    def log_probability(self) -> Floats:
        """[classes × bins] log probability of every bin."""
        ...

    def without(self, weight: float) -> Floats:
        """[classes × fine bins] log probability of every bin, in classes that lost a row of this weight there."""
        ...

    def own_scores(self, position: Any, codes: Codes, weight: Floats) -> Floats:
        """[rows] log probability of every row's fine bin under its class without the row."""
        ...


@dataclass(frozen=True, eq=False)
class Bins:
    """Cut points of a column, and the counts between them [classes × bins]."""

    cuts: Floats
    smoothed: SmoothedCounts
    single_numbers: Floats | None = None

    @property
    def counts(self) -> Floats:
        """[classes × bins] counts with the prior's; probabilities where classes share a prior."""
        return self.smoothed.smoothed if isinstance(self.smoothed, PseudoCounted) else self.smoothed.shares

    def workings(self, b: int) -> Workings:
        return self.smoothed.workings((b,))

    @property
    def fine_cuts(self) -> Floats:
        return self.cuts

    @property
    def is_counted(self) -> bool:
        return True

    @property
    def is_table(self) -> bool:
        return True

    @property
    def parameters(self) -> int:
        return len(self.cuts)

    def log_probability(self) -> Floats:
        return log(self.smoothed.shares)

    def without(self, weight: float) -> Floats:
        return tables_without([self.counts], weight)[0]

    def own_scores(self, position: Any, codes: Codes, weight: Floats) -> Floats:
        return own_entry(self.counts, position, codes, weight)


def all_log_probabilities(columns: Sequence[BinnedColumn]) -> tuple[Floats, ...]:
    """Return ``log_probability`` of every column, faster than one by one."""
    counted = iter(log_tables([c.counts for c in columns if c.is_counted]))
    return tuple(next(counted) if c.is_counted else c.log_probability() for c in columns)


def all_without(columns: Sequence[BinnedColumn], weight: float) -> tuple[Floats, ...]:
    """Return ``without`` of every column, faster than one by one."""
    counted = iter(tables_without([c.counts for c in columns if c.is_table], weight))
    return tuple(next(counted) if c.is_table else c.without(weight) for c in columns)
