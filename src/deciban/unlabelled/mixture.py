"""Mixtures: classes of rows without any labels, by expectation-maximisation from several random starts."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats, Longs
from deciban.choosing.constants import with_constants
from deciban.model.classifier import Classifier
from deciban.model.expected import Expected
from deciban.model.summarize import empty_statistics, summarize
from deciban.statistics import Statistics
from deciban.terminal.progress import show_steps
from deciban.unlabelled.em import Batches, iterate
from deciban.unlabelled.learn import count_expected
from deciban.unlabelled.result import EM
from deciban.unlabelled.temperature import evidence_temperature
from deciban.unlabelled.word_matrix import WordMatrix


def learn_mixture(
    classifier: Classifier, batches: Batches, rows: int, k: int, restarts: int, rng: np.random.Generator
) -> tuple[Classifier, EM]:
    """Return a classifier of k classes, numbered by their weight, the greatest first, and how EM went.

    ``classifier`` has the columns. Every start takes k random rows as the first rows of the classes; the one with the
    greatest objective at its end is kept.
    """
    names = np.arange(k)
    empty = empty_statistics(classifier.groups, classifier.features)
    blank = replace(with_constants(classifier), statistics=empty, classes=names)
    temperature = evidence_temperature(blank, batches)
    with show_steps("finding classes:") as announce:
        announce("reading rows", 0.0)
        matrix = WordMatrix.of(blank, batches)
        core, read = (blank, batches) if matrix is None else (matrix.classifier, matrix.batches)
        found = []
        for i in range(restarts):
            announce(f"start {i + 1} of {restarts}", i / restarts)
            first = _with_seeds(core, read, np.sort(rng.choice(rows, k, replace=False)))
            found.append(iterate(core, read, 1.0, temperature, first=first))
        ends = [float(_objective(each)[-1]) for each in found]
        best = found[int(np.argmax(ends))]
        expected = count_expected(blank, batches, best, read)
    numbered, posterior = _numbered(expected, names)
    whole = replace(blank, statistics=numbered, classes=names)
    return whole, EM(_objective(best), 1.0, temperature, float(rows), names, posterior, {}, tuple(ends))


def _objective(found: Classifier) -> Floats:
    assert found.expected is not None
    return found.expected.objective


def _with_seeds(blank: Classifier, batches: Batches, rows: Longs) -> Classifier:
    """Return a classifier that has learned one row of every class, by their numbers among all rows."""
    parts, begin = [], 0
    for x in batches():
        own = np.flatnonzero((rows >= begin) & (rows < begin + x.shape[0]))
        if len(own):
            labels = Labels(len(rows), own.astype(np.int32))
            parts.append(summarize(x.pick(rows[own] - begin), blank.seen.classes, labels, blank.groups, 1))
        begin += x.shape[0]
    seeds = reduce(lambda a, b: a + b, parts)
    # One row has no variance, and no value but its own: a prior is needed, whatever the estimate.
    estimation = replace(blank.settings.estimation, kind="map")
    return replace(blank, statistics=seeds, settings=replace(blank.settings, estimation=estimation))


def _numbered(expected: Expected, names: Longs) -> tuple[Statistics, Floats | None]:
    """Return statistics and posterior with the classes numbered by their weight, the greatest first."""
    found = expected.statistics.on(names)
    order = np.argsort(-found.weight, kind="stable")
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    blocks = tuple(block.spread(position, len(order)) for block in found.blocks)
    posterior = None if expected.posterior is None else expected.posterior[:, order]
    return Statistics(names, found.weight[order], blocks), posterior
