"""deciban: naive Bayes, done properly. The model is its statistics."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Loaded when first used: importing deciban costs neither scikit-learn nor pyarrow.
_HOME = {
    "Bernoulli": "likelihoods",
    "BernoulliNB": "estimators.dropins",
    "Beta": "prior",
    "Binned": "likelihoods",
    "Categorical": "likelihoods",
    "CategoricalNB": "estimators.categorical_nb",
    "ColumnWarning": "errors",
    "Classifier": "classifier",
    "Complement": "likelihoods",
    "ComplementNB": "estimators.dropins",
    "DegenerateVarianceWarning": "errors",
    "Dirichlet": "prior",
    "Estimation": "prior",
    "Gamma": "prior",
    "Gaussian": "likelihoods",
    "GaussianNB": "estimators.gaussian_nb",
    "Histogram": "statistics",
    "ImpossibleRowWarning": "errors",
    "Joint": "likelihoods.joint",
    "JointBayes": "estimators.joint_bayes",
    "LearningCurve": "estimators.learning_curve",
    "Likelihood": "likelihoods",
    "Linear": "scorers",
    "MissingLabelWarning": "errors",
    "Model": "model",
    "Moments": "statistics",
    "Multinomial": "likelihoods",
    "MultinomialNB": "estimators.dropins",
    "NaiveBayes": "estimators.naive_bayes",
    "NegativeBinomial": "predictive",
    "NormalInverseGamma": "prior",
    "ParameterCount": "counting",
    "Poisson": "likelihoods",
    "Polya": "predictive",
    "Quadratic": "scorers",
    "Statistics": "statistics",
    "Steps": "scorers",
    "Student": "predictive",
    "Sums": "statistics",
    "Table": "scorers",
    "Tables": "statistics",
    "WordCounts": "statistics",
    "Words": "likelihoods",
    "count_parameters": "counting",
    "learning_curve": "estimators.learning_curve",
    "load": "estimators.load",
    "read_table": "readers",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'deciban' has no attribute {name!r}")
    value = getattr(import_module(f"deciban.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
