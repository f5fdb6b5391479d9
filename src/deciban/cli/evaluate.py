"""deciban evaluate: scores of predictions, next to those of guessing, and comparisons of models."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import click

from deciban.cli.declared_columns import column_option, declared_column
from deciban.cli.label_options import settings_by_label
from deciban.cli.main import Command
from deciban.cli.options import (
    REMEMBERED,
    choice_options,
    class_options,
    threads_option,
    training_settings,
    with_class_options,
)
from deciban.cli.reading import open_source, reading_options

OUTPUT_FORMATS = click.Choice(["table", "json"])
EXAMPLE = """deciban evaluate model.deciban test.csv
deciban evaluate old.deciban new.deciban test.csv
deciban evaluate train.csv --target label --folds 10"""
# Arguments after the first that end like this are models, and others are tables.
MODEL_SUFFIX = ".deciban"


@click.command(cls=Command, example=EXAMPLE)
@click.argument("paths", nargs=-1, required=True, metavar="[MODELS]... FILES...")
@click.option("-t", "--target", help="The column with the true labels; the one trained on by default.")
@click.option("--weight", metavar="NAME", help="The column with the weights of the rows; all count 1 by default.")
@click.option("--folds", type=click.IntRange(min=2), metavar="K", help="Cross-validate: train on all folds but one.")
@click.option("-f", "--format", "kind", type=OUTPUT_FORMATS, default="table", show_default=True, help="Of the output.")
@column_option
@choice_options
@class_options
@threads_option
@reading_options
def evaluate(
    paths: tuple[str, ...], target: str | None, weight: str | None, folds: int | None, kind: str, **options: Any
) -> None:
    """Compare predictions of MODELS for FILES with the labels in them.

    Scores stand next to three ways of guessing: always the commonest class of the training data, a fair coin over the
    classes, and drawing each class as often as it occurred (probability matching).

    The first argument is a model, and so are those after it that end in .deciban. Several models are compared on the
    same rows by paired tests. With --folds give FILES alone: their rows are cut into K folds, and each fold is
    predicted by a model that was trained on the others (--column, --alpha, --calibrate, --refine, --pairs and
    --families are its settings). The table is read into memory then.
    """
    if folds is None:
        results = _evaluated(paths, target, weight, options)
    else:
        results = {"model": _cross_validated(paths, target, weight, folds, options)}
    comparisons = _comparisons(results)
    if kind == "json":
        _print_json(results, comparisons)
    else:
        _print_tables(results, comparisons)


def _cross_validated(
    files: tuple[str, ...], target: str | None, weight: str | None, folds: int, options: dict[str, Any]
) -> Any:
    from deciban.tables.evaluation import TableInMemory
    from deciban.tables.labelling import ColumnLabels

    if files[0].endswith(MODEL_SUFFIX):
        raise click.UsageError(f"--folds trains its own models; leave {files[0]} out.")
    if target is None:
        raise click.UsageError("--folds needs --target, the column with the labels.")
    columns = dict(map(declared_column, options.pop("columns"))) or None
    options["remember"] = REMEMBERED
    settings = training_settings(columns, options)
    table = TableInMemory.read(open_source(files, **options), ColumnLabels(target, weight), columns)
    return table.cross_validate(settings_by_label(settings, table.names.tolist()), folds)


def _evaluated(
    paths: tuple[str, ...], target: str | None, weight: str | None, options: dict[str, Any]
) -> dict[str, Any]:
    from deciban.files.model_file import load
    from deciban.tables.evaluation import evaluate_table
    from deciban.tables.jobs import target_of
    from deciban.tables.labelling import ColumnLabels

    names = ("alpha", "calibrate", "refine", "pairs", "families")
    training = {"--column": options.pop("columns") or None, **{f"--{name}": options.pop(name) for name in names}}
    if given := [name for name, value in training.items() if value is not None]:
        raise click.UsageError(f"{given[0]} is a setting of training, for --folds; a model has its own.")
    models = [paths[0], *takewhile(lambda path: path.endswith(MODEL_SUFFIX), paths[1:])]
    files = paths[len(models) :]
    if not files:
        raise click.UsageError("Missing argument 'FILES...': give a table with labels after the models.")
    if len(models) > 1 and "-" in files:
        raise click.UsageError("Standard input can be read once, but every model reads the rows; write them to a file.")
    threads = options.pop("threads")
    classes = {name: options.pop(name) for name in ("class_prior", "class_weight")}
    results = {}
    for path in models:
        classifier = with_class_options(load(path).with_threads(threads), dict(classes))
        labelling = ColumnLabels(target or target_of(classifier), weight)
        results[path] = evaluate_table(classifier, open_source(files, **options), labelling)
    return results


def _comparisons(results: dict[str, Any]) -> list[Any]:
    """Return the comparison of the first model with every other."""
    from dataclasses import replace

    (name, first), *others = results.items()
    return [replace(first.compare(other), names=(name, path)) for path, other in others]


def _print_json(results: dict[str, Any], comparisons: list[Any]) -> None:
    from deciban.terminal.printable import json_text

    found = {path: result.to_dict() for path, result in results.items()}
    compared = {"models": found, "comparisons": [comparison.to_dict() for comparison in comparisons]}
    click.echo(json_text(compared if comparisons else next(iter(found.values())), indent=2))


def _print_tables(results: dict[str, Any], comparisons: list[Any]) -> None:
    from deciban.evaluation.tables import evaluation_tables, table_of_scores
    from deciban.terminal.printable import printable
    from deciban.terminal.tables import print_tables

    print_tables([table_of_scores(results)] if comparisons else evaluation_tables(*results.values()))
    for comparison in comparisons:
        click.echo("\n" + printable(str(comparison)))
