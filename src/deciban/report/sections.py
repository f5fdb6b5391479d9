"""The sections of a report, each made from what was collected."""

from __future__ import annotations

from dataclasses import replace

from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.tables import evaluation_tables, matrix_is_readable
from deciban.explain.findings import IRRELEVANT, NEVER, TOGETHER, TOO_FEW
from deciban.explain.show.explanation_html import texts_html
from deciban.markup.bars import bar
from deciban.markup.html import table_html, text_html
from deciban.model.tables import model_tables
from deciban.plots import (
    ColumnsDisplay,
    ConfusionDisplay,
    CostsDisplay,
    LearningCurveDisplay,
    PriorsDisplay,
    ReliabilityDisplay,
    WaterfallDisplay,
)
from deciban.report.collect import Collected, ExplainedRow
from deciban.report.origin import Origin
from deciban.report.parts import Markup, Picture, Points, Section, SectionPart, short_table, short_text
from deciban.tables.learning_curve import LearningCurve
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import percent, short_value

# Findings of one kind that are listed, and columns in the table of importance.
MOST_FINDINGS, MOST_COLUMNS = 8, 40
# Columns in the picture of pairs.
MOST_PAIRED = 30
# Characters of a row's text.
MOST_TEXT = 1_500


def model_section(found: Collected) -> Section:
    """Return classes, columns, why each column is what it is, and the weights of a refined model."""
    classes, columns, *weights = model_tables(found.classifier)
    sentence = (
        "Naive Bayes adds up the evidence of the columns as if they were independent given the class. Every column has "
        "an event model, which says how its values are distributed in a class; the last column of the table says why "
        "it has this one."
    )
    sentences = [sentence]
    if weights:
        sentences.append(
            "This model is refined: it multiplies the evidence of every column by a weight, and adds evidence of "
            "columns that are read together, so that what columns repeat does not count twice."
        )
    parts = [short_table(classes, 40), short_table(columns), *(short_table(table, 60) for table in weights)]
    return Section("model", "The model", tuple(sentences), tuple(parts))


def scores_section(found: Collected) -> Section:
    """Return scores next to guessing, per class, and the confusion matrices of classes and families."""
    result = found.evaluation
    best = max(scores.accuracy for scores in result.guesses)
    sentences = [
        f"Of {result.rows:,} rows, {percent(result.accuracy)} are decided right. Guessing without looking at a row "
        f"gets {percent(best)} right at best.",
        "If the model was trained on these rows, the scores flatter it: deciban evaluate --folds, or "
        "nb.evaluate(X, y, folds=10), tests every row with a model that has not seen it.",
    ]
    scores, classes, *others = evaluation_tables(result)
    matrix = others[: int(matrix_is_readable(result))]
    families = [short_table(table) for table in others[len(matrix) :]]
    picture = Picture(ConfusionDisplay(result), short_text(tables_text(matrix or [mistakes_table(result)])), 10)
    parts: tuple[SectionPart, ...] = (short_table(scores), picture, short_table(classes, 40), *families)
    return Section("scores", "Scores next to guessing", tuple(sentences), parts)


def mistakes_table(result: Evaluation) -> PrintedTable:
    """Return the most frequent mistakes."""
    rows = [[str(m.true), str(m.predicted), f"{m.rows:,.10g}", f"{m.share:.1%}"] for m in result.mistakes(20)]
    return PrintedTable("most frequent mistakes", ["true", "predicted", "rows", "of the true class"], rows)


def reliability_section(found: Collected) -> Section:
    """Return how often predictions come true, by their probability."""
    result = found.reliability
    sentences = [
        f"The mean probability of {result.prediction} is {percent(result.after.mean_confidence)}, and it comes true in "
        f"{percent(result.after.mean_share)} of the rows. Probabilities and shares differ by "
        f"{100 * result.after.calibration_error:.1f} percentage points on average"
        + (f", and by {100 * result.before.calibration_error:.1f} before calibration." if result.is_changed else "."),
    ]
    picture = Picture(ReliabilityDisplay(result), short_text(str(result)), 20)
    return Section("reliability", "Reliability of the probabilities", tuple(sentences), (picture,))


def columns_section(found: Collected) -> Section:
    """Return importance and findings."""
    alone = "if it were alone" if not found.importance.is_refined else "against the other classes"
    sentences = [
        f"Importance is the mean evidence of a column for a row's own class, in decibans, {alone}: 10 decibans "
        "multiply the odds by 10. It comes from the training rows, not from the rows of this report.",
        *found.importance.remarks(words=0),
    ]
    parts: list[SectionPart] = [importance_table(found)]
    pairs = found.diagnosis.pairs.strongest(MOST_PAIRED)
    if len(pairs.names) > 1:
        display = ColumnsDisplay(replace(found.diagnosis, pairs=pairs))
        parts.append(Picture(display, short_text(str(pairs)), 25))
    return Section("columns", "Columns", tuple(sentences), (*parts, *findings(found)))


