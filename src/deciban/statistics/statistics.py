"""Everything training keeps: classes known by label, their weight, and a block of statistics per group of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_names, check_weights, require
from deciban.arrays.labels import LARGEST_WEIGHT, refuse_large_weight
from deciban.arrays.names import find_names, union
from deciban.arrays.packing import pack_names, unpack_names
from deciban.arrays.types import Floats, Longs, Names
from deciban.statistics.base import Block, checked_factor, remaining_weight
from deciban.statistics.combinations import Combinations
from deciban.statistics.histogram import Histogram
from deciban.statistics.moments import Moments
from deciban.statistics.pair_tables import PairTables
from deciban.statistics.products import Products
from deciban.statistics.sums import Sums
from deciban.statistics.tables import Tables
from deciban.statistics.words import WordCounts

STATISTICS: dict[str, type[Block]] = {
    kind.name: kind for kind in (Sums, Moments, Tables, Histogram, WordCounts, Combinations, Products, PairTables)
}


@dataclass(frozen=True, eq=False)
class Statistics:
    """The model's statistics, a commutative group.

    ``a + b`` are the statistics of the rows of both; ``a - b`` forgets rows that were added before, and classes left
    empty; ``a * c`` multiplies the weight of all rows; ``zero`` has no classes, so nothing needs a special case.
    """

    classes: Names  # sorted
    weight: Floats  # per class
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        refuse_large_weight(self.weight)

    @staticmethod
    def zero(*blocks: Block) -> Statistics:
        """Return the statistics of no rows."""
        return Statistics(np.array([], dtype=object), np.zeros(0), blocks)

    def on(self, classes: Names) -> Statistics:
        """Return the same statistics over the given classes; classes never seen have weight 0."""
        return self._spread(classes, find_names(self.classes, classes))

    def _spread(self, classes: Names, position: Longs) -> Statistics:
        if len(position) == len(classes) and np.array_equal(position, np.arange(len(classes))):
            return Statistics(classes, self.weight, self.blocks)
        weight = np.zeros(len(classes))
        weight[position[position >= 0]] = self.weight[position >= 0]
        return Statistics(classes, weight, tuple(b.spread(position, len(classes)) for b in self.blocks))

    def _align(self, other: Statistics) -> tuple[Statistics, Statistics]:
        """Return both over the classes of both, or raise if they are statistics of different columns."""
        mine, theirs = [[(type(b), b.features) for b in s.blocks] for s in (self, other)]
        if mine != theirs:
            raise ValueError(
                f"statistics of different columns do not mix: {_describe(self)} against {_describe(other)}; "
                "use the same columns and event models for both."
            )
        classes, mine_at, theirs_at = union(self.classes, other.classes)
        return self._spread(classes, mine_at), other._spread(classes, theirs_at)

    def __add__(self, other: Statistics) -> Statistics:
        a, b = self._align(other)
        blocks = tuple(x + y for x, y in zip(a.blocks, b.blocks))
        return Statistics(a.classes, a.weight + b.weight, blocks)

    def __sub__(self, other: Statistics) -> Statistics:
        a, b = self._align(other)
        blocks = tuple(x - y for x, y in zip(a.blocks, b.blocks))
        return Statistics(a.classes, remaining_weight(a.weight, b.weight), blocks).without_empty()

    def __mul__(self, factor: float) -> Statistics:
        factor = checked_factor(factor)
        with np.errstate(over="ignore"):
            weight = self.weight * factor
        refuse_large_weight(weight)
        if 0 < weight.sum() < 1 / LARGEST_WEIGHT:
            raise ValueError(
                f"a factor of {factor:g} leaves the rows a weight of {weight.sum():g}, which is too small to compute "
                "with; use 0 to forget all rows."
            )
        return Statistics(self.classes, weight, tuple(b * factor for b in self.blocks)).without_empty()

    __rmul__ = __mul__

    @property
    def cells(self) -> int:
        """Number of numbers kept, roughly."""
        return sum(block.cells for block in self.blocks)

    def without_empty(self) -> Statistics:
        """Return the statistics without classes of no weight."""
        keep = self.weight > 0
        return self if keep.all() else self.on(self.classes[keep])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        return (
            self.classes.tolist() == other.classes.tolist()
            and bool((self.weight == other.weight).all())
            and self.blocks == other.blocks
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows = f"{self.weight.sum():g} rows" if len(self.weight) else "no rows"
        return f"Statistics({rows}, {len(self.classes)} classes, {_describe(self)})"

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return flat arrays by name, without Python objects, for files and clusters."""
        arrays: dict[str, NDArray[Any]] = {"classes": pack_names(self.classes), "weight": self.weight}
        for i, block in enumerate(self.blocks):
            arrays |= {f"{i}.{block.name}.{name}": array for name, array in block.arrays().items()}
        return arrays

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], kinds: Mapping[str, type[Block]] = STATISTICS) -> Statistics:
        """Return the statistics that :meth:`to_arrays` described; ``kinds`` are the blocks that may occur, by name."""
        parts: dict[tuple[int, str], dict[str, NDArray[Any]]] = {}
        for key, array in arrays.items():
            if key not in ("classes", "weight"):
                number, kind, name = key.split(".", 2)
                parts.setdefault((int(number), kind), {})[name] = array
        require([number for number, _ in sorted(parts)] == list(range(len(parts))), "blocks are not numbered from 0 on")
        blocks = tuple(kinds[kind].from_arrays(part) for (_, kind), part in sorted(parts.items()))
        classes = unpack_names(arrays["classes"])
        check_weights(arrays["weight"], "weight", classes.shape)
        statistics = Statistics(classes, arrays["weight"], blocks)
        statistics._check_classes()
        return statistics

    def check(self) -> None:
        """Raise a ValueError unless all arrays are such as a file may hold: :meth:`from_arrays` reads no others."""
        self._check_classes()
        for block in self.blocks:
            block.check()

    def _check_classes(self) -> None:
        check_names(self.classes, "classes")
        check_weights(self.weight, "weight", self.classes.shape)
        fits = all(block.classes == len(self.classes) for block in self.blocks)
        require(fits, f"statistics of {len(self.classes)} classes have arrays of another shape")


def _describe(statistics: Statistics) -> str:
    return ", ".join(f"{block.name} of {block.features} features" for block in statistics.blocks) or "no columns"
