"""Predictions for a source: batches scored on all cores, results in the order of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import encode
from deciban.arrays.names import find_names, object_array
from deciban.arrays.parallel import map_ordered, thread_count
from deciban.arrays.types import Codes, Floats, Names
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.readers.source import Source
from deciban.readers.stream import Types
from deciban.tables.labelling import Labelling
from deciban.tables.learn import number_rows
from deciban.tables.rows import TableRows, labels_of, require_column, require_columns, table_schema, types_to_read
from deciban.terminal.progress import show_progress

Result = TypeVar("Result")


@dataclass(frozen=True)
class Scored(Generic[Result]):
    """A batch with all columns that were read, its rows as the model reads them, and the result of scoring them."""

    batch: pa.RecordBatch
    rows: TableRows
    result: Result

    def labels(self, target: str, kind: str) -> tuple[Names, Codes]:
        """Return the class names and codes of the labels in a column."""
        return labels_of(self.batch.column(target), kind, target, self.rows.first_row)


def score_table(
    classifier: Classifier,
    source: Source,
    score: Callable[[Model, TableRows], Result],
    extra: Sequence[str] = (),
    target: str | None = None,
    weight: str | None = None,
) -> Iterator[Scored[Result]]:
    """Yield every batch with the result of ``score``; ``extra`` columns, labels and weights are read too."""
    schema = table_schema(classifier)
    require_columns(schema, source)
    model = replace(classifier.model, threads=1)  # one batch, one thread

    def score_batch(numbered: tuple[int, pa.RecordBatch]) -> Scored[Result]:
        first_row, batch = numbered
        rows = TableRows.of(batch, schema, first_row, predicting=True)
        return Scored(batch, rows, score(model, rows))

    columns = list(dict.fromkeys([*schema.names, *extra, *filter(None, (target, weight))]))
    wanted = types_to_read(schema, target, predicting=True)
    # Columns to pass on are read as text, so that they come out as they went in, unless the model needs their values.
    kept_as_text = [n for n in extra if n not in wanted or (source.casts_texts and wanted[n] == pa.float64())]
    types: Types = {**wanted, **dict.fromkeys(kept_as_text, pa.string())}
    batches = number_rows(show_progress(source.batches(columns, types), source))
    yield from map_ordered(score_batch, batches, thread_count(classifier.settings.threads))


def leave_rows_out(classifier: Classifier, source: Source, labelling: Labelling) -> Floats:
    """[rows × classes] log posterior of every row, as if it had not been trained on."""
    schema = replace(table_schema(classifier), target=labelling.target)
    require_columns(schema, source)
    extra = [name for name in (labelling.target, labelling.weight) if name is not None]
    for name in extra:
        require_column(source, name)
    left_out = LeaveOneOut(classifier.with_threads(1))

    def score_batch(numbered: tuple[int, pa.RecordBatch]) -> Floats:
        first_row, batch = numbered
        rows = TableRows.of(batch, schema, first_row, predicting=False)
        return left_out.log_posterior(rows, *labelling.labels(batch, first_row, schema))

    columns = list(dict.fromkeys([*schema.names, *extra]))
    types = types_to_read(schema, labelling.target, predicting=False)
    batches = number_rows(show_progress(source.batches(columns, types), source))
    parts = list(map_ordered(score_batch, batches, thread_count(classifier.settings.threads)))
    labelling.check_rows(sum(map(len, parts)))
    return np.concatenate(parts) if parts else np.empty((0, len(classifier.model.classes)))


def score_labelled(
    classifier: Classifier, source: Source, target: str, score: Callable[[Model, TableRows], Floats]
) -> tuple[Names, Codes, Floats]:
    """Return class names, the code of every row among them (−1: no label), and the results of ``score``."""
    kind = table_schema(classifier).target_kind
    require_column(source, target)
    found, parts = [], []
    for scored in score_table(classifier, source, score, target=target):
        names, codes = scored.labels(target, kind)
        found.append(object_array([*names.tolist(), None])[codes])
        parts.append(scored.result)
    if not parts:
        raise ValueError(f"{source.name} has no rows.")
    names, codes = encode(np.concatenate(found))
    return names, codes, np.concatenate(parts)


def labelled_rows(classifier: Classifier, source: Source, target: str) -> Iterator[tuple[TableRows, Codes]]:
    """Yield rows as the model reads them, with the position of their class among the model's, −1 for none."""
    require_column(source, target)
    kind = table_schema(classifier).target_kind
    for scored in score_table(classifier, source, lambda _, rows: rows, target=target):
        names, codes = scored.labels(target, kind)
        yield scored.rows, np.append(find_names(names, classifier.model.classes), -1)[codes].astype(np.int32)
