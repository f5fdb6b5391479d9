"""A model as tables for the terminal."""

from __future__ import annotations

from deciban.model.classifier import Classifier
from deciban.model.line_names import joint_name
from deciban.model.summary import choices_in_words, columns_in_words, families_in_words, unlabelled_in_words
from deciban.refinement import Refinement
from deciban.terminal.tables import PrintedTable


def model_tables(classifier: Classifier) -> list[PrintedTable]:
    """Return the classes, columns and settings of a model, and the weights of a refined one."""
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
    below += "".join(f"\n{line}" for line in families_in_words(classifier))
    more = "\n".join(unlabelled_in_words(classifier))
    columns = [list(row) for row in columns_in_words(classifier)]
    tables = [
        PrintedTable(f"{target or 'classes'}: {total:,.10g} rows", [target or "class", "rows", "share"], classes, more),
        PrintedTable("columns", ["column", "event model", "why"], columns, below),
    ]
    names, refinement = classifier.column_names(), classifier.refinement
    return tables if refinement is None else [*tables, weights_table(refinement, names)]


def weights_table(refinement: Refinement, names: list[str]) -> PrintedTable:
    """Return the weights of a refined model: of columns, of missing values, and of columns that are read together."""
    rows = list(zip(names, refinement.column_weights.tolist()))
    rows += [(f"{names[j]} is missing or not", weight) for j, weight in refinement.missing_weights]
    weights = zip(refinement.pairs, refinement.pair_weights)
    rows += [(joint_name([names[j] for j in pair.columns]), weight) for pair, weight in weights]
    rows += [("all columns, one covariance for all classes", refinement.shared_weight)]
    rows += [("all numbers, a covariance per class", refinement.class_weight)]
    kept = [[name, f"{weight:.2f}"] for name, weight in rows if weight]
    below = "score = log P(class) + offset + sum of weight × evidence; evidence without a weight is not listed"
    return PrintedTable("weights of the evidence", ["evidence", "weight"], kept, below)
