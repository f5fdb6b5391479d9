"""Expectation-maximisation: rows without labels count in every class with the probability that they belong there.

Every iteration has two steps. The first computes P(class | row) of every row under the parameters so far; the second
estimates the parameters anew from the labelled rows and from these expected classes. Neither can lower the objective:

    Σ log P(row, class) of labelled rows + weight · Σ log P(row) of rows without labels + log P(parameters)

With a temperature T all evidence is divided by T, and so are the logarithms of densities and of the prior.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats
from deciban.model.classifier import Classifier
from deciban.model.expected import Expected
from deciban.model.summarize import summarize
from deciban.priors.class_prior import as_class_prior
from deciban.scorers.posterior import log_sum_exp, softmax
from deciban.statistics import Statistics

# Iterations at most, and the change of the objective, as a share of its size, at which EM stops.
MOST_ITERATIONS, TOLERANCE = 100, 1e-5

NO_OBJECTIVE = np.zeros(0)

# Rows that can be read again and again, batch by batch.
Batches = Callable[[], Iterable[Frame]]


def chained(parts: Sequence[Batches]) -> Batches:
    """Return a function that yields the rows of several such functions, without batches of no rows."""
    return lambda: (x for part in parts for x in part() if x.shape[0])


@dataclass(frozen=True)
class Stopping:
    """When EM stops: after a number of iterations, or when the objective changes by less than a share of its size."""

    iterations: int = MOST_ITERATIONS
    tolerance: float = TOLERANCE

    def ends(self, objective: list[float]) -> bool:
        """Return whether EM stops after these objectives, the first of which is from before the first iteration."""
        if len(objective) < 2:
            return False
        before, now = objective[-2:]
        return len(objective) > self.iterations or abs(now - before) <= self.tolerance * max(abs(now), 1.0)


class Expectation(NamedTuple):
    """Rows counted in their expected classes, and their log-likelihood."""

    statistics: Statistics
    log_likelihood: float


def iterate(
    start: Classifier,
    batches: Batches,
    weight: float,
    temperature: float = 1.0,
    stopping: Stopping = Stopping(),
    first: Classifier | None = None,
    announce: Callable[[float], None] | None = None,
) -> Classifier:
    """Return the classifier with the expected statistics of rows without labels, when EM has converged.

    ``first``, or else ``start``, gives the first posterior of these rows. From then on, cut points and values are those
    of all rows, and the objective never falls. Equal rows in equal batches give an equal result for any number of
    threads.
    """
    objective: list[float] = []
    found = start if first is None else replace(first, expected=None)
    while not stopping.ends(objective):
        step = expect(found, batches, temperature)
        if found.expected is not None:
            objective.append(weight * step.log_likelihood + labelled_objective(found, temperature))
        last, found = found, replace(start, expected=Expected(step.statistics, weight, NO_OBJECTIVE, temperature))
        if announce is not None:
            announce(len(objective) / stopping.iterations)
    assert last.expected is not None
    return replace(last, expected=replace(last.expected, objective=np.array(objective)))


def expect(classifier: Classifier, batches: Batches, temperature: float) -> Expectation:
    """Return the rows of batches, counted in the classes that a classifier expects."""
    classes, threads = classifier.seen.classes, classifier.settings.threads
    whole: Statistics | None = None
    log_likelihood = 0.0
    for x, joint in scored_batches(classifier, batches, temperature):
        log_likelihood += float(log_sum_exp(joint, axis=1).sum())
        labels = Labels(len(classes), soft=np.ascontiguousarray(softmax(joint)))
        part = summarize(x, classes, labels, classifier.groups, threads)
        whole = part if whole is None else whole + part
    assert whole is not None
    return Expectation(whole, log_likelihood)


def scored_batches(classifier: Classifier, batches: Batches, temperature: float) -> Iterator[tuple[Frame, Floats]]:
    """Yield batches with log P(row, class), the evidence divided by the temperature; impossible rows have the prior."""
    model = classifier.model
    for x in batches():
        if not x.shape[0]:
            continue
        joint = model.joint_log_probability(x)
        if temperature != 1:
            with np.errstate(invalid="ignore"):
                joint = (joint - model.log_prior) / temperature + model.log_prior
            joint[np.isnan(joint)] = -np.inf
        impossible = np.isneginf(joint).all(axis=1)
        joint[impossible] = model.log_prior
        yield x, joint


def labelled_objective(classifier: Classifier, temperature: float) -> float:
    """Return log P(labelled rows and their classes) + log P(parameters), up to a constant."""
    labelled, expected, seen = classifier.statistics.on(classifier.seen.classes), classifier.expected, classifier.seen
    classes = len(seen.classes)
    first, second = np.arange(classes), np.arange(classes) + classes
    total = 0.0
    for i, (group, block) in enumerate(classifier.scored):
        rows = labelled.blocks[i].spread(first, 2 * classes)
        if expected is not None and expected.weight:
            others = (expected.statistics * expected.weight).on(seen.classes).blocks[i]
            rows = rows + others.spread(second, 2 * classes)
        total += group.likelihood.log_posterior(rows, block, classifier.estimation) / temperature
    prior = as_class_prior(classifier.settings.class_prior)
    counts = labelled.weight + prior.pseudo_counts(seen.classes, classifier.estimation)
    logs = classifier.log_prior
    return total + float(np.sum(counts[counts > 0] * logs[counts > 0]))
