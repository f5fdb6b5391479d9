"""A classifier in words: the rows it has learned from, its columns, their event models and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deciban.errors import setting
from deciban.likelihoods.base import Likelihood
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import Schema
from deciban.priors.families import FamilyCodes
from deciban.refinement import Refinement
from deciban.statistics.tables import OTHER
from deciban.terminal.width import align_columns

IGNORED = "predictions are better without it"
# Classes that a summary names.
SHOWN_CLASSES = 10


class ColumnModels(dict[Any, Any]):
    """The event model of every column, None where a column was left out; ``why`` has the reasons."""

    def __init__(self, models: dict[Any, Likelihood | None], why: dict[Any, str]) -> None:
        super().__init__(models)
        self.why = why

    def __str__(self) -> str:
        rows = [
            (str(name), "left out" if model is None else repr(model), self.why[name]) for name, model in self.items()
        ]
        return "\n".join(align_columns(rows))


def column_models(classifier: Classifier, names: Sequence[Any] | None) -> ColumnModels:
    """Return the declared event models of a classifier's columns; columns joined into one block are one entry."""
    schema = classifier.schema
    every: list[Any] = list(range(classifier.features)) if names is None else list(names)
    models: dict[Any, Likelihood | None] = {}
    for group in classifier.groups:
        members = tuple(np.array(every, dtype=object)[slice(None) if group.columns is None else group.columns])
        if schema is None or is_joined(group, classifier):
            models[members if len(members) > 1 else members[0]] = group.likelihood
        else:
            models |= dict.fromkeys(members, group.likelihood)
    if schema is None:
        return ColumnModels(models, dict.fromkeys(models, ""))
    return _in_schema_order(models, schema)


def table_models(classifier: Classifier) -> ColumnModels:
    """Return the event models of a classifier of tables."""
    if classifier.schema is None:
        raise ValueError("the model was not trained on a table, so its columns have no names.")
    return column_models(classifier, classifier.schema.names)


def is_joined(group: Group, classifier: Classifier) -> bool:
    """Return whether the columns of a group only make sense together, or were declared separately from equal ones."""
    equal = sum(group.likelihood.same_as(other.likelihood) for other in classifier.groups)
    return group.likelihood.joins_columns or equal > 1


def _in_schema_order(models: dict[Any, Likelihood | None], schema: Schema) -> ColumnModels:
    joined = {name: key for key in models if isinstance(key, tuple) for name in key}
    keys = list(dict.fromkeys(joined.get(column.name, column.name) for column in schema.columns))
    why = {column.name: column.why for column in schema.columns}
    reasons = {k: why[k[0] if isinstance(k, tuple) else k] for k in keys}
    return ColumnModels({key: models.get(key) for key in keys}, reasons)


def summary(classifier: Classifier) -> str:
    """Return the classes with their rows, then the columns."""
    statistics = classifier.statistics
    classes = list(zip(statistics.classes.tolist(), statistics.weight.tolist()))
    shown = ", ".join(f"{name}: {weight:g}" for name, weight in classes[:SHOWN_CLASSES])
    more = f", … ({len(classes)} classes)" if len(classes) > SHOWN_CLASSES else ""
    lines = [f"learned from {statistics.weight.sum():g} rows: {shown}{more}", *unlabelled_in_words(classifier)]
    lines += [] if classifier.choices is None else [choices_in_words(classifier)]
    lines += families_in_words(classifier)
    lines += more_rows_hint(classifier) + estimate_in_words(classifier)
    rows = columns_in_words(classifier)
    return "\n".join(lines + ["  " + line for line in align_columns(rows)])


def unlabelled_in_words(classifier: Classifier) -> list[str]:
    """Return a line on rows without labels, if the classifier has learned from any."""
    expected = classifier.expected
    return [] if expected is None else [f"+ {expected.rows:,.10g} rows without labels of weight {expected.weight:g}"]


def estimate_in_words(classifier: Classifier) -> list[str]:
    """Return a line on the event models whose parameters are not integrated out although the estimate says so."""
    estimation = classifier.estimation
    models = [group.likelihood for group, _ in classifier.scored]
    plain = dict.fromkeys(str(model) for model in models if not model.integrates_out(estimation))
    if estimation.kind != "predictive" or not plain:
        return []
    return [f"most probable parameters, which are not integrated out: {', '.join(plain)}"]


def families_in_words(classifier: Classifier) -> list[str]:
    """Return a line on the families of classes that share a prior; none without families."""
    if classifier.families is None:
        return []
    members = list(classifier.families.members().items())
    shown = "; ".join(f"{family}: {', '.join(map(str, classes))}" for family, classes in members[:SHOWN_CLASSES])
    more = f"; … ({len(members)} families)" if len(members) > SHOWN_CLASSES else ""
    return [f"classes that share a prior: {shown}{more}"]


def choices_in_words(classifier: Classifier) -> str:
    """Return what was chosen on rows and is in force, with the event models that were chosen for whole groups."""
    choices, pairs = classifier.choices, zip(classifier.group_models, classifier.groups)
    if choices is None:
        return ""
    parts = [str(chosen) for chosen, group in pairs if not chosen.same_as(group.likelihood)]
    parts += [f"alpha {classifier.estimation.alpha:.3g}"] if classifier.settings.estimation.is_open else []
    ignored, missing = len(choices.ignored_columns), len(choices.missing_columns)
    parts += [f"{_columns(ignored)} ignored"] if ignored else []
    parts += [f"missing values of {_columns(missing)} count"] if missing else []
    parts += [] if classifier.calibration is None else [str(classifier.calibration)]
    parts += [] if classifier.refinement is None else [refinement_in_words(classifier.refinement)]
    return f"{', '.join(parts) or 'event models'} ({where_chosen(choices)})"


