"""Priors: pseudo-data that is added to the statistics before parameters are estimated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import LARGEST_WEIGHT
from deciban.arrays.types import Floats, Longs, Names
from deciban.priors.by_value import (
    UNUSED,
    ValueCounts,
    check_by_class,
    converted,
    counts_of_values,
    is_by_class,
    is_listed,
    named_values,
    reordered,
)
from deciban.priors.counts import as_numbers, broadcast_counts, checked_pseudo_count
from deciban.priors.estimation import Estimation
from deciban.priors.evidence import best_pseudo_count

# The parameter of a prior that is chosen so that the statistics are most probable.
EVIDENCE = "evidence"


class CountTotals(NamedTuple):
    """Counts of values by class in short: the counts above 0 of all classes, their sum per class, and the values."""

    entries: Floats
    whole: Floats
    values: int

    @staticmethod
    def of(count: Floats) -> CountTotals:
        """Summarise counts [classes × values]."""
        return CountTotals(count.ravel(), count.sum(axis=-1), count.shape[-1])


class Prior:
    """Pseudo-counts for every kind of count; subclasses say which, and refuse event models they do not belong to."""

    @property
    def by_evidence(self) -> bool:
        """Whether the prior is found by maximising the marginal likelihood of the statistics."""
        return False

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The numbers for every value, as they were given: by themselves, in a list, or by name."""
        return ()

    @property
    def values(self) -> Sequence[Any] | None:
        """The values that the prior names, None if it names none."""
        return named_values(self.parameters)

    @property
    def is_listed(self) -> bool:
        """Whether numbers are given in the order of the values."""
        return any(map(is_listed, self.parameters))

    @property
    def is_by_class(self) -> bool:
        """Whether numbers are given for single classes: {class: {value: number}}, or [classes × values]."""
        return any(is_by_class(given) or (is_listed(given) and np.ndim(given) > 1) for given in self.parameters)

    def reordered(self, order: Longs) -> Prior:
        """Return the prior for values in another order, where it lists them: ``order`` has their former positions."""
        return self

    def default_count(self, estimation: Estimation) -> float | None:
        """Return the pseudo-count of values that the prior does not name; None if it says nothing about them."""
        return None

    def is_predictive(self, estimation: Estimation) -> bool:
        """Return whether parameters are integrated out."""
        return estimation.kind == "predictive"

    def pseudo_counts(self, estimation: Estimation, counts: CountTotals | None = None) -> Any:
        """Return what is added to the counts: a number, an array, or a mapping by value.

        ``counts`` are the counts themselves, for a prior that is found by evidence.
        """
        return 0.0 if estimation.is_mle else self._pseudo_counts(estimation, counts)

    def _pseudo_counts(self, estimation: Estimation, counts: CountTotals | None) -> Any:
        raise ValueError(f"prior is {self!r}; give a pseudo-count or a Dirichlet.")

    def table_counts(self, estimation: Estimation, count: Floats, names: Names | None, axes: str) -> Floats:
        """Return pseudo-counts in the shape of ``count`` [classes × values].

        ``names`` are the labels of the values, which a prior by name needs; ``axes`` words the shape in errors.
        """
        pseudo = self.pseudo_counts(estimation, CountTotals.of(count))
        if not isinstance(pseudo, Mapping):
            return broadcast_counts(pseudo, count.shape, axes)
        if names is None:
            raise ValueError(f"prior is {self!r}; values have no names here: give numbers.")
        rest, classes = self.default_count(estimation), estimation.classes
        return counts_of_values(pseudo, names.tolist(), (len(count), len(names)), classes, rest)

    def value_counts(
        self, estimation: Estimation, values: Sequence[Any], classes: int, counts: CountTotals | None = None
    ) -> ValueCounts:
        """Return the pseudo-counts of some values, and one for all other values: alpha, unless the prior gives it.

        ``values`` are the values that the prior names, or all values if it lists numbers in their order.
        """
        return self._value_counts(self.pseudo_counts(estimation, counts), estimation, values, classes)

    def _value_counts(self, pseudo: Any, estimation: Estimation, values: Sequence[Any], classes: int) -> ValueCounts:
        rest = self.default_count(estimation) if isinstance(pseudo, Mapping) else UNUSED if np.ndim(pseudo) else pseudo
        rest = float(estimation.pseudo_count if rest is None else rest)
        return ValueCounts(rest, counts_of_values(pseudo, values, (classes, len(values)), estimation.classes, rest))

    def binary_value_counts(
        self, estimation: Estimation, values: Sequence[Any], classes: int
    ) -> tuple[ValueCounts, ValueCounts]:
        """Return what ``value_counts`` does, for the ones and for the zeros of values that are there or not."""
        both = self.value_counts(estimation, values, classes)
        return both, both

    def binary_counts(self, estimation: Estimation, ones: Floats, zeros: Floats) -> tuple[Any, Any]:
        """Return the pseudo-counts of ones and of zeros, given their counts [classes × features]."""
        pseudo = self.pseudo_counts(estimation)
        if isinstance(pseudo, Mapping):
            raise _not_for_bernoulli(self)
        return pseudo, pseudo

    def event_counts(self, estimation: Estimation, pooled_rate: Floats) -> tuple[Any, Any]:
        """Return imagined events and the imagined rows they are in, for counts whose pooled rate is given."""
        rows = np.asarray(self.pseudo_counts(estimation))
        return rows * pooled_rate, rows

    def single_count(self, estimation: Estimation, reader: str, counts: CountTotals | None = None) -> float:
        """Return the one pseudo-count that ``reader`` takes, or raise if the prior has several."""
        pseudo = self.pseudo_counts(estimation, counts)
        if np.ndim(pseudo) or not isinstance(pseudo, int | float | np.number):
            raise ValueError(f"prior is {self!r}; {reader} takes one pseudo-count.")
        return float(pseudo)


