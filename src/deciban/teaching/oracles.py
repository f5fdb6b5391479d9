"""Oracles: sources of labelled rows with a known P(y | x), so that the best possible error is known too.

``sample`` draws rows and labels, ``class_probability`` is the true P(y = c | x) of every class, ``probability`` for two
classes P(y = 1 | x), and ``bayes_error`` the error of the best possible decision: the expected error of every
classifier is at least as large. ``Regression`` has a number in place of a class, ``pocket`` draws the lecture's rows of
one class inside the other, and ``CategoricalSampler`` draws values of given probabilities.
"""

from deciban.teaching.sources.base import Oracle
from deciban.teaching.sources.gaussian import Gaussian, pocket
from deciban.teaching.sources.regression import Regression
from deciban.teaching.sources.sampler import CategoricalSampler
from deciban.teaching.sources.scores import Logistic, NoisyLinear, Softmax

__all__ = ["CategoricalSampler", "Gaussian", "Logistic", "NoisyLinear", "Oracle", "Regression", "Softmax", "pocket"]
