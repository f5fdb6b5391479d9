"""Contestants on arrays: a name, the package that is needed, and a function that makes an unfitted estimator."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import naive_bayes as sk

import deciban as db


def unchanged(x: Any, y: Any) -> Any:
    return x


@dataclass(frozen=True)
class Contestant:
    """An estimator under a name. ``prepare(X, y)`` puts X into the form that it reads, and is not timed."""

    name: str
    make: Callable[[], Any]
    package: str = "deciban"
    prepare: Callable[[Any, Any], Any] = unchanged

    def installed(self) -> bool:
        try:
            importlib.import_module(self.package)
        except ImportError:
            return False
        return True


class PolarsGaussian:
    """Gaussian model written by hand: mean and variance of every column by class, in one ``group_by``."""

    @staticmethod
    def frame(x: Any, y: Any) -> Any:
        import polars as pl

        return pl.DataFrame(x).with_columns(pl.Series("y", y))

    def fit(self, frame: Any, y: Any) -> PolarsGaussian:
        import polars as pl

        columns = pl.exclude("y")
        mean, var = columns.mean().name.suffix("_mean"), columns.var(ddof=0).name.suffix("_var")
        self.moments = frame.group_by("y").agg(pl.len(), mean, var)
        return self


class DaalMultinomial:
    """oneDAL's multinomial model, which is not an estimator: labels are encoded here, inside the timing."""

    def fit(self, x: Any, y: Any) -> DaalMultinomial:
        import daal4py

        self.classes, codes = np.unique(y, return_inverse=True)
        train = daal4py.multinomial_naive_bayes_training(len(self.classes), method="fastCSR")
        self.model = train.compute(x, codes.reshape(-1, 1).astype(np.float64)).model
        return self

    def predict(self, x: Any) -> Any:
        import daal4py

        scorer = daal4py.multinomial_naive_bayes_prediction(len(self.classes), method="fastCSR")
        return self.classes[scorer.compute(x, self.model).prediction.ravel().astype(np.intp)]


OWN_GAUSSIAN = Contestant("deciban NaiveBayes(Gaussian())", lambda: db.NaiveBayes(db.Gaussian()))
SK_GAUSSIAN = Contestant("scikit-learn GaussianNB", sk.GaussianNB, "sklearn")
POLARS_GAUSSIAN = Contestant("polars group_by", PolarsGaussian, "polars", PolarsGaussian.frame)

GAUSSIAN = (OWN_GAUSSIAN, Contestant("deciban GaussianNB", db.GaussianNB), SK_GAUSSIAN)

CATEGORICAL = (
    Contestant("deciban NaiveBayes(Categorical())", lambda: db.NaiveBayes(db.Categorical())),
    Contestant("deciban CategoricalNB", db.CategoricalNB),
    Contestant("scikit-learn CategoricalNB", sk.CategoricalNB, "sklearn"),
)

BERNOULLI = (
    Contestant("deciban NaiveBayes(Bernoulli())", lambda: db.NaiveBayes(db.Bernoulli(threshold=0.0))),
    Contestant("deciban BernoulliNB", db.BernoulliNB),
    Contestant("scikit-learn BernoulliNB", sk.BernoulliNB, "sklearn"),
)

MULTINOMIAL = (
    Contestant("deciban NaiveBayes(Multinomial())", lambda: db.NaiveBayes(db.Multinomial())),
    Contestant("deciban MultinomialNB", db.MultinomialNB),
    Contestant("scikit-learn MultinomialNB", sk.MultinomialNB, "sklearn"),
    Contestant("daal4py multinomial", DaalMultinomial, "daal4py"),
)

THREADS = (
    Contestant("deciban threads=1", lambda: db.NaiveBayes(db.Gaussian(), threads=1)),
    Contestant("deciban threads=2", lambda: db.NaiveBayes(db.Gaussian(), threads=2)),
)
