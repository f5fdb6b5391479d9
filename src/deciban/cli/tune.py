"""deciban tune: choose again what a model leaves open."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command, print_done
from deciban.cli.options import output_option
from deciban.cli.outputs import save_model
from deciban.cli.reading import open_source, reading_options


@click.command(cls=Command, example="deciban tune both.deciban monday.csv tuesday.csv -o tuned.deciban")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1)
@click.option("-t", "--target", help="The column with the labels; the one the model was trained on by default.")
@click.option("--weight", metavar="NAME", help="The column with the weights; the one trained with by default.")
@output_option
@reading_options
def tune(
    model: str, files: tuple[str, ...], target: str | None, weight: str | None, output: str, **options: Any
) -> None:
    """Choose again what MODEL leaves open: pseudo-count, event models, columns that count, calibration.

    FILES hold rows that the model was trained on; a sample of them is enough. Without FILES the choice is made on the
    rows that were written with --keep-rows.
    """
    from deciban.choosing import training
    from deciban.files.model_file import load
    from deciban.model.summary import choices_in_words
    from deciban.tables.decide_again import decide_again
    from deciban.tables.jobs import labelling_of, sample_table

    before = load(model)
    if files:
        labelling = labelling_of(before, target, weight)
        sample = sample_table(open_source(files, **options), labelling, before)
        tuned = training.choose_on(before, sample)
    else:
        tuned = training.choose_again(before, decide_again)
    place = save_model(tuned, output, tuned.sample.keeps_rows)
    print_done(f"{place}: {choices_in_words(tuned)}")