def refinement_in_words(refinement: Refinement) -> str:
    """Return the kinds of terms that a refinement has."""
    pairs = len(refinement.pairs)
    parts = ["weighted evidence"]
    parts += [f"{pairs} pair{'s' * (pairs != 1)} of columns"] if pairs else []
    parts += ["a normal distribution of all columns together"] if refinement.shared_weight else []
    parts += ["normal distributions of all numbers per class"] if refinement.class_weight else []
    parts += [] if refinement.correction is None else [str(refinement.correction)]
    return ", ".join(parts)


def more_rows_hint(classifier: Classifier) -> list[str]:
    """Return a line that says how a refinement could use more rows, if it was fitted on some of them only."""
    refinement, more = classifier.refinement, f"{setting('refine', 'rows')} or a larger {setting('remember')}"
    if refinement is None:
        is_cut = classifier.sample.keeps_rows and not classifier.sample.is_complete
        has_too_few = classifier.reads_texts_alone and classifier.settings.refine is not None and is_cut
        return [f"words have no learned evidence besides the counts; {more} would learn from more rows"] * has_too_few
    if refinement.counts_all_rows:
        return []
    if refinement.correction is not None:
        return [f"the evidence of words was learned from the remembered rows; {more} would use more rows"]
    return [f"pairs of columns and joint normal distributions count the remembered rows; {more} would use more rows"]


def where_chosen(choices: Choices) -> str:
    """Return on how many rows choices were made, or why constants are used instead."""
    if choices.reason:
        return f"constants: {choices.reason}"
    return f"chosen on {rows_in_words(choices.rows, choices.effective_rows)}"


def rows_in_words(rows: int, effective: float | None) -> str:
    """Return a number of rows, with the number of rows of equal weight that tell as much if it is another."""
    counts = "" if effective is None or round(effective) == rows else f", which count as {effective:,.0f}"
    return f"{rows:,} rows{counts}"


def _columns(number: int) -> str:
    return f"{number} column{'s' * (number != 1)}"


def to_dict(classifier: Classifier) -> dict[str, Any]:
    """Return the summary as plain values."""
    statistics, settings, expected = classifier.statistics, classifier.settings, classifier.expected
    return {
        "target": classifier.table_schema.target if classifier.table_schema else None,
        "classes": {str(c): w for c, w in zip(statistics.classes.tolist(), statistics.weight.tolist())},
        "unlabelled": None if expected is None else {"rows": expected.rows, "weight": expected.weight},
        "alpha": settings.estimation.alpha,
        "estimate": settings.estimation.kind,
        "class_prior": settings.class_prior,
        "calibrate": settings.calibrate,
        "refine": settings.refine,
        "families": None if classifier.families is None else members_by_name(classifier.families),
        "chosen": None if classifier.choices is None else choices_in_words(classifier),
        "columns": [{"column": n, "event_model": m, "why": w} for n, m, w in columns_in_words(classifier)],
    }


def members_by_name(families: FamilyCodes) -> dict[str, list[str]]:
    """Return the classes of every family as plain values."""
    return {str(family): [str(label) for label in labels] for family, labels in families.members().items()}


def columns_in_words(classifier: Classifier) -> list[tuple[str, str, str]]:
    """Return name, event model and reason of every column."""
    schema = classifier.table_schema
    if schema is None:
        names = range(classifier.features)
        declared, chosen = column_models(classifier, None), _chosen_models(classifier, names)
        rows = [(f"column {name}", _model_in_words(model), "") for name, model in declared.items()]
        return rows + [(f"column {name}", model, why) for name, (model, why) in chosen.items()]
    lumped = dict.fromkeys(_lumped_columns(classifier, schema), f"; too many values, the rest counts as {OTHER}")
    chosen = _chosen_models(classifier, schema.names)
    return [
        (c.name, *chosen.get(c.name, (_model_in_words(c.likelihood), c.why + lumped.get(c.name, ""))))
        for c in schema.columns
    ]


def _chosen_models(classifier: Classifier, names: Sequence[Any]) -> dict[Any, tuple[str, str]]:
    """Return what was chosen for single columns, and why, in words."""
    chosen = () if classifier.choices is None else classifier.choices.column_models
    found = {names[j]: ("ignored", IGNORED) if model is None else (str(model), "chosen") for j, model in chosen}
    return found | {names[j]: ("ignored", IGNORED) for j in unweighted_columns(classifier)}


def unweighted_columns(classifier: Classifier) -> list[int]:
    """Return the columns that a refined model has no use for, neither alone nor together with others."""
    refinement = classifier.refinement
    if refinement is None:
        return []
    joint = {j for line in refinement.lines for j in line}
    return [
        int(j)
        for j in np.flatnonzero(refinement.column_weights == 0)
        if j not in joint and not refinement.has_share(int(j))
    ]


def _model_in_words(likelihood: Likelihood | None) -> str:
    return "left out" if likelihood is None else str(likelihood)


def _lumped_columns(classifier: Classifier, schema: Schema) -> list[str]:
    """Return the columns with more categories than are kept."""
    names = np.array(schema.names, dtype=object)
    found: list[str] = []
    for group, block in zip(classifier.groups, classifier.seen.blocks):
        members = names[slice(None) if group.columns is None else group.columns]
        found += [name for j, name in enumerate(members) if block.lumps_categories(j)]
    return found
