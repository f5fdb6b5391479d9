"""deciban forget: a model without some of the rows it was trained on."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command, say
from deciban.cli.options import output, reading, source


@click.command(cls=Command, example="deciban forget model.deciban withdrawn.csv -o model2.deciban")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", help="The column with the labels; the one the model was trained on by default.")
@click.option("--weight", metavar="NAME", help="The column with the weights; the one trained with by default.")
@output
@reading
def forget(
    model: str, files: tuple[str, ...], target: str | None, weight: str | None, output: str, **options: Any
) -> None:
    """Take the rows of FILES out of MODEL, as if it had never seen them. They must have been trained on."""
    from deciban.files.model_file import load, save
    from deciban.tables.jobs import forget_rows

    rest = forget_rows(load(model), source(files, **options), target, weight)
    save(rest, output)
    say(f"{output}: {rest.statistics.weight.sum():,.10g} rows left")
