"""The base of every block of statistics: arrays with the classes on axis 0 that add, subtract and scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.tolerances import (
    LOST_PRECISION,
    MODERATE_INTEGERS,
    STATISTICS_ROUNDING,
    SUM_ROUNDING,
    clear_rounding,
)
from deciban.arrays.types import Codes, Floats, Longs, Mask, Names

# Values of a column that a diagnosis tells apart: bins of numbers, and the most frequent categories.
FEW_BINS, FEW_CATEGORIES = 8, 16


@dataclass(frozen=True, eq=False, repr=False)
class Block:
    """Statistics of some columns: a commutative group under ``+``, scaled by ``*``.

    Facts only: no smoothing, floor or prior is ever written here. A weight may have one column for all features
    when no cell was missing; NumPy's broadcasting makes the two forms one.
    """

    name: ClassVar[str]  # in model files
    reads_sparse: ClassVar[bool] = False
    has_few_codes: ClassVar[bool] = False  # a diagnosis can look at its columns: few_values and few_codes are defined

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Self:
        """Return the statistics of no rows."""
        raise NotImplementedError

    @classmethod
    def of(cls, x: Any, labels: Labels) -> Self:
        """Summarise a batch of rows: a frame, an array or a SciPy sparse matrix."""
        raise NotImplementedError

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(next(iter(self.arrays().values())))

    @property
    def features(self) -> int:
        """Number of columns."""
        raise NotImplementedError

    @property
    def is_exact(self) -> bool:
        """Whether the same rows give the same sums in any order of addition, as long as weights are whole."""
        return False

    def known_weight(self) -> Floats | None:
        """[classes × features] weight of the cells that are not missing; None if the block does not know."""
        return None

    def has_values(self, j: int) -> bool:
        """Return whether any row had a value in column j; True if the block cannot tell."""
        known = self.known_weight()
        return known is None or bool((known[:, j] > 0).any())

    @property
    def cells_per_row(self) -> float:
        """Number of cells that are scored for a row: its columns, or the terms of a text."""
        return float(self.features)

    @property
    def cells(self) -> int:
        """Number of numbers the block keeps, roughly."""
        return sum(a.size for a in self.__dict__.values() if isinstance(a, np.ndarray))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return plain NumPy arrays by name, for files and clusters."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the block that :meth:`arrays` described, or raise a ValueError if the arrays do not fit together."""
        block = cls(**arrays)
        block.check()
        return block

    def check(self) -> None:
        """Raise a ValueError unless types, shapes and ranges are as training makes them: a file may hold others."""

    def spread(self, position: Longs, classes: int) -> Self:
        """Return the same statistics with class i at ``position[i]`` among ``classes`` classes; −1 drops a class."""
        return self._per_class(lambda a: spread_classes(a, position, classes))

    def only(self, features: Longs) -> Self:
        """Return the statistics of some of the features, in the order given."""
        return self._per_class(lambda a: a[:, features] if a.shape[1:] == (self.features,) else a)

    def _per_class(self, change: Any) -> Self:
        return type(self)(**{name: change(a) for name, a in self.arrays().items()})

    def categories_of(self, j: int) -> tuple[Names, Floats] | None:
        """Return the categories of a feature and their weights [classes × categories]; None if it has no categories."""
        return None

    def value_weights(self, j: int) -> dict[Any, float]:
        """Return the weight of every value of a feature that is kept as such; empty if none is."""
        counted = self.categories_of(j)
        return {} if counted is None else dict(zip(counted[0].tolist(), counted[1].sum(axis=0).tolist()))

    def words_of_documents(self, fewest: float) -> set[str]:
        """Return the words that at least ``fewest`` documents have; empty if documents were not counted."""
        return set()

    def lumps_categories(self, j: int) -> bool:
        """Return whether a feature had too many categories, so that the later ones count as one."""
        return False

    def has_fractions(self, j: int) -> bool:
        """Return whether a feature is known to hold numbers that are not whole."""
        return False

    def few_values(self, j: int) -> int:
        """Return the number of codes that :meth:`few_codes` gives a feature."""
        raise NotImplementedError

    def few_codes(self, x: Frame) -> Codes:
        """[rows × features] code of every cell among few values, −1 if missing: how a diagnosis sees a column."""
        raise NotImplementedError

    def __add__(self, other: Self) -> Self:
        raise NotImplementedError

    def absorb(self, other: Self) -> Self:
        """Return ``self + other``, perhaps in the memory of ``self``: for an accumulator that nobody else holds."""
        return self + other

    def __sub__(self, other: Self) -> Self:
        raise NotImplementedError

    def inexact_after(self, taken: Self, rest: Self) -> Longs:
        """Return the features that lost too many digits when the subtraction of ``taken`` left ``rest``."""
        return np.zeros(0, dtype=np.int64)

    def __mul__(self, factor: float) -> Self:
        raise NotImplementedError

    def __rmul__(self, factor: float) -> Self:
        return self * factor

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        mine, theirs = self.arrays(), other.arrays()
        if self.features != other.features or mine.keys() != theirs.keys():
            return False
        return all(_equal_arrays(mine[name], theirs[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes} classes × {self.features} features)"


def spread_classes(array: NDArray[Any], position: Longs, classes: int) -> NDArray[Any]:
    """Return an array with class i at ``position[i]`` among ``classes`` classes, zeros elsewhere."""
    wide = np.zeros((classes, *array.shape[1:]), dtype=array.dtype)
    keep = position >= 0
    wide[position[keep]] = array[keep]
    return wide


def _equal_arrays(a: NDArray[Any], b: NDArray[Any]) -> bool:
    try:
        return bool(np.all(a == b)) and len(a) == len(b)
    except ValueError:  # shapes that do not broadcast
        return False


def subtract_counts(whole: Floats, taken: Floats) -> Floats:
    """Return ``whole − taken``; fractions that leave only rounding error leave 0, whole numbers subtract exactly."""
    fractions = (whole != np.rint(whole)) | (taken != np.rint(taken))
    rest = np.asarray(whole - taken)
    return np.where(fractions, clear_rounding(rest, whole, SUM_ROUNDING), rest)


def remaining_weight(weight: Floats, taken: Floats) -> Floats:
    """Return the weight that is left, or raise if more is taken than was ever added."""
    rest = subtract_counts(weight, taken)
    if (rest < 0).any():
        raise ValueError("the statistics to subtract hold more weight than is there; subtract only what was added.")
    return rest


def has_lost_digits(before: Floats, taken: Floats, rest: Floats) -> Mask:
    """[classes × …] mask of the sums that a subtraction left without enough digits.

    A sum is known to STATISTICS_ROUNDING of itself. It is exact if it is a whole number of moderate size, or equals
    what is taken from it. What is left must be known to LOST_PRECISION of itself, or to that square of the sum over
    all classes, next to which less does not count.
    """
    whole = (before == np.rint(before)) & (taken == np.rint(taken))
    exact = (whole | (before == taken)) & (np.abs(before) < MODERATE_INTEGERS)
    known = np.maximum(np.abs(rest), LOST_PRECISION * np.abs(rest.sum(axis=0)))
    return ~exact & (taken != 0) & (STATISTICS_ROUNDING * np.abs(before) > LOST_PRECISION * known)


def checked_factor(factor: float) -> float:
    """Return a factor to scale statistics by, or raise if it is not a number of at least 0."""
    if not (isinstance(factor, Real) and 0 <= factor < np.inf):
        raise ValueError(f"statistics can be scaled by a number of at least 0, not {factor!r}; use - to subtract.")
    return float(factor)


def broadcast_shape(weight: NDArray[Any], shape: tuple[int, int]) -> tuple[int, int]:
    """Return the shape that a weight must have: a column for all features, or one for each."""
    return (shape[0], 1) if weight.shape[1:] == (1,) else shape


def limit_of(limits: list[int | None]) -> int | None:
    """Return the smallest of some limits; None means unlimited."""
    return min((limit for limit in limits if limit is not None), default=None)


def offsets_of(sizes: Any) -> Longs:
    """Return the offsets of consecutive parts of the given sizes, and the end of the last part."""
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))]).astype(np.int64)
