"""Weight per class and combination of values: whole rows are the categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Floats, Labels, Names, encode, object_array, sort_names
from deciban.arrays.matrix import Array, densify
from deciban.statistics.base import Block
from deciban.statistics.tables import Tables, coded


@dataclass(frozen=True, eq=False, repr=False)
class Combinations(Block):
    """Σw per class and combination: a table of one column, whose categories are rows as tuples.

    Only combinations with weight are kept. A missing cell is a value of its own, None.

    >>> c = Combinations.of(np.array([["x", "u"], ["y", "u"], ["x", "u"]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> c.rows.tolist(), c.weight.tolist()
    ([('x', 'u'), ('y', 'u')], [[2.0, 1.0]])
    """

    name: ClassVar[str] = "combinations"

    table: Tables
    columns: int

    @property
    def classes(self) -> int:
        return self.table.classes

    @property
    def features(self) -> int:
        return self.columns

    @property
    def cells(self) -> int:
        return self.weight.size * (1 + self.columns)

    @property
    def rows(self) -> Names:
        """The combinations, sorted."""
        return self.table.categories[0]

    @property
    def weight(self) -> Floats:
        """Classes × combinations."""
        return self.table.weight

    @cached_property
    def sizes(self) -> list[int]:
        """How many values every column has shown."""
        return [len(set(values)) for values in zip(*self.rows.tolist())] or [0] * self.columns

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Combinations:
        return cls(Tables.zero(1, classes), features)

    @classmethod
    def of(cls, x: Any, labels: Labels) -> Combinations:
        """Summarise a batch of values of any hashable kind."""
        return cls(Tables.of(combined(x), labels), x.shape[1])

    def first(self, columns: int) -> Combinations:
        """The same of the first columns alone: what the others showed is added up."""
        names, place = sort_names(object_array([row[:columns] for row in self.rows.tolist()]))
        weight = np.zeros((self.classes, len(names)))
        np.add.at(weight.T, place, self.weight.T)
        return Combinations(Tables(weight, (names,)), columns)

    def __add__(self, other: Combinations) -> Combinations:
        return replace(self, table=self.table + other.table)

    def __sub__(self, other: Combinations) -> Combinations:
        return replace(self, table=self.table - other.table)

    def __mul__(self, factor: float) -> Combinations:
        return replace(self, table=self.table * factor)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Combinations):
            return NotImplemented
        return self.columns == other.columns and self.table == other.table

    def only(self, features: NDArray[np.int64]) -> Combinations:
        if len(features) != self.columns:
            raise ValueError("columns that were counted as combinations cannot be taken apart; fit them again.")
        return self

    def spread(self, place: NDArray[np.int64], classes: int) -> Combinations:
        return replace(self, table=self.table.spread(place, classes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {**self.table.arrays(), "columns": np.array([self.columns])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Combinations:
        table = {name: array for name, array in arrays.items() if name != "columns"}
        return cls(Tables.from_arrays(table), int(arrays["columns"][0]))


@dataclass(frozen=True)
class Combined(Frame):
    """Rows as one column, whose categories are whole rows."""

    whole: Coded

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.whole.codes), 1

    def column(self, j: int) -> Coded:
        return self.whole

    def block(self, begin: int, end: int) -> Combined:
        return Combined(Coded(self.whole.codes[begin:end], self.whole.names))

    def take(self, members: slice | Array) -> Combined:
        return self


def combined(x: Any) -> Combined:
    """The combination of every row; Python meets each of them once, however many rows have it."""
    x = x if isinstance(x, Frame) else densify(x)
    columns = [coded(x, j) for j in range(x.shape[1])]
    codes = np.ascontiguousarray(np.stack([column.codes for column in columns], axis=1))
    keys, which = encode(codes.view(np.dtype((np.void, codes.itemsize * codes.shape[1]))).ravel())
    places = keys.view(codes.dtype).reshape(-1, codes.shape[1])
    values = [object_array([*c.names.tolist(), None])[places[:, j]] for j, c in enumerate(columns)]
    return Combined(Coded(which, object_array(list(zip(*values)))))
