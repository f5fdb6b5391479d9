"""Texts as a matrix of counts, so that EM reads their words once and not in every iteration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.likelihoods.multinomial import Multinomial
from deciban.likelihoods.words import Words
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.priors.priors import as_prior
from deciban.scorers.words import WordScorer
from deciban.statistics import Statistics, Sums, WordCounts
from deciban.unlabelled.em import Batches

# Words of documents that are kept between iterations, at most: about 400 MB. More are read again in every one.
KEPT_ENTRIES = 1 << 25


@dataclass(frozen=True, eq=False)
class WordMatrix:
    """A classifier of texts by themselves, and rows without labels, as counts of the words of a fixed vocabulary."""

    classifier: Classifier
    batches: Batches
    finder: WordScorer

    @staticmethod
    def of(classifier: Classifier, batches: Batches) -> WordMatrix | None:
        """Return the matrix of a bag of words; None for other columns, and for more documents than memory should hold.

        The words that are left out by their frequency are those of all documents together.
        """
        words = classifier.groups[0].likelihood
        if not (classifier.reads_texts_alone and isinstance(words, Words) and words.model != "set"):
            return None
        prior = as_prior(words.prior)
        if prior.values is not None or prior.is_listed:
            return None
        counts = words.counted_words(_all_counts(classifier, batches))[0]
        pseudo = words.pseudo_counts(counts, classifier.estimation)
        finder = words.estimate(counts, replace(classifier.estimation, classes=None)).words
        parts = _matrices(classifier, finder, batches)
        if parts is None:
            return None
        seen = classifier.seen
        sums = Sums(seen.blocks[0].lengths[:, :1], counts.total()[: len(seen.classes)])
        ready = replace(
            classifier,
            groups=(Group(None, Multinomial(prior=pseudo.rest)),),
            statistics=Statistics(seen.classes, seen.weight, (sums,)),
            schema=None,
            choices=Choices(0, 1.0 if classifier.settings.estimation.is_open else None),
            expected=None,
        )
        return WordMatrix(ready, lambda: iter(parts), finder)

    def read(self, x: Frame) -> Frame:
        """Return documents as counts of the words."""
        return self.finder.rows(x.texts(0))


def _all_counts(classifier: Classifier, batches: Batches) -> WordCounts:
    """Return the words of labelled rows by class, and those of rows without labels in one class more."""
    group, labelled = classifier.groups[0], classifier.seen.blocks[0]
    classes = labelled.classes

    def count(x: Frame) -> WordCounts:
        rows = group.read(x)
        return group.likelihood.summarize(rows, Labels(classes + 1, np.full(rows.shape[0], classes, np.int32)))

    unlabelled = reduce(lambda a, b: a + b, map(count, batches()))
    return labelled.spread(np.arange(classes), classes + 1) + unlabelled


def _matrices(classifier: Classifier, finder: WordScorer, batches: Batches) -> list[Frame] | None:
    """Return the counts of the words in every document, batch by batch; None if there are too many of them."""
    parts: list[Frame] = []
    entries = 0
    for x in batches():
        part = finder.rows(classifier.groups[0].read(x).texts(0))
        parts.append(part)
        entries += len(part.data)
        if entries > KEPT_ENTRIES:
            return None
    return parts
