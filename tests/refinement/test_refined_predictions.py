"""Refined predictions take short cuts, block by block and by tables, and equal the sums that they stand for."""

import numpy as np
import pytest

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.refinement import normals
from deciban.refinement.cells import CATEGORY_CELLS, CategoryCells, make_cells
from deciban.refinement.design import make_design
from deciban.refinement.normals import ClassNormals
from deciban.statistics.products import Products
from deciban.tables.rows import TableRows

RNG = np.random.default_rng(0)
COLUMN = TableRows.column


@pytest.mark.parametrize("products", [1, 100, 1 << 18])
def test_distances_do_not_depend_on_the_size_of_blocks(products, monkeypatch):
    vectors, codes = RNG.normal(size=(200, 4)), RNG.integers(0, 3, 200).astype(np.int32)
    by_class = ClassNormals(Products.of_vectors(vectors, 4, Labels(3, codes)))
    away = vectors[:, None, :] - by_class.centers
    expected = np.einsum("rci,cij,rcj->rc", away, by_class.inverse, away)
    monkeypatch.setattr(normals, "BLOCK_PRODUCTS", products)
    np.testing.assert_allclose(by_class._distances(vectors), expected, rtol=1e-12)


def test_a_share_of_categories_is_looked_up_as_the_product_of_their_coordinates():
    rows = np.empty((60, 2), dtype=object)
    rows[:, 0], rows[:, 1] = RNG.choice([f"v{i}" for i in range(CATEGORY_CELLS + 5)], 60), RNG.choice(["a", None], 60)
    x, weight = as_frame(rows), np.ones(60)
    design = make_design(x, [make_cells(x, j, weight) for j in range(2)], weight)
    slopes = RNG.normal(size=(3, design.size))
    found = sum(t[cells.codes(x, j)] for j, cells, t in zip((0, 1), design.cells, design.category_tables(slopes)))
    np.testing.assert_allclose(found, design.vectors(x) @ slopes.T, atol=1e-12)
    assert isinstance(design.cells[0], CategoryCells)


def test_a_prediction_converts_every_column_once(monkeypatch):
    first, second = RNG.choice(["up", "down"], (2, 400))
    rows = {"a": first, "b": second, "y": np.where(first == second, "same", "other")}
    nb = db.NaiveBayes().fit(rows, "y")
    assert nb.model_.refinement.pairs
    converted = []
    monkeypatch.setattr(TableRows, "column", lambda x, j: (converted.append(j), COLUMN(x, j))[1])
    assert nb.score(rows, "y") == 1.0
    assert converted.count(0) == converted.count(1)
    assert len(converted) <= 4  # a frame that keeps its columns reads a column as itself and as categories
