"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Any], Any]

# Formats of files.
FORMATS = ("csv", "jsonl", "parquet", "arrow", "fasttext")
# Instead of an event model, for a column that is not used.
LEFT_OUT = ("skip", "none")


def reading(command: Any) -> Any:
    """How text files are read."""
    options: list[Decorator] = [
        click.option("--delimiter", metavar="CHAR", help="Between the fields of a text file; found out by default."),
        click.option(
            "--missing",
            metavar="MARK",
            multiple=True,
            help="A mark of a missing value, besides the usual ones (empty, NA, NaN, null, …); ? by default.",
        ),
        click.option(
            "--type",
            "types",
            metavar="NAME=TYPE",
            multiple=True,
            help="Arrow type of a text file's column: string, int64, double, bool.",
        ),
        click.option("--encoding", default="utf8", show_default=True, help="Of text files."),
        click.option(
            "--read-as",
            "format",
            type=click.Choice(FORMATS),
            help="The format of the files, where their names do not tell; fasttext reads plain lines, too.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def output(command: Any) -> Any:
    kind = click.Path(dir_okay=False)
    return click.option("-o", "--output", required=True, type=kind, help="The file to write.")(command)


def threads(command: Any) -> Any:
    return click.option("--threads", type=click.IntRange(min=1), help="Threads to use; all cores by default.")(command)


def pseudo_count(text: str) -> Any:
    """A number, or auto."""
    if text == "auto":
        return text
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise click.BadParameter(f"{text!r} is no number of at least 0, and not auto.", param_hint="--alpha")
    return number


def source(
    files: tuple[str, ...],
    delimiter: str | None,
    missing: tuple[str, ...],
    types: tuple[str, ...],
    encoding: str,
    format: str | None,
) -> Any:
    """The table in some files, as the options say."""
    from deciban.readers import read_table
    from deciban.readers.source import arrow_type
    from deciban.readers.stream import MISSING_MARKS

    if delimiter is not None:
        delimiter = delimiter.replace("\\t", "\t")  # as it is typed
        if len(delimiter) != 1 or not delimiter.isascii():
            raise click.BadParameter(f"{delimiter!r} is not one character of ASCII.", param_hint="--delimiter")
    try:
        pairs = {name: arrow_type(kind) for name, kind in (pair(text, "--type") for text in types)}
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--type") from None
    marks = missing or MISSING_MARKS
    return read_table(list(files), delimiter=delimiter, missing=marks, types=pairs, encoding=encoding, format=format)


def one_row(command: Any) -> Any:
    """Which row is meant."""
    options: list[Decorator] = [
        click.argument("files", nargs=-1),
        click.option(
            "--row", type=click.IntRange(min=1), default=1, show_default=True, help="Of the files, counted from 1."
        ),
        click.option("--json", "json_row", metavar="ROW", help='A row instead of files: {"age": 39, "city": "Rome"}.'),
        click.option("--text", metavar="TEXT", help="A text instead of files, for a model that reads one."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def row_source(
    classifier: Any, files: tuple[str, ...], row: int, json_row: str | None, text: str | None, **options: Any
) -> Any:
    """The row that is meant, as a table of one row."""
    import json

    from deciban.explain.rows import nth_row, one_row, row_of_text
    from deciban.readers.source import open_table

    if sum([bool(files), json_row is not None, text is not None]) != 1:
        raise click.UsageError("Give files, --json or --text: one of them.")
    if text is not None:
        return open_table(row_of_text(classifier, text))
    if json_row is None:
        return open_table(nth_row(classifier, source(files, **options), row))
    try:
        given = json.loads(json_row)
    except json.JSONDecodeError as error:
        raise click.BadParameter(f"{json_row!r} is no JSON: {error}.", param_hint="--json") from None
    if not isinstance(given, dict) or any(isinstance(value, list | dict) for value in given.values()):
        raise click.BadParameter('give one row as an object, as in {"age": 39}.', param_hint="--json")
    return open_table(one_row(given))


def refuse_own_input(output: str, files: tuple[str, ...]) -> None:
    """What is read must not be written over."""
    import os

    if output != "-" and os.path.realpath(output) in map(os.path.realpath, files):
        raise click.BadParameter(f"{output} is an input too; write to another file.", param_hint="--output")


def pair(text: str, option: str) -> tuple[str, str]:
    name, mark, value = text.rpartition("=")
    if not mark or not name:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE.", param_hint=option)
    return name, value


def declared_column(text: str) -> tuple[str, Any]:
    """A column's name and event model; the name may contain = and so may the model's parameters."""
    from deciban.likelihoods import LIKELIHOODS

    marks = [i for i, c in enumerate(text) if c == "="]
    at = next((i for i in marks if text[i + 1 :].partition("(")[0] in (*LIKELIHOODS, *LEFT_OUT)), None)
    name, model = pair(text, "--column") if at is None else (text[:at], text[at + 1 :])
    return name, event_model(model)


def event_model(text: str) -> Any:
    """An event model from its name and parameters: gaussian, binned(bins=5), skip."""
    import ast

    from deciban.likelihoods import LIKELIHOODS

    name, _, rest = text.partition("(")
    if name in LEFT_OUT:
        return None
    if name not in LIKELIHOODS:
        raise click.BadParameter(
            f"{name!r} is no event model; there are {', '.join(LIKELIHOODS)} and skip.", param_hint="--column"
        )
    try:
        call = ast.parse(f"f({rest}" if rest else "f()", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("parameters are written name=value")
        parameters = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        return LIKELIHOODS[name](**parameters)
    except (SyntaxError, TypeError, ValueError) as error:
        said = str(error) if "malformed" not in str(error) else "parameters are plain values, as in binned(bins=5)"
        raise click.BadParameter(f"{text!r}: {said}", param_hint="--column") from None
