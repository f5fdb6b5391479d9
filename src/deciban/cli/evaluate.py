"""deciban evaluate: scores of predictions, next to those of guessing."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command
from deciban.cli.options import class_options, open_source, reading_options, threads_option, with_class_options

OUTPUT_FORMATS = click.Choice(["table", "json"])


@click.command(cls=Command, example="deciban evaluate model.deciban test.csv")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", help="The column with the true labels; the one trained on by default.")
@click.option("-f", "--format", "kind", type=OUTPUT_FORMATS, default="table", show_default=True, help="Of the output.")
@class_options
@threads_option
@reading_options
def evaluate(
    model: str,
    files: tuple[str, ...],
    target: str | None,
    kind: str,
    class_prior: Any,
    class_weight: Any,
    threads: int | None,
    **options: Any,
) -> None:
    """Compare predictions for FILES with the labels in them.

    Accuracy, log-loss and Brier score stand next to three ways of guessing: always the commonest class of the training
    data, a fair coin over the classes, and drawing each class as often as it occurred (probability matching).
    """
    import json

    from deciban.files.model_file import load
    from deciban.tables.evaluation import evaluate_table

    classifier = with_class_options(load(model).with_threads(threads), class_prior, class_weight)
    result = evaluate_table(classifier, open_source(files, **options), target)
    if kind == "json":
        click.echo(json.dumps(result.to_dict(), indent=2))
    else:
        from deciban.cli.tables import evaluation_tables
        from deciban.terminal.tables import print_tables

        print_tables(evaluation_tables(result))
