"""Weight per class and combination of values: whole rows are the categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import require, single_number
from deciban.arrays.frame import Coded, Columns, Frame
from deciban.arrays.labels import Labels, encode
from deciban.arrays.matrix import as_frame
from deciban.arrays.names import object_array, sort_names
from deciban.arrays.types import Floats, Longs, Names
from deciban.statistics.base import Block
from deciban.statistics.tables import Tables


@dataclass(frozen=True, eq=False, repr=False)
class Combinations(Block):
    """Σw per class and combination: a table of one column, whose categories are rows as tuples.

    Only combinations with weight are kept. A missing cell is a value like any other, None.

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
    def is_exact(self) -> bool:
        return True

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
        """[classes × combinations] weight."""
        return self.table.weight

    @cached_property
    def sizes(self) -> list[int]:
        """Number of distinct values of every column."""
        return [len(set(values)) for values in zip(*self.rows.tolist())] or [0] * self.columns

    def has_values(self, j: int) -> bool:
        return any(row[j] is not None for row in self.rows.tolist())

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Combinations:
        return cls(Tables.zero(1, classes), features)

    @classmethod
    def of(cls, x: Any, labels: Labels) -> Combinations:
        """Summarise a batch of values of any hashable kind."""
        x = as_frame(x)
        return cls(Tables.of(CombinedRows.of(x), labels), x.shape[1])

    def first(self, columns: int) -> Combinations:
        """Return the counts of combinations of the first columns alone, added up over the others."""
        names, position = sort_names(object_array([row[:columns] for row in self.rows.tolist()]))
        weight = np.zeros((self.classes, len(names)))
        np.add.at(weight.T, position, self.weight.T)
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

    def only(self, features: Longs) -> Combinations:
        if len(features) != self.columns:
            raise ValueError("columns that were counted as combinations cannot be taken apart; fit them again.")
        return self

    def spread(self, position: Longs, classes: int) -> Combinations:
        return replace(self, table=self.table.spread(position, classes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {**self.table.arrays(), "columns": np.array([self.columns])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Combinations:
        table = {name: array for name, array in arrays.items() if name != "columns"}
        block = cls(Tables.from_arrays(table), single_number(arrays["columns"], "columns", 1))
        block._check_rows()
        return block

    def check(self) -> None:
        self.table.check()
        self._check_rows()

    def _check_rows(self) -> None:
        require(self.table.features == 1, "combinations are not the categories of one column")
        fits = all(isinstance(row, tuple) and len(row) == self.columns for row in self.rows.tolist())
        require(fits, f"combinations are not tuples of {self.columns} values")


@dataclass(frozen=True)
class CombinedRows(Frame):
    """Rows as one column, whose categories are whole rows as tuples."""

    combination: Coded

    @staticmethod
    def of(x: Frame) -> CombinedRows:
        """Combine the columns of every row; Python sees each distinct combination once, not every row."""
        x = x.dense()
        columns = [x.coded(j) for j in range(x.shape[1])]
        codes = np.ascontiguousarray(np.stack([column.codes for column in columns], axis=1))
        keys, row_codes = encode(codes.view(np.dtype((np.void, codes.itemsize * codes.shape[1]))).ravel())
        distinct = keys.view(codes.dtype).reshape(-1, codes.shape[1])
        values = [object_array([*c.names.tolist(), None])[distinct[:, j]] for j, c in enumerate(columns)]
        return CombinedRows(Coded(row_codes, object_array(list(zip(*values)))))

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.combination.codes), 1

    def column(self, j: int) -> Coded:
        return self.combination

    def block(self, begin: int, end: int) -> CombinedRows:
        return CombinedRows(Coded(self.combination.codes[begin:end], self.combination.names))

    def take(self, columns: Columns) -> CombinedRows:
        return self
