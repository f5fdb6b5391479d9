"""Joint counts: what a refinement reads of several columns together, counted over all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deciban.arrays.checks import require
from deciban.arrays.types import Names
from deciban.refinement.counters import Counter, PairCounter, VectorCounter
from deciban.refinement.design import FARTHEST
from deciban.refinement.pairs import PairTable
from deciban.refinement.refinement import Refinement
from deciban.refinement.values import Value
from deciban.statistics import Statistics
from deciban.statistics.products import Products

# Sums of weights may differ by this share, because they are rounded.
SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class JointPlan(Value):
    """A plan of joint counts: vectors for normal distributions, and pairs of columns."""

    vectors: VectorCounter | None = None
    pairs: PairCounter | None = None

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The counters that the plan has, in the order of their statistics."""
        return tuple(counter for counter in (self.vectors, self.pairs) if counter is not None)

    def __bool__(self) -> bool:
        return bool(self.counters)


@dataclass(frozen=True, eq=False)
class JointCounts:
    """A plan and its statistics: a commutative group for the same plan, like all statistics."""

    plan: JointPlan
    statistics: Statistics  # a block per counter

    def __add__(self, other: JointCounts) -> JointCounts:
        return replace(self, statistics=self.statistics + other.statistics)

    def __sub__(self, other: JointCounts) -> JointCounts:
        return replace(self, statistics=self.statistics - other.statistics)

    def __mul__(self, factor: float) -> JointCounts:
        return replace(self, statistics=self.statistics * factor)

    def on(self, classes: Names) -> JointCounts:
        """Return the same counts over the given classes."""
        return replace(self, statistics=self.statistics.on(classes))

    @property
    def products(self) -> Products | None:
        """The sums of products of vectors, None if none are counted."""
        return None if self.plan.vectors is None else self.statistics.blocks[0]  # type: ignore[return-value]

    @property
    def pairs(self) -> tuple[PairTable, ...]:
        """The tables of all pairs that are counted, with a strength of 1."""
        return () if self.plan.pairs is None else self.plan.pairs.tables(self.statistics.blocks[-1])

    def complete(self, refinement: Refinement) -> Refinement:
        """Return a refinement with these counts instead of those of the rows that its weights were fitted on."""
        count = {pair.columns: pair.count for pair in self.pairs}
        return replace(
            refinement,
            products=None if refinement.products is None else self.products,
            pairs=tuple(replace(pair, count=count[pair.columns]) for pair in refinement.pairs),
            counts_all_rows=True,
        )

    def check_refinement(self, refinement: Refinement | None) -> None:
        """Raise a ValueError unless a refinement reads only what is counted, in the same cells."""
        if refinement is None:
            return
        cells, counted = ({}, ()) if self.plan.pairs is None else (dict(self.plan.pairs.cells), self.plan.pairs.pairs)
        known = all(pair.columns in counted for pair in refinement.pairs)
        fits = known and all(cells[j] == own for j, own in refinement.cells)
        own_design = None if self.plan.vectors is None else self.plan.vectors.design
        fits = fits and (refinement.design is None or refinement.design == own_design)
        require(fits, "its pairs and normal distributions are not those that are counted")

    def check(self, features: int, statistics: Statistics) -> None:
        """Raise a ValueError unless the counts are of the rows of other statistics, with a number of columns."""
        counters, blocks = self.plan.counters, self.statistics.blocks
        fits = len(counters) == len(blocks) and all(c.fits(block) for c, block in zip(counters, blocks))
        known = all(counter.fits_columns(set(range(features))) for counter in counters)
        require(fits and known, "its counts of several columns do not fit the columns that they are of")
        same_classes = self.statistics.classes.tolist() == statistics.classes.tolist()
        same_rows = same_classes and np.allclose(self.statistics.weight, statistics.weight, rtol=SLACK)
        require(same_rows, "its counts of several columns are of other rows")
        counted = [pair.count.sum(axis=(1, 2)) <= statistics.weight * (1 + SLACK) for pair in self.pairs]
        require(np.all(counted), "a pair of columns has more rows than there are")
        if self.products is not None:
            bound = FARTHEST**2 * statistics.weight.sum() * (1 + SLACK)
            numbers = (self.products.total, self.products.pooled, self.products.by_class)
            fits = np.allclose(self.products.weight, statistics.weight, rtol=SLACK)
            fits = fits and all((np.abs(array) <= bound).all() for array in numbers)
            require(fits, "its sums of products are not those of its rows")
