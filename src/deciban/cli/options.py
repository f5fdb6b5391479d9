"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from deciban.cli.label_options import FamiliesOption, WordOrNumbers, by_label
from deciban.cli.outputs import ModelPath

Decorator = Callable[[Any], Any]

# Copies of constants in readers/options.py, because importing them would make --help slow.
READ_FORMATS = ("csv", "jsonl", "parquet", "arrow", "fasttext")
ON_ERROR = ("stop", "missing", "skip")
LABELS = ("first", "each")
# Rows that a model remembers by default: a copy of the constant in statistics/row_sample.py, for a fast --help.
REMEMBERED = 5000
COLUMN = """Event model of a column: bernoulli, binned, categorical, gaussian, poisson …, with parameters as in
'binned(bins=5)'; skip leaves it out. Other columns' models are chosen by type and content."""
# What the words of --refine mean, where they are not settings themselves.
REFINE_WORDS: dict[str | None, Any] = {None: "auto", "none": None}
# Words for a column that is not used, instead of an event model.
SKIP_WORDS = ("skip", "none")


def reading_options(command: Any) -> Any:
    """Add the options of reading text files."""
    options: list[Decorator] = [
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
    ]
    for option in reversed(options):
        command = option(command)
    return command


def output_option(command: Any) -> Any:
    """Add the option of the model file to write."""
    words = "The file to write; - is standard output."
    return click.option("-o", "--output", required=True, type=ModelPath(), help=words)(command)


def threads_option(command: Any) -> Any:
    """Add the option of the number of threads."""
    return click.option("--threads", type=click.IntRange(min=1), help="Threads to use; all cores by default.")(command)


def column_option(command: Any) -> Any:
    """Add the option of declared event models."""
    return click.option("-c", "--column", "columns", metavar="NAME=MODEL", multiple=True, help=COLUMN)(command)


