"""Options of reading files, or one row, and the tables that they mean."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.options import Decorator, split_pair, with_options

# Copies of constants in readers/options.py, because importing them would make --help slow.
READ_FORMATS = ("csv", "jsonl", "parquet", "arrow", "fasttext")
ON_ERROR = ("stop", "missing", "skip")
LABELS = ("first", "each")
OPTIONS: tuple[Decorator, ...] = (
    click.option("--delimiter", metavar="CHAR", help="Between the fields of a text file; recognised by default."),
    click.option("--decimal", metavar="CHAR", default=".", show_default=True, help="The decimal mark of numbers."),
    click.option("--comment", metavar="CHAR", help="Leave out the lines of a text file that begin with CHAR."),
    click.option(
        "--skip-lines", metavar="N", type=click.IntRange(min=0), default=0, help="Lines to skip before the header."
    ),
    click.option(
        "--no-header",
        "header",
        flag_value=False,
        default=True,
        help="The first line of a text file is a row, and its columns are named c1, c2, …",
    ),
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
    click.option(
        "--on-error",
        type=click.Choice(ON_ERROR),
        default="stop",
        show_default=True,
        help="If a value of a text file does not fit its column: stop, read it as missing, or skip its row.",
    ),
    click.option(
        "--encoding", default="utf8", show_default=True, help="Of text files; a byte order mark tells UTF-16."
    ),
    click.option(
        "--read-as",
        "format",
        type=click.Choice(READ_FORMATS),
        help="The format of the files, where their names do not tell; fasttext reads plain lines, too.",
    ),
    click.option(
        "--labels",
        type=click.Choice(LABELS),
        default="first",
        show_default=True,
        help="Of a fastText line with several labels: its first label, or a row for each label.",
    ),
)


def reading_options(command: Any) -> Any:
    """Add the options of reading text files."""
    return with_options(command, OPTIONS)


def open_source(files: tuple[str, ...], types: tuple[str, ...], missing: tuple[str, ...], **options: Any) -> Any:
    """Return the table in some files, read as the options say."""
    from deciban.readers.options import MISSING_MARKS, ReadOptions
    from deciban.readers.source import Files, find_files

    if options["delimiter"] is not None:
        options["delimiter"] = options["delimiter"].replace("\\t", "\t")  # a shell passes \t as two characters
    kinds: Any = dict(split_pair(text, "--type") for text in types)
    try:
        reading = ReadOptions(types=kinds, missing=missing or MISSING_MARKS, **options)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return Files(find_files(files), reading)


def row_options(command: Any) -> Any:
    """Add FILES, --row, --json and --text, which select one row."""
    options: list[Decorator] = [
        click.argument("files", nargs=-1),
        click.option(
            "--row", type=click.IntRange(min=1), default=1, show_default=True, help="Of the files, counted from 1."
        ),
        click.option(
            "--json",
            "json_row",
            metavar="ROW",
            help='A row instead of files, in which columns may be left out: {"age": 39, "city": "Rome"}.',
        ),
        click.option("--text", metavar="TEXT", help="A text instead of files, for a model that reads one."),
    ]
    return with_options(command, options)


def open_row(
    classifier: Any, files: tuple[str, ...], row: int, json_row: str | None, text: str | None, **options: Any
) -> Any:
    """Return the row that the options mean, as a table of one row."""
    import json

    from deciban.explain.rows import nth_row, text_row
    from deciban.readers.source import open_table
    from deciban.tables.mapped_rows import complete_row
    from deciban.tables.rows import table_schema

    if sum([bool(files), json_row is not None, text is not None]) != 1:
        raise click.UsageError("Give files, --json or --text: one of them.")
    if text is not None:
        return open_table(text_row(classifier, text))
    if json_row is None:
        return open_table(nth_row(classifier, open_source(files, **options), row))
    try:
        given = json.loads(json_row)
    except json.JSONDecodeError as error:
        raise click.BadParameter(f"{json_row!r} is not JSON: {error}.", param_hint="--json") from None
    if not isinstance(given, dict) or any(isinstance(value, list | dict) for value in given.values()):
        raise click.BadParameter('give one row as an object, as in {"age": 39}.', param_hint="--json")
    return open_table(complete_row(table_schema(classifier), given))
