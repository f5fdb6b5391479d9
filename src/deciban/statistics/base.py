"""What every block of statistics shares: arrays with the classes on axis 0 that add, subtract and scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Floats

# How far from zero rounding alone can leave what should be zero, relative to what was there.
ROUNDING = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class Block:
    """Statistics of some columns: a commutative group under ``+``, scaled by ``*``.

    Facts only: no smoothing, floor or prior is ever written here. A weight may have one column for all features
    when no cell was missing; NumPy's broadcasting makes the two forms one.
    """

    name: ClassVar[str]
    reads_sparse: ClassVar[bool] = False

    @property
    def classes(self) -> int:
        return len(next(iter(self.arrays().values())))

    @property
    def features(self) -> int:
        raise NotImplementedError

    def known(self) -> Floats | None:
        """The weight of known cells, classes × features; None if that is not told apart."""
        return None

    @property
    def cells(self) -> int:
        """How many numbers it keeps, more or less."""
        return sum(a.size for a in self.__dict__.values() if isinstance(a, np.ndarray))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The flat-array form: plain NumPy arrays by name, for files and clusters."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        return cls(**arrays)

    def spread(self, place: NDArray[np.int64], classes: int) -> Self:
        """The same statistics with class i moved to ``place[i]`` among more classes; −1 drops a class."""
        return self._per_class(lambda a: spread(a, place, classes))

    def only(self, features: NDArray[np.int64]) -> Self:
        """The statistics of some of the features, in the order given."""
        return self._per_class(lambda a: a[:, features] if a.shape[1:] == (self.features,) else a)

    def _per_class(self, change: Any) -> Self:
        return type(self)(**{name: change(a) for name, a in self.arrays().items()})

    def __add__(self, other: Self) -> Self:
        raise NotImplementedError

    def absorb(self, other: Self) -> Self:
        """``self + other``, perhaps in this block's own memory: for an accumulator that nobody else holds."""
        return self + other

    def __sub__(self, other: Self) -> Self:
        raise NotImplementedError

    def __mul__(self, factor: float) -> Self:
        raise NotImplementedError

    def __rmul__(self, factor: float) -> Self:
        return self * factor

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        mine, theirs = self.arrays(), other.arrays()
        return self.features == other.features and all(_same(mine[name], theirs[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes} classes × {self.features} features)"


def spread(array: NDArray[Any], place: NDArray[np.int64], classes: int) -> NDArray[Any]:
    wide = np.zeros((classes, *array.shape[1:]), dtype=array.dtype)
    keep = place >= 0
    wide[place[keep]] = array[keep]
    return wide


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    try:
        return bool(np.all(a == b)) and len(a) == len(b)
    except ValueError:  # shapes that do not broadcast
        return False


def without_dust(whole: Floats, taken: Floats) -> Floats:
    """``whole − taken``, where fractions that leave only rounding dust leave zero; whole numbers subtract exactly."""
    rest = np.asarray(whole - taken)
    fractions = (whole != np.rint(whole)) | (taken != np.rint(taken))
    return np.where(fractions & (np.abs(rest) <= ROUNDING * np.abs(whole)), 0.0, rest)


def left_over(weight: Floats, taken: Floats) -> Floats:
    """The weight that is left after subtracting what was added before."""
    rest = without_dust(weight, taken)
    if (rest < 0).any():
        raise ValueError("the statistics to subtract hold more weight than is there; subtract only what was added.")
    return rest


def positive_factor(factor: float) -> float:
    if not (isinstance(factor, Real) and 0 <= factor < np.inf):
        raise ValueError(f"statistics can be scaled by a number of at least 0, not {factor!r}; use - to subtract.")
    return float(factor)
