"""Drop-ins for scikit-learn's discrete naive Bayes: same parameters, attributes and numbers.

Where scikit-learn is merely odd they follow it; where it miscounts in silence they raise.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names, name_array, sort_names
from deciban.arrays.types import Codes, Floats, Names
from deciban.choosing.trained import Trained
from deciban.errors import warn_user
from deciban.estimators.base import all_or_nothing
from deciban.estimators.describing import DescribingEstimator
from deciban.likelihoods import Bernoulli, Complement, Likelihood, Multinomial
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.settings import Settings
from deciban.model.summarize import summarize
from deciban.priors.class_prior import Improper, class_log_prior
from deciban.priors.counts import as_numbers, broadcast_counts, log, share
from deciban.priors.estimation import Estimation
from deciban.statistics import Statistics, Sums

LEAST_ALPHA = 1e-10


@dataclass(frozen=True, eq=False)
class Batch:
    """Labels and weights of some rows."""

    names: Names
    codes: Codes
    weight: Floats | None


class DropIn(DescribingEstimator):
    """Fit, partial_fit and declared classes as scikit-learn has them."""

    _number_type: Any = "numeric"

    @abstractmethod
    def _likelihood(self) -> Likelihood:
        """Return the event model that the parameters describe."""

    @abstractmethod
    def _settings(self) -> Settings:
        """Return the settings that the parameters describe."""

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows X, labels y and optional weights."""
        x = self._validated(X, reset=True)
        names, codes = self._complete_targets(x.shape[0], y)
        return self._learn(None, x, Batch(names, codes, self._row_weight(x.shape[0], sample_weight)), names)

    @all_or_nothing
    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add rows; the first call declares all classes, and a label outside them is an error."""
        before = self._counted()
        declared = self._declared(classes)
        x = self._validated(X, reset=before is None)
        names, codes = self._complete_targets(x.shape[0], y)
        unknown = names[find_names(names, declared) < 0]
        if len(unknown):
            raise ValueError(
                f"The target label(s) {unknown} in y do not exist in the initial classes {declared}; declare all "
                "classes on the first call, or use NaiveBayes, which takes new ones at any time."
            )
        return self._learn(before, x, Batch(names, codes, self._row_weight(x.shape[0], sample_weight)), declared)

    def _complete_targets(self, rows: int, y: Any) -> tuple[Names, Codes]:
        """Return class labels, sorted, and the code of every row, or raise if a label is missing."""
        names, codes = self._targets(rows, y)
        if len(codes) and codes.min() < 0:
            raise ValueError(
                "Input y contains NaN or None: a row without a label cannot be trained on; drop such rows."
            )
        return names, codes

    def _declared(self, classes: Any) -> Names:
        """Return the classes that the first call declared."""
        first = self._counted() is None
        if classes is None:
            if first:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return self.classes_
        names = name_array(np.asarray(classes) if hasattr(classes, "dtype") else classes)
        given = sort_names(names)[0]
        if first:
            return given
        if len(names) != len(given) or not np.array_equal(given, self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        return self.classes_

    def _learn(self, before: Classifier | None, x: Frame, batch: Batch, classes: Names) -> Self:
        """Add a batch to what was learned before, if anything was."""
        groups = (Group(None, self._likelihood()),)
        return self._keep_sum(before, self._summarize(x, batch, groups), groups, classes)

    def _summarize(self, x: Frame, batch: Batch, groups: tuple[Group, ...]) -> Statistics:
        labels = Labels(len(batch.names), batch.codes, batch.weight)
        return summarize(x, batch.names, labels, groups, None)

    def _keep_sum(
        self, before: Classifier | None, batch: Statistics, groups: tuple[Group, ...], classes: Names
    ) -> Self:
        statistics = batch if before is None else before.statistics + batch
        classifier = Classifier(groups, statistics, self._settings(), classes)
        _ = classifier.model  # bad settings raise here, and the old model stays
        self._trained = Trained(classifier)
        return self

    @property
    def class_count_(self) -> Floats:
        """Weight of every class."""
        return self._seen("class_count_").weight

    def _seen(self, attribute: str) -> Statistics:
        """Return the statistics over all declared classes."""
        classifier = self._learned(attribute)
        return classifier.statistics.on(classifier.model.classes)

    def _block(self, attribute: str) -> Any:
        return self._seen(attribute).blocks[0]

    def _scorer(self, attribute: str) -> Any:
        return self._learned(attribute).model.parts[0].scorer


class DiscreteNB(DropIn):
    """The parameters scikit-learn's discrete estimators share."""

    _positive_only: ClassVar[bool] = False  # whether negative cells are refused

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _settings(self) -> Settings:
        for name in ("fit_prior", "force_alpha"):
            if not isinstance(getattr(self, name, True), bool | np.bool_):
                raise ValueError(f"The {name!r} parameter must be True or False. Got {getattr(self, name)!r} instead.")
        return Settings(Estimation(), self._prior(), strict=type(self).__name__)

    def _prior(self) -> Any:
        if self.class_prior is not None:
            return as_numbers(self.class_prior)
        return None if self.fit_prior else "uniform"

    def _alpha(self) -> Any:
        """Return the pseudo-counts, checked as scikit-learn does."""
        alpha: Any = self.alpha if isinstance(self.alpha, Real) else as_numbers(self.alpha)
        if isinstance(alpha, np.ndarray):
            if alpha.shape != (self.n_features_in_,):
                raise ValueError(
                    "When alpha is an array, it should contains `n_features`. "
                    f"Got {alpha.size} elements instead of {self.n_features_in_}."
                )
            if (alpha < 0).any():
                raise ValueError("All values in alpha must be greater than 0.")
        elif not 0 <= alpha < np.inf:
            raise ValueError(
                f"The 'alpha' parameter of {type(self).__name__} must be at least 0. Got {alpha!r} instead."
            )
        if np.min(alpha) < LEAST_ALPHA and not self.force_alpha:
            warn_user(
                f"alpha too small will result in numeric errors, setting alpha = {LEAST_ALPHA:.1e}. Use "
                "`force_alpha=True` to keep alpha unchanged.",
            )
            return np.maximum(alpha, LEAST_ALPHA)
        return alpha

    @property
    def class_log_prior_(self) -> Floats:
        """log P(class)."""
        return self._learned("class_log_prior_").model.log_prior

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._positive_only
        tags.classifier_tags.poor_score = True
        return tags


