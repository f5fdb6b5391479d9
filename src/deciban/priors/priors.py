"""Priors: pseudo-data in the same group as the statistics, and the prior of the classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import Floats, Names, name_array
from deciban.priors.evidence import best_pseudo_count

ESTIMATES = ("mle", "map", "predictive")

# A prior whose strength makes the statistics most probable.
EVIDENCE = "evidence"
# A pseudo-count that is chosen on rows.
AUTO = "auto"


@dataclass(frozen=True)
class Dirichlet:
    """A Dirichlet prior over the values of a feature, or over the classes.

    ``beta`` is one number, one per value, one per class and value, or a mapping from value to number. The most
    probable parameters (``estimate="map"``) add β − 1 pseudo-counts: (n + β − 1) / (N + Σ(β − 1)); their mean
    (``estimate="predictive"``) adds β. ``Dirichlet("evidence")`` takes, column by column, the β that makes the counts
    most probable once the parameters are integrated out, and implies the predictive estimate.

    >>> Estimation().pseudo_counts(Dirichlet(2)), Estimation(kind="predictive").pseudo_counts(Dirichlet(2))
    (1.0, 2.0)
    """

    beta: Any

    def __post_init__(self) -> None:
        if isinstance(self.beta, str) and self.beta != EVIDENCE:
            raise ValueError(f"beta is {self.beta!r}; give numbers, or 'evidence' to have one chosen.")

    @property
    def by_evidence(self) -> bool:
        return isinstance(self.beta, str)

    def pseudo_counts(self, kind: str) -> Any:
        if isinstance(self.beta, Mapping):
            return {value: _pseudo_count(beta, "Dirichlet", kind) for value, beta in self.beta.items()}
        return _pseudo_count(self.beta, "Dirichlet", kind)


@dataclass(frozen=True)
class Beta:
    """A Beta(a, b) prior of a Bernoulli feature: the most probable θ is (n + a − 1) / (N + a + b − 2).

    ``a`` belongs to the ones and ``b`` to the zeros; each is one number, one per feature, or classes × features. The
    mean of θ (``estimate="predictive"``) is (n + a) / (N + a + b).
    """

    a: Any
    b: Any

    def pseudo_counts(self, kind: str) -> tuple[Any, Any]:
        return _pseudo_count(self.a, "Beta", kind), _pseudo_count(self.b, "Beta", kind)


@dataclass(frozen=True)
class Gamma:
    """A Gamma(shape, rate) prior of a Poisson rate: ``shape`` imagined events in ``rate`` imagined rows.

    Each is one number, one per feature, or classes × features. The most probable rate is
    (Σx + shape − 1) / (N + rate); with the rate integrated out, counts are negative binomial.
    """

    shape: Any
    rate: Any

    def __post_init__(self) -> None:
        for name in ("shape", "rate"):
            values = as_numbers(getattr(self, name))
            if not (np.isfinite(values).all() and (values > 0).all()):
                raise ValueError(f"{name} is {getattr(self, name)!r}; a Gamma takes numbers greater than 0.")


@dataclass(frozen=True)
class Improper:
    """No class prior at all: scores are compared as they are, as in complement naive Bayes."""


@dataclass(frozen=True)
class NormalInverseGamma:
    """``strength`` imagined observations with this mean and variance; None takes the column's pooled value.

    ``strength="evidence"`` takes, column by column, the number that makes the data most probable.
    """

    mean: Any = None
    variance: Any = None
    strength: Any = 1.0

    def __post_init__(self) -> None:
        if self.strength != EVIDENCE and not 0 <= as_numbers(self.strength) < np.inf:
            raise ValueError(f"strength is {self.strength!r}; imagined observations cannot number less than 0.")
        if self.mean is not None and not np.isfinite(as_numbers(self.mean)).all():
            raise ValueError(f"mean is {self.mean!r}; give finite numbers, or None for the column's own mean.")
        spread = 0.0 if self.variance is None else as_numbers(self.variance)
        if not (np.isfinite(spread).all() and (np.asarray(spread) >= 0).all()):
            raise ValueError(f"variance is {self.variance!r}; imagined observations cannot vary by less than 0.")


def _pseudo_count(beta: Any, name: str, kind: str) -> Any:
    """β itself where parameters are integrated out, and one less where the most probable are taken."""
    values, less = as_numbers(beta), float(kind == "map")
    if not np.isfinite(values).all() or ((values < 1).any() and less):
        raise ValueError(
            f"{name} parameters are {beta}; estimate='map' needs every one at least 1 (1 = no smoothing), "
            "estimate='predictive' takes smaller ones."
        )
    if not (values > 0).all():
        raise ValueError(f"{name} parameters are {beta}; each must be greater than 0.")
    return values - less if values.ndim else float(values) - less


@dataclass(frozen=True)
class Estimation:
    """How parameters follow from statistics: the default pseudo-count, and whether priors count at all."""

    alpha: Any = 1.0
    kind: str = "map"

    def __post_init__(self) -> None:
        if self.kind not in ESTIMATES:
            raise ValueError(f"estimate is {self.kind!r}; it can be {' or '.join(map(repr, ESTIMATES))}.")
        if self.open:
            return
        if isinstance(self.alpha, str):
            raise ValueError(f"alpha is {self.alpha!r}; give a number of at least 0, or 'auto' to have one chosen.")
        checked_pseudo_count(self.alpha, "alpha")

    @property
    def open(self) -> bool:
        """Whether the pseudo-count is still to be chosen."""
        return isinstance(self.alpha, str) and self.alpha == AUTO

    def predictive(self, prior: Any) -> bool:
        """Whether parameters are integrated out."""
        return self.kind == "predictive" or (self.kind != "mle" and isinstance(prior, Dirichlet) and prior.by_evidence)

    def pseudo_counts(self, prior: Any, count: Floats | None = None) -> Any:
        """What to add to the counts: 0 for maximum likelihood, else the prior's, else alpha.

        A bare number, array or mapping is the pseudo-count itself; a Dirichlet adds its parameters, less one where the
        most probable parameters are taken. ``count`` (classes × values) is what Dirichlet("evidence") goes by.
        """
        if self.kind == "mle":
            return 0.0
        if prior is None:
            return self.alpha
        if isinstance(prior, Dirichlet) and prior.by_evidence:
            if count is None:
                raise ValueError("Dirichlet('evidence') has no counts to go by here; give numbers.")
            return best_pseudo_count(count.ravel(), count.sum(axis=-1), count.shape[-1])
        if isinstance(prior, Dirichlet):
            return prior.pseudo_counts(self.kind)
        if isinstance(prior, Mapping):
            return {value: checked_pseudo_count(count, "prior") for value, count in prior.items()}
        return checked_pseudo_count(prior, "prior")

    def beta_counts(self, prior: Any) -> tuple[Any, Any]:
        """The same for ones and for zeros: a Beta has its own for each, a bare number serves both."""
        if isinstance(prior, Beta) and self.kind != "mle":
            return prior.pseudo_counts(self.kind)
        if isinstance(prior, Dirichlet | Mapping):
            raise ValueError(f"prior is {prior!r}; a Bernoulli takes a pseudo-count or Beta(a, b).")
        count = 0.0 if self.kind == "mle" else self.pseudo_counts(prior)
        return count, count


def checked_pseudo_count(value: Any, name: str) -> Any:
    numbers = as_numbers(value)
    if not (np.isfinite(numbers).all() and (numbers >= 0).all()):
        raise ValueError(f"{name} is {value!r}; a pseudo-count is a number of at least 0 (0 = maximum likelihood).")
    return numbers if numbers.ndim else float(numbers)


def as_numbers(value: Any) -> Floats:
    """Numbers as an array; NaN stands for anything that is none, such as text or True."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        return np.array(np.nan)
    return array.astype(float)


