"""An evaluation, a comparison and chance as HTML for notebooks: tables with bars."""

from __future__ import annotations

from deciban.evaluation.chance import Chance
from deciban.evaluation.comparison import Comparison
from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.tables import evaluation_tables, matrix_is_readable
from deciban.markup.bars import bar
from deciban.markup.html import fragment, heading_html, printed_table_html, remark_html, table_html, text_html

# Pixels of the longest bar.
BAR_WIDTH = 120
# Mistakes that are listed where the confusion matrix is too large to read.
LISTED_MISTAKES = 12
# Classes that are listed.
LISTED_CLASSES = 50


def evaluation_html(result: Evaluation) -> str:
    """Return scores next to guessing, the classes with bars of their recall, and the confusion matrix or mistakes."""
    scores, _, *matrix = evaluation_tables(result)
    parts = [printed_table_html(scores), heading_html("classes"), _classes_html(result)]
    parts += map(printed_table_html, matrix)
    if not matrix_is_readable(result):
        parts += [heading_html("most frequent mistakes"), _mistakes_html(result)]
    return fragment(*parts)


def _classes_html(result: Evaluation) -> str:
    classes = result.per_class()
    rows = [
        [
            text_html(label),
            bar(0.0 if recall != recall else recall, 1.0, BAR_WIDTH),
            *map(_number, (recall, precision, f1)),
            f"{n:,.10g}",
        ]
        for label, precision, recall, f1, n in classes[:LISTED_CLASSES]
    ]
    table = table_html(["class", "", "recall", "precision", "F1", "rows"], rows, range(2, 6))
    if len(classes) <= LISTED_CLASSES:
        return table
    return table + remark_html(f"… and {len(classes) - LISTED_CLASSES:,} more classes, which are in per_class().")


def _mistakes_html(result: Evaluation) -> str:
    found = result.mistakes(LISTED_MISTAKES)
    most = max((m.rows for m in found), default=0.0)
    rows = [
        [text_html(m.true), text_html(m.predicted), bar(m.rows, most, BAR_WIDTH), f"{m.rows:,.10g}", f"{m.share:.1%}"]
        for m in found
    ]
    return table_html(["true", "predicted", "", "rows", "of the true class"], rows, (3, 4))


def comparison_html(result: Comparison) -> str:
    """Return on how many rows only one of two models is right, with bars, and the verdicts of both tests."""
    counts = result.only_first_right, result.only_second_right
    rows = [
        [f"only {text_html(name)} is right", bar(n, max(*counts, 1), BAR_WIDTH), f"{n:,}"]
        for name, n in zip(result.names, counts)
    ]
    return fragment(table_html(["", "", "rows"], rows, (2,)), *map(remark_html, str(result).splitlines()))


def chance_html(result: Chance) -> str:
    """Return the accuracy of every way of guessing, with bars."""
    rows = [[text_html(name), bar(p, 1.0, BAR_WIDTH), f"{p:.4f}", text_html(why)] for name, p, why in result.ways]
    return fragment(table_html(["guessing", "", "accuracy", ""], rows, (2,)))


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"
