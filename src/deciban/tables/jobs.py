"""Jobs on tables: rows are counted by one function, for Python and the command line, for fit, update and forget."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from deciban.choosing.terms import rows_for_terms
from deciban.choosing.training import Counted, rows_to_decide_on, rows_to_remember
from deciban.errors import ColumnWarning, setting, warn_user
from deciban.model.classifier import Classifier
from deciban.model.settings import Settings
from deciban.model.summarize import split_counts, summarize
from deciban.readers.source import Source
from deciban.refinement.joint_counts import JointPlan
from deciban.statistics import RowSample
from deciban.statistics.row_sample import INFINITE, REMEMBERED_ROWS, UNBOUNDED
from deciban.tables.decide import decide_columns, warn_of_columns
from deciban.tables.decide_again import decide_on_sample
from deciban.tables.labelling import ColumnLabels, Labelling
from deciban.tables.learn import learn_table
from deciban.tables.rows import table_schema
from deciban.tables.source_again import SourceAgain


def count_table(
    source: Source,
    labelling: Labelling,
    settings: Settings,
    columns: Any = None,
    before: Classifier | None = None,
    forgetting: bool = False,
) -> Counted:
    """Count the rows of a table in the columns of an earlier classifier, or else in declared and chosen columns.

    A sample of the rows is kept if the settings leave something to be chosen on rows. For a new classifier the columns
    are decided on the first rows, and again on the sample of all rows. The terms of texts take longer to choose and, if
    they are pairs, to count, so the first rows decide on them only without a sample, or if rows can be read only once.
    """
    with_terms = not (settings.remember and source.can_be_reopened)
    schema, groups = decide_columns(source, columns, labelling.target, labelling.weight, before, with_terms)
    schema = labelling.complete_schema(schema)
    limit = INFINITE if before is None else before.sample.limit
    remember = rows_to_remember(groups, settings) if before else rows_to_decide_on(groups, settings)
    remember = UNBOUNDED if forgetting and limit else remember
    needed = before is None
    plan = JointPlan() if before is None else before.plan
    every = (*groups, *plan.counters)
    found, sample = learn_table(source, schema, every, labelling, settings.threads, remember, limit, needed)
    statistics, joint = split_counts(found, len(groups), plan)
    counted = Counted(groups, statistics, schema, sample, labelling.is_soft, joint)
    if before is not None:
        return counted
    decided = _decided_on_sample(counted, source, labelling, settings)
    if decided is not None:
        warn_of_columns(decided.schema or schema)
        counted = decided
    assert counted.schema is not None
    all_rows = SourceAgain(source, counted.schema, labelling, settings.threads)
    remembered = counted.sample.remembering(rows_to_remember(counted.groups, settings))
    return replace(counted, sample=remembered, all_rows=all_rows)


def _decided_on_sample(counted: Counted, source: Source, labelling: Labelling, settings: Settings) -> Counted | None:
    """Return the rows counted in the columns that a sample of all of them decides.

    Columns that the first rows had decided otherwise are made from the sample if it is complete. Else the source is
    read again. If it cannot be, a warning says that the first decision stays, and the result is None.
    """
    sample, first = counted.sample, counted.schema
    assert first is not None
    if not len(sample):
        return counted
    rows = float(counted.statistics.weight.sum())
    schema, groups = decide_on_sample(first, counted.groups, sample, rows, rows_for_terms(settings))
    if groups == counted.groups and schema.identity == first.identity:
        return replace(counted, schema=schema)
    if sample.is_complete and sample.rows is not None:
        x = sample.rows.frame(schema.readings)
        statistics = summarize(x, sample.names, sample.labels, groups, settings.threads)
        return replace(counted, schema=schema, groups=groups, statistics=statistics)
    reopened = source.reopened()
    changed = [c.name for c, d in zip(first.columns, schema.columns) if str(c.likelihood) != str(d.likelihood)]
    if reopened is None:
        warn_user(
            f"The columns {', '.join(map(repr, changed))} look different in all rows than in the first ones, and "
            f"{source.name} cannot be read again: they keep the first decision. Give a file, or declare the columns "
            f"({setting('columns')}).",
            ColumnWarning,
        )
        return None
    remember = rows_to_remember(groups, settings)
    statistics, sample = learn_table(reopened, schema, groups, labelling, settings.threads, remember)
    return Counted(groups, statistics, schema, sample)


def sample_table(source: Source, labelling: Labelling, before: Classifier) -> RowSample:
    """Return a sample of the rows of a table, in the columns of a classifier."""
    schema = replace(table_schema(before), target=labelling.target)
    remember = before.settings.remember or REMEMBERED_ROWS
    return learn_table(source, schema, before.groups, labelling, before.settings.threads, remember)[1]


def labelling_of(classifier: Classifier, target: str | None, weight: str | None) -> ColumnLabels:
    """Return labels in the columns given, or else in those the classifier was trained with."""
    return ColumnLabels(target or target_of(classifier), weight or table_schema(classifier).weight)


def target_of(classifier: Classifier) -> str:
    """Return the column of labels that a classifier was trained with, or raise if there was none."""
    schema = table_schema(classifier)
    if schema.target is None:
        raise ValueError(
            f"the model was trained on labels beside its table; name the column with the labels ({setting('y')})."
        )
    return schema.target
