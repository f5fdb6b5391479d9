"""deciban merge: add up models of the same columns."""

from __future__ import annotations

from functools import reduce

import click

from deciban.cli.main import Command, print_done
from deciban.cli.options import output_option
from deciban.cli.outputs import save_model


@click.command(cls=Command, example="deciban merge monday.deciban tuesday.deciban -o both.deciban")
@click.argument("models", nargs=-1, required=True, type=click.Path(dir_okay=False))
@output_option
def merge(models: tuple[str, ...], output: str) -> None:
    """Add up MODELS of the same columns: the result is the model trained on all their rows.

    Settings are the first one's. What was left open is chosen again if all models were written with --keep-rows.
    """
    from deciban.choosing.merging import merge_pair
    from deciban.choosing.training import settle
    from deciban.files.model_file import load
    from deciban.model.summary import where_chosen
    from deciban.tables.decide_again import decide_again
    from deciban.tables.joined_kinds import with_joined_kinds

    whole = settle(
        reduce(lambda a, b: merge_pair(*with_joined_kinds(a, b), decide_again), map(load, models)),
        decide_again,
    )
    place = save_model(whole, output, whole.sample.keeps_rows)
    print_done(f"{place}: {whole.rows:,.10g} rows from {len(models)} models")
    if whole.choices is not None and not whole.sample.keeps_rows:
        print_done(
            f"The choices are those of the largest model ({where_chosen(whole.choices)}): the files hold no rows to "
            "choose on. deciban tune chooses on rows that are given; fit --keep-rows writes rows into the files."
        )
