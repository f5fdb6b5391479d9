"""deciban show: the classes, settings and columns of a model file."""

from __future__ import annotations

import click

from deciban.cli.main import Command
from deciban.terminal.printable import json_text, printable


@click.command(cls=Command, example="deciban show model.deciban")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-f", "--format", "kind", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--words",
    metavar="N",
    type=click.IntRange(1),
    help="Also list the N words that speak most for every class against the rest, with their counts.",
)
def show(model: str, kind: str, words: int | None) -> None:
    """Show the classes, settings and columns of MODEL, with the reason for every column's event model."""
    from deciban.files.model_file import load

    classifier = load(model)
    found = None
    if words is not None:
        from deciban.describe.top_words import top_words

        found = top_words(classifier, classifier.column_names(), n=words)
    if kind == "json":
        from deciban.model.summary import to_dict

        listed = {} if found is None else {"words": found.to_arrow().to_pylist()}
        click.echo(json_text(to_dict(classifier) | listed, indent=2, default=str))
    else:
        from deciban.model.tables import model_tables
        from deciban.terminal.tables import print_tables

        print_tables(model_tables(classifier))
        if found is not None:
            click.echo(printable(f"\n{found}"))
