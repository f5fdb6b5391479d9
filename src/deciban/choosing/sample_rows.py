"""The rows of a sample that choices are made on: their classes, their weights, and which can be left out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Codes, Floats, Longs
from deciban.model.classifier import Classifier


@dataclass(frozen=True, eq=False)
class SampleRows:
    """The rows of a classifier's sample, in its order."""

    codes: Codes  # among the classes of the model; −1 for another class
    weight: Floats  # in a choice
    copies: Labels  # the part of every row that is left out at once: one of its copies
    usable: Longs  # rows that can be left out of their class, and count in a choice

    @staticmethod
    def of(classifier: Classifier) -> SampleRows:
        """Return the rows of a classifier's sample."""
        sample, seen = classifier.sample, classifier.seen
        position = find_names(sample.names, seen.classes)
        codes = position[sample.codes].astype(np.int32)
        class_weight = np.where(position >= 0, seen.weight[position], 0.0)
        weight = sample.choice_weight(class_weight)
        # A row of weight two is two rows: one of them is left out, and its loss counts twice.
        left_out = np.minimum(sample.weight, 1.0)
        copies = replace(sample.labels, weight=None if (left_out == 1).all() else left_out)
        # A class whose only row is left out cannot be predicted, whatever is chosen.
        can_be_left_out = seen.weight[codes] > left_out * (1 + WEIGHT_SLACK)
        return SampleRows(codes, weight, copies, np.flatnonzero((codes >= 0) & can_be_left_out & (weight > 0)))
