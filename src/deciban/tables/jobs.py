"""Whole jobs on tables, without scikit-learn: what the command line and the estimator have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from deciban.choosing.search import choose, is_open
from deciban.model.classifier import Classifier, Group, Settings, warn_of_class_prior
from deciban.model.schema import Schema
from deciban.priors.priors import AUTO, Estimation
from deciban.readers.source import Source
from deciban.statistics import Statistics
from deciban.tables.decide import FIRST_ROWS, decide
from deciban.tables.declared import nearest
from deciban.tables.learn import Learned, by_column, learn, tell_unlabelled
from deciban.tables.rows import check_target, schema_of
from deciban.tables.sample import Reservoir


def fit_classifier(
    source: Source,
    target: str,
    columns: Any = None,
    *,
    alpha: Any = AUTO,
    class_prior: Any = None,
    calibrate: str | None = AUTO,
    weight: str | None = None,
    threads: int | None = None,
) -> Classifier:
    """A classifier of a table whose labels are one of its columns."""
    settings = Settings(Estimation(alpha), class_prior, threads, calibrate=calibrate)
    schema, groups = decided(source, columns, target, () if weight is None else (weight,), None)
    sample = reservoir(schema, groups, settings)
    learned = learn_by_name(source, schema, groups, weight, threads, sample)
    classifier = chosen(Classifier(groups, learned, settings, schema=schema), sample)
    warn_of_class_prior(classifier, stacklevel=2)
    _ = classifier.model  # settings that make no sense are an error now, not when the model is used
    return classifier


def reservoir(schema: Schema, groups: tuple[Group, ...], settings: Settings) -> Reservoir | None:
    """For a sample of the rows, if something is to be chosen on them."""
    return Reservoir(schema.names) if is_open(groups, settings) else None


def chosen(classifier: Classifier, sample: Reservoir | None) -> Classifier:
    """With what is left open chosen on the sample."""
    if sample is None or classifier.schema is None:
        return classifier
    return choose(classifier, sample.sample(classifier.schema))


def forget_rows(classifier: Classifier, source: Source, target: str | None, weight: str | None) -> Classifier:
    """The classifier without some of its rows, which weigh what they weighed in training."""
    weight = weight or schema_of(classifier).weight
    besides = () if weight is None else (weight,)
    schema, groups = decided(source, None, target or target_of(classifier), besides, classifier)
    rest = classifier.subtract(learn_by_name(source, schema, groups, weight, classifier.settings.threads))
    if not len(rest.statistics.classes):
        raise ValueError("forgetting these rows would leave nothing learned; keep at least one row.")
    return rest


def target_of(classifier: Classifier) -> str:
    schema = schema_of(classifier)
    if schema.target is None:
        raise ValueError("the model was trained on labels apart from its table; name the column with the labels.")
    return schema.target


def with_threads(classifier: Classifier, threads: int | None) -> Classifier:
    return classifier.with_settings(replace(classifier.settings, threads=threads))


def decided(
    source: Source, columns: Any, target: str | None, besides: tuple[str, ...], before: Classifier | None
) -> tuple[Schema, tuple[Group, ...]]:
    """The columns to read: those of the classifier before, or declared, or chosen on the first rows."""
    for name in (*besides, *((target,) if target is not None else ())):
        need_column(source, name)
    if before is not None:
        return replace(schema_of(before), target=target), before.groups
    head = source.head(FIRST_ROWS)
    if not head.num_rows:
        raise ValueError(f"{source.name} has no rows to learn from (0 sample(s)); a minimum of 1 is required.")
    schema, groups = decide(head, columns, target, besides)
    check_target(head, schema)
    return replace(schema, weight=next(iter(besides), None)), groups


def need_column(source: Source, name: str) -> None:
    there = source.schema.names
    if name not in there:
        hint = nearest(name, there)
        if not hint and len(there) == 1:
            hint = " (is the delimiter right?)"
        raise ValueError(f"{source.name} has no column {name!r}{hint}; it has {', '.join(there)}.")


def learn_by_name(
    source: Source,
    schema: Schema,
    groups: tuple[Group, ...],
    weight: str | None,
    threads: int | None,
    sample: Reservoir | None = None,
) -> Statistics:
    """Labels, and weights if any, are columns of the table."""
    besides = () if weight is None else (weight,)
    learned = learn(source, schema, groups, by_column(schema, weight), threads, besides, sample)
    return some(learned, source, schema.target)


def some(learned: Learned, source: Source, target: str | None) -> Statistics:
    """The statistics, if there are any; rows without a label are told of."""
    if not learned.rows:
        raise ValueError(f"{source.name} has no rows to learn from (0 sample(s)); a minimum of 1 is required.")
    if not len(learned.statistics.classes):
        raise ValueError(f"none of the {learned.rows} rows of {source.name} has a label ({target!r}) and a weight.")
    tell_unlabelled(learned, target, stacklevel=7)
    return learned.statistics
