"""Estimators, importance and weights as HTML: no scripts, everything escaped, scikit-learn's settings respected."""

import pytest
import sklearn
from lectures import A

import deciban as db

HOSTILE = "<script>alert(1)</script>"
NB = db.NaiveBayes().fit({HOSTILE: ["a", "b"] * 20, "y": [HOSTILE, "no"] * 20}, "y")


def htmls():
    yield NB._repr_html_()
    yield NB._repr_mimebundle_()["text/html"]
    yield NB.importance()._repr_html_()
    yield NB.linear_weights()._repr_html_()
    yield NB.parameters()._repr_html_()
    yield NB.story()._repr_html_()
    yield NB.scales()._repr_html_()
    yield NB.scales()[HOSTILE]._repr_html_()
    yield db.count_parameters(NB)._repr_html_()
    yield NB.compare_estimates(HOSTILE)._repr_html_()
    texts = db.NaiveBayes(db.Words()).fit(["<b> cheap", "see"], [HOSTILE, "no"])
    yield texts._repr_html_()
    yield texts.top_words()._repr_html_()


def test_html_has_no_scripts_and_no_ids():
    for html in htmls():
        assert "<script" not in html
        assert " id=" not in html
        assert html.startswith('<div class="deciban tex2jax_ignore mathjax_ignore">')  # a column may be called $x$


def test_a_fitted_estimator_shows_classes_columns_and_reasons():
    html = db.NaiveBayes(db.Categorical(), alpha=0.5).fit(A, "Y")._repr_html_()
    for part in ("NaiveBayes(", "Categorical()", "<td>O</td>", ">9<", "64.3%", "pseudo-count 0.5"):
        assert part in html


@pytest.mark.parametrize("estimator", [db.NaiveBayes(), db.GaussianNB()])
def test_an_estimator_before_fit_is_shown_as_by_scikit_learn(estimator):
    assert "sk-top-container" in estimator._repr_html_()
    assert "sk-top-container" in estimator._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("make", [db.GaussianNB, db.BernoulliNB, db.MultinomialNB, db.ComplementNB, db.CategoricalNB])
def test_drop_ins_show_their_model_and_parameters(make):
    fitted = make().fit(A[["O", "S", "J"]], A.Y)
    assert 'class="deciban ' in fitted._repr_html_()
    assert len(fitted.parameters()) in (1, 3)
    assert len(fitted.story()) > 2


def test_display_text_switches_html_off():
    with sklearn.config_context(display="text"):
        assert not hasattr(NB, "_repr_html_")
        assert "text/html" not in NB._repr_mimebundle_()


def test_bars_are_as_long_as_the_numbers():
    importance = db.NaiveBayes(db.Categorical()).fit(A, "Y").importance()
    html = importance._repr_html_()
    assert html.count("<svg") == 3
    assert 'd="M0 2H220.0V12H0Z"' in html  # the longest one


def test_long_cells_are_folded_and_not_cut():
    values = [f"value number {i}" for i in range(6)]
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit({"x": values * 4, "y": [0, 1, 1] * 8}, "y")
    story = nb.story()
    assert len(story[1].distribution) > 100
    assert f'<td class="folded">{story[1].distribution}</td>' in story._repr_html_()
    texts = [f"w{i:02}a w{i:02}b" for i in range(30)]
    words = db.NaiveBayes(db.Words()).fit(texts, [0] * 15 + [1] * 15)
    html = words.parameters()._repr_html_()
    assert all(f"{word.text} (" in html for found in words.top_words().favour for word in found)
