"""deciban story: the generative story of a model."""

from __future__ import annotations

import click

from deciban.cli.main import Command
from deciban.terminal.output import print_data
from deciban.terminal.printable import printable


@click.command(cls=Command, example="deciban story model.deciban -f latex")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-f", "--format", "kind", type=click.Choice(["text", "latex"]), default="text", show_default=True)
def story(model: str, kind: str) -> None:
    """Print the generative story of MODEL: the class is drawn, then every column given the class."""
    from deciban.describe.story import story as story_of
    from deciban.files.model_file import load

    classifier = load(model)
    found = story_of(classifier, classifier.column_names())
    if kind == "latex":
        print_data(found.to_latex() + "\n")
    else:
        click.echo(printable(str(found)))
