"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from deciban.cli.label_options import FamiliesOption, WordOrNumbers, by_label
from deciban.cli.outputs import ModelPath

Decorator = Callable[[Any], Any]

# Rows that a model remembers by default: a copy of the constant in statistics/row_sample.py, for a fast --help.
REMEMBERED = 5000
# What the words of --refine mean, where they are not settings themselves.
REFINE_WORDS: dict[str | None, Any] = {None: "auto", "none": None}


def with_options(command: Any, options: Sequence[Decorator]) -> Any:
    """Return a command with more options, which its help lists in this order."""
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
    return with_options(command, options)


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
    return with_options(command, options)


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


def unlabelled_options(command: Any) -> Any:
    """Add the options of rows without labels."""
    options: list[Decorator] = [
        click.option(
            "--unlabelled",
            metavar="FILE",
            multiple=True,
            help="Learn from the rows of this file, too, which have no labels, by expectation-maximisation.",
        ),
        click.option(
            "--semi-supervised", is_flag=True, help="Learn from the rows of FILES that have no label in the same way."
        ),
        click.option(
            "--unlabelled-weight",
            metavar="WEIGHT",
            default="auto",
            show_default=True,
            callback=lambda context, option, text: weight_or_auto(text),
            help="Weight of a row without a label next to a labelled one; auto to have it chosen, 0 included.",
        ),
    ]
    return with_options(command, options)


def weight_or_auto(text: str) -> float | str:
    """Return a number, or "auto"."""
    if text == "auto":
        return text
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number, and not auto.") from None


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
