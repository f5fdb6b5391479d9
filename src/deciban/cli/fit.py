"""deciban fit: a model file from a table."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command, say
from deciban.cli.options import declared_column, output, pseudo_count, reading, refuse_own_input, source, threads

EXAMPLE = "deciban fit train.csv --target label -o model.deciban --column age=gaussian --column id=skip"
COLUMN = """Event model of a column: bernoulli, binned, categorical, gaussian, poisson …, with parameters as in
'binned(bins=5)'; skip leaves it out. Other columns' models are chosen by type and content."""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", required=True, help="The column with the labels.")
@output
@click.option("-c", "--column", "columns", metavar="NAME=MODEL", multiple=True, help=COLUMN)
@click.option("--like", metavar="MODEL", help="Read the columns as this model does, so that the two can be merged.")
@click.option(
    "--alpha", default="auto", show_default=True, help="Pseudo-count of event models of counts; auto to have it chosen."
)
@click.option(
    "--calibrate",
    type=click.Choice(["none", "auto", "temperature", "isotonic"]),
    default="auto",
    show_default=True,
    help="How probabilities are corrected, by leave-one-out scores.",
)
@click.option(
    "--class-prior",
    type=click.Choice(["empirical", "uniform"]),
    default="empirical",
    show_default=True,
    help="Prior of the classes.",
)
@click.option("--weight", metavar="NAME", help="The column with the weights of the rows.")
@threads
@reading
def fit(
    files: tuple[str, ...],
    target: str,
    output: str,
    columns: tuple[str, ...],
    like: str | None,
    alpha: str,
    calibrate: str,
    class_prior: str,
    weight: str | None,
    threads: int | None,
    **options: Any,
) -> None:
    """Train a model on FILES and write it to a file.

    Rows without a label are left out and reported. What was decided about the columns: deciban show.
    """
    from deciban.files.model_file import load, save
    from deciban.model.summary import table_choices
    from deciban.tables.jobs import fit_classifier

    refuse_own_input(output, files)
    declared = {**(table_choices(load(like)) if like else {}), **dict(map(declared_column, columns))}
    prior = None if class_prior == "empirical" else class_prior
    classifier = fit_classifier(
        source(files, **options),
        target,
        declared or None,
        alpha=pseudo_count(alpha),
        calibrate=None if calibrate == "none" else calibrate,
        class_prior=prior,
        weight=weight,
        threads=threads,
    )
    save(classifier, output)
    rows, classes = classifier.statistics.weight.sum(), len(classifier.statistics.classes)
    say(f"{output}: {rows:,.10g} rows, classes: {classes}, columns: {classifier.features}")
