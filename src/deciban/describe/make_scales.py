"""Scales of a fitted model, with the values that event models list, else those of remembered rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deciban.arrays.names import is_missing
from deciban.arrays.types import Floats
from deciban.describe.groups import FittedGroup, fitted_groups
from deciban.describe.probability_scale import ProbabilityScale
from deciban.describe.refined_scales import joint_scales, refined_values
from deciban.describe.scales import Scale, Scales, row_sums
from deciban.explain.explanation import Explanation
from deciban.explain.row_explanation import DECIBANS, RowExplanation
from deciban.explain.rows import class_positions, explain_table
from deciban.explain.weights import two_classes
from deciban.likelihoods.fitted import joined_name
from deciban.likelihoods.scale_values import BINS, CATEGORIES, NUMBERS, ColumnValues
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.model.parts import Part
from deciban.scorers.base import log_odds

# Kinds of scales on which a row has exactly one value.
SINGLE_VALUES = (CATEGORIES, BINS, NUMBERS)
MISSING, PRESENT = "(missing)", "(not missing)"
REMEMBERED = "training rows that the model remembers"
# Values of remembered rows that are marked.
MOST_REMEMBERED = 200

# Returns the result of a score of the model for rows X, and the explanation of rows X for two classes.
ScoreRows = Callable[[Any, Callable[[Model, Any], Any]], Any]
ExplainRows = Callable[[Any, Any, Any], Explanation]


def make_scales(
    classifier: Classifier,
    names: Sequence[str],
    favour: Any,
    against: Any,
    row: Any,
    score_rows: ScoreRows,
    explain_rows: ExplainRows,
) -> Scales:
    """Return the scales of two classes; with a row, they are the classes that it is explained for."""
    model = classifier.model
    if len(model.classes) < 2:
        raise ValueError("scales compare two classes, and the model has one.")
    explained = None if row is None else _single_row(explain_rows(row, favour, against))
    if explained is None:
        a, b = two_classes(len(model.classes), *class_positions(model, favour, against))
    else:
        a, b = explained.favour, explained.against
    labels = model.classes.tolist()

    def evidence(X: Any) -> Floats:
        return np.asarray(score_rows(X, lambda m, x: _evidence_between(m, x, a, b)))

    def place(scales: Scales, X: Any) -> Scales:
        return _with_row(scales, model, _single_row(explain_rows(X, labels[a], labels[b])))

    found = Scales(
        labels[a],
        labels[b],
        float(model.prior_between(np.array([a]), np.array([b]))[0] * DECIBANS),
        tuple(
            _scale(values, columns, classifier, names, a, b)
            for columns, group in _all_values(classifier, names, a, b)
            for values in group
        )
        + tuple(joint_scales(classifier, names, a, b)),
        ProbabilityScale.of(model, a, b) if len(labels) == 2 else None,
        target=classifier.schema.target if classifier.schema else None,
        evidence=evidence,
        place=place,
    )
    return found if explained is None else _with_row(found, model, explained)


def scales_of_table(classifier: Classifier, favour: Any, against: Any, row: Any = None) -> Scales:
    """Return the scales of a model of tables, without an estimator; ``row`` is a table of one row."""
    from deciban.readers.source import open_table
    from deciban.tables.predict import score_table

    def score_rows(X: Any, score: Callable[[Model, Any], Any]) -> Any:
        return np.concatenate([part.result for part in score_table(classifier, open_table(X), score)])

    def explain_rows(X: Any, favour: Any, against: Any) -> Explanation:
        return explain_table(classifier, open_table(X), favour, against)

    return make_scales(classifier, classifier.column_names(), favour, against, row, score_rows, explain_rows)


def _with_row(scales: Scales, model: Model, row: RowExplanation) -> Scales:
    """Return the scales with a row on them, and with the scale of probabilities for rows of its size."""
    two = scales.probability is not None
    return replace(
        scales,
        probability=ProbabilityScale.of(model, row.favour, row.against, row.joint) if two else None,
        row=row,
        row_decibans=row_sums(row, scales.scales),
    )


def _single_row(explanation: Explanation) -> RowExplanation:
    if len(explanation) != 1:
        raise ValueError(f"row has {len(explanation)} rows; give one row, as a mapping or as [row].")
    return explanation[0]


def _evidence_between(model: Model, x: Any, a: int, b: int) -> Floats:
    rows = x.shape[0]
    codes = (np.full(rows, c, dtype=np.int32) for c in (a, b))
    return model.evidence_between(x, *codes) * DECIBANS


def _all_values(
    classifier: Classifier, names: Sequence[str], a: int, b: int
) -> Iterator[tuple[list[int], Sequence[ColumnValues]]]:
    """Yield the columns of every group, and the values on their scales."""
    for group, part in zip(fitted_groups(classifier, names), classifier.model.parts):
        # A column that is changed before it is read has other values than those that its event model knows.
        found = None if group.likelihood.prepares else group.likelihood.scale_values(group.compare(a, b))
        yield group.positions, _remembered_values(classifier, group, part) if found is None else found
    yield from (([j], [_presence_alone(len(classifier.model.classes))]) for j in _ignored_columns(classifier))


def _ignored_columns(classifier: Classifier) -> list[int]:
    """Return the columns of which the model reads only whether a cell is missing."""
    if classifier.missing_values is None:
        return []
    read = {j for group, _ in classifier.scored for j in group.column_indices(classifier.features).tolist()}
    return [j for j in classifier.missing_values.columns if j not in read]


def _presence_alone(classes: int) -> ColumnValues:
    """Return a scale whose only value is that a cell is not missing."""
    return ColumnValues((0,), CATEGORIES, (PRESENT,), np.zeros((1, classes)))


def _remembered_values(classifier: Classifier, group: FittedGroup, part: Part) -> list[ColumnValues]:
    """Return the values of the rows that the model remembers; no values if it remembers none."""
    features, classes = part.scorer.features, part.scorer.classes
    none = np.zeros((0, classes))
    if group.likelihood.joins_columns:
        return [ColumnValues(tuple(range(features)), CATEGORIES, (), none)]
    if classifier.sample.rows is None or not len(classifier.sample):
        return [ColumnValues((j,), CATEGORIES, (), none) for j in range(features)]
    frame = classifier.sample_frame()
    scores = part.scorer.evidence(part.rows(frame))
    weight = classifier.sample.weight
    return [_distinct(k, frame.cells(j), scores[:, :, k], weight) for k, j in enumerate(group.positions)]


def _distinct(k: int, cells: Any, scores: Floats, weight: Floats) -> ColumnValues:
    """Return the distinct values of a column, numbers in ascending order; at most MOST_REMEMBERED of them."""
    first: dict[Any, int] = {}
    total: dict[Any, float] = {}
    for i, value in enumerate(cells):
        if not is_missing(value):
            first.setdefault(value, i)
            total[value] = total.get(value, 0.0) + float(weight[i])
    values = list(first)
    numbers = all(isinstance(v, int | float | np.number) for v in values)
    values = sorted(values) if numbers else values
    step = max(1, -(-len(values) // MOST_REMEMBERED))
    values = values[::step]
    return ColumnValues(
        (k,),
        NUMBERS if numbers else CATEGORIES,
        tuple(values),
        scores[[first[v] for v in values]] if values else np.zeros((0, scores.shape[1])),
        np.array([total[v] for v in values]),
        REMEMBERED,
    )


def _scale(
    found: ColumnValues, columns: list[int], classifier: Classifier, names: Sequence[str], a: int, b: int
) -> Scale:
    own = tuple(columns[k] for k in found.columns)
    if classifier.refinement is not None:
        found = refined_values(found, own, classifier.refinement)
    found = _with_missing(found, own, classifier)
    decibans = log_odds(found.scores[:, a], found.scores[:, b]) * DECIBANS
    name = joined_name([names[j] for j in own])
    return Scale(name, own, found.kind, found.values, decibans, found.weight, found.unit, found.cuts)


def _with_missing(found: ColumnValues, columns: tuple[int, ...], classifier: Classifier) -> ColumnValues:
    """Return values with "(missing)" at the end if a missing cell is evidence; being present is then evidence too."""
    missing = classifier.missing_values
    if missing is None or len(columns) > 1 or columns[0] not in missing.columns:
        return found
    k = missing.columns.index(columns[0])
    absent, known = (p[:, k] for p in missing.log_probability)
    weights = np.array([missing.known[:, k].sum(), missing.missing[:, k].sum()])
    if found.values == (PRESENT,):
        return replace(found, values=(PRESENT, MISSING), scores=np.stack([known, absent]), weight=weights)
    single = found.kind in SINGLE_VALUES  # a row has exactly one of them, so each implies that the cell is not missing
    added = (MISSING,) if single else (PRESENT, MISSING)
    scores = [found.scores + known, absent[None]] if single else [found.scores, np.stack([known, absent])]
    return replace(
        found,
        values=(*found.values, *added),
        scores=np.concatenate(scores),
        weight=None if found.weight is None else np.append(found.weight, weights[-len(added) :]),
    )
