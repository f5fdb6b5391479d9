"""deciban diagnose: problems of columns and of probabilities, each with a remedy."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command
from deciban.cli.reading import open_source, reading_options
from deciban.terminal.printable import json_text, printable


@click.command(cls=Command, example="deciban diagnose model.deciban train.csv")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", metavar="NAME", help="The column with the labels; the one of training by default.")
@click.option("-f", "--format", "kind", type=click.Choice(["text", "json"]), default="text", show_default=True)
@reading_options
def diagnose(model: str, files: tuple[str, ...], target: str | None, kind: str, **options: Any) -> None:
    """Diagnose MODEL on the labelled rows of FILES: columns that repeat each other, say nothing or give the label away,
    values a class never showed, probabilities that are too sure, each with its remedy; and how much columns that MODEL
    reads together add."""
    from deciban.explain.diagnosis import diagnose_table
    from deciban.files.model_file import load

    found = diagnose_table(load(model), open_source(files, **options), target)
    if kind == "json":
        click.echo(json_text(found.to_arrow().to_pylist()))
    else:
        click.echo(printable(str(found)))
