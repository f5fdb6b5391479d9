"""deciban importance: how much every column of a model tells about the class."""

from __future__ import annotations

import click

from deciban.cli.main import Command
from deciban.terminal.printable import json_text, printable

# A model names no more words of a text than NAMED_WORDS of likelihoods.words.informative, which help may not import.
MOST_WORDS = 60


@click.command(cls=Command, example="deciban importance model.deciban --words 20")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-f", "--format", "kind", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--words",
    metavar="N",
    type=click.IntRange(0, MOST_WORDS),
    default=10,
    show_default=True,
    help="Words to name of every column of texts, the most informative first.",
)
def importance(model: str, kind: str, words: int) -> None:
    """Print the importance of every column of MODEL: its evidence for a row's own class, on average, in decibans.

    That is the mutual information of column and class, from the model file alone. A refined model has weights, and
    columns that are read together have a line of their own; there it is the mean evidence for the row's own class
    against the others. A column that predictions are better without has 0; columns left out in training are not listed;
    those of an array are x0, x1, …
    """
    from deciban.explain.importance import importance as importance_of
    from deciban.files.model_file import load

    classifier = load(model)
    found = importance_of(classifier, classifier.column_names())
    if kind == "json":
        click.echo(json_text(found.to_dicts(words)))
    else:
        click.echo(printable(found.to_text(words)))