class CountNB(DiscreteNB):
    """The attributes that estimators over counts share."""

    @property
    def feature_count_(self) -> Floats:
        """Weighted total of every feature per class."""
        return np.asarray(self._block("feature_count_").total)

    @property
    def feature_log_prob_(self) -> Any:
        """log P(feature | class)."""
        return self._scorer("feature_log_prob_").weight


@dataclass(frozen=True)
class Bag(Multinomial):
    """Multinomial that refuses missing values on behalf of MultinomialNB."""

    name: ClassVar[str] = "MultinomialNB"
    complete: ClassVar[bool] = True


class MultinomialNB(CountNB):
    """Naive Bayes for counts, as scikit-learn's ``MultinomialNB``.

    >>> nb = MultinomialNB().fit([[2, 0], [0, 3]], ["a", "b"])
    >>> nb.predict([[1, 0]]).tolist()
    ['a']
    """

    _positive_only = True

    def _likelihood(self) -> Likelihood:
        return Bag(prior=self._alpha())


@dataclass(frozen=True)
class ComplementBag(Complement):
    """Complement that refuses missing values on behalf of ComplementNB."""

    name: ClassVar[str] = "ComplementNB"
    complete: ClassVar[bool] = True


class ComplementNB(CountNB):
    """Complement naive Bayes, as scikit-learn's ``ComplementNB``: the class prior only counts with a single class.

    >>> nb = ComplementNB().fit([[2, 0], [0, 3]], ["a", "b"])
    >>> nb.predict([[1, 0]]).tolist()
    ['a']
    """

    _positive_only = True

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        norm: bool = False,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.norm = norm

    def _likelihood(self) -> Likelihood:
        return ComplementBag(prior=self._alpha(), norm=self.norm)

    def _settings(self) -> Settings:
        return replace(super()._settings(), class_prior=Improper())

    def _keep_sum(
        self, before: Classifier | None, batch: Statistics, groups: tuple[Group, ...], classes: Names
    ) -> Self:
        super()._keep_sum(before, batch, groups, classes)
        # Only a single class's prior counts, but a wrong one is an error all the same.
        seen = self._seen("class_log_prior_")
        self._log_prior = class_log_prior(self._prior(), seen.classes, seen.weight, Estimation())
        return self

    @property
    def class_log_prior_(self) -> Floats:
        """log P(class)."""
        self._learned("class_log_prior_")
        return self._log_prior

    @property
    def feature_all_(self) -> Floats:
        """Weighted total of every feature over all classes."""
        return np.asarray(self.feature_count_.sum(axis=0))


@dataclass(frozen=True)
class Presence(Bernoulli):
    """Bernoulli that refuses missing values on behalf of BernoulliNB, and takes any number as scikit-learn does."""

    name: ClassVar[str] = "BernoulliNB"
    complete: ClassVar[bool] = True
    strict: ClassVar[bool] = False


class BernoulliNB(CountNB):
    """Naive Bayes for binary features, as scikit-learn's ``BernoulliNB``: x counts as 1 where x > binarize.

    >>> nb = BernoulliNB().fit([[1, 0], [0, 1]], ["a", "b"])
    >>> nb.predict([[1, 0]]).tolist()
    ['a']
    """

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.binarize = binarize

    def _likelihood(self) -> Likelihood:
        threshold = self.binarize
        if threshold is not None and not (isinstance(threshold, Real) and threshold >= 0):
            raise ValueError(
                f"The 'binarize' parameter must be None or a number of at least 0. Got {threshold!r} instead."
            )
        return Presence(prior=self._alpha(), threshold=None if threshold is None else float(threshold))

    @property
    def feature_log_prob_(self) -> Floats:
        """log P(feature = 1 | class)."""
        sums: Sums = self._block("feature_log_prob_")
        fitted: Any = self._fitted().groups[0].likelihood
        alpha = broadcast_counts(fitted.prior, sums.total.shape, "classes × features")
        return log(share(np.stack([sums.total + alpha, sums.weight - sums.total + alpha]), axis=0)[0])
