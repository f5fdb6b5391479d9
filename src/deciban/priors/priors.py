"""Priors: pseudo-data that is added to the statistics before parameters are estimated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import LARGEST_WEIGHT
from deciban.arrays.types import Floats, Names
from deciban.priors.counts import as_numbers, broadcast_counts, checked_pseudo_count, in_order
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
    def values(self) -> Sequence[Any] | None:
        """The values that the prior names, None if it names none."""
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
        if isinstance(pseudo, Mapping):
            if names is None:
                raise ValueError(f"prior is {self!r}; values have no names here: give numbers.")
            pseudo = in_order(pseudo, names, "prior")
        return broadcast_counts(pseudo, count.shape, axes)

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

    def __repr__(self) -> str:
        return repr(self.given)

    @property
    def values(self) -> Sequence[Any] | None:
        return list(self.given) if isinstance(self.given, Mapping) else None

    def _pseudo_counts(self, estimation: Estimation, counts: CountTotals | None) -> Any:
        if isinstance(self.given, Mapping):
            return {value: checked_pseudo_count(number, "prior") for value, number in self.given.items()}
        return checked_pseudo_count(self.given, "prior")


@dataclass(frozen=True)
class Dirichlet(Prior):
    """A Dirichlet prior over the values of a feature, or over the classes.

    ``beta`` is one number, one per value, one per class and value, or a mapping from value to number. The most
    probable parameters (``estimate="map"``) add β − 1 pseudo-counts: (n + β − 1) / (N + Σ(β − 1)); their mean
    (``estimate="predictive"``) adds β. ``Dirichlet("evidence")`` takes, column by column, the β that makes the counts
    most probable once the parameters are integrated out, and implies the predictive estimate.

    >>> Dirichlet(2).pseudo_counts(Estimation()), Dirichlet(2).pseudo_counts(Estimation(kind="predictive"))
    (1.0, 2.0)
    """

    beta: ArrayLike | Mapping[Any, Any] | str

    def __post_init__(self) -> None:
        if isinstance(self.beta, str) and self.beta != EVIDENCE:
            raise ValueError(f"beta is {self.beta!r}; give numbers, or 'evidence' to have one chosen.")

    @property
    def by_evidence(self) -> bool:
        return isinstance(self.beta, str)

    @property
    def values(self) -> Sequence[Any] | None:
        return list(self.beta) if isinstance(self.beta, Mapping) else None

    def is_predictive(self, estimation: Estimation) -> bool:
        return super().is_predictive(estimation) or (self.by_evidence and not estimation.is_mle)

    def _pseudo_counts(self, estimation: Estimation, counts: CountTotals | None) -> Any:
        if self.by_evidence:
            if counts is None:
                raise ValueError("Dirichlet('evidence') has no counts to go by here; give numbers.")
            return best_pseudo_count(*counts)
        if isinstance(self.beta, Mapping):
            return {value: _beta_to_count(beta, "Dirichlet", estimation) for value, beta in self.beta.items()}
        return _beta_to_count(self.beta, "Dirichlet", estimation)

    def binary_counts(self, estimation: Estimation, ones: Floats, zeros: Floats) -> tuple[Any, Any]:
        if not self.by_evidence:
            raise _not_for_bernoulli(self)
        pairs = (np.stack(pair, axis=1) for pair in zip(ones.T, zeros.T))
        pseudo = np.array([self.pseudo_counts(estimation, CountTotals.of(pair)) for pair in pairs], dtype=float)
        return pseudo, pseudo


@dataclass(frozen=True)
class Beta(Prior):
    """A Beta(a, b) prior of a Bernoulli feature: the most probable θ is (n + a − 1) / (N + a + b − 2).

    ``a`` belongs to the ones and ``b`` to the zeros; each is one number, one per feature, or classes × features. The
    mean of θ (``estimate="predictive"``) is (n + a) / (N + a + b).
    """

    a: ArrayLike
    b: ArrayLike

    def binary_counts(self, estimation: Estimation, ones: Floats, zeros: Floats) -> tuple[Any, Any]:
        if estimation.is_mle:
            return 0.0, 0.0
        return _beta_to_count(self.a, "Beta", estimation), _beta_to_count(self.b, "Beta", estimation)


@dataclass(frozen=True)
class Gamma(Prior):
    """A Gamma(shape, rate) prior of a Poisson rate: ``shape`` imagined events in ``rate`` imagined rows.

    Each is one number, one per feature, or classes × features. The most probable rate is
    (Σx + shape − 1) / (N + rate); with the rate integrated out, counts are negative binomial.
    """

    shape: ArrayLike
    rate: ArrayLike

    def __post_init__(self) -> None:
        for name in ("shape", "rate"):
            values = as_numbers(getattr(self, name))
            if not ((values > 0) & (values <= LARGEST_WEIGHT)).all():
                raise ValueError(
                    f"{name} is {getattr(self, name)!r}; a Gamma takes numbers greater than 0, up to "
                    f"{LARGEST_WEIGHT:g}."
                )

    def event_counts(self, estimation: Estimation, pooled_rate: Floats) -> tuple[Any, Any]:
        if estimation.is_mle:
            return np.zeros(()), np.zeros(())
        return as_numbers(self.shape) - (estimation.kind == "map"), as_numbers(self.rate)


@dataclass(frozen=True)
class NormalInverseGamma(Prior):
    """``strength`` imagined observations with this mean and variance; None takes the column's pooled value.

    ``strength="evidence"`` takes, column by column, the number that makes the data most probable.
    """

    mean: ArrayLike | None = None
    variance: ArrayLike | None = None
    strength: float | str = 1.0

    def __post_init__(self) -> None:
        if self.strength != EVIDENCE and not 0 <= as_numbers(self.strength) <= LARGEST_WEIGHT:
            raise ValueError(
                f"strength is {self.strength!r}; imagined observations cannot number less than 0 or more than "
                f"{LARGEST_WEIGHT:g}."
            )
        if self.mean is not None and not np.isfinite(as_numbers(self.mean)).all():
            raise ValueError(f"mean is {self.mean!r}; give finite numbers, or None for the column's own mean.")
        spread = 0.0 if self.variance is None else as_numbers(self.variance)
        if not (np.isfinite(spread).all() and (np.asarray(spread) >= 0).all()):
            raise ValueError(f"variance is {self.variance!r}; imagined observations cannot vary by less than 0.")

    @property
    def by_evidence(self) -> bool:
        return bool(self.strength == EVIDENCE)


# What ``prior=`` takes: a pseudo-count, several, {value: pseudo-count}, a prior, or None for the default.
PriorLike: TypeAlias = Prior | ArrayLike | Mapping[Any, Any] | None


def as_prior(value: PriorLike) -> Prior:
    """Return the prior that an event model's ``prior=`` stands for: None, pseudo-counts, or a prior itself."""
    if value is None:
        return DefaultPrior()
    return value if isinstance(value, Prior) else PseudoCounts(value)


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