def fitted_to(pseudo: Any, shape: tuple[int, ...], what: str) -> Floats:
    """Pseudo-counts over ``shape``: one number, one per value, or one per class and value."""
    try:
        return np.broadcast_to(np.asarray(pseudo, dtype=float), shape)
    except ValueError:
        raise ValueError(
            f"pseudo-counts of shape {np.shape(pseudo)} do not fit {what} {shape}; "
            "give one number, one per value, or one per class and value."
        ) from None


def share(count: Floats, axis: int = -1) -> Floats:
    """Counts as probabilities along an axis; where nothing was counted, every value is as likely as the next."""
    whole = count.sum(axis=axis, keepdims=True)
    return np.where(whole > 0, count / np.where(whole > 0, whole, 1.0), 1.0 / max(1, count.shape[axis]))


def log_shares(count: Floats) -> Floats:
    """``log(share(count))`` in the memory of ``count``, which may be large; the caller has no other use for it."""
    whole = count.sum(axis=-1, keepdims=True)
    np.divide(count, np.where(whole > 0, whole, 1.0), out=count)
    if not (whole > 0).all():
        count[whole[..., 0] <= 0] = 1.0 / max(1, count.shape[-1])
    with np.errstate(divide="ignore"):
        return np.log(count, out=count)


def log(probability: ArrayLike) -> Floats:
    """The logarithm, −inf at a true zero, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(probability)


def class_log_prior(prior: Any, classes: Names, weight: Floats, how: Estimation) -> Floats:
    """log P(class): empirical (None), "uniform", given ({label: p} or one per class), or smoothed (Dirichlet, number).

    >>> np.exp(class_log_prior(Dirichlet(2), np.array([0, 1]), np.array([5.0, 9.0]), Estimation())).tolist()
    [0.375, 0.625]
    """
    if prior is None:
        return log(share(weight))
    if isinstance(prior, Improper):
        return np.zeros(len(classes))
    if isinstance(prior, str):
        if prior != "uniform":
            raise ValueError(f"class_prior is {prior!r}; it can be None, 'uniform', {{label: p}} or Dirichlet(beta).")
        return log(share(np.ones(len(classes))))
    if isinstance(prior, Dirichlet) or np.isscalar(prior):
        if not isinstance(prior, Dirichlet):
            checked_pseudo_count(prior, "class_prior")
        pseudo = how.pseudo_counts(prior)
        if isinstance(pseudo, Mapping):
            pseudo = by_label(pseudo, classes, "class_prior")
        return log(share(weight + fitted_to(pseudo, weight.shape, "the classes")))
    if not isinstance(prior, Mapping):
        return log(checked_distribution(as_numbers(prior), classes))
    # A class may be given before it is seen; until then the others share its part.
    checked_distribution(np.array(list(prior.values()), dtype=float), name_array(prior))
    return log(share(by_label(prior, classes, "class_prior")))


def log_class_weight(weight: Any, classes: Names, log_prior: Floats) -> Floats:
    """The logarithm of how much each class matters: one number each, or "balanced" so that all matter the same."""
    if isinstance(weight, str) and weight == "balanced":
        return -np.where(np.isfinite(log_prior), log_prior, 0.0)
    if not isinstance(weight, Mapping):
        raise ValueError(f"class_weight is {weight!r}; it can be None, 'balanced' or {{label: weight}}.")
    unknown = [label for label in weight if label not in classes.tolist()]
    if unknown:
        raise ValueError(f"class_weight names {unknown[0]!r}, which is not among the classes {classes.tolist()}.")
    values = as_numbers([weight.get(label, 1.0) for label in classes.tolist()])
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError(f"class_weight is {weight!r}; weights are finite numbers greater than 0.")
    return log(values)


def by_label(values: Mapping[Any, Any], labels: Names, name: str) -> Floats:
    """A mapping's numbers in the order of the labels, each label exactly once."""
    lost = [label for label in labels.tolist() if label not in values]
    if lost:
        raise ValueError(f"{name} says nothing about {lost[0]!r}; give a number for each of {labels.tolist()}.")
    return np.array([values[label] for label in labels.tolist()], dtype=float)


def checked_distribution(given: Floats, classes: Names) -> Floats:
    if given.shape != (len(classes),):
        raise ValueError(
            f"Number of priors must match number of classes: class_prior has shape {given.shape} "
            f"for the {len(classes)} classes {classes.tolist()}."
        )
    if not (given >= 0).all():
        raise ValueError(f"Priors must be non-negative: class_prior is {given.tolist()}.")
    if not np.isclose(given.sum(), 1.0):
        raise ValueError(f"The sum of the priors should be 1: class_prior sums to {given.sum():g}; divide by that.")
    return given
