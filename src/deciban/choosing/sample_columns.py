"""The columns of a classifier and their event models, decided once more on the rows of its sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from deciban.errors import ColumnWarning, warn_user
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import Schema

# Schema and groups of columns; and a function that decides on them by the sample of a classifier.
TableColumns: TypeAlias = tuple[Schema | None, tuple[Group, ...]]
Decide: TypeAlias = Callable[..., TableColumns]


def with_choices_due(classifier: Classifier, decide: Decide) -> Classifier:
    """Return the classifier with columns decided on its sample, and with choices due; if it is complete, terms too.

    Terms are a function of the sample alone, so it makes no difference when they are decided, and after many merges it
    is done once.
    """
    complete = classifier.sample.is_complete
    found = with_columns_decided(classifier, partial(decide, with_terms=False) if complete else decide)
    open_terms = any(group.likelihood.term_variants() for group in found.groups)
    return replace(found.due(), terms_due=complete and open_terms)


def with_terms_decided(classifier: Classifier, decide: Decide | None) -> Classifier:
    """Return the classifier with the terms of its texts decided on its sample, if they are due."""
    if not classifier.terms_due:
        return classifier
    assert decide is not None  # a classifier is not pickled before its terms are decided
    return replace(with_columns_decided(classifier, decide), terms_due=False)


def with_columns_decided(classifier: Classifier, decide: Decide) -> Classifier:
    """Return the classifier with columns decided on its sample, and with statistics made from it if it is complete.

    Where the sample is incomplete, a column keeps its event model; a warning names columns that should have another.
    Where rows without labels were counted, all columns stay as they are.
    """
    sample = classifier.sample
    if not sample.keeps_rows or not len(sample) or classifier.expected is not None:
        return classifier
    schema, groups = decide(classifier)
    if classifier.reads_columns(schema, groups):
        classifier = replace(classifier, schema=schema)
        exact = all(block.is_exact for block in classifier.statistics.blocks)
        return classifier if exact or not sample.is_complete else classifier.remade(schema, groups)
    if sample.is_complete:
        return classifier.remade(schema, groups)
    _warn_of_columns(classifier.schema, schema)
    return classifier


def _warn_of_columns(before: Schema | None, after: Schema | None) -> None:
    """Warn of columns that would be read otherwise if all rows could be read again."""
    if before is None or after is None:
        warn_user("A column would be read otherwise now; fit again to change that.", ColumnWarning)
        return
    found = {c.name: c for c in after.columns}
    changed = [
        f"{c.name!r} (now {c.likelihood or 'left out'}, by its rows {found[c.name].likelihood or 'left out'}: "
        f"{found[c.name].why})"
        for c in before.columns
        if str(found[c.name].likelihood) != str(c.likelihood)
    ]
    warn_user(
        f"Columns keep the event model that was chosen on fewer rows: {', '.join(changed)}; fit again to change that.",
        ColumnWarning,
    )
