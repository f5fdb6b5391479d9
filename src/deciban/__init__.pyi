# The public names for type checkers and editors; tests/test_package.py compares them with __init__.py.
from deciban import scorers as scorers
from deciban.describe.densities import Densities as Densities
from deciban.describe.estimates import EstimateComparison as EstimateComparison
from deciban.describe.estimates import compare_estimates as compare_estimates
from deciban.describe.parameters import Parameters as Parameters
from deciban.describe.public_model import BayesError as BayesError
from deciban.describe.public_model import Model as Model
from deciban.describe.regions import Regions as Regions
from deciban.describe.scales import Scales as Scales
from deciban.describe.story import Story as Story
from deciban.describe.top_words import TopWords as TopWords
from deciban.describe.variances import Variances as Variances
from deciban.errors import ChoiceWarning as ChoiceWarning
from deciban.errors import ColumnWarning as ColumnWarning
from deciban.errors import DegenerateVarianceWarning as DegenerateVarianceWarning
from deciban.errors import ImpossibleRowWarning as ImpossibleRowWarning
from deciban.errors import MissingLabelWarning as MissingLabelWarning
from deciban.errors import PriorWarning as PriorWarning
from deciban.errors import UnreadableValueWarning as UnreadableValueWarning
from deciban.estimators.categorical_nb import CategoricalNB as CategoricalNB
from deciban.estimators.dropins import BernoulliNB as BernoulliNB
from deciban.estimators.dropins import ComplementNB as ComplementNB
from deciban.estimators.dropins import MultinomialNB as MultinomialNB
from deciban.estimators.gaussian_nb import GaussianNB as GaussianNB
from deciban.estimators.joint_bayes import JointBayes as JointBayes
from deciban.estimators.load import load as load
from deciban.estimators.mixture import Mixture as Mixture
from deciban.estimators.naive_bayes import NaiveBayes as NaiveBayes
from deciban.estimators.variances import compare_variances as compare_variances
from deciban.evaluation.chance import Chance as Chance
from deciban.evaluation.chance import chance as chance
from deciban.evaluation.evaluation import Evaluation as Evaluation
from deciban.evaluation.operating_points import OperatingPoints as OperatingPoints
from deciban.evaluation.reliability import Reliability as Reliability
from deciban.likelihoods import Bernoulli as Bernoulli
from deciban.likelihoods import Binned as Binned
from deciban.likelihoods import Categorical as Categorical
from deciban.likelihoods import Complement as Complement
from deciban.likelihoods import Gaussian as Gaussian
from deciban.likelihoods import Likelihood as Likelihood
from deciban.likelihoods import Multinomial as Multinomial
from deciban.likelihoods import Poisson as Poisson
from deciban.likelihoods import Words as Words
from deciban.likelihoods.joint import Joint as Joint
from deciban.model.classifier import Classifier as Classifier
from deciban.priors.estimation import Estimation as Estimation
from deciban.priors.number_priors import Gamma as Gamma
from deciban.priors.number_priors import NormalInverseGamma as NormalInverseGamma
from deciban.priors.priors import Beta as Beta
from deciban.priors.priors import Dirichlet as Dirichlet
from deciban.readers import read_table as read_table
from deciban.refinement.declared_pair import Pair as Pair
from deciban.report import Report as Report
from deciban.statistics import Histogram as Histogram
from deciban.statistics import Moments as Moments
from deciban.statistics import Statistics as Statistics
from deciban.statistics import Sums as Sums
from deciban.statistics import Tables as Tables
from deciban.statistics import WordCounts as WordCounts
from deciban.tables.learning_curve import LearningCurve as LearningCurve
from deciban.teaching import oracles as oracles
from deciban.teaching.counting import ParameterCount as ParameterCount
from deciban.teaching.counting import count_parameters as count_parameters
from deciban.teaching.coverage import Coverage as Coverage
from deciban.teaching.coverage import coverage as coverage
from deciban.teaching.experiments import Experiment as Experiment
from deciban.teaching.irrelevant import irrelevant_columns as irrelevant_columns
from deciban.teaching.learning_curve import learning_curve as learning_curve
from deciban.teaching.partial_reading import partial_reading as partial_reading
from deciban.unlabelled.result import EM as EM

__version__: str
__all__ = [
    "EM",
    "BayesError",
    "Bernoulli",
    "BernoulliNB",
    "Beta",
    "Binned",
    "Categorical",
    "CategoricalNB",
    "Chance",
    "ChoiceWarning",
    "Classifier",
    "ColumnWarning",
    "Complement",
    "ComplementNB",
    "Coverage",
    "DegenerateVarianceWarning",
    "Densities",
    "Dirichlet",
    "EstimateComparison",
    "Estimation",
    "Evaluation",
    "Experiment",
    "Gamma",
    "Gaussian",
    "GaussianNB",
    "Histogram",
    "ImpossibleRowWarning",
    "Joint",
    "JointBayes",
    "LearningCurve",
    "Likelihood",
    "MissingLabelWarning",
    "Mixture",
    "Model",
    "Moments",
    "Multinomial",
    "MultinomialNB",
    "NaiveBayes",
    "NormalInverseGamma",
    "OperatingPoints",
    "Pair",
    "ParameterCount",
    "Parameters",
    "Poisson",
    "PriorWarning",
    "Regions",
    "Reliability",
    "Report",
    "Scales",
    "Statistics",
    "Story",
    "Sums",
    "Tables",
    "TopWords",
    "UnreadableValueWarning",
    "Variances",
    "WordCounts",
    "Words",
    "chance",
    "compare_estimates",
    "compare_variances",
    "count_parameters",
    "coverage",
    "irrelevant_columns",
    "learning_curve",
    "load",
    "oracles",
    "partial_reading",
    "read_table",
    "scorers",
]
