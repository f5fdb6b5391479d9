"""Tables of counts: categories, their cap, and the entry for all others."""

import numpy as np

import deciban as db
from deciban.arrays.labels import Labels
from deciban.statistics import Tables


def test_wide_tables_took_quadratic_time():
    from deciban.statistics import Tables

    tables = Tables.zero(3, 2)
    assert tables.start is tables.start


def test_other_took_the_place_of_a_category():
    def of(*names):
        return Tables.of(np.array([names], dtype=object).T, Labels(1, np.zeros(len(names), np.int32)), limit=2)

    full = of("a", "b", "c")
    assert len(full.categories[0]) == 3
    assert (full + of("d")).categories[0].tolist() == full.categories[0].tolist()
    assert (full + of("d")).weight.sum() == 4


RNG = np.random.default_rng(3)


def test_more_categories_than_the_cap_count_as_other():
    names = np.array([f"n{i}" for i in range(50)])
    x, y = names[np.r_[np.zeros(60, int), RNG.integers(0, 50, 400)]], np.array(["p", "q"])[np.arange(460) % 2]
    nb = db.NaiveBayes({"x": db.Categorical(max_categories=10)})
    for first in range(0, 460, 23):
        nb.partial_fit({"x": x[first : first + 23], "y": y[first : first + 23]}, "y")
    block = nb.statistics_.blocks[0]
    assert len(block.categories[0]) <= 11
    assert "(other)" in block.categories[0]
    assert "(other)" in repr(nb)
    assert block.weight.sum() == 460
    assert (nb.evidence({"x": "never seen"})[0, :, 0] != 0).all()  # counts as one of the others
    nb.forget({"x": x[:23], "y": y[:23]}, "y")
    assert nb.statistics_.blocks[0].weight.sum() == 437
