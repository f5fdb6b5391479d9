"""One pass over labelled rows: the evaluation, the diagnosis and the rows to explain, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.types import Codes, Floats
from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.operating_points import OperatingPoints, PointsTally, cost_points, prior_points
from deciban.evaluation.reliability import Reliability, ReliabilityTally, posteriors_before_and_after
from deciban.evaluation.scored_rows import ScoredRows
from deciban.evaluation.tally import Tally
from deciban.explain.diagnosis import diagnose
from deciban.explain.findings import Diagnosis
from deciban.explain.importance import Importance, importance
from deciban.explain.row_explanation import RowExplanation
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.priors.counts import share
from deciban.report.disclosure import common_words, without_rare_words, without_unknown_labels
from deciban.report.rows import KeptRow, RowWatch, explain_row, label_text

# Bins of predicted probabilities.
BINS = 10
# Rows that are decided under other priors and costs, at most: each is decided many times.
MOST_VARIED = 100_000
# Reasons why a row is explained.
WRONG, UNSURE, ASKED = "most wrong", "least sure", "asked for"


@dataclass(frozen=True)
class Limits:
    """Limits of a report: rows of each kind, columns in detail, single rows asked for, and whether to show data."""

    rows: int = 3
    columns: int = 6
    favour: Any = None  # label of the class whose probability, prior and costs are examined
    asked: tuple[int, ...] = ()  # numbers of rows, counted from 0
    first: int = 0  # the number under which the first row is known to the user
    data: bool = True  # whether values, words and numbers of single rows may be shown

    def __post_init__(self) -> None:
        for name, value in (("rows", self.rows), ("columns", self.columns)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ValueError(f"{name} is {value!r}; give a whole number of at least 0.")
        if self.asked and not self.data:
            raise ValueError("rows were asked for, but no data may be shown; leave out one of the two.")
        if self.asked and min(self.asked) < 0:
            raise ValueError(f"row {min(self.asked) + self.first} was asked for; rows are counted from {self.first}.")


@dataclass(frozen=True, eq=False)
class ExplainedRow:
    """A row that is explained, the reason why it is, and its label in words."""

    why: str
    explanation: RowExplanation = field(repr=False)
    label: str


@dataclass(frozen=True, eq=False)
class Collected:
    """Everything that a report shows about a model and labelled rows."""

    classifier: Classifier = field(repr=False)
    names: tuple[str, ...]  # of the columns
    evaluation: Evaluation
    reliability: Reliability
    points: tuple[OperatingPoints, ...]  # under other priors, and under other costs
    diagnosis: Diagnosis
    importance: Importance
    rows: tuple[ExplainedRow, ...]
    limits: Limits

    @property
    def target(self) -> str:
        """The name of the column of labels."""
        schema = self.classifier.table_schema
        return (schema.target if schema else None) or "class"


def scores_for_report(model: Model, rows: Any) -> tuple[Floats, Floats]:
    """[rows × classes] log posterior, and the posterior before calibration, which reliability compares."""
    before, _ = posteriors_before_and_after(model, rows)
    return model.log_posterior(rows), before


def collect(classifier: Classifier, names: Sequence[str], batches: Iterable[ScoredRows], limits: Limits) -> Collected:
    """Read labelled rows once, and return what a report shows about them."""
    known = classifier.model.classes
    tally = Tally(known, share(classifier.statistics.on(known).weight), classifier.families)
    reliability = ReliabilityTally(classifier.model, limits.favour, BINS)
    points = varied_points(classifier, limits.favour)
    watch = RowWatch(limits.rows if limits.data else 0, limits.asked)

    def watched() -> Iterator[tuple[Frame, Codes]]:
        for scored in batches:
            codes = scored.class_codes(known)
            log_posterior, before = scored.result
            tally.add(scored.names, scored.labels, log_posterior)
            reliability.add(scored.names, scored.labels, (before, np.exp(log_posterior)))
            watch.add(scored, log_posterior, codes)
            if scored.first_row < MOST_VARIED:
                for tally_of_points in points:
                    decided = tally_of_points.decide(classifier.model, scored.rows)
                    tally_of_points.add(scored.names, scored.labels, decided)
            yield scored.rows, codes

    passing = watched()
    diagnosis = diagnose(classifier, list(names), passing)
    for _ in passing:  # a diagnosis stops after many rows; the scores are those of all rows
        pass
    watch.check_asked(limits.first)
    evaluation = tally.checked_result("there is no row with a label")
    if not limits.data:
        evaluation = without_unknown_labels(evaluation, known)
        diagnosis = without_rare_words(diagnosis, {*names, *common_words(classifier)})
    return Collected(
        classifier,
        tuple(names),
        evaluation,
        reliability.result(),
        tuple(tally_of_points.points for tally_of_points in points if tally_of_points.points.rows),
        diagnosis,
        importance(classifier, list(names)),
        tuple(_explained(classifier, names, watch, limits)),
        limits,
    )


def varied_points(classifier: Classifier, favour: Any) -> list[PointsTally]:
    """Return tallies of decisions under other priors and costs: of ``favour``, else of the second of two classes.

    With more classes it is the one with the fewest training rows; a single class has none.
    """
    classes = classifier.model.classes
    if len(classes) < 2:
        return []
    if favour is None and len(classes) > 2:
        favour = classes.tolist()[int(classifier.statistics.on(classes).weight.argmin())]
    return [prior_points(classifier, favour, None), cost_points(classifier, favour, None)]


def _explained(classifier: Classifier, names: Sequence[str], watch: RowWatch, limits: Limits) -> Iterator[ExplainedRow]:
    """Yield the rows that were kept with their explanation; a row comes once."""
    asked = [watch.asked[number] for number in sorted(watch.asked)]
    chosen: dict[int, tuple[str, KeptRow]] = {}
    for why, rows in ((ASKED, asked), (WRONG, watch.wrong.rows()), (UNSURE, watch.unsure.rows())):
        for row in rows:
            chosen.setdefault(row.number, (why, row))
    for why, row in chosen.values():
        explanation = explain_row(classifier, names, row, limits.first)
        yield ExplainedRow(why, explanation, label_text(row.label, classifier.model.classes))