def _not_for_bernoulli(prior: Prior) -> ValueError:
    return ValueError(f"prior is {prior!r}; a Bernoulli takes a pseudo-count or Beta(a, b).")


@dataclass(frozen=True)
class DefaultPrior(Prior):
    """The pseudo-count of the settings, alpha."""

    def _pseudo_counts(self, estimation: Estimation, counts: CountTotals | None) -> Any:
        return estimation.alpha


@dataclass(frozen=True, repr=False)
class PseudoCounts(Prior):
    """Pseudo-counts as a user gives them: a number, an array, or a mapping from value to number."""

    given: Any

    def __post_init__(self) -> None:
        check_by_class(self.given, "prior")

    def __repr__(self) -> str:
        return repr(self.given)

    @property
    def parameters(self) -> tuple[Any, ...]:
        return (self.given,)

    def _pseudo_counts(self, estimation: Estimation, counts: CountTotals | None) -> Any:
        return converted(self.given, lambda number: checked_pseudo_count(number, "prior"))


@dataclass(frozen=True, repr=False)
class Dirichlet(Prior):
    """A Dirichlet prior over the values of a feature, over words, or over the classes.

    ``beta`` is one number, one per value, one per class and value, or a mapping: {value: β}, or {class: {value: β}}.
    The most probable parameters (``estimate="map"``) add β − 1 pseudo-counts: (n + β − 1) / (N + Σ(β − 1)); their mean
    (``estimate="predictive"``) adds β. ``default`` is the β of values that a mapping does not name; without it words
    have the pseudo-count alpha, and other values must all be named. ``Dirichlet("evidence")`` takes, column by column,
    the β that makes the counts most probable once the parameters are integrated out, and implies the predictive
    estimate.

    >>> Dirichlet(2).pseudo_counts(Estimation()), Dirichlet(2).pseudo_counts(Estimation(kind="predictive"))
    (1.0, 2.0)
    """

    beta: ArrayLike | Mapping[Any, Any] | str
    default: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.beta, str) and self.beta != EVIDENCE:
            raise ValueError(f"beta is {self.beta!r}; give numbers, or 'evidence' to have one chosen.")
        check_by_class(self.beta, "beta")
        if self.default is not None and not isinstance(self.beta, Mapping):
            raise ValueError(
                f"default is {self.default!r}, for values that a mapping does not name, but beta is {self.beta!r}; "
                "give {value: β}, or leave default out."
            )
        if self.default is not None and as_numbers(self.default).ndim:
            raise ValueError(f"default is {self.default!r}; give one number for all values that beta does not name.")

    def __repr__(self) -> str:
        return f"Dirichlet(beta={self.beta!r}{'' if self.default is None else f', default={self.default!r}'})"

    @property
    def by_evidence(self) -> bool:
        return isinstance(self.beta, str)

    @property
    def parameters(self) -> tuple[Any, ...]:
        return (self.beta,)

    def reordered(self, order: Longs) -> Dirichlet:
        return replace(self, beta=reordered(self.beta, order, "beta"))

    def default_count(self, estimation: Estimation) -> float | None:
        return None if self.default is None else float(_beta_to_count(self.default, "Dirichlet", estimation))

    def is_predictive(self, estimation: Estimation) -> bool:
        return super().is_predictive(estimation) or (self.by_evidence and not estimation.is_mle)

    def _pseudo_counts(self, estimation: Estimation, counts: CountTotals | None) -> Any:
        if self.by_evidence:
            if counts is None:
                raise ValueError("Dirichlet('evidence') has no counts to go by here; give numbers.")
            return best_pseudo_count(*counts)
        return converted(self.beta, lambda beta: _beta_to_count(beta, "Dirichlet", estimation))

    def binary_counts(self, estimation: Estimation, ones: Floats, zeros: Floats) -> tuple[Any, Any]:
        if not self.by_evidence:
            raise _not_for_bernoulli(self)
        pairs = (np.stack(pair, axis=1) for pair in zip(ones.T, zeros.T))
        pseudo = np.array([self.pseudo_counts(estimation, CountTotals.of(pair)) for pair in pairs], dtype=float)
        return pseudo, pseudo

    def binary_value_counts(
        self, estimation: Estimation, values: Sequence[Any], classes: int
    ) -> tuple[ValueCounts, ValueCounts]:
        raise _not_for_bernoulli(self)


