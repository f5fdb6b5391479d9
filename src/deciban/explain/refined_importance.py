"""The importance of the lines of evidence of a refined model, with their weights, and of columns read together."""

from __future__ import annotations

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.parallel import row_blocks
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Floats, Mask
from deciban.explain.drawn_rows import draw_columns
from deciban.explain.row_explanation import DECIBANS
from deciban.model.classifier import Classifier
from deciban.refinement import Refinement
from deciban.refinement.normals import ClassNormals, SharedNormal
from deciban.refinement.pairs import PairTable

# Rows that are drawn, and cells of evidence [rows × classes × columns] at a time.
DRAWN_ROWS, DRAWN_CELLS = 20_000, 1 << 21


def line_importance(classifier: Classifier, refinement: Refinement) -> Floats:
    """[lines] mean evidence of every line for a row's own class against the other classes, in decibans.

    Σ_c P(c) · E_c[s_c − Σ_{k ≠ c} s_k · P(k) / (1 − P(c))] with the line's scores s, and E_c over rows of class c. Rows
    of columns are drawn from their counts; pairs and joint normal distributions have sums in closed form.
    NaN where an event model cannot be drawn from.
    """
    columns, known = _column_means(classifier)
    columns += _share_means(refinement)
    means = [*columns, *(pair_means(p, w) for p, w in zip(refinement.pairs, refinement.pair_weights))]
    means += [_normal_means(refinement)] if len(refinement.lines) > len(refinement.pairs) else []
    found = own_against_others(np.stack(means), np.exp(classifier.log_prior)) * DECIBANS
    found[: classifier.features][~known] = np.nan
    return found


def own_against_others(means: Floats, prior: Floats) -> Floats:
    """[lines] mean score of a row's own class minus the mean score of the other classes.

    ``means`` are the mean scores of every class, over rows of every class: [lines × own class × scored class].

    >>> own_against_others(np.array([[[-1.0, -3.0], [-2.0, -1.0]]]), np.array([0.5, 0.5])).tolist()
    [1.5]
    """
    own = np.diagonal(means, axis1=1, axis2=2)
    others = (means @ prior - own * prior) / np.maximum(1 - prior, TINY)
    return np.asarray((own - others) @ prior)


def _column_means(classifier: Classifier) -> tuple[Floats, Mask]:
    """[columns × own class × scored class] mean weighted evidence, and a mask of the columns where it is known."""
    number, model = len(classifier.log_prior), classifier.model
    codes = np.arange(-(-DRAWN_ROWS // number) * number, dtype=np.int32) % number
    rows, known = draw_columns(classifier, codes, np.random.default_rng(0))
    total = np.zeros((classifier.features, number, number))
    for begin, end in row_blocks(len(codes), max(1, DRAWN_CELLS // (number * max(1, classifier.features)))):
        scores = _column_scores(classifier, rows.block(begin, end), known)
        for c in range(number):
            total[:, c] += scores[codes[begin:end] == c].sum(axis=0).T
    read = {j for part in model.parts for j in np.arange(classifier.features)[part.selection].tolist()}
    known |= np.array([j not in read for j in range(classifier.features)])
    return total / (len(codes) // number), known


def _column_scores(classifier: Classifier, x: Frame, known: Mask) -> Floats:
    """[rows × classes × columns] weighted evidence of columns, and of missing values."""
    model = classifier.model
    scores = np.zeros((x.shape[0], len(model.classes), classifier.features))
    for part in model.parts:
        if known[part.selection].all():
            scores[:, :, part.selection] = part.weighted.evidence(part.rows(x))
    if model.missing_values is not None:
        scores[:, :, list(model.missing_values.columns)] += model.missing_values.evidence(x)
    return scores


def _share_means(refinement: Refinement) -> Floats:
    """[columns × own class × scored class] mean shares of columns in the normal distribution with one covariance."""
    number = len(refinement.classes)
    found = np.zeros((refinement.features, number, number))
    if refinement.shared_weight and refinement.design is not None and refinement.products is not None:
        normal = SharedNormal(refinement.products)
        shares = normal.mean.T[:, :, None] * normal.slopes.T[:, None, :]
        np.add.at(found, refinement.design.columns, refinement.shared_weight * shares)
    return found


def pair_means(pair: PairTable, weight: float) -> Floats:
    """[own class × scored class] mean weighted evidence of a pair, from its own counts."""
    total = pair.count.sum(axis=(1, 2), keepdims=True)
    together = (pair.count + pair.strength * pair.independent) / (total + pair.strength)
    number = len(pair.count)
    return np.asarray(weight * together.reshape(number, -1) @ pair.evidence.reshape(number, -1).T)


def _normal_means(refinement: Refinement) -> Floats:
    """[own class × scored class] mean evidence of the normal distributions with a covariance per class."""
    assert refinement.products is not None
    normals = ClassNormals(refinement.products)
    spread = normals.scatters / normals.rows[:, None, None]
    away = normals.centers[:, None] - normals.centers
    distance = np.einsum("cij,kij->ck", spread, normals.inverse)
    distance += np.einsum("cki,kij,ckj->ck", away, normals.inverse, away)
    return np.asarray(-refinement.class_weight * normals.rows / 2 * distance)
