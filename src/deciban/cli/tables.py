"""A model and its evaluation as tables for the terminal."""

from __future__ import annotations

from typing import Any

from deciban.model.classifier import Classifier
from deciban.model.summary import choices_in_words, columns_in_words
from deciban.tables.evaluation import Evaluation
from deciban.terminal.tables import PrintedTable

# Classes that a confusion matrix on the terminal may have.
MATRIX_CLASSES = 12


def model_tables(classifier: Classifier) -> list[PrintedTable]:
    """Return the classes, columns and settings of a model."""
    statistics, estimation = classifier.statistics, classifier.settings.estimation
    total = float(statistics.weight.sum())
    classes = [
        [str(name), f"{weight:,.10g}", f"{weight / total:.2%}"]
        for name, weight in zip(statistics.classes.tolist(), statistics.weight.tolist())
    ]
    target = classifier.table_schema.target if classifier.table_schema else None
    prior = "empirical" if classifier.settings.class_prior is None else classifier.settings.class_prior
    below = f"alpha {estimation.alpha}, estimate {estimation.kind}, class prior {prior}"
    below += "" if classifier.choices is None else f"\nchosen: {choices_in_words(classifier)}"
    columns = [list(row) for row in columns_in_words(classifier)]
    return [
        PrintedTable(f"{target or 'classes'}: {total:,.10g} rows", [target or "class", "rows", "share"], classes),
        PrintedTable("columns", ["column", "event model", "why"], columns, below),
    ]


def evaluation_tables(result: Evaluation) -> list[PrintedTable]:
    """Return scores next to guessing, precision and recall, and the confusion matrix if it is small enough to read."""
    guesses: list[tuple[str, Any]] = [
        ("model", result.model),
        ("majority class", result.majority),
        ("fair coin", result.coin),
        ("probability matching", result.matching),
    ]
    rows = [[name, f"{s.accuracy:.4f}", f"{s.log_loss:.4f}", f"{s.brier:.4f}"] for name, s in guesses]
    left = f"{result.unlabelled:,} rows without a label left out" if result.unlabelled else ""
    tables = [PrintedTable(f"{result.rows:,} rows", ["", "accuracy", "log-loss", "Brier score"], rows, left)]
    per_class = [[str(c), _share(p), _share(r), _share(f), f"{n:,}"] for c, p, r, f, n in result.per_class()]
    small = len(result.classes) <= MATRIX_CLASSES
    below = "" if small else f"the confusion matrix of {len(result.classes)} classes is in --format json"
    tables.append(PrintedTable("classes", ["class", "precision", "recall", "F1", "rows"], per_class, below))
    if small:
        names = [str(c) for c in result.classes.tolist()]
        counts = [[name, *(f"{int(n):,}" for n in row)] for name, row in zip(names, result.confusion)]
        tables.append(PrintedTable("confusion (rows true, columns predicted)", ["true", *names], counts))
    return tables


def _share(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"
