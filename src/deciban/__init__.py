"""deciban: naive Bayes, done properly. The model is its statistics."""

from importlib import import_module

__version__ = "0.1.0"

# Names are loaded on first use, so that importing deciban imports neither scikit-learn nor pyarrow.
# `__init__.pyi` tells type checkers and editors the same names; a test compares the two.
_HOMES = {
    "BayesError": "describe.public_model",
    "Bernoulli": "likelihoods",
    "BernoulliNB": "estimators.dropins",
    "Beta": "priors.priors",
    "Binned": "likelihoods",
    "Categorical": "likelihoods",
    "CategoricalNB": "estimators.categorical_nb",
    "Chance": "evaluation.chance",
    "ChoiceWarning": "errors",
    "Classifier": "model.classifier",
    "ColumnWarning": "errors",
    "Complement": "likelihoods",
    "ComplementNB": "estimators.dropins",
    "Coverage": "teaching.coverage",
    "DegenerateVarianceWarning": "errors",
    "Densities": "describe.densities",
    "Dirichlet": "priors.priors",
    "EM": "unlabelled.result",
    "EstimateComparison": "describe.estimates",
    "Estimation": "priors.estimation",
    "Evaluation": "evaluation.evaluation",
    "Experiment": "teaching.experiments",
    "Gamma": "priors.number_priors",
    "Gaussian": "likelihoods",
    "GaussianNB": "estimators.gaussian_nb",
    "Histogram": "statistics",
    "ImpossibleRowWarning": "errors",
    "Joint": "likelihoods.joint",
    "JointBayes": "estimators.joint_bayes",
    "LearningCurve": "tables.learning_curve",
    "Likelihood": "likelihoods",
    "MissingLabelWarning": "errors",
    "Mixture": "estimators.mixture",
    "Model": "describe.public_model",
    "Moments": "statistics",
    "Multinomial": "likelihoods",
    "MultinomialNB": "estimators.dropins",
    "NaiveBayes": "estimators.naive_bayes",
    "NormalInverseGamma": "priors.number_priors",
    "OperatingPoints": "evaluation.operating_points",
    "Pair": "refinement.declared_pair",
    "ParameterCount": "teaching.counting",
    "Parameters": "describe.parameters",
    "Poisson": "likelihoods",
    "PriorWarning": "errors",
    "Regions": "describe.regions",
    "Reliability": "evaluation.reliability",
    "Report": "report",
    "Scales": "describe.scales",
    "Statistics": "statistics",
    "Story": "describe.story",
    "Sums": "statistics",
    "Tables": "statistics",
    "TopWords": "describe.top_words",
    "UnreadableValueWarning": "errors",
    "Variances": "describe.variances",
    "WordCounts": "statistics",
    "Words": "likelihoods",
    "chance": "evaluation.chance",
    "compare_estimates": "describe.estimates",
    "compare_variances": "estimators.variances",
    "count_parameters": "teaching.counting",
    "coverage": "teaching.coverage",
    "irrelevant_columns": "teaching.irrelevant",
    "learning_curve": "teaching.learning_curve",
    "load": "estimators.load",
    "partial_reading": "teaching.partial_reading",
    "read_table": "readers",
}
_MODULES = {"oracles": "teaching.oracles", "scorers": "scorers"}

__all__ = sorted([*_HOMES, *_MODULES])


def __getattr__(name: str) -> object:
    if name in _MODULES:
        value: object = import_module(f"deciban.{_MODULES[name]}")
    elif name in _HOMES:
        value = getattr(import_module(f"deciban.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'deciban' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
