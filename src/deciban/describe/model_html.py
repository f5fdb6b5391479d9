"""A fitted model as an HTML fragment: its classes with their rows, its columns with event model and reason."""

from __future__ import annotations

from deciban.markup.bars import bar
from deciban.markup.html import fragment, heading_html, remark_html, table_html, text_html
from deciban.model.classifier import Classifier
from deciban.model.summary import SHOWN_CLASSES, choices_in_words, columns_in_words, estimate_in_words
from deciban.terminal.values import short_value

# Columns that are listed.
SHOWN_COLUMNS = 30


def model_html(classifier: Classifier, title: str) -> str:
    """Return classes, columns and choices of a classifier under the title, which is the estimator in one line."""
    return fragment(
        heading_html(title), _classes_html(classifier), _columns_html(classifier), *map(remark_html, _notes(classifier))
    )


def _classes_html(classifier: Classifier) -> str:
    statistics = classifier.seen
    weight = statistics.weight.tolist()
    pairs = list(zip(statistics.classes.tolist(), weight))
    rows = [
        [text_html(name), bar(rows, max(weight), 120), f"{rows:,.6g}", f"{rows / (sum(weight) or 1.0):.1%}"]
        for name, rows in pairs[:SHOWN_CLASSES]
    ]
    more = [remark_html(f"{len(pairs) - SHOWN_CLASSES} more classes")] if len(pairs) > SHOWN_CLASSES else []
    return "\n".join([table_html(["class", "", "rows", "share"], rows, [2, 3]), *more])


def _columns_html(classifier: Classifier) -> str:
    columns = columns_in_words(classifier)
    rows = [[text_html(cell) for cell in column] for column in columns[:SHOWN_COLUMNS]]
    more = [remark_html(f"{len(columns) - SHOWN_COLUMNS:,} more columns")] if len(columns) > SHOWN_COLUMNS else []
    return "\n".join([table_html(["column", "event model", "reason"], rows), *more])


def _notes(classifier: Classifier) -> list[str]:
    estimation = classifier.estimation
    names = {"mle": "maximum likelihood", "map": "most probable parameters", "predictive": "parameters integrated out"}
    alpha = "" if estimation.is_mle else f", pseudo-count {short_value(estimation.alpha)}"
    chosen = choices_in_words(classifier)
    return [f"estimate: {names[estimation.kind]}{alpha}", *([chosen] if chosen else []), *estimate_in_words(classifier)]
