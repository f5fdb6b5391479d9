"""An evaluation and a reliability as tables for people."""

from __future__ import annotations

from deciban.evaluation.evaluation import GUESSES, Evaluation
from deciban.evaluation.families import FamilyScores
from deciban.evaluation.reliability import Reliability, ReliabilityBins
from deciban.evaluation.scores import SCORE_NAMES, Scores, score_values
from deciban.terminal.tables import PrintedTable

# Classes that a confusion matrix for people may have.
MATRIX_CLASSES = 12


def evaluation_tables(result: Evaluation) -> list[PrintedTable]:
    """Return scores next to guessing, precision and recall, and the confusion matrix if it is small enough to read."""
    tables = [table_of_scores({"model": result})]
    per_class = [[str(c), _number(p), _number(r), _number(f), _rows(n)] for c, p, r, f, n in result.per_class()]
    small = matrix_is_readable(result)
    below = "" if small else f"the confusion matrix of {len(result.classes)} classes is in to_dict() and --format json"
    tables.append(PrintedTable("classes", ["class", "precision", "recall", "F1", "rows"], per_class, below))
    if small:
        names = [str(c) for c in result.classes.tolist()]
        counts = [[name, *map(_rows, row)] for name, row in zip(names, result.confusion.tolist())]
        tables.append(PrintedTable("confusion (rows true, columns predicted)", ["true", *names], counts))
    return tables if result.families is None else [*tables, table_of_families(result.families)]


def table_of_families(scores: FamilyScores) -> PrintedTable:
    """Return the confusion matrix of families, or their precision and recall if it is too large to read."""
    below = f"accuracy of the most probable family: {_number(scores.accuracy)}"
    names = [str(name) for name in scores.names.tolist()]
    if len(names) <= MATRIX_CLASSES:
        counts = [[name, *map(_rows, row)] for name, row in zip(names, scores.confusion.tolist())]
        return PrintedTable("families (rows true, columns predicted)", ["true", *names], counts, below)
    rows = [[str(f), _number(p), _number(r), _number(f1), _rows(n)] for f, p, r, f1, n in scores.per_family()]
    return PrintedTable("families", ["family", "precision", "recall", "F1", "rows"], rows, below)


def matrix_is_readable(result: Evaluation) -> bool:
    """Return whether the confusion matrix has few enough classes for people to read it."""
    return len(result.classes) <= MATRIX_CLASSES


def table_of_scores(results: dict[str, Evaluation]) -> PrintedTable:
    """Return a table with a row per score and a column per model, then per way of guessing by the first model."""
    first = next(iter(results.values()))
    columns: dict[str, Scores] = {**results, **dict(zip(GUESSES.values(), first.guesses))}
    values = [score_values(scores) for scores in columns.values()]
    rows = [[shown, *(_number(v[name]) for v in values)] for name, shown in SCORE_NAMES.items()]
    folds = "" if first.folds is None else f", {first.folds}-fold cross-validation"
    return PrintedTable(f"{first.rows:,} rows{folds}", ["", *columns], rows, "\n".join(remarks(results)))


def remarks(results: dict[str, Evaluation]) -> list[str]:
    """Return sentences on rows that were left out, and on every infinite log-loss."""
    unlabelled = next(iter(results.values())).unlabelled
    found = [f"{unlabelled:,} rows without a label left out"] if unlabelled else []
    for name, result in results.items():
        if result.impossible:
            found.append(f"{name}: log-loss is infinite, as {result.impossible:,} rows have a label of probability 0")
    return found


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _rows(value: float) -> str:
    return f"{value:,.10g}"


def reliability_tables(result: Reliability) -> list[PrintedTable]:
    """Return a table of the bins that have rows, before and after calibration, or one if nothing was changed."""
    changed = result.is_changed
    shown = {"before calibration": result.before, "after calibration": result.after} if changed else {"": result.after}
    first = f"P({result.prediction}) of {result.rows:,} rows"
    return [_table_of_bins(", ".join(filter(None, (first, name))), bins) for name, bins in shown.items()]


def _table_of_bins(title: str, bins: ReliabilityBins) -> PrintedTable:
    edges, (low, high) = bins.edges, bins.interval
    rows = [
        [
            f"{edges[i]:.4g} – {edges[i + 1]:.4g}",
            _rows(bins.rows[i]),
            _number(bins.confidence[i]),
            _number(bins.share[i]),
            f"{low[i]:.4f} – {high[i]:.4f}",
        ]
        for i in range(len(bins.rows))
        if bins.rows[i]
    ]
    below = (
        f"mean probability {bins.mean_confidence:.4f}, came true in {bins.mean_share:.4f} of the rows, calibration "
        f"error {bins.calibration_error:.4f}"
    )
    return PrintedTable(title, ["probability", "rows", "mean", "came true", "95 % interval"], rows, below)
