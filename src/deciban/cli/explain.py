"""deciban explain: the evidence behind the decision for a row, or for all rows."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from deciban.cli.main import Command
from deciban.cli.options import refuse_own_input
from deciban.cli.reading import open_row, open_source, reading_options, row_options

OUTPUT_FORMATS = click.Choice(["text", "json", "html", "jsonl", "csv", "parquet"])
EXAMPLE = """deciban explain model.deciban new.csv --row 3
deciban explain model.deciban new.csv --all -f parquet -o reasons.parquet"""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("model", type=click.Path(dir_okay=False))
@row_options
@click.option("--all", "all_rows", is_flag=True, help="Explain all rows of FILES, as jsonl unless --format is given.")
@click.option("--favour", metavar="LABEL", help="The class to explain; the one decided on by default.")
@click.option("--against", metavar="LABEL", help="The class to compare it with; the runner-up by default.")
@click.option("-f", "--format", "kind", type=OUTPUT_FORMATS, help="Of the output; text by default.")
@click.option("-o", "--output", default="-", show_default=True, help="The file to write; - is standard output.")
@reading_options
def explain(
    model: str,
    files: tuple[str, ...],
    all_rows: bool,
    favour: str | None,
    against: str | None,
    kind: str | None,
    output: str,
    **options: Any,
) -> None:
    """Explain a row of FILES, a JSON row or a text: the evidence of every column or word, in decibans.

    Evidence for the class decided on and against the runner-up adds up to the log-odds: 10 decibans are a factor of
    ten. A missing value, or one that was never seen, is not evidence.

    json and jsonl have an object per row: decision, posterior, evidence, and what would flip the decision. csv and
    parquet have a line per row and column.
    """
    from deciban.explain.bulk import explain_batches, write_explanations
    from deciban.explain.rows import explain_table
    from deciban.files.model_file import load

    refuse_own_input(output, (*files, model))
    classifier = load(model)
    names = {str(name): name for name in classifier.model.classes.tolist()}
    pair = names.get(favour or "", favour), names.get(against or "", against)
    row = {name: options.pop(name) for name in ("row", "json_row", "text")}
    kind = kind or ("jsonl" if all_rows else "text")
    if all_rows:
        _check_all(files, kind, row)
        write_explanations(explain_batches(classifier, open_source(files, **options), *pair), output, kind)
        return
    row_table = open_row(classifier, files, **row, **options)
    found = explain_table(classifier, row_table, *pair, first=row["row"] if files else 1)
    if kind == "json":
        kind = "jsonl"  # one row is one object
    if kind in ("text", "html"):
        _write_page(found, kind, output)
    else:
        write_explanations(iter([found]), output, kind)


def _check_all(files: tuple[str, ...], kind: str, row: dict[str, Any]) -> None:
    """Raise if --all is combined with an option or a format for a single row."""
    if not files or row["json_row"] is not None or row["text"] is not None:
        raise click.UsageError("--all explains the rows of files; give files, without --json and --text.")
    if click.get_current_context().get_parameter_source("row") is not ParameterSource.DEFAULT:
        raise click.UsageError("--all explains all rows, and --row selects one; leave out one of the two.")
    if kind in ("text", "html"):
        raise click.UsageError(f"--all writes json, jsonl, csv or parquet; {kind} is for one row.")


def _write_page(found: Any, kind: str, output: str) -> None:
    """Write the explanation of one row as text or HTML."""
    if kind == "text" and output == "-":
        from deciban.terminal.console import TextConsole

        TextConsole().print(found[0])
        return
    from deciban.tables.write import write_output

    page = found.to_html() if kind == "html" else f"{found[0]}\n"
    write_output(output, lambda file: file.write(page.encode()))
