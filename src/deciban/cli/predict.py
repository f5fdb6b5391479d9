"""deciban predict: labels and probabilities for the rows of a table."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.label_options import by_label
from deciban.cli.main import Command
from deciban.cli.options import (
    class_options,
    costs_option,
    refuse_own_input,
    threads_option,
    with_class_options,
)
from deciban.cli.outputs import OutputPath
from deciban.cli.reading import open_source, reading_options

OUTPUT_FORMATS = click.Choice(["table", "csv", "json", "jsonl", "parquet"])


@click.command(cls=Command, example="deciban predict model.deciban new.parquet -o out.csv --proba --keep id")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    default="-",
    show_default=True,
    help="The file to write (.csv, .jsonl, .json, .parquet); - is standard output.",
)
@click.option(
    "-f", "--format", "kind", type=OUTPUT_FORMATS, help="Of the output; by the file's name, and a table on a terminal."
)
@click.option("--proba", is_flag=True, help="Add the probability of every class.")
@click.option(
    "--reasons",
    type=click.IntRange(min=1),
    metavar="N",
    help="Add the N columns or words that speak most for the prediction, and their decibans.",
)
@click.option("--keep", metavar="NAME", multiple=True, help="A column of the input to copy to the output.")
@class_options
@costs_option
@click.option(
    "--reject-below",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Leave the prediction empty where no class is as probable as P.",
)
@threads_option
@reading_options
def predict(
    model: str,
    files: tuple[str, ...],
    output: str,
    kind: str | None,
    proba: bool,
    keep: tuple[str, ...],
    threads: int | None,
    **options: Any,
) -> None:
    """Predict the label of every row of FILES, in their order.

    Columns are matched by name: their order is free, others are ignored, a missing one is an error.
    """
    from deciban.files.model_file import load
    from deciban.model.decision import Decision
    from deciban.tables.write import write_predictions

    refuse_own_input(output, (*files, model))
    classifier = with_class_options(load(model).with_threads(threads), options)
    costs = by_label(options.pop("costs"), classifier.statistics.classes.tolist())
    decision = Decision(costs, options.pop("reject_below"))
    number, reasons = options.pop("reasons"), None
    if number is not None:
        from deciban.explain.reasons import ReasonsOfDecisions

        reasons = ReasonsOfDecisions(number, classifier.column_names())
    source = open_source(files, **options)
    write_predictions(classifier, source, output, decision=decision, proba=proba, keep=keep, kind=kind, reasons=reasons)
