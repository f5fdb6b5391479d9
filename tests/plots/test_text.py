"""A text is drawn word by word at its place, in the colour of its evidence; the bars are the words' evidence."""

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.plots import TextDisplay
from deciban.plots.text import COLUMNS, LINES, wrap_parts
from deciban.plots.theme import DARK, LIGHT

TRAINING = ["free cash now", "see you at lunch", "cash or lunch", "you see, free!", "report, please"]
CLASSES = ["spam", "ham", "ham", "spam", "work"]
NB = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TRAINING * 3, CLASSES * 3)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_bars_and_marks_are_the_evidence(theme):
    row = NB.explain(["Free lunch, FREE cash:\nsee you"])[0]
    before = dict(mpl.rcParams)
    display = row.plot_text(theme=theme.name)
    words, bars = display.axes_
    strongest = sorted((abs(v) for i, v in zip(row.items, row.evidence) if i.word), reverse=True)[: display.n]
    assert np.allclose(sorted((abs(bar.get_width()) for bar in bars.patches), reverse=True), strongest)
    assert [t.get_text() for t in words.texts] == [part.text for part in display.parts]
    marked = [part for part in display.parts if part.decibans and part.text.strip()]
    colours = [mpl.colors.to_hex(patch.get_facecolor()).lower() for patch in words.patches]
    assert colours == [theme.of_evidence(part.decibans).lower() for part in marked]
    assert [patch.get_x() for patch in words.patches] == [part.column for part in marked]
    assert dict(mpl.rcParams) == before


def test_a_mark_has_the_evidence_of_its_segment():
    text = "Free lunch FREE cash see you"
    row = NB.explain([text])[0]
    by_place = {s.begin: s.decibans for s in row.segments()}
    for part in TextDisplay(row).parts:
        assert part.decibans in by_place.values()
    assert "".join(part.text for part in TextDisplay(row).parts) == text


@given(st.lists(st.tuples(st.text(max_size=40), st.sampled_from([0.0, 1.0])), max_size=10))
def test_wrapped_lines_fit_and_lose_no_word(pieces):
    parts = wrap_parts(pieces)
    for part in parts:
        assert len(part.text) <= COLUMNS
        assert part.column >= 0
    words = "".join("".join(text.split()) for text, _ in pieces)
    if words.isprintable():
        assert "".join("".join(part.text.split()) for part in parts) == words


def test_a_long_text_is_cut_and_says_so():
    display = TextDisplay(NB.explain(["free lunch " * 500])[0])
    assert max(part.line for part in display.parts) == LINES - 1
    assert display.caption.startswith("The text is cut.")
    assert not TextDisplay(NB.explain(["free lunch"])[0]).caption.startswith("The text is cut.")


def test_texts_and_classes_may_be_anything():
    hostile = "$\\frac{$ <script> free \x1b[31m\u202e שלום 😀 " + "x" * 300
    nb = db.NaiveBayes(db.Words()).fit([hostile, "no"], [hostile, "b"])
    display = TextDisplay.from_estimator(nb, [hostile])
    display.figure_.canvas.draw()
    assert "<script>" in " ".join(text.get_text() for text in display.axes_[0].texts).replace("< script >", "<script>")


def test_a_text_without_known_words_has_no_bars():
    display = NB.explain(["nothing known"])[0].plot_text()
    assert not display.axes_[1].patches
    assert not display.axes_[0].patches
