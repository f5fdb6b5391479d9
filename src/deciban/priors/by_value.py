"""Numbers of a prior by value, or by class and value: given by name, or in the order of the values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from deciban.arrays.types import Codes, Floats, Longs, Mask, Names
from deciban.errors import PriorWarning, warn_user
from deciban.priors.counts import broadcast_counts, in_order

# A pseudo-count of values that all have one of their own. It is never added to anything.
UNUSED = 1.0


class ValueCounts(NamedTuple):
    """Pseudo-counts: [classes × values] for values that have their own, and one number for all other values."""

    rest: float
    own: Floats


@dataclass(frozen=True, eq=False)
class SparsePseudoCounts:
    """Pseudo-counts of many values: one number for most of them, and numbers of their own, per class, for some.

    >>> counts = SparsePseudoCounts(1.0, np.array([2]), np.array([[5.0, 0.0]]))
    >>> counts.sums(4).tolist(), counts.of_class(0, 4).tolist()
    ([8.0, 3.0], [1.0, 1.0, 5.0, 1.0])
    """

    rest: float
    positions: Longs  # of the values that have their own, ascending
    own: Floats  # [values with their own × classes]

    @property
    def is_single(self) -> bool:
        """Whether one number is the pseudo-count of all values."""
        return not len(self.positions)

    def sums(self, values: Any) -> Floats:
        """[classes] sum over all values, of which there are ``values``: one number, or [rows × 1]."""
        return np.asarray(self.rest * (values - len(self.positions)) + self.own.sum(axis=0))

    def of_class(self, c: int, values: int) -> Floats:
        """[values] pseudo-counts of all values in a class."""
        if self.is_single:
            return np.broadcast_to(self.rest, values)
        counts = np.full(values, self.rest)
        counts[self.positions] = self.own[:, c]
        return counts

    def of_values(self, values: Longs) -> Floats:
        """[values × classes] pseudo-counts of some values."""
        if self.is_single:
            return np.broadcast_to(self.rest, (len(values), self.own.shape[1]))
        line, has_own = self._lines(values)
        return np.where(has_own[:, None], self.own[line], self.rest)

    def of_entries(self, values: Longs, classes: Codes) -> Floats:
        """[entries] pseudo-counts of pairs of a value and a class."""
        if self.is_single:
            return np.broadcast_to(self.rest, len(values))
        line, has_own = self._lines(values)
        return np.where(has_own, self.own[line, classes], self.rest)

    def _lines(self, values: Longs) -> tuple[Longs, Mask]:
        """Return the line of values in ``own``, and whether they have one."""
        line = np.minimum(np.searchsorted(self.positions, values), len(self.positions) - 1)
        return line, self.positions[line] == values


def is_by_class(given: Any) -> bool:
    """Return whether numbers are given by class and value: {class: {value: number}}."""
    return isinstance(given, Mapping) and any(isinstance(numbers, Mapping) for numbers in given.values())


def check_by_class(given: Any, parameter: str) -> None:
    """Raise if a mapping has numbers by value for some classes, and is not by class for others."""
    if is_by_class(given) and not all(isinstance(numbers, Mapping) for numbers in given.values()):
        other = next(name for name, numbers in given.items() if not isinstance(numbers, Mapping))
        raise ValueError(
            f"{parameter} has a mapping for some keys and {given[other]!r} for {other!r}; give {{value: number}}, or "
            "{class: {value: number}} with a mapping for every class."
        )


def named_values(parameters: Iterable[Any]) -> list[Any] | None:
    """Return every value that the mappings among some parameters name, once, in order; None without a mapping."""
    mappings = [given for given in parameters if isinstance(given, Mapping)]
    if not mappings:
        return None
    by_value = (m for given in mappings for m in (given.values() if is_by_class(given) else [given]))
    return list(dict.fromkeys(value for numbers in by_value for value in numbers))


def is_listed(given: Any) -> bool:
    """Return whether numbers are given in the order of the values, not by name or as one for all."""
    return isinstance(given, list | tuple) or (not isinstance(given, Mapping | str) and np.ndim(given) > 0)


def converted(given: Any, convert: Callable[[Any], Any]) -> Any:
    """Return numbers converted, which are given by themselves, by value, or by class and value."""
    if not isinstance(given, Mapping):
        return convert(given)
    if is_by_class(given):
        return {label: {value: convert(number) for value, number in by.items()} for label, by in given.items()}
    return {value: convert(number) for value, number in given.items()}


def reordered(given: Any, order: Longs, parameter: str) -> Any:
    """Return numbers with the values in another order, if they are given in an order at all."""
    if not is_listed(given):
        return given
    try:
        numbers = np.asarray(given)
    except ValueError:
        raise ValueError(
            f"{parameter} is {given!r}, whose lines differ in length; give one number per value, or [classes × values]."
        ) from None
    if numbers.shape[-1] != len(order):
        raise ValueError(f"{parameter} has {numbers.shape[-1]} numbers for {len(order)} values; give one for each.")
    return numbers[..., order].tolist()  # lists can be compared as a whole, unlike arrays


def counts_of_values(
    pseudo: Any, values: Sequence[Any], shape: tuple[int, int], classes: Names | None, rest: float | None
) -> Floats:
    """[classes × values] pseudo-counts; ``rest`` is the one of a value that a mapping does not name.

    ``pseudo`` is one number, an array, or a mapping by value or by class and value; ``classes`` are the labels.
    """
    if not isinstance(pseudo, Mapping):
        return broadcast_counts(pseudo, shape, "classes × values")
    if not is_by_class(pseudo):
        return np.broadcast_to(in_order(pseudo, values, "prior", rest), shape)
    if classes is None:
        raise ValueError("prior is by class, but the classes have no labels here; give an array [classes × values].")
    labels = classes.tolist()
    # A class may be given before it is seen, as in a stream, so this is not an error.
    if not any(label in labels for label in pseudo):
        warn_user(f"prior names the classes {', '.join(map(repr, pseudo))}; the rows have {labels} only.", PriorWarning)
    lines = [in_order(pseudo.get(label, {}), values, "prior", rest) for label in labels]
    return np.array(lines, dtype=float).reshape(shape)