def choice_options(command: Any) -> Any:
    """Add the options of all that can be chosen on rows: pseudo-count, calibration, and refinements."""
    options: list[Decorator] = [
        click.option(
            "--alpha",
            help="Pseudo-count of event models of counts; auto to have it chosen, which is the default unless --column "
            "is given for event models, as in Python.",
        ),
        click.option(
            "--calibrate",
            type=click.Choice(["none", "auto", "temperature", "isotonic"]),
            help="How probabilities are corrected, by leave-one-out scores; auto unless --column is given.",
        ),
        click.option(
            "--refine",
            type=click.Choice(["auto", "sample", "rows", "none"]),
            help="Weigh the evidence of columns and read columns together: fitted on the remembered rows (sample), or "
            "counted over all rows, which are read twice (rows). By default sample, and none if --column is given.",
        ),
        click.option("--pairs", type=click.IntRange(min=0), help="Pairs of columns to read together, at most."),
        click.option(
            "--families",
            type=FamiliesOption(),
            metavar="FAMILIES",
            help="Classes of a family share a prior: a separator that ends the family in a label, such as . or all for "
            'one family of all classes, or a file of JSON or TOML such as {"rose": "plant", "oak": "plant"}.',
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def class_options(command: Any) -> Any:
    """Add the prior and the weights of the classes, which act on calibrated probabilities."""
    options: list[Decorator] = [
        click.option(
            "--class-prior",
            type=WordOrNumbers(("empirical", "uniform"), '{"spam": 0.2, "ham": 0.8}'),
            metavar="PRIOR",
            help='How frequent classes are: empirical, as in training, uniform, or {"spam": 0.2, "ham": 0.8}.',
        ),
        click.option(
            "--class-weight",
            type=WordOrNumbers(("balanced",), '{"spam": 5}'),
            metavar="WEIGHTS",
            help='How much classes matter: balanced, or {"spam": 5}.',
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


costs_option = click.option(
    "--costs",
    type=WordOrNumbers((), '{"ham": {"spam": 10}}'),
    metavar="JSON",
    help='What mistakes cost, by true and predicted class: {"ham": {"spam": 10}}; others cost 1. Decide for the least.',
)


def with_class_options(classifier: Any, options: dict[str, Any]) -> Any:
    """Take the prior and the weights of the classes out of a command's options; return a classifier with them."""
    from dataclasses import replace

    class_prior, class_weight = options.pop("class_prior"), options.pop("class_weight")
    classes, settings = classifier.statistics.classes.tolist(), classifier.settings
    if class_prior is not None:
        prior = None if class_prior == "empirical" else by_label(class_prior, classes)
        settings = replace(settings, class_prior=prior)
    if class_weight is not None:
        settings = replace(settings, class_weight=by_label(class_weight, classes))
    return classifier.with_settings(settings)


def pseudo_count(text: str | None) -> Any:
    """Return a number, "auto", or None if the option was not given."""
    if text is None or text == "auto":
        return text
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise click.BadParameter(f"{text!r} is not a number of at least 0, and not auto.", param_hint="--alpha")
    return number


def training_settings(columns: Any, options: dict[str, Any]) -> Any:
    """Take the options of training out of a command's options, and return the settings they mean."""
    from deciban.model.settings import Settings

    names = ("alpha", "calibrate", "refine", "class_prior")
    alpha, calibrate, refine, class_prior = (options.pop(name) for name in names)
    return Settings.of(
        columns,
        pseudo_count(alpha),
        False if calibrate == "none" else calibrate,
        refine=REFINE_WORDS.get(refine, refine),
        class_prior=None if class_prior == "empirical" else class_prior,
        **{name: options.pop(name) for name in ("class_weight", "pairs", "families", "remember", "threads")},
    )


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
    for option in reversed(options):
        command = option(command)
    return command


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


def refuse_own_input(output: str, files: tuple[str, ...]) -> None:
    """Raise if the file to write is one of the files to read."""
    import os

    if output != "-" and os.path.realpath(output) in map(os.path.realpath, files):
        raise click.BadParameter(f"{output} is an input too; write to another file.", param_hint="--output")


def split_pair(text: str, option: str) -> tuple[str, str]:
    """Return name and value of NAME=VALUE."""
    name, mark, value = text.rpartition("=")
    if not mark or not name:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE.", param_hint=option)
    return name, value


def declared_column(text: str) -> tuple[str, Any]:
    """Return a column's name and event model; both the name and the model's parameters may contain =."""
    from deciban.likelihoods import LIKELIHOODS

    marks = [i for i, c in enumerate(text) if c == "="]
    at = next((i for i in marks if text[i + 1 :].partition("(")[0] in (*LIKELIHOODS, *SKIP_WORDS)), None)
    name, model = split_pair(text, "--column") if at is None else (text[:at], text[at + 1 :])
    return name, event_model(model)


def _parameter(value: Any) -> Any:
    """Return a parameter of an event model: a Python literal, or a word without quotes as a text."""
    import ast

    return value.id if isinstance(value, ast.Name) else ast.literal_eval(value)


def event_model(text: str) -> Any:
    """Return an event model from its name and parameters: gaussian, binned(bins=5); None for skip."""
    import ast
    from inspect import signature

    from deciban.likelihoods import LIKELIHOODS

    name, _, rest = text.partition("(")
    if name in SKIP_WORDS:
        return None
    if name not in LIKELIHOODS:
        raise click.BadParameter(
            f"{name!r} is not an event model; there are {', '.join(LIKELIHOODS)} and skip.", param_hint="--column"
        )
    try:
        call = ast.parse(f"f({rest}" if rest else "f()", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("parameters are written name=value")
        parameters = {str(k.arg): _parameter(k.value) for k in call.keywords}
        known = list(signature(LIKELIHOODS[name]).parameters)
        if unknown := [k for k in parameters if k not in known]:
            has = f"its settings are {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{unknown[0]!r} is not a setting of {name}; {has}")
        return LIKELIHOODS[name](**parameters)
    except (SyntaxError, TypeError, ValueError) as error:
        reason = str(error) if "malformed" not in str(error) else "parameters are plain values, as in binned(bins=5)"
        raise click.BadParameter(f"{text!r}: {reason}", param_hint="--column") from None
