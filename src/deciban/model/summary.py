"""A classifier in words: what it has learned from, its columns, their event models and why."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.likelihoods import Likelihood
from deciban.model.classifier import Classifier, Group
from deciban.model.schema import Schema
from deciban.statistics import Block, Tables
from deciban.statistics.tables import OTHER
from deciban.terminal.width import aligned


class Choices(dict[Any, Any]):
    """The event model of every column, None where a column was left out; ``why`` has the reasons."""

    def __init__(self, models: dict[Any, Likelihood | None], why: dict[Any, str]) -> None:
        super().__init__(models)
        self.why = why

    def __str__(self) -> str:
        rows = [
            (str(name), "left out" if model is None else repr(model), self.why[name]) for name, model in self.items()
        ]
        return "\n".join(aligned(rows))


def choices(classifier: Classifier, names: Any, features: int) -> Choices:
    """The columns of a classifier; columns joined into one block are one entry."""
    schema = classifier.schema
    every: list[Any] = list(range(features)) if names is None else list(names)
    models: dict[Any, Likelihood | None] = {}
    for group in classifier.groups:
        members = tuple(np.array(every, dtype=object)[slice(None) if group.columns is None else group.columns])
        if schema is None or is_joint(group, classifier):
            models[members if len(members) > 1 else members[0]] = group.likelihood
        else:
            models |= dict.fromkeys(members, group.likelihood)
    if schema is None:
        return Choices(models, dict.fromkeys(models, ""))
    return _in_order(models, schema)


def table_choices(classifier: Classifier) -> Choices:
    """The columns of a classifier of tables."""
    if classifier.schema is None:
        raise ValueError("the model was not trained on a table, so its columns have no names.")
    return choices(classifier, classifier.schema.names, classifier.features)


def is_joint(group: Group, classifier: Classifier) -> bool:
    """Whether the columns of a group only make sense together, or were declared apart from others of their kind."""
    alike = sum(group.likelihood.same_as(other.likelihood) for other in classifier.groups)
    return group.likelihood.joins_columns or alike > 1


def _in_order(models: dict[Any, Likelihood | None], schema: Schema) -> Choices:
    joined = {name: key for key in models if isinstance(key, tuple) for name in key}
    keys = list(dict.fromkeys(joined.get(column.name, column.name) for column in schema.columns))
    why = {column.name: column.why for column in schema.columns}
    return Choices({key: models.get(key) for key in keys}, {k: why[k[0] if isinstance(k, tuple) else k] for k in keys})


def summary(classifier: Classifier) -> str:
    """Classes with their rows, then the columns."""
    statistics = classifier.statistics
    classes = list(zip(statistics.classes.tolist(), statistics.weight.tolist()))
    shown = ", ".join(f"{name}: {weight:g}" for name, weight in classes[:10])
    more = f", … ({len(classes)} classes)" if len(classes) > 10 else ""
    lines = [f"learned from {statistics.weight.sum():g} rows: {shown}{more}"]
    lines += [] if classifier.chosen is None else [chosen_in_words(classifier)]
    rows = columns_in_words(classifier)
    return "\n".join(lines + ["  " + line for line in aligned(rows)])


def chosen_in_words(classifier: Classifier) -> str:
    """What was chosen on rows, and the event models among it."""
    pairs = zip(classifier.likelihoods, classifier.groups)
    models = [str(chosen) for chosen, group in pairs if not chosen.same_as(group.likelihood)]
    return ", ".join([*models, str(classifier.chosen)])


def to_dict(classifier: Classifier) -> dict[str, Any]:
    """The same as plain values."""
    statistics, settings = classifier.statistics, classifier.settings
    return {
        "target": classifier.reads.target if classifier.reads else None,
        "classes": {str(c): w for c, w in zip(statistics.classes.tolist(), statistics.weight.tolist())},
        "alpha": settings.how.alpha,
        "estimate": settings.how.kind,
        "class_prior": settings.class_prior,
        "calibrate": settings.calibrate,
        "chosen": None if classifier.chosen is None else chosen_in_words(classifier),
        "columns": [{"column": n, "event_model": m, "why": w} for n, m, w in columns_in_words(classifier)],
    }


def columns_in_words(classifier: Classifier) -> list[tuple[str, str, str]]:
    """Name, event model and reason of every column."""
    schema = classifier.reads
    if schema is None:
        named, apart = choices(classifier, None, classifier.features), _apart(classifier, range(classifier.features))
        rows = [(f"column {name}", _in_words(model), "") for name, model in named.items()]
        return rows + [(f"column {name}", model, why) for name, (model, why) in apart.items()]
    full = dict.fromkeys(_full(classifier), f"; too many values, the rest counts as {OTHER}")
    apart = _apart(classifier, schema.names)
    return [
        (c.name, *apart.get(c.name, (_in_words(c.likelihood), c.why + full.get(c.name, "")))) for c in schema.columns
    ]


def _apart(classifier: Classifier, names: Any) -> dict[Any, tuple[str, str]]:
    """What was chosen for single columns, and why, in words."""
    chosen = () if classifier.chosen is None else classifier.chosen.apart
    return {
        names[j]: ("ignored", "predictions are better without it") if model is None else (str(model), "chosen")
        for j, model in chosen
    }


def _in_words(likelihood: Likelihood | None) -> str:
    return "left out" if likelihood is None else str(likelihood)


def _full(classifier: Classifier) -> list[str]:
    """Columns with more categories than are kept apart."""
    names = np.array(classifier.reads.names if classifier.reads else [], dtype=object)
    found: list[str] = []
    for group, block in zip(classifier.groups, classifier.statistics.blocks):
        members = names[slice(None) if group.columns is None else group.columns]
        found += [name for name, full in zip(members, _absorbing(block)) if full]
    return found


def _absorbing(block: Block) -> list[bool]:
    return [isinstance(block, Tables) and block.is_full(j) for j in range(block.features)]
