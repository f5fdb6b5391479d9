"""Learning from rows without labels, on top of labelled ones: checks, the weight, EM, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Literal

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats, Names
from deciban.choosing.choose import choose
from deciban.choosing.constants import with_constants
from deciban.choosing.rows_again import LabelledRows, RowsAgain
from deciban.errors import ChoiceWarning, setting, warn_user, wording
from deciban.model.classifier import Classifier
from deciban.model.expected import LARGEST_WEIGHT, Expected
from deciban.model.summarize import empty_statistics, summarize
from deciban.priors.counts import is_amount
from deciban.priors.estimation import AUTO
from deciban.scorers.posterior import softmax
from deciban.statistics import Statistics
from deciban.terminal.progress import show_steps
from deciban.unlabelled.em import Batches, chained, iterate, scored_batches
from deciban.unlabelled.temperature import evidence_temperature
from deciban.unlabelled.weight import ChosenWeight, choose_weight
from deciban.unlabelled.word_matrix import WordMatrix

# Probabilities of rows without labels that are kept, at most: 128 MB.
KEPT_CELLS = 1 << 24
# Labelled rows that the weight is chosen on, at most, where no sample is kept.
MOST_LABELLED = 5000


def with_unlabelled(
    classifier: Classifier,
    weight: float | Literal["auto"],
    open_rows: Callable[[Classifier], Sequence[Batches]],
    all_rows: RowsAgain | None,
    required: bool = True,
) -> Classifier | None:
    """Return a classifier of labelled rows that has learned from rows without labels, too.

    ``open_rows`` reads the latter in the columns of a classifier, ``all_rows`` the former once more, if that is needed.
    If the weight is 0 by choice, the result is None, after a warning: such rows are better left out. Without any such
    rows it is None, too, unless they are ``required``.
    """
    classes = len(classifier.seen.classes)
    ready = replace(with_generative_models(classifier, all_rows, classes), is_due=False, terms_due=False, expected=None)
    refuse_other_models(ready)
    refuse_empty_classes(ready.seen.classes, ready.statistics)
    batches = chained(open_rows(ready))
    if next(iter(batches()), None) is None:
        if required:
            raise ValueError("there are no rows without a label to learn from; give at least one.")
        return None
    labelled = validation_rows(ready, all_rows) if isinstance(weight, str) else None
    return learn_unlabelled(ready, batches, weight, labelled)


def learn_unlabelled(
    classifier: Classifier, batches: Batches, weight: float | Literal["auto"], labelled: LabelledRows | None
) -> Classifier | None:
    """Return a classifier of labelled rows that has learned from rows without labels, None if these have no weight.

    ``labelled`` are some of the labelled rows, on which the weight is chosen.
    """
    ready = with_constants(classifier)
    temperature = evidence_temperature(ready, batches)
    with show_steps("learning from rows without labels:") as announce:
        announce("reading them", 0.0)
        matrix = WordMatrix.of(ready, batches)
        core, rows = (ready, batches) if matrix is None else (matrix.classifier, matrix.batches)
        chosen = ChosenWeight(0.0 if isinstance(weight, str) else weight, {})
        if isinstance(weight, str):
            announce("their weight", 0.0)
            known = labelled if labelled is None or matrix is None else labelled._replace(x=matrix.read(labelled.x))
            chosen = choose_weight(core, known, rows, temperature, ready.reads_texts_alone)
            if not chosen.weight:
                _warn_of_no_weight(chosen)
                return None
        found = iterate(core, rows, chosen.weight, temperature, announce=lambda share: announce("EM", share))
        announce("counting them", 1.0)
        return choose(replace(ready, expected=count_expected(ready, batches, found, rows, chosen.losses)))


def _warn_of_no_weight(chosen: ChosenWeight) -> None:
    """Warn that rows without labels are left out."""
    losses = ", ".join(f"{loss:.3f} with weight {weight:g}" for weight, loss in chosen.losses.items())
    compared = f"log-loss of held-out labelled rows: {losses}" if losses else "too few labelled rows could be held out"
    warn_user(
        f"Rows without labels are left out, because they do not surely help ({compared}). Give a number "
        f"({setting('unlabelled_weight', 0.1)}) to learn from them nevertheless.",
        ChoiceWarning,
    )


def count_expected(
    ready: Classifier, batches: Batches, found: Classifier, rows: Batches, losses: dict[float, float] | None = None
) -> Expected:
    """Return the rows of batches in the columns of a classifier, counted by the posterior that EM has found.

    ``rows`` are these rows as ``found`` reads them.
    """
    assert found.expected is not None
    classes, threads, temperature = ready.seen.classes, ready.settings.threads, found.expected.temperature
    statistics = empty_statistics(ready.groups, ready.features)
    kept: list[Floats] = []
    cells = 0
    for x, posterior in zip(batches(), _posteriors(found, rows, temperature)):
        labels = Labels(len(classes), soft=posterior)
        statistics = statistics + summarize(x, classes, labels, ready.groups, threads)
        cells += posterior.size
        kept += [posterior] * (cells <= KEPT_CELLS)
    return replace(
        found.expected,
        statistics=statistics,
        posterior=np.concatenate(kept) if cells <= KEPT_CELLS else None,
        losses=losses or {},
    )


def _posteriors(found: Classifier, batches: Batches, temperature: float) -> Iterator[Floats]:
    """Yield P(class | row) of every batch."""
    for _, joint in scored_batches(found, batches, temperature):
        yield np.ascontiguousarray(softmax(joint))


def with_weight(classifier: Classifier, weight: float | Literal["auto"]) -> Classifier:
    """Return the classifier with another weight on the rows without labels that it has learned from."""
    if classifier.expected is None:
        raise ValueError("the model has learned from no rows without labels, so they have no weight to change.")
    if isinstance(weight, str):
        raise ValueError(
            f"{setting('unlabelled_weight', 'auto')} is chosen when rows without labels are read; give a number, or "
            "fit again."
        )
    return choose(replace(classifier, expected=replace(classifier.expected, weight=weight)))


def with_generative_models(classifier: Classifier, all_rows: RowsAgain | None, classes: int) -> Classifier:
    """Return the classifier with event models that can learn from rows without labels where columns were left open."""
    names = classifier.column_names()
    defaults = [group.likelihood.generative_default(classes) for group in classifier.groups]
    models = {
        j: default
        for group, default in zip(classifier.groups, defaults)
        for j in group.column_indices(classifier.features).tolist()
        if default is not group.likelihood
    }
    if not models:
        return classifier
    groups = tuple(replace(group, likelihood=default) for group, default in zip(classifier.groups, defaults))
    schema = None if classifier.schema is None else classifier.schema.under(models)
    if classifier.sample.is_complete and classifier.sample.keeps_rows:
        return classifier.remade(schema, groups)
    if all_rows is None or not all_rows.can_be_reopened:
        raise ValueError(
            f"column {names[min(models)]!r} was counted in a form that cannot learn from rows without labels; fit "
            "again with them, or declare its event model."
        )
    threads = classifier.settings.threads
    parts = (summarize(rows.x, rows.names, rows.labels, groups, threads) for rows in all_rows.batches())
    statistics = reduce(lambda a, b: a + b, parts)
    return replace(classifier, schema=schema, groups=groups, statistics=statistics)


def validation_rows(classifier: Classifier, all_rows: RowsAgain | None) -> LabelledRows | None:
    """Return labelled rows to choose a weight on: the sample, or else the first rows; None if neither is at hand."""
    if classifier.sample.keeps_rows and len(classifier.sample):
        sample = classifier.sample
        return LabelledRows(classifier.sample_frame(), sample.names, sample.labels)
    if all_rows is None or not all_rows.can_be_reopened:
        return None
    for rows in all_rows.batches():
        if rows.labels.codes is None:
            return None
        labelled = np.flatnonzero(rows.labels.codes >= 0)
        if len(labelled):
            return rows.pick(labelled[:MOST_LABELLED])
    return None


def refuse_other_models(classifier: Classifier) -> None:
    """Raise unless every event model can learn from rows without labels."""
    estimation = classifier.estimation
    if estimation.kind == "predictive":
        raise ValueError(
            f"{setting('estimate', 'predictive')} integrates parameters out, and rows without labels need parameters; "
            f"give {setting('estimate', 'map')} or 'mle'."
        )
    if estimation.family_codes is not None:
        raise ValueError(
            f"{setting('families')} lets classes share a prior that follows from all rows, and EM over rows without "
            f"labels needs a fixed one; give {wording('families=None', 'no --families')}."
        )
    names = classifier.column_names()
    for group, block in classifier.scored:
        column, model = names[int(group.column_indices(classifier.features)[0])], group.likelihood
        if not model.is_generative:
            raise ValueError(
                f"column {column!r} has the event model {model!r}, which gives no probability of rows with "
                "parameters that could be learned without labels; give Categorical, Bernoulli, Binned without a shape, "
                "Gaussian, Poisson, Multinomial, or Words as a plain bag or set."
            )
        if model.integrates_out(estimation) or model.evidence_priors(block, estimation) is not None:
            raise ValueError(
                f"column {column!r} has the event model {model!r}, whose prior follows from all rows, and EM over rows "
                "without labels needs a fixed one; give the pseudo-count or the strength as a number."
            )


def refuse_empty_classes(classes: Names, labelled: Statistics) -> None:
    """Raise unless every class has a labelled row."""
    empty = classes[labelled.on(classes).weight == 0].tolist()
    if empty:
        raise ValueError(
            f"class {empty[0]!r} has no labelled row, so nothing says which rows without labels are of it; label at "
            "least one row of every class, or find classes without labels with Mixture."
        )


def refuse_refinement(refine: Any) -> None:
    """Raise if weights on evidence are asked for, which rows without labels cannot learn."""
    if refine not in (None, AUTO):
        raise ValueError(
            f"{setting('refine', refine)} fits weights on labelled rows, and rows without labels need plain "
            f"parameters; give {wording('refine=None', '--refine none')}."
        )


def checked_weight(weight: Any) -> float | Literal["auto"]:
    """Return a weight of rows without labels, or "auto"; raise for anything else."""
    if isinstance(weight, str) and weight == AUTO:
        return "auto"
    if isinstance(weight, str) or not is_amount(weight) or weight > LARGEST_WEIGHT:
        raise ValueError(
            f"{setting('unlabelled_weight')} is {weight!r}; give 'auto', or the weight of a row without a label next "
            f"to a labelled one, from 0 to {LARGEST_WEIGHT:g}."
        )
    return float(weight)
