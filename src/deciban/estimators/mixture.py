"""Mixture: classes of rows that have no labels at all."""

from __future__ import annotations

from typing import Any, Literal, NoReturn, Self

import numpy as np

from deciban.arrays.types import Names
from deciban.choosing import training
from deciban.errors import setting
from deciban.estimators.base import all_or_nothing
from deciban.estimators.column_models import Columns
from deciban.estimators.inputs import read_input
from deciban.estimators.naive_bayes import NaiveBayes
from deciban.model.settings import Alpha, Calibrate, ClassWeight, Refine
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.counts import is_count
from deciban.priors.estimation import Estimate
from deciban.priors.families import FamiliesLike
from deciban.unlabelled.learn import refuse_other_models, with_generative_models
from deciban.unlabelled.mixture import learn_mixture
from deciban.unlabelled.result import EM


class Mixture(NaiveBayes):
    """A mixture of k classes that nobody has labelled: clusters, by naive Bayes and expectation-maximisation.

    Parameters
    ----------
    k : int
        Number of classes.
    columns : None, an event model, a list of them, or a mapping from column to event model
        As for ``NaiveBayes``. Texts by themselves are a plain bag of the words that are in at most 1/k of the texts.
    alpha : float, optional
        Pseudo-count of event models of counts; by default 1, and 0.01 for texts by themselves.
    estimate : "map" or "mle"
        Most probable parameters under the priors, or maximum likelihood.
    restarts : int
        Random starts, of which the one with the greatest objective at its end is kept.
    random_state : int, numpy.random.Generator or None
        Of the random starts. The same number gives the same classes, for any number of threads.
    threads : int, optional
        Threads to use; by default ``DECIBAN_THREADS`` or all cores.

    Columns are independent within a class, so a class is an ellipsoid along the axes at most. Classes whose columns
    vary together, as in Iris, would be told apart better by a mixture of full covariances.

    Attributes
    ----------
    em_ : how expectation-maximisation went: objective, end of every start, posterior of the rows
    labels_ : class of every row, in their order; classes are numbered by their weight, the greatest first
    and those of ``NaiveBayes``

    Examples
    --------
    >>> from deciban import Gaussian, Mixture
    >>> lengths = [[1.0], [1.2], [0.9], [1.1], [7.0], [7.3]]
    >>> Mixture(2, Gaussian(), random_state=0).fit(lengths).labels_.tolist()
    [0, 0, 0, 0, 1, 1]
    """

    calibrate: Calibrate = "temperature"  # by the temperature of EM, if that is not 1
    class_prior: ClassPriorLike = None
    class_weight: ClassWeight = None
    families: FamiliesLike = None
    refine: Refine = None
    pairs: int | None = None
    remember: int = 0
    semi_supervised: bool = False
    unlabelled_weight: float | Literal["auto"] = 1.0

    def __init__(
        self,
        k: int,
        columns: Columns = None,
        *,
        alpha: Alpha = None,
        estimate: Estimate = "map",
        restarts: int = 10,
        random_state: Any = None,
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.columns = columns
        self.alpha = alpha
        self.estimate = estimate
        self.restarts = restarts
        self.random_state = random_state
        self.threads = threads

    @all_or_nothing
    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Find the classes of rows X: a table, an array, a sparse matrix or texts. y is not read."""
        for name, value in (("k", self.k), ("restarts", self.restarts)):
            if not is_count(value) or value < 1:
                raise ValueError(f"{setting(name)} is {value!r}; give a whole number of at least 1.")
        rows = read_input(self, X, before=None)
        number = rows.row_count()
        if self.k > number:
            raise ValueError(
                f"{setting('k')} is {self.k}, but X has {number} rows, and every class starts with one of its own; "
                f"give at most {number}."
            )
        counted = rows.count(np.zeros(number, dtype=np.int64), None, None, None)
        ready = with_generative_models(training.start(counted, self._settings()), counted.all_rows, self.k)
        refuse_other_models(ready)
        rng = np.random.default_rng(self.random_state)
        self._keep(ready)
        found, self._em = learn_mixture(ready, rows.batches(ready), number, self.k, self.restarts, rng)
        return self._keep(found)

    @property
    def em_(self) -> EM:
        """Course of expectation-maximisation: objective, end of every start, posterior of the rows."""
        if "_em" not in self.__dict__:
            raise AttributeError("'Mixture' has no attribute 'em_' before fit")
        return self._em

    @property
    def labels_(self) -> Names:
        """The class of every row that was fitted."""
        posterior = self.em_.posterior
        if posterior is None:
            raise AttributeError("'Mixture' has no attribute 'labels_' for so many rows; use predict(X)")
        return np.asarray(posterior.argmax(axis=1))

    def fit_predict(self, X: Any, y: Any = None) -> Names:
        """Find the classes of rows X, and return the class of every row."""
        return self.fit(X).predict(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the mean log P(row)."""
        return float(np.mean(self.log_likelihood(X)))

    def bic(self, X: Any) -> float:
        """Return Bayes's information criterion, −2 · log P(X) + parameters · log rows: the smaller, the better k."""
        logs = self.log_likelihood(X)
        return float(-2 * logs.sum() + self._free_parameters * np.log(len(logs)))

    def aic(self, X: Any) -> float:
        """Return Akaike's information criterion, −2 · log P(X) + 2 · parameters."""
        return float(-2 * self.log_likelihood(X).sum() + 2 * self._free_parameters)

    @property
    def _free_parameters(self) -> int:
        classifier = self._fitted()
        columns = (
            group.likelihood.count_parameters(block, classifier.estimation) for group, block in classifier.scored
        )
        return sum(columns) + len(classifier.seen.classes) - 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.target_tags.required = "clusterer", False
        return tags

    def partial_fit(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise, because classes without labels are found in all rows together."""
        raise ValueError(
            "a Mixture finds its classes in all rows together, so rows cannot be added or taken away; fit again, or "
            "fit NaiveBayes(columns).fit(X, mixture.predict_proba(X)), which learns on."
        )

    forget = merge = tune = __add__ = partial_fit
