"""Tallies of parts add up to the tally of all rows, also where scores are rounded."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deciban.arrays.labels import Labels
from deciban.evaluation import ranking as ranking_module
from deciban.evaluation.ranking import Ranking
from deciban.evaluation.tally import Tally
from deciban.priors.families import FamilyCodes

CLASSES = np.array(["eggs", "ham", "spam"])


FAMILIES = FamilyCodes(CLASSES, np.array(["food", "mail"]), np.array([0, 1, 1], dtype=np.int64))


def empty_tally():
    return Tally(CLASSES, np.full(3, 1 / 3), FAMILIES, kept_rows=0)


def tally_of(codes, posterior, weight):
    tally = empty_tally()
    names = np.array([*CLASSES.tolist(), "unseen"], dtype=object)
    tally.add(names, Labels(4, codes, weight), np.log(posterior))
    return tally


@given(data=st.data())
def test_tallies_of_parts_add_up_to_the_whole(data):
    rows = data.draw(st.integers(1, 30))
    r = np.random.default_rng(data.draw(st.integers(0, 1000)))
    codes = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=rows, max_size=rows)), dtype=np.int32)
    codes[0] = 0
    posterior = r.dirichlet(np.ones(3), rows)
    weight = r.integers(1, 4, rows).astype(float) if data.draw(st.booleans()) else None
    cut = data.draw(st.integers(0, rows))
    whole, total = tally_of(codes, posterior, weight), empty_tally()
    for part in (slice(cut, None), slice(0, cut)):
        total.absorb(tally_of(codes[part], posterior[part], None if weight is None else weight[part]).arrays())
    a, b = whole.result(), total.result()
    assert np.array_equal(a.confusion, b.confusion)
    assert np.array_equal(a.families.confusion, b.families.confusion)
    assert a.classes.tolist() == b.classes.tolist()
    assert (a.rows, a.unlabelled, a.impossible) == (b.rows, b.unlabelled, b.impossible)
    for score in ("accuracy", "log_loss", "brier", "roc_auc", "calibration_error"):
        assert getattr(a, score) == pytest.approx(getattr(b, score), abs=1e-12, nan_ok=True), score


@pytest.mark.parametrize("sizes", [(20, 3000), (3000, 20), (3000, 3000), (20, 20)])
def test_rounded_rankings_add_up_to_nearly_the_exact_area(monkeypatch, sizes):
    monkeypatch.setattr(ranking_module, "LEAST_SCORES", 500)
    r = np.random.default_rng(0)
    exact, total = Ranking(), Ranking(500)
    for size in sizes:
        is_class = r.random(size) < 0.4
        scores = 1 / (1 + np.exp(-r.normal(size=size) - is_class))
        exact.add(scores, is_class, np.ones(size))
        part = Ranking(500)
        part.add(scores, is_class, np.ones(size))
        total.absorb(part.arrays())
    assert total.area() == pytest.approx(exact.area(), abs=2e-3)
    if sum(sizes) < 500:
        assert total.area() == exact.area()
