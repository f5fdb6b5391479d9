"""Labelled rows of a table in batches, for what looks at rows and their classes together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from deciban.arrays.labels import Codes, find
from deciban.explain.diagnosis import Diagnosis, diagnose
from deciban.model.classifier import Classifier
from deciban.readers.source import Source
from deciban.tables.jobs import need_column
from deciban.tables.predict import labels_in, predicted
from deciban.tables.rows import schema_of


def diagnose_table(classifier: Classifier, source: Source, target: str | None) -> Diagnosis:
    """The rows of a source, whose labels are in a column: that of training, if no other is named."""
    schema = schema_of(classifier)
    target = schema.target if target is None else target
    if target is None:
        raise ValueError("the model does not know which column has the labels; name it (--target).")
    return diagnose(classifier, schema.names, labelled_blocks(classifier, source, target))


def labelled_blocks(classifier: Classifier, source: Source, target: str) -> Iterator[tuple[Any, Codes]]:
    """Rows as the model reads them, with the position of their class among the model's, −1 for none."""
    need_column(source, target)
    schema = schema_of(classifier)
    for scored in predicted(classifier, source, lambda _, x: x, target=target):
        names, codes = labels_in(scored, schema, target)
        yield scored.result, np.append(find(names, classifier.model.classes), -1)[codes].astype(np.int32)
