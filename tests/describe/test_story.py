"""The story names the distribution of every column with the numbers of the parameters, in text and LaTeX."""

import numpy as np
import pytest
from event_models import event_models, fitted, rows_for
from lectures import A

import deciban as db


def test_the_story_of_the_worked_example():
    story = db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y").story()
    lines = str(story).splitlines()
    assert lines[0] == "Y ~ Bernoulli(9/14)"
    assert "O given Y = 1 ~ Bernoulli(4/9)" in lines
    assert "S given Y = 0 ~ Bernoulli(1/5)" in lines
    assert r"\text{O} \mid \text{Y = 1} &\sim \operatorname{Bernoulli}(\frac{4}{9})" in story.to_latex()


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_every_event_model_has_a_story(likelihood):
    if likelihood.reads_text:
        nb = db.NaiveBayes(likelihood).fit(rows_for(likelihood)[:, 0], np.arange(300) % 3)
    else:
        nb = fitted(likelihood)
    story = nb.story()
    assert story[0].subject == "class"
    assert {step.given for step in story.steps[1:]} == {"class = 0", "class = 1", "class = 2"}
    assert all(step.distribution.endswith(")") for step in story.steps)


def test_a_document_has_a_length_and_then_words():
    story = str(db.NaiveBayes(db.Words()).fit(["a bb bb", "cc bb dd ee", "cc"], ["x", "x", "y"]).story())
    assert "number of words of text given class = x ~ Poisson(mean 3)" in story
    assert "each word of text given class = y ~ Categorical(" in story


def test_numbers_have_a_mean_and_a_variance():
    story = str(db.NaiveBayes(db.Gaussian(), estimate="mle").fit([[1.0], [3.0], [7.0], [9.0]], [0, 0, 1, 1]).story())
    assert "x0 given class = 0 ~ Normal(mean 2, variance 1)" in story


def test_the_story_of_a_prepared_column_says_so():
    class LogNormal(db.Gaussian):
        def prepare(self, x):
            return np.log(x)

    nb = db.NaiveBayes(LogNormal(), estimate="mle").fit(np.exp([[1.0], [3.0], [7.0], [9.0]]), [0, 0, 1, 1])
    assert "prepare(x0) given class = 0 ~ Normal(mean 2, variance 1)" in str(nb.story())
    assert np.allclose(nb.parameters()["x0"]["mean"].numbers, [2, 8])


def test_many_columns_and_classes_are_counted():
    rng = np.random.default_rng(0)
    story = db.NaiveBayes(db.Bernoulli()).fit(rng.integers(0, 2, (40, 30)), np.arange(40) % 10).story()
    assert len(story) == 1 + 12 * 6
    assert "… and likewise given each of the other 4 classes." in str(story)
    assert "… and likewise 18 more columns." in str(story)


def test_names_are_escaped():
    hostile = "<b>$\\frac{$ %&#_"
    nb = db.NaiveBayes(db.Categorical()).fit({hostile: ["a", "b"] * 5, "y": [hostile, "no"] * 5}, "y")
    story = nb.story()
    assert "<b>" not in story._repr_html_()
    body = story.to_latex().replace(r"\$", "").replace(r"\%", "").replace(r"\#", "").replace(r"\_", "")
    assert not set("$%#_").intersection(body)
