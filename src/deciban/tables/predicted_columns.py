"""The columns that predictions add to rows: the decision, the probability of every class, and reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from deciban.arrays.names import object_array
from deciban.arrays.types import Codes, Names
from deciban.model.classifier import Classifier
from deciban.model.decision import Decision
from deciban.model.model import Model
from deciban.model.parts import Contrast
from deciban.readers.arrow import arrow_array
from deciban.tables.rows import TableRows, table_schema

# The decision for the most probable class.
PLAIN = Decision()
# Names of the columns: the decision, and the probability of a class in a file that people read.
PREDICTION, PROBABILITY = "prediction", "P({})"


class Reasons(Protocol):
    """Columns that say why every row is decided as it is."""

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        ...

    def arrays(self, model: Model, rows: TableRows, codes: Codes, contrast: Contrast) -> list[pa.Array]:
        """Return the columns for rows with the decisions ``codes``, −1 for none."""
        ...


@dataclass(frozen=True)
class PredictedColumns:
    """Columns to add to rows: ``prediction``, then P(class) for every class if ``proba`` asks for it, then reasons."""

    classifier: Classifier
    decision: Decision = PLAIN
    proba: bool = False
    reasons: Reasons | None = None
    probability: str = PROBABILITY  # the name of a class's column, with {} for the class

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        labels = distinct_labels(self.classifier.model.classes).tolist()
        probabilities = [self.probability.format(label) for label in labels] if self.proba else []
        return [PREDICTION, *probabilities, *([] if self.reasons is None else self.reasons.names)]

    @property
    def scorer(self) -> Callable[[Model, TableRows], list[pa.Array]]:
        """A function that returns the columns for rows."""
        classes = arrow_array(distinct_labels(self.classifier.model.classes))

        def score(model: Model, rows: TableRows) -> list[pa.Array]:
            if self.decision.is_plain and not self.proba and self.reasons is None:
                return [labels_at(classes, model.codes(rows))]
            contrast = model.contrast(rows)
            codes = self.decision.codes(contrast.posterior, model.classes)
            probabilities = map(arrow_array, contrast.posterior.T) if self.proba else ()
            why = [] if self.reasons is None else self.reasons.arrays(model, rows, codes, contrast)
            return [labels_at(classes, codes), *probabilities, *why]

        return score

    def empty(self) -> list[pa.Array]:
        """Return the columns for no rows."""
        return self.scorer(self.classifier.model, TableRows.empty(table_schema(self.classifier)))

    @property
    def may_reject(self) -> bool:
        """Whether some rows may get no prediction."""
        return self.decision.reject_below is not None

    def predictor(self) -> Callable[[pa.RecordBatch, int], list[pa.Array]]:
        """Return a function that returns the columns for a batch that begins at a row, with one thread."""
        schema, model, score = table_schema(self.classifier), self.classifier.with_threads(1).model, self.scorer

        def predict(batch: pa.RecordBatch, first_row: int) -> list[pa.Array]:
            return score(model, TableRows.of(batch, schema, first_row, predicting=True))

        return predict


def labels_at(classes: pa.Array, codes: Codes) -> pa.Array:
    """Return the class of every row, null for a code of −1."""
    return classes.take(pa.array(codes, mask=codes < 0) if (codes < 0).any() else arrow_array(codes))


def distinct_labels(classes: Names) -> Names:
    """Return classes that differ when they are written: with quotes around texts where 1 and "1" are both there."""
    labels: list[Any] = classes.tolist()
    return classes if len(set(map(str, labels))) == len(labels) else object_array([repr(label) for label in labels])
