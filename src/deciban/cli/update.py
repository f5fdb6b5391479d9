"""deciban update: add rows to a model."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command, print_done
from deciban.cli.options import refuse_own_input
from deciban.cli.outputs import ModelPath, save_model
from deciban.cli.reading import open_source, reading_options


@click.command(cls=Command, example="deciban update model.deciban monday.csv --decay 0.99")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", help="The column with the labels; the one the model was trained on by default.")
@click.option("--weight", metavar="NAME", help="The column with the weights; the one trained with by default.")
@click.option(
    "--decay",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Multiply the weight of the rows before these by a factor, so that old rows fade.",
)
@click.option("-o", "--output", type=ModelPath(), help="The file to write; MODEL itself by default.")
@reading_options
def update(
    model: str,
    files: tuple[str, ...],
    target: str | None,
    weight: str | None,
    decay: float,
    output: str | None,
    **options: Any,
) -> None:
    """Add the rows of FILES to MODEL; the result is the model trained on all rows.

    With --decay 0.99, every row that MODEL had seen before weighs 1 % less, then the rows of FILES are added in full. A
    model that was written with --keep-rows chooses again what was left open; another keeps its choices.
    """
    from deciban.choosing import training
    from deciban.files.model_file import load
    from deciban.tables.decide_again import decide_again
    from deciban.tables.jobs import count_table, labelling_of
    from deciban.tables.joined_kinds import source_kinds, widened

    refuse_own_input(output or model, files)
    before = load(model)
    before = before if decay == 1 else before.scale(decay)
    labelling, source = labelling_of(before, target, weight), open_source(files, **options)
    before = widened(before, source_kinds(source))
    counted = count_table(source, labelling, before.settings, before=before)
    after = training.settle(training.update(before, counted, before.settings, decide_again).due(), decide_again)
    place = save_model(after, output or model, after.sample.keeps_rows)
    print_done(f"{place}: {after.rows:,.10g} rows")
