"""The protocol of a scorer, and how parameters and columns must lie for kernels to read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats
from deciban.arrays.matrix import Array, Matrix, densify, readable
from deciban.arrays.native import kernels

ClassFree = Callable[[Array], Floats]


class Scorer(Protocol):
    """What an event model's ``estimate`` returns, and all a model needs to know."""

    reads_sparse: ClassVar[bool]  # False: a sparse block is made dense before it is scored

    @property
    def classes(self) -> int: ...

    @property
    def features(self) -> int: ...

    def add_scores(self, x: Matrix, out: Floats) -> int:
        """Add log P(x | class) of every row to ``out`` (rows × classes); returns the kernel's findings."""
        ...

    def evidence(self, x: Matrix) -> Floats:
        """The same by feature: rows × classes × features."""
        ...

    def class_free(self, x: Matrix) -> Floats:
        """The part of the log density that does not depend on the class, one number per row."""
        ...


class Parameters:
    """What the scorers share."""

    reads_sparse: ClassVar[bool] = False
    by_rows: ClassVar[bool] = False  # contrasts rows side by side quicker than column after column

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes} classes × {self.features} features)"  # type: ignore[attr-defined]


class Entries(Parameters):
    """Scorers that look a cell's log probability up in a table per feature: classes × entries."""

    log_probability: tuple[Floats, ...]

    @property
    def classes(self) -> int:
        return self.log_probability[0].shape[0] if self.log_probability else 0


def aligned(rows: int, columns: int) -> Floats:
    """Memory that begins at a cache line, so that a look-up touches no more lines than it must."""
    memory = np.empty(rows * columns + 8)
    skip = -memory.ctypes.data % 64 // 8
    return memory[skip : skip + rows * columns].reshape(rows, columns)


def class_major(parameters: Floats) -> Floats:
    """Classes × padded features: what dense kernels read with full vectors and no remainder."""
    classes, features = parameters.shape
    padded = aligned(classes, -(-features // kernels.PACK) * kernels.PACK)
    padded[:, :features] = parameters
    padded[:, features:] = 0.0
    return padded


def feature_major(parameters: Floats) -> Floats:
    """Features × padded classes: what look-ups by feature or category read, all classes at once."""
    classes, features = parameters.shape
    padded = aligned(features, -(-max(classes, 1) // kernels.LANES) * kernels.LANES)
    padded[:, :classes] = parameters.T
    padded[:, classes:] = 0.0
    return padded


def known(x: Array) -> NDArray[np.bool_]:
    """Which cells hold a number."""
    return ~np.isnan(x) if x.dtype.kind == "f" else np.ones(x.shape, dtype=bool)


def number_columns(x: Matrix | Frame) -> tuple[list[Array], list[Array | None], list[int]]:
    """Columns as numbers, each with the bits that say what is there, if not all is, and the first of them."""
    if isinstance(x, Frame):
        values, bits, first = zip(*map(x.valid_numbers, range(x.shape[1]))) if x.shape[1] else ((), (), ())
        return [readable(v) for v in values], list(bits), list(first)
    x = readable(densify(x))
    return [x[:, j : j + 1] for j in range(x.shape[1])], [None] * x.shape[1], [0] * x.shape[1]


def dense_numbers(x: Matrix | Frame) -> Floats:
    """Rows × columns of floating point, NaN where a number is missing."""
    return (x.numbers() if isinstance(x, Frame) else densify(x)).astype(float, copy=False)


def nothing(x: Matrix) -> Floats:
    return np.zeros(x.shape[0])


def lies_by_rows(x: Any, out: Floats) -> bool:
    """Whether rows are read and written side by side."""
    beside = (isinstance(a, np.ndarray) and (a.shape[1] < 2 or a.strides[1] == a.itemsize) for a in (x, out))
    return all(beside)