@dataclass(frozen=True)
class Beta(Prior):
    """A Beta(a, b) prior of a Bernoulli feature: the most probable θ is (n + a − 1) / (N + a + b − 2).

    ``a`` belongs to the ones and ``b`` to the zeros; each is one number, one per feature, or classes × features. The
    mean of θ (``estimate="predictive"``) is (n + a) / (N + a + b). For a set of words, each can be a mapping:
    {word: number}, or {class: {word: number}}; a word that it does not name has the pseudo-count alpha there.
    """

    a: ArrayLike | Mapping[Any, Any]
    b: ArrayLike | Mapping[Any, Any]

    def __post_init__(self) -> None:
        check_by_class(self.a, "a")
        check_by_class(self.b, "b")
        if self.is_listed and self.values is not None:
            raise ValueError("Beta has one parameter by name and one in order; give both by name, or both in order.")

    @property
    def parameters(self) -> tuple[Any, ...]:
        return self.a, self.b

    def reordered(self, order: Longs) -> Beta:
        return Beta(reordered(self.a, order, "a"), reordered(self.b, order, "b"))

    def _counts(self, estimation: Estimation) -> tuple[Any, Any]:
        if estimation.is_mle:
            return 0.0, 0.0
        a, b = (converted(given, lambda beta: _beta_to_count(beta, "Beta", estimation)) for given in self.parameters)
        return a, b

    def binary_counts(self, estimation: Estimation, ones: Floats, zeros: Floats) -> tuple[Any, Any]:
        if self.values is not None:
            raise ValueError(f"prior is {self!r}; values have no names here: give numbers.")
        return self._counts(estimation)

    def binary_value_counts(
        self, estimation: Estimation, values: Sequence[Any], classes: int
    ) -> tuple[ValueCounts, ValueCounts]:
        a, b = (self._value_counts(pseudo, estimation, values, classes) for pseudo in self._counts(estimation))
        return a, b


# What ``prior=`` takes: a pseudo-count, several, {value: pseudo-count}, a prior, or None for the default.
PriorLike: TypeAlias = Prior | ArrayLike | Mapping[Any, Any] | None


def as_prior(value: PriorLike) -> Prior:
    """Return the prior that an event model's ``prior=`` stands for: None, pseudo-counts, or a prior itself."""
    if value is None:
        return DefaultPrior()
    return value if isinstance(value, Prior) else PseudoCounts(value)


def reorder_prior(value: PriorLike, order: Longs) -> PriorLike:
    """Return what ``prior=`` was given, for values in another order: ``order`` has their former positions."""
    return value.reordered(order) if isinstance(value, Prior) else reordered(value, order, "prior")


def _beta_to_count(beta: Any, name: str, estimation: Estimation) -> Any:
    """Return the pseudo-count of a parameter β: β − 1 for the most probable parameters, β for their mean."""
    values, less = as_numbers(beta), float(estimation.kind == "map")
    if less and (values < 1).any():
        raise ValueError(
            f"{name} parameters are {beta}; estimate='map' needs every one at least 1 (1 = no smoothing), "
            "estimate='predictive' takes smaller ones."
        )
    if not ((values > 0) & (values <= LARGEST_WEIGHT)).all():
        raise ValueError(f"{name} parameters are {beta}; each must be greater than 0 and at most {LARGEST_WEIGHT:g}.")
    return values - less if values.ndim else float(values) - less
