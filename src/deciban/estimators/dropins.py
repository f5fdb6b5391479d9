"""Drop-ins for scikit-learn's discrete naive Bayes: same parameters, attributes and numbers.

Where scikit-learn is merely odd they follow it; where it miscounts in silence they raise.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import assert_all_finite, validate_data

from deciban.classifier import Classifier, Group, Settings, empty, summarize
from deciban.estimators.base import Estimator, all_or_nothing
from deciban.labels import Floats, Labels, Names, find, sort_names
from deciban.likelihoods import Bernoulli, Categorical, Complement, Likelihood, Multinomial
from deciban.matrix import Matrix
from deciban.prior import Estimation, Improper, class_log_prior, fitted_to, log, share
from deciban.scorers import Table
from deciban.statistics import Block, Statistics, Sums, Tables

LEAST_ALPHA = 1e-10


class DropIn(Estimator):
    """Fit, partial_fit and declared classes as scikit-learn has them."""

    _number_type: Any = "numeric"

    @abstractmethod
    def _likelihood(self) -> Likelihood:
        """The event model these parameters describe."""

    @abstractmethod
    def _settings(self) -> Settings:
        """The opinions these parameters describe."""

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X, labels y and optional weights."""
        x = self._training_rows(X, reset=True)
        names, codes = self._targets(x, y)
        batch = self._batch(x, names, codes, sample_weight)
        return self._learn(None, batch, names, x, sample_weight)

    @all_or_nothing
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows; the first call declares all classes, and a label outside them is an error."""
        before = getattr(self, "_classifier", None)
        declared = self._declared(classes)
        x = self._training_rows(X, reset=before is None)
        names, codes = self._targets(x, y)
        unknown = names[find(names, declared) < 0]
        if len(unknown):
            raise ValueError(
                f"The target label(s) {unknown} in y do not exist in the initial classes {declared}; declare all "
                "classes on the first call, or use NaiveBayes, which takes new ones at any time."
            )
        return self._learn(before, self._batch(x, names, codes, sample_weight), declared, x, sample_weight)

    def _declared(self, classes: Any) -> Names:
        first = not hasattr(self, "_classifier")
        if classes is None:
            if first:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return self.classes_
        given = np.sort(np.asarray(classes))
        if first:
            return sort_names(given)[0]
        if not np.array_equal(given, self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        return self.classes_

    def _batch(self, x: Matrix, names: Names, codes: Any, weight: Any) -> Statistics:
        labels = Labels(len(names), codes, self._row_weight(x, weight))
        batch = summarize(x, names, labels, (Group(None, self._likelihood()),), None)
        # Fewer cells than rows were counted: something may be missing, which these estimators refuse.
        if not batch.blocks[0].complete(batch.weight):
            assert_all_finite(x if isinstance(x, np.ndarray) else x.values, input_name="X")
        return batch

    def _learn(
        self, before: Classifier | None, batch: Statistics, classes: Names, x: Matrix, sample_weight: Any
    ) -> Self:
        groups = (Group(None, self._likelihood()),)
        statistics = empty(groups, x.shape[1]) if before is None else before.statistics
        classifier = Classifier(groups, statistics + batch, self._settings(), classes)
        _ = classifier.model  # bad settings raise here, and the old model stays
        self._classifier = classifier
        return self

    @property
    def class_count_(self) -> Floats:
        """Weight of every class."""
        return self._seen("class_count_").weight

    def _seen(self, attribute: str) -> Statistics:
        classifier = self._learned(attribute)
        return classifier.statistics.on(classifier.model.classes)

    def _block(self, attribute: str) -> Any:
        return self._seen(attribute).blocks[0]

    def _scorer(self, attribute: str) -> Any:
        return self._learned(attribute).model.parts[0].scorer


class DiscreteNB(DropIn):
    """The parameters scikit-learn's discrete estimators share."""

    def __init__(
        self, *, alpha: Any = 1.0, force_alpha: bool = True, fit_prior: bool = True, class_prior: Any = None
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _settings(self) -> Settings:
        return Settings(Estimation(), self._prior(), strict=type(self).__name__)

    def _prior(self) -> Any:
        if self.class_prior is not None:
            return np.asarray(self.class_prior, dtype=float)
        return None if self.fit_prior else "uniform"

    def _alpha(self) -> Any:
        """The pseudo-counts, checked as scikit-learn does."""
        alpha: Any = self.alpha if isinstance(self.alpha, Real) else np.asarray(self.alpha, dtype=float)
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
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {LEAST_ALPHA:.1e}. Use "
                "`force_alpha=True` to keep alpha unchanged.",
                stacklevel=4,
            )
            return np.maximum(alpha, LEAST_ALPHA)
        return alpha

    @property
    def class_log_prior_(self) -> Floats:
        """log P(class)."""
        seen = self._seen("class_log_prior_")
        return class_log_prior(self._prior(), seen.classes, seen.weight, Estimation())

    @property
    def feature_count_(self) -> Floats:
        """Weighted total of every feature per class."""
        return np.asarray(self._block("feature_count_").total)

    @property
    def feature_log_prob_(self) -> Any:
        """log P(feature | class)."""
        return self._scorer("feature_log_prob_").weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        return tags


@dataclass(frozen=True)
class Bag(Multinomial):
    name: ClassVar[str] = "MultinomialNB"


class MultinomialNB(DiscreteNB):
    """Naive Bayes for counts, as scikit-learn's ``MultinomialNB``.

    >>> nb = MultinomialNB().fit([[2, 0], [0, 3]], ["a", "b"])
    >>> nb.predict([[1, 0]]).tolist()
    ['a']
    """

    def _likelihood(self) -> Likelihood:
        return Bag(prior=self._alpha())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


