"""Leave-one-out of a refined model equals a model whose counts lost the row and whose weights are the same."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import deciban as db
from deciban.arrays.labels import Labels
from deciban.model.summarize import summarize
from deciban.readers.source import open_table
from deciban.refinement.pairs import count_pair
from deciban.statistics.products import Products
from deciban.tables.predict import labelled_rows

ROWS = 300


def categories(classes, *, missing):
    """Return a table of categories whose label is told by two columns together."""
    rng = np.random.default_rng(classes)
    label, first = rng.integers(0, classes, ROWS), rng.integers(0, 3, ROWS)
    second = np.where(rng.random(ROWS) < 0.85, (first + label) % 3, rng.integers(0, 3, ROWS))
    third = np.where(rng.random(ROWS) < 0.4, label % 3, rng.integers(0, 3, ROWS))
    columns = {
        name: pa.array(np.array(["a", "b", "c"])[codes].tolist(), mask=rng.random(ROWS) < 0.1 * missing)
        for name, codes in zip(("first", "second", "third"), (first, second, third))
    }
    return pa.table(columns | {"label": np.array([f"class {c}" for c in range(classes)])[label]})


def without_row(classifier, x, codes, i):
    """Return the classifier whose statistics, pairs and products lost row i; weights stay as they are."""
    row, names, refinement = x.pick(np.array([i])), classifier.seen.classes, classifier.refinement
    own = Labels(len(names), codes[i : i + 1])
    statistics = classifier.statistics - summarize(row, names, own, classifier.groups, 1)
    cells = dict(refinement.cells)

    def smaller(pair):
        coded = {j: cells[j].codes(row, j) for j in pair.columns}
        sizes = {j: cells[j].count for j in pair.columns}
        lost = count_pair(pair.columns, coded, sizes, codes[i : i + 1], np.ones(1), len(names))
        return replace(pair, count=pair.count - lost)

    products = refinement.products
    if products is not None:
        products -= Products.of_vectors(refinement.design.vectors(row), len(refinement.design.numbers), own)
    rest = replace(refinement, pairs=tuple(map(smaller, refinement.pairs)), products=products)
    choices = replace(classifier.choices, refinement=rest)
    return replace(classifier, statistics=statistics, choices=choices, classes=names)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
def test_left_out_posteriors_equal_those_of_a_model_without_the_row(classes, missing):
    rows = categories(classes, missing=missing)
    nb = db.NaiveBayes().fit(rows, "label")
    classifier = nb._fitted()
    assert classifier.refinement is not None
    assert classifier.refinement.pairs
    found = nb.leave_one_out(rows, "label")
    ((x, codes),) = labelled_rows(classifier, open_table(rows), "label")
    for i in range(0, ROWS, 7):
        rest = without_row(classifier, x, codes, i)
        expected = rest.model.log_posterior(x.pick(np.array([i])))[0]
        assert np.allclose(found[i], expected, rtol=0, atol=1e-9), i
