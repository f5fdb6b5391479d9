"""The reliability diagram draws the numbers of a reliability."""

import numpy as np
import pytest

import deciban as db
from deciban.plots import ReliabilityDisplay

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 400)
X = np.repeat(RNG.normal(size=(400, 1)) + Y[:, None], 4, axis=1)
HOSTILE = "$\\frac{$<b>\n\u202e🙂" * 8
LABELS = np.array(["no", HOSTILE], dtype=object)[Y]


@pytest.mark.parametrize(("calibrate", "curves"), [(False, 1), ("temperature", 2)])
def test_points_intervals_and_bars_are_those_of_the_bins(calibrate, curves):
    nb = db.NaiveBayes(db.Gaussian(), calibrate=calibrate).fit(X, Y)
    display = nb.reliability(X, Y).plot()
    upper, lower = display.axes_
    drawn = [line for line in upper.lines[1:] if len(line.get_xdata())]
    assert len(drawn) == len(display.curves) == curves
    heights = [bar.get_height() for bar in lower.patches]
    assert heights == np.concatenate([bins.rows for _, bins in display.curves]).tolist()
    intervals = [c for c in upper.collections if hasattr(c, "get_segments")]
    for line, lines, (_, bins) in zip(drawn, intervals, display.curves):
        seen = bins.rows > 0
        np.testing.assert_array_equal(line.get_xdata(), bins.confidence[seen])
        np.testing.assert_array_equal(line.get_ydata(), bins.share[seen])
        ends = np.array([segment[:, 1] for segment in lines.get_segments()])
        np.testing.assert_array_equal(ends.T, [limit[seen] for limit in bins.interval])


@pytest.mark.filterwarnings("ignore:Glyph")  # fonts of matplotlib have no emoji
def test_names_may_be_anything_and_the_shortcut_draws_the_same():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, LABELS)
    display = nb.plot("reliability", X, LABELS, 5, favour=HOSTILE, theme="dark")
    assert isinstance(display, ReliabilityDisplay)
    assert len(display.reliability.after.rows) == 5
    display.figure_.canvas.draw()


def test_an_unknown_kind_names_those_that_exist():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, Y)
    with pytest.raises(ValueError, match=r"kind is 'relaibility'; a model can be drawn as .*reliability.*waterfall"):
        nb.plot("relaibility", X, Y)
