"""deciban merge: the model of all rows from models of parts of them."""

from __future__ import annotations

from functools import reduce

import click

from deciban.cli.main import Command, say
from deciban.cli.options import output


@click.command(cls=Command, example="deciban merge monday.deciban tuesday.deciban -o both.deciban")
@click.argument("models", nargs=-1, required=True, type=click.Path(dir_okay=False))
@output
def merge(models: tuple[str, ...], output: str) -> None:
    """Add up MODELS of the same columns: the result is the model trained on all their rows.

    Settings are the first one's.
    """
    from deciban.files.model_file import load, save

    whole = reduce(lambda a, b: a.merged(b), map(load, models))
    save(whole, output)
    say(f"{output}: {whole.statistics.weight.sum():,.10g} rows from {len(models)} models")
