"""A classifier under other event models of its columns, which read the statistics that were kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from deciban.likelihoods.base import Likelihood
from deciban.model.group import Group, check_replacements, split_by_model
from deciban.statistics import Block, Statistics

if TYPE_CHECKING:
    from deciban.model.classifier import Classifier


def with_other_models(classifier: Classifier, event_models: dict[int, Likelihood]) -> Classifier:
    """Return the same statistics under other event models of some columns, by column index."""
    parts, expected = _split(classifier, event_models, classifier.statistics), classifier.expected
    if expected is not None:
        blocks = tuple(block for _, block in _split(classifier, event_models, expected.statistics))
        expected = replace(expected, statistics=replace(expected.statistics, blocks=blocks))
    choices = classifier.choices
    return replace(
        classifier,
        groups=tuple(group for group, _ in parts),
        statistics=replace(classifier.statistics, blocks=tuple(block for _, block in parts)),
        schema=None if classifier.schema is None else classifier.schema.under(event_models),
        choices=None if choices is None else replace(choices, group_models=None, column_models=()),
        expected=expected,
    )


def _split(
    classifier: Classifier, event_models: dict[int, Likelihood], statistics: Statistics
) -> list[tuple[Group, Block]]:
    """Return the blocks of statistics with their groups under other event models of some columns."""
    parts: list[tuple[Group, Block]] = []
    for group, block in zip(classifier.groups, statistics.blocks):
        columns = group.column_indices(classifier.features).tolist()
        models = [event_models.get(j, group.likelihood) for j in columns]
        check_replacements(group.likelihood, models)
        parts += split_by_model(group, classifier.features, block, models)
    return parts
