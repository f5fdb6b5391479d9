"""deciban forget: take rows out of a model that it was trained on."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command, print_done
from deciban.cli.options import output_option
from deciban.cli.outputs import save_model
from deciban.cli.reading import open_source, reading_options


@click.command(cls=Command, example="deciban forget model.deciban withdrawn.csv -o model2.deciban")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", help="The column with the labels; the one the model was trained on by default.")
@click.option("--weight", metavar="NAME", help="The column with the weights; the one trained with by default.")
@output_option
@reading_options
def forget(
    model: str, files: tuple[str, ...], target: str | None, weight: str | None, output: str, **options: Any
) -> None:
    """Take the rows of FILES out of MODEL, as if it had never seen them. They must have been trained on.

    A model that was written with --keep-rows chooses again what was left open; another keeps its choices.
    """
    from deciban.choosing.training import forget as forget_rows
    from deciban.choosing.training import settle
    from deciban.files.model_file import load
    from deciban.tables.decide_again import decide_again
    from deciban.tables.jobs import count_table, labelling_of

    before = load(model)
    labelling = labelling_of(before, target, weight)
    counted = count_table(open_source(files, **options), labelling, before.settings, before=before, forgetting=True)
    rest = settle(forget_rows(before, counted, decide_again), decide_again)
    place = save_model(rest, output, rest.sample.keeps_rows)
    print_done(f"{place}: {rest.statistics.weight.sum():,.10g} rows left")