def importance_table(found: Collected) -> SectionPart:
    """Return the importance of the columns as a table with bars."""
    values = [(name, v) for name, v in found.importance.items() if v == v]
    most = max((v for _, v in values), default=0.0)
    rows = [[text_html(name), bar(max(v, 0.0), most), f"{v:.2f}"] for name, v in values[:MOST_COLUMNS]]
    html = table_html(["evidence", "importance", "decibans"], rows, numbers=[2])
    return Markup(html, short_text(found.importance.to_text(words=0)))


def findings(found: Collected) -> list[SectionPart]:
    """Return the findings of the diagnosis as a list, the most of each kind in one sentence."""
    diagnosis = found.diagnosis
    points: list[tuple[str, str]] = []
    for kind in dict.fromkeys(finding.kind for finding in diagnosis.findings):
        every = diagnosis.of(kind)
        points += [(kind, finding.sentence) for finding in every[:MOST_FINDINGS]]
        if len(every) > MOST_FINDINGS:
            points.append((kind, f"… and {len(every) - MOST_FINDINGS:,} more."))
    if not points:
        points.append(("nothing found", f"The diagnosis of {diagnosis.rows:,} rows has no finding."))
    if diagnosis.skipped:
        points.append(("not looked at", f"{'; '.join(diagnosis.skipped)}."))
    return [Points(tuple(points))]


def serious_findings(found: Collected) -> int:
    """Return the number of findings about columns, not words, that call for action."""
    minor, names = (NEVER, IRRELEVANT, TOO_FEW, TOGETHER), set(found.names)
    return sum(f.kind not in minor and names.issuperset(f.columns) for f in found.diagnosis.findings)


def rows_section(found: Collected) -> Section:
    """Return the rows that are explained, each as a waterfall."""
    if not found.limits.data:
        sentence = "This report was asked to show no data, so it has no single row, and no value or word of one."
        return Section("rows", "Rows explained", (sentence,))
    sentences = [
        "The most wrong rows are those whose label had the least probability; look there for wrong labels, and for "
        "reasons that no column holds. The least sure rows are those whose two best classes are nearly as probable."
    ]
    if not found.rows:
        sentences = ["No row was asked for, and none was decided wrong."]
    parts = [part for i, row in enumerate(found.rows) for part in row_parts(row, i)]
    return Section("rows", "Rows explained", tuple(sentences), tuple(parts))


def row_parts(row: ExplainedRow, position: int) -> list[SectionPart]:
    """Return the parts that show one row."""
    explanation = row.explanation
    decision = f"{short_value(explanation.decision)}, {percent(explanation.posterior[explanation.favour])}"
    title = f"Row {explanation.row:,}, {row.why}: decided as {decision}; {row.label}"
    text, is_first = short_text(str(explanation)), position == 0
    parts: list[SectionPart] = [Picture(WaterfallDisplay(explanation), text, 50 + position, title, captioned=is_first)]
    if marked := texts_html(explanation, MOST_TEXT):
        parts.append(Markup("\n".join(marked), "", 50.5 + position, f"The text of row {explanation.row:,}"))
    return parts


def decisions_section(found: Collected) -> Section:
    """Return decisions under other priors and other costs of mistakes."""
    if not found.points:
        return Section("decisions", "Prior and costs", ("The model has one class, so there is nothing to decide.",))
    priors, costs = found.points
    few = f" The first {priors.rows:,} rows are counted." if priors.rows < found.evaluation.rows else ""
    sentence = (
        f"Where {priors.favour} is more or less frequent than in training, or a mistake costs more, the same evidence "
        f"leads to other decisions.{few}"
    )
    parts = [
        Picture(PriorsDisplay(priors), short_text(str(priors)), 35),
        Picture(CostsDisplay(costs), short_text(str(costs)), 36),
    ]
    return Section("decisions", "Prior and costs", (sentence,), tuple(parts))


def curve_section(curve: LearningCurve) -> Section:
    """Return the learning curve."""
    sentence = (
        "New models are trained on some of the rows of this report and tested on others. Where the error still falls "
        "at the right, more rows would help; where it is level, other columns might."
    )
    picture = Picture(LearningCurveDisplay(curve), short_text(str(curve)), 32)
    return Section("curve", "Learning curve", (sentence,), (picture,))


def origin_section(origin: Origin) -> Section:
    """Return versions, digest and command."""
    table = PrintedTable("", ["", ""], origin.rows())
    return Section("origin", "Origin of this report", (), (short_table(table),))
