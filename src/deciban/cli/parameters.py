"""deciban parameters: the estimated parameters of a model, classes across."""

from __future__ import annotations

import click

from deciban.cli.main import Command
from deciban.terminal.output import print_data
from deciban.terminal.printable import json_text, printable


@click.command(cls=Command, example="deciban parameters model.deciban --column age --column city -f markdown")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("--column", "columns", metavar="NAME", multiple=True, help="A column to list; by default all are.")
@click.option(
    "-f", "--format", "kind", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True
)
@click.option(
    "--words",
    metavar="N",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Words of every class to list, those with the most evidence for it against the rest.",
)
def parameters(model: str, columns: tuple[str, ...], kind: str, words: int) -> None:
    """Print the parameters of MODEL: P(class), then every value of every column, classes across.

    Numbers are fractions where they are ratios of counts. Gaussian columns have means and variances, texts the words
    with the most evidence for each class. JSON has an object for every value and class.
    """
    from deciban.describe.parameters import parameters as parameters_of
    from deciban.files.model_file import load

    classifier = load(model)
    found = parameters_of(classifier, classifier.column_names(), columns or None, words)
    if kind == "json":
        click.echo(json_text(found.to_dicts()))
    elif kind == "markdown":
        print_data(found.to_markdown())
    else:
        click.echo(printable(str(found)))
