"""A nomogram draws the numbers of scales: places of values, the row's evidence, its sum and its probability."""

import matplotlib as mpl
import numpy as np
import pytest

import deciban as db
from deciban.plots import NomogramDisplay
from deciban.plots.scale_line import lanes, round_numbers, short_label, turns_back
from tests.event_models import event_models, labels, rows_for, settings_for

HOSTILE = "$\\frac{$<b>&\n\x1b[31m\u202e שלום " + "x" * 300


def loans(**settings):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    table = {
        "age": (20 + rng.gamma(4, 6 + 2 * y)).round().tolist(),
        "city": rng.choice(["Porto", "Graz", "Lyon"], 300).tolist(),
        "late": rng.poisson(2.2 - 1.7 * y).tolist(),
        "repaid": np.array(["no", "yes"])[y].tolist(),
    }
    return db.NaiveBayes(**settings).fit(table, "repaid"), {"age": 52.0, "city": "Porto", "late": 2}


def texts_of(ax):
    return [text.get_text() for text in ax.texts]


def bars(ax):
    """Ends of the thick lines from zero: the evidence of the row."""
    return [line.get_xdata()[1] for line in ax.lines if line.get_linewidth() == 3.2]


@pytest.mark.parametrize("theme", ["light", "dark", None])
def test_bars_are_the_evidence_and_lead_to_the_probability(theme):
    nb, row = loans()
    before = dict(mpl.rcParams)
    display = nb.scales(row=row).plot(theme=theme)
    explained = nb.explain(row)[0]
    drawn = [display.scales.row_decibans[list(display.scales).index(s)] for s in display.shown]
    assert np.allclose(bars(display.axes_[0]), drawn)
    assert np.isclose(display.row_sum, explained.prior + explained.evidence.sum())
    assert np.isclose(display.scales.probability(display.row_sum), nb.predict_proba(row).max())
    result = next(text for text in texts_of(display.axes_[1]) if "dB" in text)
    assert f"{100 * nb.predict_proba(row).max():.1f}%" in result
    assert dict(mpl.rcParams) == before


def test_ticks_of_the_probability_are_where_the_model_predicts_it():
    nb, _ = loans()
    display = nb.scales("yes", "no").plot()
    found = 0
    for text in display.axes_[1].texts:
        if text.get_text().endswith("%"):
            p = float(text.get_text().rstrip("%")) / 100
            assert np.isclose(display.scales.probability(text.get_position()[0]), p, atol=1e-9)
            found += 1
    assert found >= 5


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_every_event_model_has_a_nomogram(likelihood):
    rows, y = rows_for(likelihood), labels()
    nb = db.NaiveBayes(likelihood, **settings_for(likelihood)).fit(rows, y)
    display = NomogramDisplay.from_estimator(nb, rows[:1])
    assert len(bars(display.axes_[0])) == len(display.shown)
    assert np.allclose(sum(bars(display.axes_[0])) + display.scales.prior, display.row_sum)
    assert "more than two classes" in display.caption


def test_labels_do_not_overlap():
    nb, row = loans()
    display = NomogramDisplay(nb.scales(row=row))
    figure = display.figure()
    figure.set_dpi(110)
    figure.canvas.draw()
    for ax in display.axes_:
        boxes = [t.get_window_extent() for t in ax.texts if t.get_text() != "prior" and "dB" not in t.get_text()]
        for i, a in enumerate(boxes):
            assert not any(a.overlaps(b) for b in boxes[i + 1 :])


def test_a_scale_that_turns_back_is_a_curve_in_the_order_of_its_numbers():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    x = np.where(y, 5.0, 1.0)[:, None] * rng.normal(size=(400, 1))
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    scale = next(iter(nb.scales()))
    assert turns_back(scale)
    assert (np.diff(lanes(scale)) < 0).all()
    shared = next(iter(db.NaiveBayes(db.Gaussian("shared")).fit(x + y[:, None], y).scales()))
    assert not turns_back(shared)
    assert not lanes(shared).any()
    display = nb.scales(row=[[3.0]]).plot()
    curve = display.axes_[0].lines[0]
    decibans, end = display.shown[0].decibans, display.axes_[0].get_xlim()[1]
    assert np.isclose(curve.get_xdata(), decibans).sum() >= len(decibans) - 2  # the ends may lie beyond the axis
    assert (curve.get_xdata() <= np.minimum(decibans, end) + 1e-9).all()


