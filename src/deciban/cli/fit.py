"""deciban fit: train a model on a table and write it to a file."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.declared_columns import column_option, declared_column
from deciban.cli.label_options import settings_by_label
from deciban.cli.main import Command, print_done
from deciban.cli.options import (
    REFINE_WORDS,
    REMEMBERED,
    choice_options,
    class_options,
    output_option,
    refuse_own_input,
    split_pair,
    threads_option,
    training_settings,
    unlabelled_options,
)
from deciban.cli.outputs import save_model
from deciban.cli.reading import open_source, reading_options

EXAMPLE = "deciban fit train.csv --target label -o model.deciban --column age=gaussian --column id=skip"


@click.command(cls=Command, example=EXAMPLE)
@click.argument("files", nargs=-1, required=True)
@click.option("-t", "--target", required=True, help="The column with the labels.")
@output_option
@column_option
@click.option(
    "--like", "template", metavar="MODEL", help="Read the columns as this model does, so that the two can be merged."
)
@choice_options
@class_options
@click.option(
    "--remember",
    type=click.IntRange(min=0),
    default=REMEMBERED,
    show_default=True,
    help="Rows to remember, to choose on what is left open; 0 for none.",
)
@click.option("--keep-rows", is_flag=True, help="Write the remembered rows into the file, so that merges choose anew.")
@click.option("--weight", metavar="NAME", help="The column with the weights of the rows.")
@unlabelled_options
@threads_option
@reading_options
def fit(
    files: tuple[str, ...],
    target: str,
    output: str,
    columns: tuple[str, ...],
    template: str | None,
    weight: str | None,
    keep_rows: bool,
    unlabelled: tuple[str, ...],
    **options: Any,
) -> None:
    """Train a model on FILES and write it to a file.

    Rows without a label are left out and reported, unless --semi-supervised is given. What was decided about the
    columns: deciban show.
    """
    from deciban.choosing.training import fit as fit_classifier
    from deciban.errors import missing_labels_expected
    from deciban.files.model_file import load
    from deciban.model.summary import table_models, unlabelled_in_words
    from deciban.tables.jobs import count_table
    from deciban.tables.labelling import ColumnLabels
    from deciban.tables.unlabelled import fit_unlabelled
    from deciban.unlabelled.learn import refuse_refinement

    refuse_own_input(output, files + unlabelled)
    declared = {**(table_models(load(template)) if template else {}), **dict(map(declared_column, columns))} or None
    unlabelled_weight, semi_supervised = options.pop("unlabelled_weight"), options.pop("semi_supervised")
    refine = options["refine"]
    settings = training_settings(declared, options)
    source, labelling = open_source(files, **options), ColumnLabels(target, weight)
    with missing_labels_expected(semi_supervised):
        counted = count_table(source, labelling, settings, declared)
    labels = counted.statistics.classes.tolist()
    settings, classifier = settings_by_label(settings, labels), None
    if unlabelled or semi_supervised:
        refuse_refinement(REFINE_WORDS.get(refine, refine))
        options["types"] = tuple(each for each in options["types"] if split_pair(each, "--type")[0] != target)
        more = open_source(unlabelled, **options) if unlabelled else None
        partly = source if semi_supervised else None
        classifier = fit_unlabelled(counted, settings, unlabelled_weight, labelling, unlabelled=more, partly=partly)
    classifier = classifier or fit_classifier(counted, settings)
    place = save_model(classifier, output, keep_rows)
    rows, classes = classifier.statistics.weight.sum(), len(classifier.statistics.classes)
    more_rows = "".join(f" {line}" for line in unlabelled_in_words(classifier))
    print_done(f"{place}: {rows:,.10g} rows{more_rows}, classes: {classes}, columns: {classifier.features}")
