"""JointBayes: Bayes' rule without the naive assumption, to compare with."""

from __future__ import annotations

from typing import Literal

from deciban.estimators.column_models import Columns
from deciban.estimators.naive_bayes import NaiveBayes
from deciban.likelihoods.joint import Joint
from deciban.model.settings import Calibrate, ClassWeight, Refine
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.estimation import Estimate
from deciban.priors.families import FamiliesLike


class JointBayes(NaiveBayes):
    """The full joint classifier: P(class | row) ∝ P(class) · P(row | class), a row being one value among many.

    It is naive Bayes over a single column, the whole row, so it learns, merges, streams, forgets and is saved as
    :class:`NaiveBayes` is. Only combinations of values that were seen are kept. It needs rows for every combination
    where naive Bayes needs them for every value: ``count_parameters`` says how many that makes.

    Parameters
    ----------
    alpha : float
        Pseudo-count of every combination: P(row | class) = (n + α) / (N + α·m), with m the product of the columns'
        numbers of values. 0 is maximum likelihood: a combination that no class has shown is not evidence, and gets the
        prior and an ImpossibleRowWarning.
    class_prior : None, "uniform", {label: p}, a pseudo-count or Dirichlet(beta)
        None takes the classes' shares in the data.
    threads : int, optional
        Threads to use; by default ``DECIBAN_THREADS`` or all cores. Results do not depend on it.

    Values are compared as they are, numbers too; a missing cell is a value of its own.

    Examples
    --------
    >>> from deciban import JointBayes
    >>> either = JointBayes().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"])
    >>> either.predict([[1, 1], [0, 1]]).tolist()  # what naive Bayes cannot learn
    ['same', 'other']
    """

    columns: Columns = Joint()
    estimate: Estimate = "map"
    calibrate: Calibrate = False
    class_weight: ClassWeight = None
    refine: Refine = None
    pairs: int | None = None
    families: FamiliesLike = None
    remember: int = 0
    semi_supervised: bool = False
    unlabelled_weight: float | Literal["auto"] = "auto"

    def __init__(self, *, alpha: float = 0.0, class_prior: ClassPriorLike = None, threads: int | None = None) -> None:
        self.alpha = alpha
        self.class_prior = class_prior
        self.threads = threads
