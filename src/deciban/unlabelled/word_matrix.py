"""Texts as a matrix of counts, so that EM reads their words once and not in every iteration."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.likelihoods.multinomial import Multinomial
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.scorers.words import WordScorer
from deciban.statistics import Block, Statistics, Sums, WordCounts
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
        if not classifier.reads_texts_alone:
            return None
        seen, group = classifier.seen, classifier.groups[0]
        (labelled,) = seen.blocks
        assert isinstance(labelled, WordCounts)
        shares = group.likelihood.word_shares(_all_counts(group, labelled, batches), classifier.estimation)
        parts = None if shares is None else _matrices(group, shares.finder, batches)
        if shares is None or parts is None:
            return None
        sums = Sums(labelled.lengths[:, :1], shares.counts.total()[: labelled.classes])
        ready = replace(
            classifier,
            groups=(Group(None, Multinomial(prior=shares.pseudo_count)),),
            statistics=Statistics(seen.classes, seen.weight, (sums,)),
            schema=None,
            choices=Choices(0, 1.0 if classifier.settings.estimation.is_open else None),
            expected=None,
        )
        return WordMatrix(ready, lambda: iter(parts), shares.finder)

    def read(self, x: Frame) -> Frame:
        """Return documents as counts of the words."""
        return self.finder.rows(x.texts(0))


def _all_counts(group: Group, labelled: WordCounts, batches: Batches) -> Block:
    """Return the words of labelled rows by class, and those of rows without labels in one class more."""
    classes = labelled.classes
    whole: Block = labelled.spread(np.arange(classes), classes + 1)
    for x in batches():
        rows = group.read(x)
        labels = Labels(classes + 1, np.full(rows.shape[0], classes, np.int32))
        whole = whole + group.likelihood.summarize(rows, labels)
    return whole


def _matrices(group: Group, finder: WordScorer, batches: Batches) -> list[Frame] | None:
    """Return the counts of the words in every document, batch by batch; None if there are too many of them."""
    parts: list[Frame] = []
    entries = 0
    for x in batches():
        part = finder.rows(group.read(x).texts(0))
        parts.append(part)
        entries += len(part.data)
        if entries > KEPT_ENTRIES:
            return None
    return parts
