"""What NaiveBayes does with tables; apart, so that arrays need no pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import Codes, Floats, Labels, Names, encode, object_array
from deciban.estimators.base import different_lengths
from deciban.model.classifier import Classifier, Group
from deciban.model.model import Model
from deciban.model.schema import Schema
from deciban.readers.source import Source, open_table
from deciban.statistics import Statistics
from deciban.tables import predict
from deciban.tables.jobs import decided, learn_by_name, need_column, reservoir, some
from deciban.tables.learn import Labelling, by_column, learn
from deciban.tables.predict import labels_in, no_rows, predicted
from deciban.tables.rows import schema_of
from deciban.tables.sample import Reservoir

__all__ = [
    "decided",
    "labelled",
    "learn_by_name",
    "learn_by_row",
    "left_out",
    "left_out_by_row",
    "open_table",
    "reservoir",
    "scored",
]


def learn_by_row(
    source: Source,
    schema: Schema,
    groups: tuple[Group, ...],
    names: Names,
    labels: Labels,
    threads: int | None,
    sample: Reservoir | None = None,
) -> Statistics:
    """Labels are apart from the table, one per row."""
    learned = learn(source, replace(schema, target=None), groups, row_labels(names, labels), threads, (), sample)
    if learned.rows != rows_labelled(labels):
        raise different_lengths(learned.rows, rows_labelled(labels))
    return some(learned, source, None)


def left_out(classifier: Classifier, table: Any, target: str, weight: str | None) -> Floats:
    """The log posterior of every row of a table with labels, as if it had not been trained on."""
    source = open_table(table)
    classifier = replace(classifier, schema=replace(schema_of(classifier), target=target))
    besides = (target, *(() if weight is None else (weight,)))
    for name in besides:
        need_column(source, name)
    labelling = by_column(schema_of(classifier), weight)
    parts = list(predict.left_out(classifier, source, labelling, besides))
    return np.concatenate(parts) if parts else np.empty((0, len(classifier.model.classes)))


def left_out_by_row(classifier: Classifier, table: Any, names: Names, labels: Labels) -> Floats:
    """The same with labels apart from the table."""
    source = open_table(table)
    parts = list(predict.left_out(classifier, source, row_labels(names, labels)))
    if sum(map(len, parts)) != rows_labelled(labels):
        raise different_lengths(sum(map(len, parts)), rows_labelled(labels))
    return np.concatenate(parts) if parts else np.empty((0, len(classifier.model.classes)))


def rows_labelled(labels: Labels) -> int:
    return len(labels.codes if labels.codes is not None else labels.soft)  # type: ignore[arg-type]


def row_labels(names: Names, labels: Labels) -> Labelling:
    given = rows_labelled(labels)

    def labelling(batch: pa.RecordBatch, first: int) -> tuple[Names, Labels]:
        if first + batch.num_rows > given:
            raise different_lengths(first + batch.num_rows, given)
        return names, labels.block(first, first + batch.num_rows)

    return labelling


def scored(classifier: Classifier, table: Any, score: Callable[[Model, Any], Any]) -> Any:
    """What ``score`` makes of all rows of a table."""
    parts = [scored.result for scored in predicted(classifier, open_table(table), score)]
    return np.concatenate(parts) if parts else score(classifier.model, no_rows(schema_of(classifier)))


def labelled(
    classifier: Classifier, table: Any, target: str, score: Callable[[Model, Any], Any]
) -> tuple[Names, Codes, Any]:
    """Class names, the code of every row among them (−1: no label), and what ``score`` makes of the rows."""
    schema, source = schema_of(classifier), open_table(table)
    need_column(source, target)
    found, parts = [], []
    for scored in predicted(classifier, source, score, target=target):
        names, codes = labels_in(scored, schema, target)
        found.append(object_array([*names.tolist(), None])[codes])
        parts.append(scored.result)
    if not parts:
        raise ValueError(f"{source.name} has no rows.")
    names, codes = encode(np.concatenate(found))
    return names, codes, np.concatenate(parts)
