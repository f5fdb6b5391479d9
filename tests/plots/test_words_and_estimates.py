"""Pictures of top words and of estimates draw the numbers of the objects that they hold."""

import numpy as np
import pytest
from lectures import A
from matplotlib.text import Text

import deciban as db
from deciban.plots import EstimatesDisplay, TopWordsDisplay

TEXTS = ["cheap pills", "cheap watches now", "see you later", "see you", "meeting at noon", "noon meeting cheap"]
LABELS = ["spam", "spam", "ham", "ham", "work", "work"]


def texts_of(display):
    return {text.get_text() for ax in display.axes_ for text in ax.texts}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bars_of_two_classes_are_decibans_to_both_sides(theme):
    words = db.NaiveBayes(db.Words()).fit(TEXTS[:4], LABELS[:4]).top_words()
    display = words.plot(theme=theme)
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert np.allclose(widths, [w.decibans for w in (*words.favour[1], *words.against[1])])
    assert {"see", "cheap", "+4.8   2 : 0", "−4.8   2 : 0", "← for ham", "for spam →"} <= texts_of(display)


def test_several_classes_have_a_panel_each():
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, LABELS)
    display = TopWordsDisplay.from_estimator(nb, 3)
    for ax, words in zip(display.axes_, display.words.favour):
        assert np.allclose([bar.get_width() for bar in ax.patches], [w.decibans for w in words])
    assert [ax.get_title(loc="left") for ax in display.axes_] == ["for ham", "for spam", "for work"]


def test_certain_words_are_bars_with_a_word():
    nb = db.NaiveBayes(db.Words(), estimate="mle").fit(TEXTS[:4], LABELS[:4])
    display = nb.top_words().plot()
    assert any(text.startswith("certain") for text in texts_of(display))
    assert np.isfinite([bar.get_width() for bar in display.ax_.patches]).all()


def test_curves_and_estimates_are_those_of_the_comparison():
    nb = db.NaiveBayes(db.Categorical()).fit(A, "Y")
    display = EstimatesDisplay.from_estimator(nb, "S", 1)
    assert len(display.axes_) == 2
    for ax, found in zip(display.axes_, display.comparison.classes):
        curves = {line.get_label(): line for line in ax.lines}
        for name in ("prior", "likelihood", "posterior"):
            assert np.array_equal(curves[name].get_ydata(), getattr(found, name))
            assert np.array_equal(curves[name].get_xdata(), found.theta)
        for name, estimate in found.estimates.items():
            assert float(curves[f"{name} {float(estimate):.3g}"].get_xdata()[0]) == float(estimate)


def test_a_coin_has_one_panel_on_the_axes_that_are_given():
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    display = db.compare_estimates(7, 3, prior=db.Beta(2, 2)).plot(ax=ax)
    assert display.axes_ == [ax]
    assert display.ax_ is ax


def test_narrow_peaks_are_enlarged():
    (ax,) = db.compare_estimates(300, 7000).plot().axes_
    low, high = ax.get_xlim()
    assert low < 300 / 7300 < high
    assert high - low < 0.1
    (ax,) = db.compare_estimates(3, 7).plot().axes_
    assert ax.get_xlim() == (0, 1)


@pytest.mark.parametrize("counts", [(300, 7000), (7000, 300), (500, 510)])
def test_the_legend_does_not_cover_a_narrow_peak(counts):
    display = db.compare_estimates(*counts).plot()
    (ax,) = display.axes_
    display.figure_.canvas.draw()
    found = display.comparison[0]
    peak = found.theta[found.posterior > 0.05 * found.posterior.max()]
    ends = [ax.transData.transform((x, 0))[0] for x in (peak.min(), peak.max())]
    legend = ax.get_legend().get_window_extent()
    assert legend.x0 > ends[1] or legend.x1 < ends[0]


@pytest.mark.parametrize("counts", [(0, 0), (3, 0), (0, 100_000), (100_000, 300_000)])
def test_extreme_counts_can_be_drawn(counts):
    display = db.compare_estimates(*counts, prior=db.Beta(0.5, 0.5)).plot()
    display.figure_.canvas.draw()
    low, high = display.axes_[0].get_xlim()
    assert 0 <= low < high <= 1
    assert np.isfinite(display.axes_[0].get_ylim()).all()  # the prior's density is infinite at 0 and 1


def test_names_may_be_anything():
    hostile = "$\\frac{$<script>\n\x1b[31m"
    texts = db.NaiveBayes(db.Words(analyzer="char")).fit(["$$ aa", "bb \\frac"], [hostile, "no"])
    figure = texts.top_words().plot().figure_
    figure.canvas.draw()
    assert any("\\x1b[31m" in text.get_text() for ax in figure.axes for text in ax.findobj(Text))
    nb = db.NaiveBayes(db.Categorical()).fit({hostile: ["a", hostile] * 20, "y": [hostile, "no"] * 20}, "y")
    figure = nb.compare_estimates(hostile, hostile).plot().figure_
    figure.canvas.draw()
    assert "\\x1b[31m" in figure.get_suptitle()
