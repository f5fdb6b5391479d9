"""deciban report: one HTML file about a model and labelled rows."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from deciban.cli.main import Command, print_done
from deciban.cli.options import class_options, refuse_own_input, threads_option, with_class_options
from deciban.cli.outputs import OutputPath
from deciban.cli.reading import open_source, reading_options

EXAMPLE = """deciban report model.deciban test.csv -o report.html
deciban report model.deciban test.csv -o public.html --no-data"""
COUNT = click.IntRange(min=0)


@click.command(cls=Command, example=EXAMPLE)
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=OutputPath(), help="The file to write; - is standard output.")
@click.option("-t", "--target", metavar="NAME", help="The column with the labels; the one of training by default.")
@click.option("--rows", type=COUNT, default=3, show_default=True, help="Most wrong and least sure rows to explain.")
@click.option("--row", "asked", type=click.IntRange(min=1), multiple=True, help="A row to explain, counted from 1.")
@click.option("--columns", type=COUNT, default=6, show_default=True, help="Columns to show in detail.")
@click.option("--favour", metavar="LABEL", help="The class whose probability, prior and costs are shown.")
@click.option("--learning-curve", is_flag=True, help="Train new models on more and more of the rows, in memory.")
@click.option("--no-data", is_flag=True, help="Show no single row, and no value or word of one.")
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    default=2_000_000,
    show_default=True,
    help="The largest size of the file; the least important pictures are left out.",
)
@class_options
@threads_option
@reading_options
def report(
    model: str,
    files: tuple[str, ...],
    output: str,
    target: str | None,
    rows: int,
    asked: tuple[int, ...],
    columns: int,
    favour: str | None,
    learning_curve: bool,
    no_data: bool,
    max_bytes: int,
    threads: int | None,
    **options: Any,
) -> None:
    """Report on MODEL and its decisions for the labelled rows of FILES, as one HTML file that needs no other file.

    The report has the columns and their event models, scores next to guessing, importance and findings of the columns,
    rows explained, and the origin of the report. The file runs no script, opens offline and prints well.
    """
    from deciban.files.model_file import load
    from deciban.report.collect import Limits, scores_for_report
    from deciban.report.origin import Origin, file_digest
    from deciban.report.report import make_report
    from deciban.tables.evaluation import scored_rows
    from deciban.tables.jobs import target_of
    from deciban.tables.labelling import ColumnLabels
    from deciban.tables.write import write_output

    refuse_own_input(output, (*files, model))
    if learning_curve and "-" in files:
        raise click.UsageError("Standard input can be read once, but --learning-curve reads it again; give a file.")
    if asked and no_data:
        raise click.UsageError("--row shows a row, and --no-data shows none; leave out one of the two.")
    classifier = with_class_options(load(model).with_threads(threads), options)
    labels = {str(label): label for label in classifier.model.classes.tolist()}
    favoured = labels.get(favour or "", favour)
    limits = Limits(rows, columns, favoured, tuple(n - 1 for n in asked), first=1, data=not no_data)
    origin = Origin(shlex.join(["deciban", *sys.argv[1:]]), model, file_digest(model), ", ".join(files))
    labelling = ColumnLabels(target or target_of(classifier))
    curve = _learning_curve(classifier, open_source(files, **options), labelling) if learning_curve else None
    batches = scored_rows(classifier, open_source(files, **options), labelling, scores_for_report)
    page = (
        make_report(classifier, classifier.column_names(), batches, limits, origin, max_bytes, curve).to_html().encode()
    )
    write_output(output, lambda file: file.write(page))
    print_done(f"{output}: {len(page):,} bytes")


def _learning_curve(classifier: Any, source: Any, labelling: Any) -> Any:
    """Return the errors of models with the settings of a classifier, by the number of rows that they learn from."""
    from deciban.model.summary import table_models
    from deciban.tables.evaluation import TableInMemory
    from deciban.tables.learning_curve import curve_of_model
    from deciban.terminal.progress import show_steps

    table = TableInMemory.read(source, labelling, dict(table_models(classifier)))
    with show_steps("report") as announce:
        return curve_of_model(table.names, table.labels, table.hold_out(classifier.settings), announce)
