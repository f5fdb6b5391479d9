"""The columns of a table decided again, on a sample of all rows instead of the first ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from deciban.arrays.kept_rows import KeptRows
from deciban.arrays.kept_table import KeptTable, text_of
from deciban.arrays.names import is_missing, missing_mask
from deciban.arrays.texts import Texts
from deciban.arrays.types import Array, Floats
from deciban.choosing.terms import choose_terms, rows_for_terms
from deciban.likelihoods import Likelihood
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import KINDS, Column, Schema
from deciban.statistics import RowSample
from deciban.tables.declared import JoinedColumns, SingleColumns, group_columns
from deciban.tables.rules import DOCUMENT_TEXT, SEEN_TEXTS, ColumnSample, choose_model, free_text, words_in


def decide_again(classifier: Classifier, with_terms: bool = True) -> tuple[Schema | None, tuple[Group, ...]]:
    """Return schema and groups of a classifier of tables as its sample decides them; declared columns stay.

    Without ``with_terms``, and with an incomplete sample, texts keep the terms that they have.
    """
    schema = classifier.schema
    if schema is None:
        return None, classifier.groups
    with_terms = with_terms and classifier.sample.is_complete  # else texts could not be counted again
    most_rows = rows_for_terms(classifier.settings) if with_terms else 0
    return decide_on_sample(schema, classifier.groups, classifier.sample, classifier.rows, most_rows)


def decide_on_sample(
    schema: Schema, groups: tuple[Group, ...], sample: RowSample, all_rows: float, most_rows: int
) -> tuple[Schema, tuple[Group, ...]]:
    """Return schema and groups as a sample of rows decides them; ``all_rows`` is the weight of all rows.

    Terms of texts are compared on ``most_rows`` of them at most; if it is 0, texts keep the terms that they have.
    """
    weight = np.maximum(sample.weight, 1.0)  # a row that weighs less is a row all the same
    total = None if sample.is_complete else all_rows
    columns = []
    for column in schema.columns:
        found = _decide(column, sample.rows, weight, total)
        columns.append(_with_terms(found, sample, most_rows) if most_rows else _keeping_terms(found, column))
    decided = replace(schema, columns=tuple(columns))
    changed = [a.name for a, b in zip(schema.columns, decided.columns) if not _same_model(a, b)]
    if not changed or not decided.used:
        return (decided if decided.used else schema), groups
    return decided, _regrouped(schema, decided, groups)


def _with_terms(column: Column, sample: RowSample, most_rows: int) -> Column:
    """Return a column with the terms of its texts as the sample chooses them, if they are open."""
    model, rows = column.likelihood, sample.rows
    if model is None or not model.term_variants() or not isinstance(rows, KeptTable) or column.name not in rows.columns:
        return column
    texts = [None if is_missing(value) else text_of(value) for value in rows.columns[column.name].tolist()]
    return replace(column, likelihood=choose_terms(model, Texts.of(texts), sample.names, sample.labels, most_rows))


def _keeping_terms(column: Column, before: Column) -> Column:
    """Return a column with the terms that it had, if they are open."""
    if column.likelihood is None or before.likelihood is None:
        return column
    return replace(column, likelihood=column.likelihood.with_terms_of(before.likelihood))


def _same_model(a: Column, b: Column) -> bool:
    if a.likelihood is None or b.likelihood is None:
        return a.likelihood is b.likelihood
    return a.likelihood.same_as(b.likelihood) and (a.kind == b.kind or not a.reading.as_names)


def _decide(column: Column, rows: KeptRows | None, weight: Floats, all_rows: float | None) -> Column:
    if column.is_declared or column.kind not in KINDS or not isinstance(rows, KeptTable):
        return column
    values = rows.columns.get(column.name, np.full(len(rows), np.nan))
    known = ~missing_mask(values)
    if column.why == DOCUMENT_TEXT:
        texts = [text for text in values[known].tolist() if text]
        return replace(column, likelihood=free_text(words_in(texts[:SEEN_TEXTS])[1]))
    found = _column_sample(column, values[known], float(weight[known].sum()), all_rows)
    choice = choose_model(found)
    return Column(column.name, found.kind, choice.likelihood, choice.why)


def _column_sample(column: Column, known: Array, rows: float, all_rows: float | None) -> ColumnSample:
    """Return the rows of a sample that have a value, in short."""
    if column.kind == "text":
        names = list(dict.fromkeys(map(text_of, known.tolist())))
        words, spaced = words_in(names[:SEEN_TEXTS]) if names else (0.0, True)
        return ColumnSample("text", rows, len(names), words, spaced, 0.0, all_rows)
    distinct = np.unique(known)
    span = float(distinct[-1]) - float(distinct[0]) if len(distinct) else 0.0
    kind = _number_kind(column.kind, distinct)
    return ColumnSample(kind, rows, len(distinct), 1.0, True, span, all_rows)


def _number_kind(kind: str, distinct: Array) -> str:
    """Return the kind of a column of numbers by its values, whatever type they came in; truth values stay so."""
    if kind == "boolean" and all(value in (0, 1) for value in distinct.tolist()):
        return kind
    whole = len(distinct) and all(isinstance(v, int) or float(v).is_integer() for v in distinct.tolist())
    return "integer" if whole else "number"


def _regrouped(before: Schema, after: Schema, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Return the groups of columns under new event models; columns that were declared together stay together."""
    position = {name: j for j, name in enumerate(after.names)}
    models: dict[str, Likelihood | None] = {c.name: c.likelihood for c in after.used}
    joined: JoinedColumns = []
    for group in groups:
        members = [before.used[j] for j in group.column_indices(len(before.used)).tolist()]
        if _is_joined(group, groups) and all(member.is_declared for member in members):
            joined.append(([position[member.name] for member in members], group.likelihood))
            for member in members:
                del models[member.name]
    single: SingleColumns = {position[name]: model for name, model in models.items()}
    return group_columns(joined, single, len(after.used))


def _is_joined(group: Group, groups: tuple[Group, ...]) -> bool:
    equal: Any = sum(group.likelihood.same_as(other.likelihood) for other in groups)
    return group.likelihood.joins_columns or equal > 1
