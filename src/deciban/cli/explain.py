"""deciban explain: the evidence behind the decision for a row."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command
from deciban.cli.options import open_row, reading_options, row_options
from deciban.terminal.output import print_data
from deciban.terminal.printable import json_text


@click.command(cls=Command, example="deciban explain model.deciban new.csv --row 3")
@click.argument("model", type=click.Path(dir_okay=False))
@row_options
@click.option("--favour", metavar="LABEL", help="The class to explain; the one decided on by default.")
@click.option("--against", metavar="LABEL", help="The class to compare it with; the runner-up by default.")
@click.option("-f", "--format", "kind", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
@reading_options
def explain(
    model: str,
    files: tuple[str, ...],
    row: int,
    json_row: str | None,
    text: str | None,
    favour: str | None,
    against: str | None,
    kind: str,
    **options: Any,
) -> None:
    """Explain a row of FILES, a JSON row or a text: the evidence of every column or word, in decibans.

    Evidence for the class decided on and against the runner-up adds up to the log-odds: 10 decibans are a factor of
    ten. A missing value, or one that was never seen, is not evidence.
    """
    from deciban.explain.rows import explain_table
    from deciban.files.model_file import load

    classifier = load(model)
    names = {str(name): name for name in classifier.model.classes.tolist()}
    row_table = open_row(classifier, files, row, json_row, text, **options)
    pair = names.get(favour or "", favour), names.get(against or "", against)
    found = explain_table(classifier, row_table, *pair, first=row if files else 1)
    if kind == "html":
        print_data(found.to_html())
    elif kind == "json":
        click.echo(json_text(found[0].to_dicts(found.columns)))
    else:
        from deciban.terminal.console import TextConsole

        TextConsole().print(found[0])
