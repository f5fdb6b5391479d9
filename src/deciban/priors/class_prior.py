"""The prior of the classes: as frequent as in training, uniform, given, or smoothed; and the classes' weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.names import name_array
from deciban.arrays.types import Floats, Names
from deciban.errors import setting
from deciban.priors.by_value import is_by_class
from deciban.priors.counts import as_numbers, broadcast_counts, checked_pseudo_count, in_order, log, share
from deciban.priors.estimation import Estimation
from deciban.priors.priors import Dirichlet, Prior, as_prior


class ClassPrior:
    """P(class), from the weights of the classes or without them."""

    def log_probability(self, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
        """Return log P(class) for classes of the given weights [… × classes]."""
        raise NotImplementedError

    def pseudo_count(self, estimation: Estimation) -> float | None:
        """Return the number added to the count of every class, None if the prior is not a smoothed count."""
        return None

    def pseudo_counts(self, classes: Names, estimation: Estimation) -> Floats:
        """[classes] numbers added to the counts of classes; 0 if the prior is not a smoothed count."""
        return np.zeros(len(classes))


@dataclass(frozen=True)
class Empirical(ClassPrior):
    """The shares of the classes in the training rows."""

    def log_probability(self, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
        return log(share(weight))

    def pseudo_count(self, estimation: Estimation) -> float:
        return 0.0


@dataclass(frozen=True)
class Uniform(ClassPrior):
    """Equal probabilities for all classes."""

    def log_probability(self, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
        return log(share(np.ones(len(classes))))


@dataclass(frozen=True)
class Improper(ClassPrior):
    """No class prior at all: scores are compared as they are, as in complement naive Bayes."""

    def log_probability(self, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
        return np.zeros(len(classes))


@dataclass(frozen=True)
class Smoothed(ClassPrior):
    """Shares of the classes with pseudo-counts: (n + β − 1) / (N + Σ(β − 1)) for a Dirichlet."""

    prior: Prior

    def log_probability(self, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
        return log(share(weight + self.pseudo_counts(classes, estimation)))

    def pseudo_counts(self, classes: Names, estimation: Estimation) -> Floats:
        pseudo = self.prior.pseudo_counts(estimation)
        if isinstance(pseudo, Mapping):
            if is_by_class(pseudo):
                raise ValueError(f"{setting('class_prior')} is {self.prior!r}; give one number per class.")
            default = self.prior.default_count(estimation)
            pseudo = in_order(pseudo, classes.tolist(), "class_prior", default)
        return broadcast_counts(pseudo, (len(classes),), "the classes")

    def pseudo_count(self, estimation: Estimation) -> float | None:
        pseudo = self.prior.pseudo_counts(estimation)
        return float(pseudo) if isinstance(pseudo, float | int | np.number) else None


@dataclass(frozen=True)
class Given(ClassPrior):
    """Probabilities that the user gives, by label or in the order of the classes."""

    probability: Any

    def log_probability(self, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
        if not isinstance(self.probability, Mapping):
            return log(checked_distribution(as_numbers(self.probability), classes))
        # A class may be given before it is seen; until then the others share its part.
        values = np.array(list(self.probability.values()), dtype=float)
        checked_distribution(values, name_array(self.probability))
        return log(share(in_order(self.probability, classes.tolist(), "class_prior")))


# What ``class_prior=`` takes: None for the shares in the data, "uniform", {label: p}, a pseudo-count or a Dirichlet.
ClassPriorLike: TypeAlias = ClassPrior | Prior | ArrayLike | Mapping[Any, float] | None


def as_class_prior(value: ClassPriorLike) -> ClassPrior:
    """Return the class prior that a setting stands for: None, "uniform", {label: p}, numbers, or Dirichlet(beta)."""
    if value is None:
        return Empirical()
    if isinstance(value, ClassPrior):
        return value
    if isinstance(value, str):
        if value != "uniform":
            raise ValueError(
                f"{setting('class_prior')} is {value!r}; it can be None, 'uniform', {{label: p}} or Dirichlet(beta)."
            )
        return Uniform()
    if isinstance(value, Dirichlet):
        return Smoothed(value)
    if np.isscalar(value):
        return Smoothed(as_prior(checked_pseudo_count(value, "class_prior")))
    return Given(value)


def class_log_prior(prior: ClassPriorLike, classes: Names, weight: Floats, estimation: Estimation) -> Floats:
    """Return log P(class) under a class prior as settings give it.

    >>> np.exp(class_log_prior(Dirichlet(2), np.array([0, 1]), np.array([5.0, 9.0]), Estimation())).tolist()
    [0.375, 0.625]
    """
    return as_class_prior(prior).log_probability(classes, weight, estimation)


def log_class_weight(weight: str | Mapping[Any, float], classes: Names, log_prior: Floats) -> Floats:
    """Return the logarithm of every class's weight: one number each, or "balanced" to cancel the prior."""
    if isinstance(weight, str) and weight == "balanced":
        return -np.where(np.isfinite(log_prior), log_prior, 0.0)
    if not isinstance(weight, Mapping):
        raise ValueError(f"{setting('class_weight')} is {weight!r}; it can be None, 'balanced' or {{label: weight}}.")
    # A class may be given before it is seen, as in a stream; but not only classes that were never seen.
    if weight and not any(label in classes.tolist() for label in weight):
        raise ValueError(
            f"{setting('class_weight')} names {', '.join(map(repr, weight))}, but the classes are {classes.tolist()}."
        )
    values = as_numbers([weight.get(label, 1.0) for label in classes.tolist()])
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError(f"{setting('class_weight')} is {weight!r}; weights are finite numbers greater than 0.")
    return log(values)


def checked_distribution(given: Floats, classes: Names) -> Floats:
    """Return probabilities of the classes, or raise if they are not one per class, negative, or do not sum to 1."""
    if given.shape != (len(classes),):
        raise ValueError(
            f"Number of priors must match number of classes: {setting('class_prior')} has shape {given.shape} "
            f"for the {len(classes)} classes {classes.tolist()}."
        )
    if not (given >= 0).all():
        raise ValueError(f"Priors must be non-negative: {setting('class_prior')} is {given.tolist()}.")
    if not np.isclose(given.sum(), 1.0):
        raise ValueError(
            f"The sum of the priors should be 1: {setting('class_prior')} sums to {given.sum():g}; divide by that."
        )
    return given
