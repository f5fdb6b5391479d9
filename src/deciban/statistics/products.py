"""Sums of vectors and of their products, from which joint normal distributions are estimated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.checks import check_numbers, check_sum, check_weights, require
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.types import Floats, Longs
from deciban.statistics.base import Block, checked_factor, remaining_weight, spread_classes, subtract_counts


@dataclass(frozen=True, eq=False, repr=False)
class Products(Block):
    """Σw, Σw·v and Σw·v·vᵀ of vectors v; a missing coordinate counts as 0.

    Products of all coordinates are added up over the classes. Those of the first coordinates, which are numbers, are
    kept for every class too.

    >>> two = Products.of(np.array([[1.0, 0.0], [2.0, 1.0]]), Labels(1, np.zeros(2, dtype=np.int32)))
    >>> two.total.tolist(), two.pooled.tolist()
    ([[3.0, 1.0]], [[5.0, 2.0], [2.0, 1.0]])
    """

    name: ClassVar[str] = "products"

    weight: Floats  # classes
    total: Floats  # classes × coordinates
    pooled: Floats  # coordinates × coordinates
    by_class: Floats  # classes × numbers × numbers

    @property
    def features(self) -> int:
        return self.total.shape[1]

    @property
    def numbers(self) -> int:
        """Number of coordinates whose products are kept for every class."""
        return self.by_class.shape[1]

    @classmethod
    def zero(cls, features: int, classes: int = 0, numbers: int | None = None) -> Products:
        """Return the statistics of no rows; by default every coordinate is a number."""
        own = features if numbers is None else numbers
        pooled = np.zeros((features, features))
        return cls(np.zeros(classes), np.zeros((classes, features)), pooled, np.zeros((classes, own, own)))

    @classmethod
    def of(cls, x: Any, labels: Labels) -> Products:
        """Summarise a batch of vectors, every coordinate of which is a number."""
        vectors = np.nan_to_num(as_frame(x).numbers("Products"))
        return cls.of_vectors(vectors, vectors.shape[1], labels)

    @classmethod
    def of_vectors(cls, vectors: Floats, numbers: int, labels: Labels) -> Products:
        """Summarise vectors [rows × coordinates], of which the first ``numbers`` coordinates are numbers."""
        found = cls.zero(vectors.shape[1], labels.classes, numbers)
        for c in range(labels.classes):
            rows, weight = labels.rows_of(c)
            mine = vectors[rows]
            weighted = mine if weight is None else weight[:, None] * mine
            found.total[c] = weighted.sum(axis=0)
            products = weighted.T @ mine
            found.pooled[:] += products
            found.by_class[c] = products[:numbers, :numbers]
        return cls(labels.class_weight(), found.total, found.pooled, found.by_class)

    def spread(self, position: Longs, classes: int) -> Products:
        weight, total, by_class = (
            spread_classes(a, position, classes) for a in (self.weight, self.total, self.by_class)
        )
        return Products(weight, total, self.pooled, by_class)

    def only(self, features: Longs) -> Products:
        raise ValueError("coordinates whose products were summed cannot be taken apart; fit them again.")

    def __add__(self, other: Products) -> Products:
        return Products(
            self.weight + other.weight,
            self.total + other.total,
            self.pooled + other.pooled,
            self.by_class + other.by_class,
        )

    def __sub__(self, other: Products) -> Products:
        weight = remaining_weight(self.weight, other.weight)
        return Products(
            weight,
            subtract_counts(self.total, other.total),
            subtract_counts(self.pooled, other.pooled),
            subtract_counts(self.by_class, other.by_class),
        )

    def __mul__(self, factor: float) -> Products:
        factor = checked_factor(factor)
        return Products(*(factor * array for array in self.arrays().values()))

    def check(self) -> None:
        require(self.total.ndim == 2 and self.by_class.ndim == 3, "sums of vectors have no axis of classes")
        classes, size = self.total.shape
        numbers = self.by_class.shape[1]
        check_weights(self.weight, "weight", (classes,))
        check_numbers(self.total, "total", (classes, size))
        check_numbers(self.pooled, "pooled", (size, size))
        check_numbers(self.by_class, "by_class", (classes, numbers, numbers))
        for name, array in self.arrays().items():
            check_sum(array, name)
        require(numbers <= size, "more coordinates are numbers than there are")