def test_rare_values_do_not_widen_the_axis():
    values = ["a", "b"] * 1000 + ["rare"]
    y = ["p", "q"] * 500 + ["q", "p"] * 250 + ["p", "q"] * 250 + ["p"]
    nb = db.NaiveBayes(db.Categorical(prior=1e-6)).fit([[v] for v in values], y)
    scale = next(iter(nb.scales("p", "q")))
    assert scale.decibans.max() > 50
    assert scale.range < 10
    display = nb.scales("p", "q").plot()
    assert display.axes_[0].get_xlim()[1] < 10
    assert [line.get_marker() for line in display.axes_[0].lines if len(line.get_xdata()) and line.get_marker() == ">"]
    assert "Arrowheads" in display.caption


def test_only_the_widest_scales_are_drawn():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    nb = db.NaiveBayes(db.Gaussian()).fit(rng.normal(size=(100, 30)) + y[:, None] * np.linspace(0, 2, 30), y)
    display = nb.scales().plot(n=4)
    assert len(display.shown) == 4
    assert min(s.range for s in display.shown) >= np.sort([s.range for s in display.scales])[-4]
    assert "26 narrower scales are not drawn" in display.caption


def test_names_may_be_anything():
    table = {HOSTILE: [HOSTILE, "b", "c"] * 20, "y": [HOSTILE, "no", "no"] * 20}
    display = db.NaiveBayes().fit(table, "y").scales(row={HOSTILE: HOSTILE}).plot()
    display.figure_.canvas.draw()
    assert all(len(text) < 60 for text in texts_of(display.axes_[0]))


def test_certain_evidence_stays_within_the_axes():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit([["a"], ["a"], ["b"]], ["x", "y", "y"])
    display = nb.scales(row=[["b"]]).plot()
    assert {"certain", "impossible"} & set(texts_of(display.axes_[0]))
    display.figure_.canvas.draw()


def test_bins_and_ticks_have_short_labels():
    nb, _ = loans(refine=None)
    scale = nb.scales()["age"]
    assert short_label(scale, 0).startswith("<")
    assert short_label(scale, len(scale) - 1).startswith("≥")
    assert round_numbers(np.array([0.3, 9.7])) == [2.0, 4.0, 6.0, 8.0]
    assert round_numbers(np.array([3.0, 3.0])) == [3.0]


def test_the_title_is_written_once_above_the_axes_in_the_place_of_those_given():
    nb, row = loans()
    figure = mpl.figure.Figure(layout="constrained")
    ax = figure.subplots()
    display = nb.scales().plot(ax, row=row)
    assert display.ax_ is ax
    assert ax.get_title(loc="left") == ""
    assert [each.get_title(loc="left") for each in figure.axes].count(display.title) == 1


def test_the_caption_says_that_the_last_scale_includes_calibration():
    nb, row = loans(refine=None)
    assert nb.scales(row=row).probability.changes_odds
    assert "includes calibration" in nb.scales(row=row).plot().caption
    plain = db.NaiveBayes(db.Categorical(), calibrate=None).fit([["a"], ["b"], ["b"]], ["no", "yes", "yes"])
    assert not plain.scales().probability.changes_odds
    assert "includes calibration" not in plain.scales().plot().caption


@pytest.mark.parametrize("words", [1, 30, 300, 3000])
def test_the_sum_of_a_long_text_has_a_place_on_its_scale(words):
    nb = db.NaiveBayes(db.Words()).fit(["good film", "bad film"] * 50, ["yes", "no"] * 50)
    display = nb.plot("nomogram", ["good " * words])
    display.figure_.canvas.draw()
    total = display.row_sum
    assert total == pytest.approx(nb.scales(row=["good " * words]).sum(["good " * words])[0])
    low, high = display.axes_[-1].get_xlim()
    assert low < total < high
    ticks = [t.get_text() for t in display.axes_[-1].texts if t.get_text()[:1] in "+−" and t.get_text()[1:].isdigit()]
    assert 4 <= len(ticks) <= 12
