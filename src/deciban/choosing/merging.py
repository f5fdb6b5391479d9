"""Merging: one classifier from two that have learned from different rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from deciban.arrays.types import Names
from deciban.choosing.sample_columns import Decide, with_choices_due, with_terms_decided
from deciban.choosing.without_expected import without_expected
from deciban.errors import ChoiceWarning, setting, warn_user, wording
from deciban.model.classifier import Classifier
from deciban.model.schema import difference_in_words, schema_identity


def merge_pair(a: Classifier, b: Classifier, decide: Decide) -> Classifier:
    """Return a classifier that has learned what two have; where both know their rows, columns are decided anew."""
    a, b = without_expected(a), without_expected(b)
    decide_columns: Decide
    if (a.sample + b.sample).is_complete:
        decide_columns = partial(decide, with_terms=False)  # terms are decided when the sum is used
    else:
        a, b, decide_columns = with_terms_decided(a, decide), with_terms_decided(b, decide), decide
    if not a.has_columns_of(b):
        a, b = _with_equal_columns(a, b, decide_columns)
    merged = _added(a, b)
    if (a.joint or b.joint) and merged.joint is None and not merged.sample.is_complete:
        warn_user(
            f"The models have counted different pairs of columns over all their rows ({setting('refine', 'rows')}), "
            "which do not add up: from now on pairs and joint normal distributions count remembered rows alone. To "
            f"keep counts of all rows, add rows to one model ({wording('partial_fit', 'deciban update')}).",
            ChoiceWarning,
        )
    warn_of_twin_labels(merged.statistics.classes, a.statistics.classes, b.statistics.classes)
    return with_choices_due(merged, decide)


def _added(a: Classifier, b: Classifier) -> Classifier:
    """Return a classifier with the rows of two of the same columns, and with the choices made on more rows."""
    if not a.has_columns_of(b):
        refuse_different_columns(a, b)
    both = [classifier.choices for classifier in (a, b) if classifier.choices is not None]
    choices = both[0].completed_by(both[1]) if len(both) == 2 else next(iter(both), None)
    joint = b.joint if b.plan == a.plan else None
    return replace(a.add(b.statistics, b.sample, joint), choices=choices)


def refuse_different_columns(a: Classifier, b: Classifier) -> None:
    """Raise the error for a merge of models of different columns."""
    advice = wording("pass the same columns= to both", "train one with --like the other")
    raise ValueError(
        f"models of different columns do not merge: {_columns_in_words(a)} against {_columns_in_words(b)}"
        f"{difference_in_words(a.schema, b.schema)}; {advice} and keep the columns in one order."
    )


def _columns_in_words(classifier: Classifier) -> str:
    """Return the number of columns, the first names, and the event models."""
    names = [name for name, *_ in schema_identity(classifier.schema)]
    first = ", ".join(names[:3]) + (", …" if len(names) > 3 else "") if names else "unnamed"
    kinds = dict.fromkeys(str(group.likelihood) for group in classifier.groups)
    return f"{classifier.features} columns ({first}) under {', '.join(kinds)}"


def _with_equal_columns(a: Classifier, b: Classifier, decide: Decide) -> tuple[Classifier, Classifier]:
    """Return two classifiers with the same columns: one that knows all its rows is made again for the other's columns.

    The joint decision is made for both if both know their rows. Raise if neither does.
    """
    if not _may_be_decided_alike(a, b) or not (a.sample.is_complete or b.sample.is_complete):
        refuse_different_columns(a, b)
    if a.sample.is_complete and b.sample.is_complete:
        schema, groups = decide(replace(a, sample=a.sample + b.sample))
        return a.remade(schema, groups), b.remade(schema, groups)
    return (a.remade(b.schema, b.groups), b) if a.sample.is_complete else (a, b.remade(a.schema, a.groups))


def _may_be_decided_alike(a: Classifier, b: Classifier) -> bool:
    """Return whether two classifiers have the same columns, and none that was declared in two ways."""
    if a.schema is None or b.schema is None:
        return a.schema is b.schema and a.features == b.features
    theirs = {c.name: c for c in b.schema.columns}
    if sorted(c.name for c in a.schema.columns) != sorted(theirs):
        return False
    pairs = [(mine, theirs[mine.name]) for mine in a.schema.columns]
    declared = [(m, t) for m, t in pairs if m.is_declared or t.is_declared]
    if any((str(m.likelihood), m.reading) != (str(t.likelihood), t.reading) for m, t in declared):
        return False
    return all((m.kind == "text") == (t.kind == "text") for m, t in pairs)


def warn_of_twin_labels(classes: Names, *before: Names) -> None:
    """Warn of a number and a text that are written alike, such as 1 and "1", and were not both classes before."""
    if classes.dtype != object or any(names.dtype == object for names in before):
        return
    texts = {label for label in classes.tolist() if isinstance(label, str)}
    twin = next((label for label in classes.tolist() if label not in texts and str(label) in texts), None)
    if twin is not None:
        warn_user(
            f"The labels {twin!r} and {str(twin)!r} are two classes, because a label keeps its type; give all rows "
            'labels of one type (for a text file, types={"label": "string"} or --type label=string).'
        )
