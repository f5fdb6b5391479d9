"""Reports without data: names that few rows have are left out, so that nothing on the page is about a single row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deciban.arrays.names import object_array
from deciban.arrays.types import Floats, Names
from deciban.describe.columns import ModelColumn
from deciban.describe.densities import Densities
from deciban.describe.top_words import TopWord, TopWords
from deciban.evaluation.evaluation import Evaluation
from deciban.explain.findings import Diagnosis
from deciban.likelihoods.distributions import BARS
from deciban.model.classifier import Classifier

# Training rows that must have a value or a word before it is shown.
FEWEST_ROWS = 5
# Edges of bins are rounded to this share of the range: an edge may be the number of a row.
ROUNDED_SHARE = 0.01


def common_words(classifier: Classifier) -> set[str]:
    """Return the words that at least FEWEST_ROWS training rows have, as far as that is known."""
    return {w for block in classifier.counted.blocks for w in block.words_of_documents(FEWEST_ROWS)}


def without_unknown_labels(result: Evaluation, known: Names) -> Evaluation:
    """Return an evaluation in which labels that the model does not know have numbers instead of names."""
    labels, unknown = set(known.tolist()), 0
    names = []
    for label in result.classes.tolist():
        unknown += label not in labels
        names.append(label if label in labels else f"(unknown label {unknown})")
    return replace(result, classes=object_array(names))


def without_rare_words(diagnosis: Diagnosis, shown: set[str]) -> Diagnosis:
    """Return a diagnosis without the columns, and the words of texts, that may not be shown."""
    kept = tuple(finding for finding in diagnosis.findings if shown.issuperset(finding.columns))
    hidden = len(diagnosis.findings) - len(kept)
    remark = (f"{hidden:,} findings about words that few rows have",) if hidden else ()
    pairs = diagnosis.pairs.only([j for j, name in enumerate(diagnosis.pairs.names) if name in shown])
    return replace(diagnosis, findings=kept, skipped=(*diagnosis.skipped, *remark), pairs=pairs)


def without_rare_values(densities: Densities, column: ModelColumn) -> Densities | None:
    """Return densities without a rug, without values that few rows have and with rounded edges; None if none is left.

    Heights are those of the model: they do not add up to 1 any more if values are left out.
    """
    distribution = densities.distribution
    if distribution.kind == BARS:
        weights = column.fitted.statistics.value_weights(column.within)
        kept = [i for i, value in enumerate(distribution.values) if weights.get(value, 0.0) >= FEWEST_ROWS]
        values = tuple(distribution.values[i] for i in kept)
        distribution = replace(distribution, values=values, heights=distribution.heights[:, kept])
    elif distribution.edges is not None:
        distribution = replace(distribution, edges=rounded_edges(distribution.edges))
    return replace(densities, distribution=distribution, rows=None) if distribution.values else None


def rounded_edges(edges: Floats) -> Floats:
    """Return edges of bins as round numbers, the outer ones further out."""
    span = float(edges[-1] - edges[0]) or 1.0
    step = 10.0 ** np.floor(np.log10(ROUNDED_SHARE * span))
    rounded = np.round(edges / step)
    rounded[0], rounded[-1] = np.floor(edges[0] / step) - 1, np.ceil(edges[-1] / step) + 1
    return np.asarray(rounded * step)


def without_rare_top_words(words: TopWords, shown: set[str], n: int) -> TopWords:
    """Return the first n words of every class that may be shown."""

    def common(sides: Sequence[Sequence[TopWord]]) -> tuple[tuple[TopWord, ...], ...]:
        return tuple(tuple(word for word in side if word.word in shown)[:n] for side in sides)

    return replace(words, favour=common(words.favour), against=common(words.against))