@dataclass(frozen=True)
class OthersBag(Complement):
    name: ClassVar[str] = "ComplementNB"


class ComplementNB(DiscreteNB):
    """Complement naive Bayes, as scikit-learn's ``ComplementNB``: the class prior only counts with a single class.

    >>> nb = ComplementNB().fit([[2, 0], [0, 3]], ["a", "b"])
    >>> nb.predict([[1, 0]]).tolist()
    ['a']
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.norm = norm

    def _likelihood(self) -> Likelihood:
        return OthersBag(prior=self._alpha(), norm=self.norm)

    def _learn(self, before: Classifier | None, batch: Statistics, classes: Names, x: Matrix, weight: Any) -> Self:
        seen = batch.on(classes)
        class_log_prior(self._prior(), classes, seen.weight, Estimation())  # a wrong prior is an error even unused
        return super()._learn(before, batch, classes, x, weight)

    def _settings(self) -> Settings:
        return replace(super()._settings(), class_prior=Improper())

    @property
    def feature_all_(self) -> Floats:
        """Weighted total of every feature over all classes."""
        return np.asarray(self.feature_count_.sum(axis=0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


@dataclass(frozen=True)
class Presence(Bernoulli):
    name: ClassVar[str] = "BernoulliNB"

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, threshold=self.threshold, name=self.name)


class BernoulliNB(DiscreteNB):
    """Naive Bayes for binary features, as scikit-learn's ``BernoulliNB``: x counts as 1 where x > binarize.

    >>> nb = BernoulliNB().fit([[1, 0], [0, 1]], ["a", "b"])
    >>> nb.predict([[1, 0]]).tolist()
    ['a']
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
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
        fitted: Any = self._classifier.groups[0].likelihood
        alpha = fitted_to(fitted.prior, sums.total.shape, "classes × features")
        return log(share(np.stack([sums.total + alpha, sums.weight - sums.total + alpha]), axis=0)[0])


@dataclass(frozen=True)
class CodeTables(Categorical):
    """Every code from 0 to the highest is a category, seen or not."""

    least: Any = None  # at least so many categories per feature
    name: ClassVar[str] = "CategoricalNB"

    def estimate(self, statistics: Tables, how: Estimation) -> Table:
        return super().estimate(self.completed(statistics), how)

    def completed(self, statistics: Tables) -> Tables:
        sizes = self.sizes(statistics)
        places = [c.astype(np.int64) for c in statistics.categories]
        return statistics.over([np.arange(size) for size in sizes], places)

    def sizes(self, statistics: Tables) -> NDArray[np.int64]:
        seen = np.array([c.max() + 1 if len(c) else 0 for c in statistics.categories], dtype=np.int64)
        if self.least is None:
            return seen
        least = np.asarray(self.least)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
        if least.shape not in ((), seen.shape):
            raise ValueError(
                f"'min_categories' should have shape {seen.shape} when an array-like is provided. "
                f"Got {least.shape} instead."
            )
        return np.maximum(seen, least)


class CategoricalNB(DiscreteNB):
    """Naive Bayes for category codes 0, 1, 2 …, as scikit-learn's ``CategoricalNB``; an unseen code is no evidence.

    >>> nb = CategoricalNB().fit([[0, 1], [1, 0]], ["a", "b"])
    >>> nb.predict([[0, 1], [0, 7]]).tolist()
    ['a', 'a']
    """

    _number_type = "int"
    _sparse = False

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.min_categories = min_categories

    def _likelihood(self) -> Likelihood:
        if not isinstance(self.alpha, Real):
            raise ValueError(f"The 'alpha' parameter of CategoricalNB must be a number. Got {self.alpha!r} instead.")
        least = self.min_categories
        if isinstance(least, Integral) and int(least) < 1:
            raise ValueError(f"The 'min_categories' parameter must be at least 1. Got {least!r} instead.")
        return CodeTables(prior=self._alpha(), least=least)

    def _validated(self, X: Any, reset: bool) -> Any:
        return validate_data(self, X, reset=reset, dtype="int", ensure_all_finite=True)

    def _rows(self, X: Any) -> Matrix:
        plain = type(X) is np.ndarray and X.dtype.kind in "iub"
        return super()._rows(X) if plain else self._prepared(self._validated(X, reset=False))

    def _batch(self, x: Matrix, names: Names, codes: Any, weight: Any) -> Statistics:
        batch = super()._batch(x, names, codes, weight)
        if any(len(c) and c[0] < 0 for c in batch.blocks[0].categories):  # type: ignore[attr-defined]
            raise ValueError("Negative values in data passed to CategoricalNB (input X): codes count from 0.")
        return batch

    @property
    def category_count_(self) -> list[Floats]:
        """Weight per class and category, a table per feature."""
        tables = self._completed("category_count_")
        return [tables.of_feature(j) for j in range(tables.features)]

    @property
    def n_categories_(self) -> NDArray[np.int64]:
        """Categories of every feature."""
        return np.diff(self._completed("n_categories_").start)

    def _completed(self, attribute: str) -> Tables:
        block: Block = self._block(attribute)
        return self._classifier.groups[0].likelihood.completed(block)  # type: ignore[attr-defined]

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """log P(category | class), a table per feature."""
        return list(self._scorer("feature_log_prob_").log_probability)

    @property
    def feature_count_(self) -> Any:
        raise AttributeError("CategoricalNB has category_count_, not feature_count_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.sparse = False
        tags.input_tags.positive_only = True
        return tags
