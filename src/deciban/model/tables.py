"""A model as tables for the terminal."""

from __future__ import annotations

from deciban.model.classifier import Classifier
from deciban.model.summary import choices_in_words, columns_in_words
from deciban.terminal.tables import PrintedTable


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
