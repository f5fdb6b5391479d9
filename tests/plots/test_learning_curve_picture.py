"""The picture of a learning curve draws its means, bands and paired differences."""

import numpy as np
import pytest

import deciban as db
from deciban.plots.learning_curve import labelled_sizes

SIZES = np.array([10, 20, 50, 100, 200])


def curve(second, repeats=8, names=("naive Bayes", "the other")):
    first = np.array([0.3, 0.25, 0.2, 0.2, 0.2])
    noise = 0.005 * np.resize([1.0, -1.0], repeats)[:, None]  # no mean difference, but a standard error
    errors = np.stack([first + noise, np.array(second) - noise])
    return db.LearningCurve(names, SIZES, errors)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_and_bands_are_those_of_the_curve(theme):
    found = curve([0.4, 0.3, 0.2, 0.1, 0.1])
    upper, lower = found.plot(theme=theme).axes_
    for k in (0, 1):
        np.testing.assert_array_equal(upper.lines[k].get_ydata(), found.mean[k])
        band = upper.collections[k].get_paths()[0].vertices[:, 1]
        assert band.max() == pytest.approx((found.mean[k] + 2 * found.standard_error[k]).max(), rel=1e-12)
    paired = (found.errors[0] - found.errors[1]).mean(axis=0)
    np.testing.assert_allclose(lower.lines[0].get_ydata(), paired, rtol=1e-12)
    band = lower.collections[0].get_paths()[0].vertices[:, 1]
    low, high = found.difference_interval
    assert (band.min(), band.max()) == (low.min(), high.max())


def test_leads_are_runs_of_sizes_and_the_last_one_is_sure():
    found = curve([0.4, 0.3, 0.2, 0.1, 0.1])
    shown = [(lead.name, lead.first, lead.last) for lead in found.leads]
    assert ("naive Bayes", 10, 20) in shown
    assert ("the other", 100, 200) in shown
    assert found.sure_from == {"naive Bayes": None, "the other": 100}
    assert found.crossing == 100
    assert "the other surely leads from 100" in found.plot().title
    for lead in found.leads:
        inside = (lead.first <= SIZES) & (lead.last >= SIZES)
        assert (found.lead[inside] == found.names.index(lead.name)).all()


def test_the_first_classifier_may_lead_to_the_end():
    found = curve([0.4, 0.4, 0.4, 0.4, 0.4])
    assert found.sure_from == {"naive Bayes": 10, "the other": None}
    assert found.crossing is None


def test_one_repeat_has_no_sure_lead():
    found = curve([0.4, 0.3, 0.2, 0.1, 0.1], repeats=1)
    assert found.leads == []
    assert found.sure_from == {"naive Bayes": None, "the other": None}
    display = found.plot()
    display.figure_.canvas.draw()
    assert "no sure lead" in display.title


def test_names_may_be_anything_and_html_holds_the_numbers():
    found = curve([0.4, 0.3, 0.2, 0.1, 0.1], names=("$\\frac{$" * 20, "<b>\n"))
    found.plot().figure_.canvas.draw()
    html = found._repr_html_()
    assert "<b>" not in html
    assert html.count("<path") == 3
    for value in (*found.mean.ravel(), *found.difference[0]):
        assert f"{value:.4f}" in html


def test_labelled_sizes_do_not_collide():
    assert labelled_sizes([10, 11, 1000]) == [11, 1000]
    assert labelled_sizes([5]) == [5]
