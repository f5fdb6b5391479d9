"""Everything training keeps: classes known by label, their weight, and a block of statistics per group of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Floats, Names, find, pack, union, unpack
from deciban.statistics.base import Block, left_over, positive_factor
from deciban.statistics.combinations import Combinations
from deciban.statistics.histogram import Histogram
from deciban.statistics.moments import Moments
from deciban.statistics.sums import Sums
from deciban.statistics.tables import Tables
from deciban.statistics.words import WordCounts

STATISTICS: dict[str, type[Block]] = {
    kind.name: kind for kind in (Sums, Moments, Tables, Histogram, WordCounts, Combinations)
}


@dataclass(frozen=True, eq=False)
class Statistics:
    """The model's statistics, a commutative group.

    ``a + b`` joins what two batches, threads or machines saw; ``a - b`` forgets rows that were added before and drops
    the classes left empty; ``a * c`` weights; ``zero`` has no classes, so nothing needs a special case.
    """

    classes: Names  # sorted
    weight: Floats  # per class
    blocks: tuple[Block, ...]

    @staticmethod
    def zero(*blocks: Block) -> Statistics:
        """No rows at all: what any number of batches can be added to."""
        return Statistics(np.array([], dtype=object), np.zeros(0), blocks)

    def on(self, classes: Names) -> Statistics:
        """The same statistics over the given classes; classes never seen have weight zero."""
        place = find(self.classes, classes)
        return self._spread(classes, place)

    def _spread(self, classes: Names, place: NDArray[np.int64]) -> Statistics:
        if len(place) == len(classes) and np.array_equal(place, np.arange(len(classes))):
            return Statistics(classes, self.weight, self.blocks)
        weight = np.zeros(len(classes))
        weight[place[place >= 0]] = self.weight[place >= 0]
        return Statistics(classes, weight, tuple(b.spread(place, len(classes)) for b in self.blocks))

    def _together(self, other: Statistics) -> tuple[Statistics, Statistics]:
        mine, theirs = [[(type(b), b.features) for b in s.blocks] for s in (self, other)]
        if mine != theirs:
            raise ValueError(
                f"statistics of different columns do not mix: {_describe(self)} against {_describe(other)}; "
                "use the same columns and event models for both."
            )
        classes, place, other_place = union(self.classes, other.classes)
        return self._spread(classes, place), other._spread(classes, other_place)

    def __add__(self, other: Statistics) -> Statistics:
        a, b = self._together(other)
        blocks = tuple(x + y for x, y in zip(a.blocks, b.blocks))
        return Statistics(a.classes, a.weight + b.weight, blocks)

    def __sub__(self, other: Statistics) -> Statistics:
        a, b = self._together(other)
        blocks = tuple(x - y for x, y in zip(a.blocks, b.blocks))
        return Statistics(a.classes, left_over(a.weight, b.weight), blocks).without_empty()

    def __mul__(self, factor: float) -> Statistics:
        factor = positive_factor(factor)
        scaled = Statistics(self.classes, self.weight * factor, tuple(b * factor for b in self.blocks))
        return scaled.without_empty()

    __rmul__ = __mul__

    @property
    def cells(self) -> int:
        return sum(block.cells for block in self.blocks)

    def without_empty(self) -> Statistics:
        """Without the classes that have no weight."""
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
        """Flat arrays by name, without Python objects: what files and clusters carry."""
        arrays: dict[str, NDArray[Any]] = {"classes": pack(self.classes), "weight": self.weight}
        for i, block in enumerate(self.blocks):
            arrays |= {f"{i}.{block.name}.{name}": array for name, array in block.arrays().items()}
        return arrays

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], kinds: Mapping[str, type[Block]] = STATISTICS) -> Statistics:
        """The inverse of :meth:`to_arrays`; ``kinds`` are the blocks that may occur, by name."""
        parts: dict[tuple[int, str], dict[str, NDArray[Any]]] = {}
        for key, array in arrays.items():
            if key not in ("classes", "weight"):
                number, kind, name = key.split(".", 2)
                parts.setdefault((int(number), kind), {})[name] = array
        blocks = tuple(kinds[kind].from_arrays(part) for (_, kind), part in sorted(parts.items()))
        names, weight = unpack(arrays["classes"]), arrays["weight"]
        if weight.shape != names.shape or any(block.classes != len(names) for block in blocks):
            raise ValueError(f"statistics of {len(names)} classes have arrays of another shape")
        return Statistics(names, weight, blocks)


def _describe(statistics: Statistics) -> str:
    return ", ".join(f"{block.name} of {block.features} features" for block in statistics.blocks) or "no columns"


def total(parts: list[Statistics]) -> Statistics:
    """The sum of some statistics, at least one."""
    return reduce(lambda a, b: a + b, parts)
