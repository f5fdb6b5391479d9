"""Refining: weights, joint normal distributions and pairs of columns, fitted on the rows of a sample.

Left-out evidence is honest about parameters, and too kind to whatever is selected on it, because a row's label is in
the counts behind every other row's evidence. So how far to go is decided on rows whose statistics were subtracted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.tolerances import TINY, WEIGHT_SLACK
from deciban.arrays.types import Floats, Names
from deciban.choosing.layers import Configuration, Layers
from deciban.choosing.refined_rows import Encoding, RefinedRows
from deciban.choosing.sample_rows import SampleRows
from deciban.choosing.screening import MOST_PAIRS
from deciban.errors import setting
from deciban.model.calibration import fold_weights
from deciban.model.classifier import Classifier
from deciban.model.missing import columns_with_missing
from deciban.model.pair_columns import pair_columns
from deciban.model.summarize import count_rows
from deciban.refinement.cells import code_columns, make_cells
from deciban.refinement.counters import PairCounter, VectorCounter
from deciban.refinement.design import make_design
from deciban.refinement.joint_counts import JointPlan
from deciban.refinement.refinement import Refinement

# With fewer rows, more columns, or more scores of terms, nothing is refined.
ENOUGH_ROWS, MOST_COLUMNS, MOST_SCORES = 100, 300, 1 << 24
# Standard errors of the difference from the best configuration within which a more cautious one is taken.
TOLERANCE = 0.5
# Products of terms, over rows and classes, that all folds together may cost: wide tables of few rows have fewer folds.
MOST_PRODUCTS = 1 << 28
# Rows from which on fewer of the folds are enough, and the number. Counts of all rows are worth all folds.
FOLDS_BY_ROWS, FOLDS = ((1000, 5), (3000, 3), (float("inf"), 1)), 5

# The most cautious first: the plain sum with a temperature.
PLAIN = Configuration(False, 1e4)
CONFIGURATIONS = (
    PLAIN,
    Configuration(False, 30.0),
    Configuration(False, 3.0),
    Configuration(True, 30.0),
    Configuration(True, 3.0),
)


def refine(classifier: Classifier, x: Frame, most_pairs: int = MOST_PAIRS) -> Refinement | None:
    """Return the refinement of a classifier by the rows x of its sample; None where the plain sum does as well."""
    found = _refined_rows(classifier, x)
    if found is None:
        return None
    rows, encoding = found
    configurations = _configurations(most_pairs, bool(encoding.declared))
    layers: Layers | None = None
    losses, weight = [], []
    for part, kept, held in _folds(classifier, rows):
        if part is None:
            return None
        layers = Layers(part, kept, encoding, most_pairs, layers)
        if not np.isfinite(layers.main).all():
            return None  # something is impossible without a row: weights have nothing to say about that
        losses.append(layers.losses(held, configurations))
        weight.append(held.weight)
    best = configurations[_most_cautious(np.concatenate(losses, axis=1), np.concatenate(weight))]
    if best == PLAIN:
        return None
    layers = Layers(classifier, rows, encoding, most_pairs, layers)
    return layers.refinement(best) if np.isfinite(layers.main).all() else None


def _configurations(most_pairs: int, declares_pairs: bool) -> tuple[Configuration, ...]:
    """Return the configurations that are compared: all have pairs if some are declared, none if there may be none."""
    if not most_pairs:
        return tuple(c for c in CONFIGURATIONS if not c.has_pairs)
    return tuple(c for c in CONFIGURATIONS if c.has_pairs) if declares_pairs else CONFIGURATIONS


def plan_joint_counts(classifier: Classifier, x: Frame, most_pairs: int) -> JointPlan:
    """Return a plan for counting several columns together over all rows, decided on the rows x of the sample.

    The plan has all pairs that promise a gain, and all pairs of the refinement that was fitted on the sample.
    """
    found = _refined_rows(replace(classifier, joint=None), x)
    if found is None:
        return JointPlan()
    rows, encoding = found
    layers = Layers(replace(classifier, joint=None), rows, encoding, most_pairs)
    if not np.isfinite(layers.main).all():
        return JointPlan()
    vectors = VectorCounter(encoding.design) if encoding.design.size else None
    used = () if classifier.refinement is None else classifier.refinement.pairs
    pairs = tuple(dict.fromkeys(pair.columns for pair in (*used, *layers.pairs)))
    columns = sorted({j for pair in pairs for j in pair})
    cells = tuple((j, encoding.cells[j]) for j in columns)
    return JointPlan(vectors, PairCounter(cells, pairs) if pairs else None)  # type: ignore[arg-type]


def _refined_rows(classifier: Classifier, x: Frame) -> tuple[RefinedRows, Encoding] | None:
    """Return the rows of the sample that can be left out, and how their columns are encoded; None if too few."""
    classes = classifier.seen.classes
    # A text by itself could only get one weight, and its calibration has a better one, with the power of the length.
    if classifier.reads_texts_alone or classifier.features > MOST_COLUMNS or len(classes) < 2 or not classifier.scored:
        return None
    found = SampleRows.of(classifier)
    codes, weight, rows = found.codes, found.weight, found.usable
    too_many = len(rows) * len(classes) * (classifier.features + MOST_PAIRS) > MOST_SCORES
    if too_many or weight[rows].sum() < ENOUGH_ROWS:
        return None
    encoding = _encoding(classifier, x, weight)
    paired = encoding.paired
    coded = code_columns(x, [encoding.cells[j] for j in paired], paired)  # type: ignore[misc]
    every = RefinedRows(x, found.copies, codes, weight, coded, encoding.design.vectors(x))
    return every if len(rows) == len(codes) else every.pick(rows, weight[rows]), encoding


def _encoding(classifier: Classifier, x: Frame, weight: Floats) -> Encoding:
    """Return how columns become cells and vectors: as they are counted over all rows, else as the rows x decide."""
    missing, declared = tuple(columns_with_missing(classifier.seen, classifier.places)), pair_columns(classifier)
    if classifier.joint is not None:
        return Encoding.of_plan(classifier.plan, classifier.features, missing, declared)
    texts = {
        j
        for group in classifier.groups
        if group.likelihood.reads_text
        for j in group.column_indices(classifier.features).tolist()
    }
    cells = tuple(None if j in texts else make_cells(x, j, weight) for j in range(classifier.features))
    for pair in declared:
        if any(cells[j] is None for j in pair):
            a, b = (classifier.column_names()[j] for j in pair)
            raise ValueError(f"{setting('columns')} declares the pair ({a}, {b}), but a text cannot be in a pair.")
    return Encoding(cells, make_design(x, cells, weight), missing, declared)


def _folds(classifier: Classifier, rows: RefinedRows) -> Iterator[tuple[Classifier | None, RefinedRows, RefinedRows]]:
    """Yield for every fold a classifier without its rows, the rows that remain, and the rows that are held out.

    The classifier is None where rows cannot be subtracted, because the others would lose their digits.
    """
    total = float(rows.weight.sum())
    number = FOLDS if classifier.joint is not None else next(n for most, n in FOLDS_BY_ROWS if total < most)
    products = len(rows.codes) * len(classifier.seen.classes) * classifier.features**2
    number = min(number, max(1, MOST_PRODUCTS // products))
    copies = classifier.sample.weight if len(rows.codes) == len(classifier.sample) else np.ones(len(rows.codes))
    for held_out in fold_weights(copies).T[:number]:
        held = np.flatnonzero(held_out > 0)
        names, labels = classifier.sample.names, rows.labels
        assert labels.codes is not None
        own = Labels(len(names), labels.codes[held], held_out[held])
        rest = without_rows(classifier, rows.x.pick(held), names, own)
        if rest is None:
            yield None, rows, rows
            return
        share = held_out / np.maximum(copies, TINY)
        weight = rows.weight * (1 - share)
        left = (weight > WEIGHT_SLACK) & (rest.seen.weight[rows.codes] > 1 + WEIGHT_SLACK)
        kept = np.flatnonzero(left)
        yield rest, rows.pick(kept, weight[kept]), rows.pick(held, (rows.weight * share)[held])


def without_rows(classifier: Classifier, x: Frame, names: Names, labels: Labels) -> Classifier | None:
    """Return a classifier that has not counted some rows, of the same classes; None if the rest would lose digits."""
    taken, joint = count_rows(x, names, labels, classifier.groups, classifier.plan, 1)
    try:
        return replace(
            classifier,
            statistics=classifier.statistics - taken,
            joint=None if classifier.joint is None or joint is None else classifier.joint - joint,
            classes=classifier.seen.classes,
        )
    except ValueError:
        return None


def _most_cautious(losses: Floats, weight: Floats) -> int:
    """Return the first configuration that is not clearly worse than the best."""
    share = weight / weight.sum()
    best = losses[int((losses * share).sum(axis=1).argmin())]
    for k, found in enumerate(losses):
        change = found - best
        mean = float(np.sum(share * change))
        error = np.sqrt(np.sum(share * (change - mean) ** 2) / max(weight.sum(), 1.0))
        if mean <= TOLERANCE * error + TINY:
            return k
    return 0
