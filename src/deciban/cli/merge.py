"""deciban merge: add up models of the same columns."""

from __future__ import annotations

from functools import reduce

import click

from deciban.cli.main import Command, report
from deciban.cli.options import output_option


@click.command(cls=Command, example="deciban merge monday.deciban tuesday.deciban -o both.deciban")
@click.argument("models", nargs=-1, required=True, type=click.Path(dir_okay=False))
@output_option
def merge(models: tuple[str, ...], output: str) -> None:
    """Add up MODELS of the same columns: the result is the model trained on all their rows.

    Settings are the first one's.
    """
    from deciban.files.model_file import load, save

    whole = reduce(lambda a, b: a.merged(b), map(load, models))
    save(whole, output)
    report(f"{output}: {whole.statistics.weight.sum():,.10g} rows from {len(models)} models")
