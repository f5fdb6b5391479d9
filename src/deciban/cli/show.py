"""deciban show: the classes, settings and columns of a model file."""

from __future__ import annotations

import click

from deciban.cli.main import Command
from deciban.terminal.printable import json_text


@click.command(cls=Command, example="deciban show model.deciban")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-f", "--format", "kind", type=click.Choice(["table", "json"]), default="table", show_default=True)
def show(model: str, kind: str) -> None:
    """Show the classes, settings and columns of MODEL, with the reason for every column's event model."""
    from deciban.files.model_file import load

    classifier = load(model)
    if kind == "json":
        from deciban.model.summary import to_dict

        click.echo(json_text(to_dict(classifier), indent=2, default=str))
    else:
        from deciban.model.tables import model_tables
        from deciban.terminal.tables import print_tables

        print_tables(model_tables(classifier))
