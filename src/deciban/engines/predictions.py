"""Predictions for rows on a cluster: the decision, probabilities and reasons as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from deciban.model.classifier import Classifier
from deciban.tables.rows import TableRows, table_schema

# Names of the columns that are added.
PREDICTION, PROBABILITY = "prediction", "probability_"
# Rows that are scored at a time.
BATCH_ROWS = 1 << 16


@dataclass(frozen=True)
class Predictions:
    """The columns that a classifier adds to rows: a prediction, and with ``proba`` the probability of every class."""

    classifier: Classifier
    proba: bool = False
    decision: bool = True

    @property
    def fields(self) -> list[pa.Field]:
        """The columns that are added."""
        classes = self.classifier.model.classes
        found = [pa.field(PREDICTION, pa.array(classes.tolist()).type)] if self.decision else []
        return found + [pa.field(f"{PROBABILITY}{c}", pa.float64()) for c in classes.tolist()] * self.proba

    def of(self, rows: pa.Table) -> pa.Table:
        """Return the new columns for rows."""
        schema, model = table_schema(self.classifier), self.classifier.with_threads(1).model
        batches = []
        first_row = 0
        for batch in rows.combine_chunks().to_batches(max_chunksize=BATCH_ROWS):
            posterior = model.posterior(TableRows.of(batch, schema, first_row, predicting=True))
            arrays = []
            if self.decision:
                labels = model.classes[posterior.argmax(axis=1)].tolist()
                arrays.append(pa.array(labels, type=self.fields[0].type))
            arrays += [pa.array(np.ascontiguousarray(p)) for p in posterior.T] * self.proba
            batches.append(pa.RecordBatch.from_arrays(arrays, schema=pa.schema(self.fields)))
            first_row += batch.num_rows
        return pa.Table.from_batches(batches, schema=pa.schema(self.fields))

    def add_to(self, rows: pa.Table) -> pa.Table:
        """Return rows with the new columns."""
        taken = {field.name for field in self.fields} & set(rows.column_names)
        if taken:
            raise ValueError(f"the table has a column {sorted(taken)[0]!r} already; rename it before you predict.")
        found = self.of(rows)
        for field in self.fields:
            rows = rows.append_column(field, found.column(field.name))
        return rows
