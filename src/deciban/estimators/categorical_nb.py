"""Drop-in for scikit-learn's CategoricalNB: tables over the codes 0, 1, 2 …, and no crash on a code never seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from deciban.arrays.frame import Frame
from deciban.arrays.matrix import as_frame
from deciban.arrays.types import Floats, Longs, Names
from deciban.estimators.dropins import Batch, DiscreteNB
from deciban.likelihoods import Categorical, Likelihood
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.parameters import ParameterTable
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.priors.estimation import Estimation
from deciban.scorers import Table
from deciban.statistics import Block, Statistics, Tables


@dataclass(frozen=True, repr=False)
class CodeTables(Categorical):
    """Every code from 0 to the highest is a category, seen or not."""

    least: Any = None  # the least number of categories per feature
    highest: Any = -1  # the least highest code
    name: ClassVar[str] = "CategoricalNB"

    def estimate(self, statistics: Tables, estimation: Estimation) -> Table:
        return super().estimate(self.completed(statistics), estimation)

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        return super().parameters(replace(fitted, statistics=self.completed(fitted.statistics)))

    def completed(self, statistics: Tables) -> Tables:
        """Return the tables with every code from 0 to the highest."""
        sizes = self.sizes(statistics)
        positions = [c.astype(np.int64) for c in statistics.categories]
        return statistics.over([np.arange(size) for size in sizes], positions)

    def sizes(self, statistics: Tables) -> Longs:
        """Return the number of categories of every feature."""
        seen = np.array([c.max() + 1 if len(c) else 0 for c in statistics.categories], dtype=np.int64)
        seen = np.maximum(seen, self.highest + 1)
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
    """Naive Bayes for category codes 0, 1, 2 …, as scikit-learn's ``CategoricalNB``; an unseen code is not evidence.

    >>> nb = CategoricalNB().fit([[0, 1], [1, 0]], ["a", "b"])
    >>> nb.predict([[0, 1], [0, 7]]).tolist()
    ['a', 'a']
    """

    _number_type = "int"
    _sparse = False
    _positive_only = True
    _highest: Any

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: ArrayLike | None = None,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.min_categories = min_categories

    def _likelihood(self) -> Likelihood:
        if not isinstance(self.alpha, Real):
            raise ValueError(f"The 'alpha' parameter of CategoricalNB must be a number. Got {self.alpha!r} instead.")
        least = self.min_categories
        if isinstance(least, Integral) and int(least) < 1:
            raise ValueError(f"The 'min_categories' parameter must be at least 1. Got {least!r} instead.")
        return CodeTables(prior=self._alpha(), least=least, highest=self._highest)

    def _validated(self, X: Any, reset: bool) -> Frame:
        return as_frame(validate_data(self, X, reset=reset, dtype="int", ensure_all_finite=True))

    def _frame(self, X: Any) -> Frame:
        plain = type(X) is np.ndarray and X.dtype.kind in "iub"
        return super()._frame(X) if plain else self._validated(X, reset=False)

    def _summarize(self, x: Frame, batch: Batch, groups: tuple[Group, ...]) -> Statistics:
        statistics = super()._summarize(x, batch, groups)
        if any(len(c) and c[0] < 0 for c in statistics.blocks[0].categories):  # type: ignore[attr-defined]
            raise ValueError("Negative values in data passed to CategoricalNB (input X): codes count from 0.")
        return statistics

    def _learn(self, before: Classifier | None, x: Frame, batch: Batch, classes: Names) -> Self:
        # A code is a category even if all its rows have weight zero, which the statistics do not keep.
        highest = x.numbers().max(axis=0).astype(np.int64) if batch.weight is not None else np.int64(-1)
        self._highest = highest if before is None else np.maximum(self._highest, highest)
        return super()._learn(before, x, batch, classes)

    @property
    def category_count_(self) -> list[Floats]:
        """Weight per class and category, a table per feature."""
        tables = self._completed("category_count_")
        return [tables.of_feature(j) for j in range(tables.features)]

    @property
    def n_categories_(self) -> Longs:
        """Number of categories of every feature."""
        return np.diff(self._completed("n_categories_").start)

    def _completed(self, attribute: str) -> Tables:
        block: Block = self._block(attribute)
        return self._fitted().groups[0].likelihood.completed(block)  # type: ignore[attr-defined]

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """log P(category | class), a table per feature."""
        return list(self._scorer("feature_log_prob_").log_probability)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.sparse = False
        return tags
