"""deciban derive: the worked solution for a row."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.label_options import by_label
from deciban.cli.main import Command
from deciban.cli.options import costs_option
from deciban.cli.reading import open_row, reading_options, row_options
from deciban.terminal.output import print_data
from deciban.terminal.printable import printable


@click.command(cls=Command, example="deciban derive model.deciban new.csv --row 3 -f markdown")
@click.argument("model", type=click.Path(dir_okay=False))
@row_options
@click.option(
    "-f", "--format", "kind", type=click.Choice(["text", "markdown", "html"]), default="text", show_default=True
)
@costs_option
@reading_options
def derive(
    model: str, files: tuple[str, ...], row: int, json_row: str | None, text: str | None, kind: str, **options: Any
) -> None:
    """Derive the decision for a row of FILES, a JSON row or a text as a lecturer would: prior, factors with the counts
    they come from, product, normalisation."""
    from deciban.explain.derive import derive_row
    from deciban.explain.rows import explain_table
    from deciban.files.model_file import load

    classifier = load(model)
    costs = by_label(options.pop("costs"), classifier.statistics.classes.tolist())
    row_table = open_row(classifier, files, row, json_row, text, **options)
    found = derive_row(classifier, explain_table(classifier, row_table), costs)
    if kind == "text":
        click.echo(printable(str(found)))
    else:
        print_data((found.to_html() if kind == "html" else found.to_markdown()) + "\n")
