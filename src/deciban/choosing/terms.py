"""The terms of a text, words or n-grams of them, which must be chosen before its rows are counted."""

from __future__ import annotations

from dataclasses import replace

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Names
from deciban.choosing.search import VARIANT_ROWS, Search
from deciban.likelihoods.base import Likelihood
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.settings import ROWS, Settings
from deciban.model.summarize import summarize
from deciban.statistics import RowSample

# Rows, and rows × classes, that terms are compared on at most.
MOST_ROWS, MOST_SCORES = 2500, 1 << 14
# Where all rows are read several times anyway, terms are compared on more of them if they are short: rows, and bytes.
MOST_SHORT_ROWS, SHORT_BYTES = 20_000, 1 << 22


def rows_for_terms(settings: Settings) -> int:
    """Return the number of rows that terms are compared on, at most."""
    return MOST_SHORT_ROWS if settings.refine == ROWS else MOST_ROWS


def choose_terms(
    likelihood: Likelihood, texts: Frame, names: Names, labels: Labels, most_rows: int = MOST_ROWS
) -> Likelihood:
    """Return an event model of a column of texts with the terms that labels of these rows are best predicted by.

    Every candidate is counted on a sample of the rows, and the least left-out log-loss wins, with the usual caution.
    Few rows, and rows with soft labels, get the first candidate. More than MOST_ROWS are compared on if they are short.
    """
    candidates = likelihood.term_variants()
    if len(candidates) < 2:
        return likelihood
    short = int(SHORT_BYTES / max(texts.text_size, 1.0))
    most_rows = min(most_rows, max(MOST_ROWS, short))
    rows = min(most_rows, max(VARIANT_ROWS, MOST_SCORES * most_rows // MOST_ROWS // max(1, len(names))))
    sample = RowSample.of(texts, names, labels, rows)
    if sample.weight.sum() < VARIANT_ROWS or not len(sample):
        return candidates[0]
    best, least = candidates[0], None
    for candidate in candidates:
        search = term_search(candidate, sample)
        # The ladder in the middle stands for all of them: which terms are better hardly depends on the recipe.
        ladders = candidate.ladders(search.classifier.seen.blocks[0], all_open=True)
        found = search.climb(Choices(0, 1.0), 0, ladders[len(ladders) // 2])
        if found is None:
            continue
        if least is None or search.cautious_change(found.losses - least) < 0:
            best, least = candidate, found.losses
    return best


def term_search(likelihood: Likelihood, sample: RowSample) -> Search:
    """Return a search over event models of the texts of a sample, counted by themselves."""
    assert sample.rows is not None
    groups = (Group(None, likelihood),)
    settings = Settings.of(None, calibrate="temperature", refine=None)
    statistics = summarize(sample.rows.frame(), sample.names, sample.labels, groups, settings.threads)
    return Search(Classifier(groups, statistics, settings, sample=sample))


def choose_group_terms(
    groups: tuple[Group, ...], x: Frame, names: Names, labels: Labels, most_rows: int
) -> tuple[Group, ...]:
    """Return groups of columns of x, with terms chosen for every group of texts that leaves them open."""
    return tuple(
        replace(group, likelihood=choose_terms(group.likelihood, group.read(x), names, labels, most_rows))
        if group.likelihood.term_variants()
        else group
        for group in groups
    )
