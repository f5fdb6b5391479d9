"""Labels of rows as codes: one class per row with an optional weight, or a weight per row and class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.names import known_names, object_array
from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats, Names

# The largest total weight of a class, pseudo-counts included. The product of two such weights must not overflow.
LARGEST_WEIGHT = 1e150


@dataclass(frozen=True)
class Labels:
    """The classes of the rows of a batch: a code per row and optional row weights, or soft labels.

    Soft labels are a weight per row and class. A code of −1 leaves a row out.
    """

    classes: int
    codes: Codes | None = None
    weight: Floats | None = None
    soft: Floats | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.soft if self.codes is None else self.codes)  # type: ignore[arg-type]

    @property
    def unlabelled(self) -> int:
        """Number of rows without a class."""
        return 0 if self.codes is None else int((self.codes < 0).sum())

    @property
    def has_whole_weights(self) -> bool:
        """Whether sums of the weights are exact in any order of addition, because all weights are whole numbers."""
        if self.soft is not None:
            return False
        return self.weight is None or bool((self.weight == np.rint(self.weight)).all())

    def block(self, begin: int, end: int) -> Labels:
        """Return the labels of the rows from ``begin`` to ``end``."""
        return self._select(slice(begin, end))

    def pick(self, rows: NDArray[Any]) -> Labels:
        """Return the labels of the rows with the given numbers."""
        return self._select(rows)

    def _select(self, rows: Any) -> Labels:
        codes, weight, soft = (None if a is None else a[rows] for a in (self.codes, self.weight, self.soft))
        return Labels(self.classes, codes, weight, soft)

    def rows_of(self, code: int) -> tuple[NDArray[np.intp], Floats | None]:
        """Return the indices of a class's rows, and their weights: None if all weights are 1."""
        if self.soft is not None:
            rows = np.flatnonzero(self.soft[:, code])
            return rows, np.ascontiguousarray(self.soft[rows, code])
        rows = np.flatnonzero(self.codes == code)
        return rows, None if self.weight is None else self.weight[rows]

    def class_weight(self) -> Floats:
        """[classes] total weight of the rows of every class."""
        weight = np.zeros(self.classes)
        kernels.add_weights(self.codes, self.weight, self.soft, weight)
        refuse_large_weight(weight)
        return weight


def refuse_large_weight(weight: Floats) -> None:
    """Raise if the weight of a class is more than LARGEST_WEIGHT."""
    largest = weight.max(initial=0.0)
    if not largest <= LARGEST_WEIGHT:
        raise ValueError(
            f"the weights of the rows of a class add up to {largest:g}, but no more than {LARGEST_WEIGHT:g} can be "
            "counted; give smaller weights."
        )


def different_lengths(rows: int, labels: int) -> ValueError:
    """Return the error for labels that are not one per row."""
    return ValueError(f"Found input variables with inconsistent numbers of samples: X has {rows} rows and y {labels}.")


def encode(values: Names) -> tuple[Names, Codes]:
    """Return the distinct values, sorted, and the code of every value; missing values get −1.

    >>> names, codes = encode(np.array(["b", "a", "b"]))
    >>> [str(n) for n in names], codes.tolist()
    (['a', 'b'], [1, 0, 1])
    """
    if values.dtype.kind == "T":  # NumPy's strings of variable width
        values = values.astype(object)
    distinct, codes = _encode_objects(values) if values.dtype == object else _encode_items(values)
    names, position = known_names(distinct)
    return names, recode_inplace(codes, position)


def recode(codes: Codes, position: NDArray[Any]) -> Codes:
    """Return a copy of the codes with every code replaced by its position; −1 stays."""
    return recode_inplace(codes.copy(), position)


def recode_inplace(codes: Codes, position: NDArray[Any]) -> Codes:
    """Replace every code by its position in place, because new memory costs more than the replacing; −1 stays."""
    kernels.renumber(codes, np.ascontiguousarray(position, dtype=np.int32))
    return codes


def _encode_items(values: Names) -> tuple[Names, Codes]:
    """Number items of a fixed size by first appearance; the kernel compares bytes, without a sort."""
    values = np.ascontiguousarray(values)
    codes = np.empty(len(values), dtype=np.int32)
    if not values.dtype.itemsize:
        return values[:1], np.zeros(len(values), dtype=np.int32)
    items = values.view(np.uint8).reshape(len(values), values.dtype.itemsize)
    first = kernels.encode(items, codes)
    return values[first], codes


class _Numbering(dict[Any, int]):
    """Numbers keys by first appearance; used through ``map`` so that the loop runs in C."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


def _encode_objects(values: Names) -> tuple[Names, Codes]:
    numbers = _Numbering()
    items = values.tolist()
    try:
        codes = np.fromiter(map(numbers.__getitem__, items), dtype=np.int32, count=len(items))
    except TypeError as error:
        raise TypeError(f"labels and categories must be hashable: {error}; turn them into strings first") from None
    return object_array(list(numbers)), codes
