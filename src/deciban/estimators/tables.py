"""What NaiveBayes does with tables; apart, so that arrays need no pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.classifier import Classifier, Group
from deciban.estimators.base import different_lengths
from deciban.labels import Codes, Labels, Names, encode, object_array
from deciban.model import Model
from deciban.readers.source import Source, open_table
from deciban.schema import Schema
from deciban.statistics import Statistics
from deciban.tabular.jobs import decided, learn_by_name, need_column, some
from deciban.tabular.learn import learn
from deciban.tabular.predict import labels_in, no_rows, predicted
from deciban.tabular.rows import schema_of

__all__ = ["decided", "labelled", "learn_by_name", "learn_by_row", "open_table", "scored"]


def learn_by_row(
    source: Source, schema: Schema, groups: tuple[Group, ...], names: Names, labels: Labels, threads: int | None
) -> Statistics:
    """Labels are apart from the table, one per row."""
    given = len(labels.codes if labels.codes is not None else labels.soft)  # type: ignore[arg-type]

    def labelling(batch: pa.RecordBatch, first: int) -> tuple[Names, Labels]:
        if first + batch.num_rows > given:
            raise different_lengths(first + batch.num_rows, given)
        return names, labels.block(first, first + batch.num_rows)

    learned = learn(source, replace(schema, target=None), groups, labelling, threads)
    if learned.rows != given:
        raise different_lengths(learned.rows, given)
    return some(learned, source, None)


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
