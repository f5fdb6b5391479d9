"""Jobs on tables: rows are counted by one function, for Python and the command line, for fit, update and forget."""

from __future__ import annotations

from functools import partial
from typing import Any

from deciban.choosing.training import Counted, is_open
from deciban.model.classifier import Classifier
from deciban.model.settings import Settings
from deciban.readers.source import Source
from deciban.tables.decide import decide_columns
from deciban.tables.labelling import ColumnLabels, Labelling
from deciban.tables.learn import learn_table
from deciban.tables.reservoir import Reservoir
from deciban.tables.rows import table_schema


def count_table(
    source: Source,
    labelling: Labelling,
    settings: Settings,
    columns: Any = None,
    before: Classifier | None = None,
) -> Counted:
    """Count the rows of a table: in the columns of the classifier before, if there is one, else as declared or chosen.

    A sample of the rows is kept if the settings leave something to be chosen on rows.
    """
    schema, groups = decide_columns(source, columns, labelling.target, labelling.weight, before)
    schema = labelling.complete_schema(schema)
    wanted = is_open(groups, settings) and not labelling.is_soft
    reservoir = Reservoir(schema.names) if wanted else None
    statistics = learn_table(source, schema, groups, labelling, settings.threads, reservoir)
    sample = None if reservoir is None else partial(reservoir.sample, schema)
    return Counted(groups, statistics, schema, sample, labelling.is_soft)


def labelling_of(classifier: Classifier, target: str | None, weight: str | None) -> ColumnLabels:
    """Return labels in the columns given, or else in those the classifier was trained with."""
    return ColumnLabels(target or target_of(classifier), weight or table_schema(classifier).weight)


def target_of(classifier: Classifier) -> str:
    """Return the column of labels that a classifier was trained with, or raise if there was none."""
    schema = table_schema(classifier)
    if schema.target is None:
        raise ValueError("the model was trained on labels beside its table; name the column with the labels.")
    return schema.target
