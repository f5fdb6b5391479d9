"""deciban fit: train a model on a table and write it to a file."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.declared_columns import column_option, declared_column
from deciban.cli.label_options import settings_by_label
from deciban.cli.main import Command, print_done
from deciban.cli.options import (
    REMEMBERED,
    choice_options,
    class_options,
    output_option,
    refuse_own_input,
    threads_option,
    training_settings,
)
from deciban.cli.outputs import save_model
from deciban.cli.reading import open_source, reading_options

EXAMPLE = "deciban fit train.csv --target label -o model.deciban --column age=gaussian --column id=skip"


@click.command(cls=Command, example=EXAMPLE)
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", required=True, help="The column with the labels.")
@output_option
@column_option
@click.option(
    "--like", "template", metavar="MODEL", help="Read the columns as this model does, so that the two can be merged."
)
@choice_options
@class_options
@click.option(
    "--remember",
    type=click.IntRange(min=0),
    default=REMEMBERED,
    show_default=True,
    help="Rows to remember, to choose on what is left open; 0 for none.",
)
@click.option("--keep-rows", is_flag=True, help="Write the remembered rows into the file, so that merges choose anew.")
@click.option("--weight", metavar="NAME", help="The column with the weights of the rows.")
@threads_option
@reading_options
def fit(
    files: tuple[str, ...],
    target: str,
    output: str,
    columns: tuple[str, ...],
    template: str | None,
    weight: str | None,
    keep_rows: bool,
    **options: Any,
) -> None:
    """Train a model on FILES and write it to a file.

    Rows without a label are left out and reported. What was decided about the columns: deciban show.
    """
    from deciban.choosing.training import fit as fit_classifier
    from deciban.files.model_file import load
    from deciban.model.summary import table_models
    from deciban.tables.jobs import count_table
    from deciban.tables.labelling import ColumnLabels

    refuse_own_input(output, files)
    declared = {**(table_models(load(template)) if template else {}), **dict(map(declared_column, columns))} or None
    settings = training_settings(declared, options)
    counted = count_table(open_source(files, **options), ColumnLabels(target, weight), settings, declared)
    labels = counted.statistics.classes.tolist()
    classifier = fit_classifier(counted, settings_by_label(settings, labels))
    place = save_model(classifier, output, keep_rows)
    rows, classes = classifier.statistics.weight.sum(), len(classifier.statistics.classes)
    print_done(f"{place}: {rows:,.10g} rows, classes: {classes}, columns: {classifier.features}")
