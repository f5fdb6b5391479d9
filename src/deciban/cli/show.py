"""deciban show: the classes, settings and columns of a model file."""

from __future__ import annotations

import click

from deciban.cli.main import Command


@click.command(cls=Command, example="deciban show model.deciban")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-f", "--format", "kind", type=click.Choice(["table", "json"]), default="table", show_default=True)
def show(model: str, kind: str) -> None:
    """Show the classes, settings and columns of MODEL, with the reason for every column's event model."""
    import json

    from deciban.files.model_file import load

    classifier = load(model)
    if kind == "json":
        from deciban.model.summary import to_dict

        text = json.dumps(to_dict(classifier), indent=2, ensure_ascii=False, default=str)
        # Half of a surrogate pair has no UTF-8; with a backslash it is the escape that JSON has for it.
        click.echo(text.encode("utf-8", "backslashreplace").decode())
    else:
        from deciban.cli.tables import model_tables
        from deciban.terminal.tables import print_tables

        print_tables(model_tables(classifier))
