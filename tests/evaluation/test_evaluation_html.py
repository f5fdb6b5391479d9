"""HTML of evaluations holds the numbers of the printed tables, and bars."""

import numpy as np

import deciban as db
from deciban.evaluation.html import LISTED_CLASSES

RNG = np.random.default_rng(1)


def evaluation(classes, shift=1.0):
    y = np.arange(1200) % classes
    x = RNG.normal(size=(1200, 1)) + shift * y[:, None]
    return db.NaiveBayes(db.Gaussian()).fit(x, y).evaluate(x, y)


def test_an_evaluation_shows_every_score_and_a_bar_for_every_class():
    found = evaluation(3)
    html = found._repr_html_()
    for score in (found.accuracy, found.log_loss, found.roc_auc, found.matching.brier):
        assert f"{score:.4f}" in html
    assert html.count("<svg") == 3
    assert "confusion" in html
    assert html.startswith('<div class="deciban ')
    assert "<script" not in html


def test_many_classes_are_cut_short_and_their_mistakes_listed():
    found = evaluation(LISTED_CLASSES + 7)
    html = found._repr_html_()
    assert "and 7 more classes" in html
    assert "most frequent mistakes" in html
    assert f"{found.mistakes(1)[0].share:.1%}" in html


def test_comparison_and_chance_have_bars():
    first, second = evaluation(3), evaluation(3, 0.5)
    compared = first.compare(second)
    html = compared._repr_html_()
    assert f"{compared.only_first_right:,}" in html
    assert "McNemar" in html
    html = db.chance([0.3, 0.7])._repr_html_()
    for accuracy in ("0.7000", "0.5000", "0.5800"):
        assert accuracy in html
    assert html.count("<svg") == 3
