"""HTML of importance, weights and estimators: the numbers of the objects, escaped."""

import re

import numpy as np
import pytest
import sklearn

import deciban as db

HOSTILE = "<script>alert(1)</script>"
TABLE = {"age": [1.0, 2.0, 5.0, 6.0] * 20, HOSTILE: ["a", "b", "<i>", "b"] * 20, "y": ["no", "no", "yes", HOSTILE] * 20}


def test_importance_has_a_bar_for_every_column():
    found = db.NaiveBayes().fit(TABLE, "y").importance()
    html = found._repr_html_()
    assert html.count("<svg") == len(found)
    assert f"{found['age']:.2f}" in html
    assert "<script>alert" not in html


def test_weights_name_values_and_numbers():
    weights = (
        db.NaiveBayes({HOSTILE: db.Categorical(), "age": db.Gaussian(variance="shared")})
        .fit(TABLE, "y")
        .linear_weights()
    )
    html = weights._repr_html_()
    shown = [float(number) for number in re.findall(r'class="number">([+-][\d.]+)<', html)]
    assert np.isclose(shown[0], weights.intercept, atol=1e-4)
    assert np.allclose(
        sorted(shown[1:]), sorted([*weights.slopes.values(), *weights.values[HOSTILE].values()]), atol=1e-4
    )
    assert "<i>" not in html


def test_a_fitted_estimator_shows_classes_and_columns():
    nb = db.NaiveBayes().fit(TABLE, "y")
    html = nb._repr_mimebundle_()["text/html"]
    assert html == nb._repr_html_()
    assert "event model" in html
    assert "<script>alert" not in html
    assert re.findall(r"\sid=|<script", html) == []


@pytest.mark.parametrize("nb", [db.NaiveBayes(), db.GaussianNB()])
def test_the_display_setting_of_scikit_learn_counts(nb):
    assert "text/html" in nb._repr_mimebundle_()
    nb.fit(np.arange(8.0)[:, None], [0, 1] * 4)
    assert "class" in nb._repr_mimebundle_()["text/html"]
    with sklearn.config_context(display="text"):
        assert list(nb._repr_mimebundle_()) == ["text/plain"]
        assert not hasattr(nb, "_repr_html_")
