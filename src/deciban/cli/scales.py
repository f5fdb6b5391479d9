"""deciban scales: the evidence of every value of every column, in decibans."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.main import Command
from deciban.cli.reading import open_row, reading_options, row_options
from deciban.terminal.printable import json_text, printable

EXAMPLE = """deciban scales model.deciban
deciban scales model.deciban new.csv --row 3 -f html > scales.html"""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("model", type=click.Path(dir_okay=False))
@row_options
@click.option("--favour", metavar="LABEL", help="The class that evidence is for; the last one by default.")
@click.option("--against", metavar="LABEL", help="The class to compare it with; the first one by default.")
@click.option("-f", "--format", "kind", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
@reading_options
def scales(
    model: str, files: tuple[str, ...], favour: str | None, against: str | None, kind: str, **options: Any
) -> None:
    """Print the evidence of every value of every column for a class against another, in decibans.

    The evidence of a row's values and the prior add up to the log-odds before calibration. With a row of FILES, a JSON
    row or a text, the classes are the one decided on and the runner-up, and its sum is printed too.
    """
    from deciban.describe.make_scales import scales_of_table
    from deciban.files.model_file import load

    classifier = load(model)
    names = {str(name): name for name in classifier.model.classes.tolist()}
    row = {name: options.pop(name) for name in ("row", "json_row", "text")}
    has_row = bool(files) or row["json_row"] is not None or row["text"] is not None
    given = open_row(classifier, files, **row, **options) if has_row else None
    found = scales_of_table(classifier, names.get(favour or "", favour), names.get(against or "", against), given)
    if kind == "json":
        click.echo(json_text(found.to_dict()))
    else:
        click.echo(found.to_html() if kind == "html" else printable(str(found)))
