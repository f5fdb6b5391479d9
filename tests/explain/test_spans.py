"""Spans of a text are the terms that the kernels count, and add up to the evidence of the words."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import deciban as db
from deciban.arrays.documents import Tokenizer
from deciban.arrays.terms import find_terms

TRAINING = ["free cash now", "see you at lunch", "cash or lunch", "you see, free!"]
CLASSES = ["spam", "ham", "ham", "spam"]
TOKENIZERS = [
    Tokenizer(),
    Tokenizer(lowercase=False),
    Tokenizer(ngrams=(1, 2)),
    Tokenizer(ngrams=(2, 3)),
    Tokenizer(joiners="-.@'"),
    Tokenizer(joiners="-'", ngrams=(1, 2), lowercase=False),
    Tokenizer("char"),
    Tokenizer("char", ngrams=(1, 3)),
    Tokenizer("char", ngrams=(2, 4), lowercase=False),
    Tokenizer("char_wb", ngrams=(1, 3)),
    Tokenizer("char_wb", ngrams=(4, 5), lowercase=False),
    Tokenizer(strip_accents=True, ngrams=(1, 2)),
    Tokenizer("char", strip_accents=True, lowercase=False),
]
WRITING = st.text(st.sampled_from("aAbB zZ_09-.@' \n\t!İΣσςßÉé\u0301日本ⅷ😀\u00a0\u2003"), max_size=30) | st.text(
    max_size=20
)


def counted(text, tokenizer):
    """Return the terms of a text as the kernels count them."""
    likelihood = db.Words(
        analyzer=tokenizer.analyzer,
        lowercase=tokenizer.lowercase,
        ngrams=tokenizer.ngrams,
        joiners=tokenizer.joiners,
        strip_accents=tokenizer.strip_accents,
    )
    nb = db.NaiveBayes(likelihood, calibrate=None).fit([text, "aa bb"], ["a", "b"])
    row = nb.explain([text])[0]
    return {item.word: item.value for item in row.items if item.word is not None}


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=repr)
@given(text=WRITING)
@example(text="ΑΣ Σ ΑΣΑ İİ aİ'b")
@example(text="a  b\n\nc d")
@example(text="Crème e\u0301te\u0301 ½ ﬁn ™")
def test_terms_are_those_that_the_kernels_count(tokenizer, text):
    terms = find_terms(text, tokenizer)
    assert Counter(term.text for term in terms) == counted(text, tokenizer)
    for term in terms:
        assert 0 <= term.begin < term.end <= len(text)
    if tokenizer == Tokenizer(lowercase=False):
        assert all(text[term.begin : term.end] == term.text for term in terms)


MODELS = {
    "words": db.Words(),
    "bigrams": db.Words(ngrams=(1, 2)),
    "characters": db.Words(analyzer="char", ngrams=(1, 3)),
    "accents": db.Words(strip_accents=True),
    "set": db.Words("set"),
    "binary": db.Words("binary"),
    "tfidf": db.Words(transform="tfidf"),
    "buckets": db.Words(buckets=64, ngrams=(1, 2)),
    "characters in words": db.Words(analyzer="char_wb", ngrams=(2, 4)),
    "buckets of characters in words": db.Words(analyzer="char_wb", ngrams=(2, 4), buckets=1 << 20),
    "character buckets": db.Words(analyzer="char", ngrams=(1, 3), buckets=64),
}


@pytest.mark.parametrize("likelihood", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("text", ["Free lunch, FREE   cash: see you at Lunch!", "nothing known", ""])
def test_the_spans_of_a_word_add_up_to_its_evidence(likelihood, text):
    row = db.NaiveBayes(likelihood).fit(TRAINING, CLASSES).explain([text])[0]
    total = Counter()
    for span in row.spans():
        total[span.word] += span.decibans
    expected = {i.word: row.decibans(i.scores) for i in row.items if i.word and not i.word.startswith("(words")}
    assert total.keys() == expected.keys()
    assert np.allclose([total[word] for word in expected], list(expected.values()), atol=1e-9)


def test_the_bucket_of_a_capital_that_was_part_of_a_sign_is_found():
    """A trade mark sign is TM without accents, which was looked up in lower case."""
    texts = ["brand™ here", "nothing here"]
    nb = db.NaiveBayes(db.Words(strip_accents=True, buckets=1 << 20), calibrate=None).fit(texts, [0, 1])
    row = nb.explain(texts[:1])[0]
    assert {span.word for span in row.spans()} == {item.word for item in row.items if item.word}
    assert len(row.spans()) == 2


def test_segments_cover_the_text_and_sum_the_spans():
    text = "Free lunch, FREE cash: see you"
    row = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TRAINING, CLASSES).explain([text])[0]
    segments, spans = row.segments(), row.spans()
    assert "".join(text[s.begin : s.end] for s in segments) == text
    for segment in segments:
        own = [s for s in spans if s.begin <= segment.begin and segment.end <= s.end]
        assert np.isclose(segment.decibans, sum(s.decibans for s in own))
        assert set(segment.words) == {s.word for s in own}
    assert any(len(segment.words) > 1 for segment in segments)


def test_an_n_gram_reaches_over_what_lies_between_its_words():
    row = db.NaiveBayes(db.Words(ngrams=(2, 2))).fit(TRAINING, CLASSES).explain(["FREE (cash)"])[0]
    assert [(s.begin, s.end, s.word) for s in row.spans()] == [(0, 10, "free cash")]


def test_several_texts_are_asked_for_by_name():
    table = {"subject": TRAINING, "body": TRAINING[::-1], "n": [1, 2, 1, 2], "y": CLASSES}
    words = db.Words()
    nb = db.NaiveBayes({"subject": words, "body": words, "n": db.Categorical()}).fit(table, "y")
    row = nb.explain({"subject": "free lunch", "body": "see you"})[0]
    assert {span.word for span in row.spans("subject")} == {"free", "lunch"}
    assert {span.word for span in row.spans("body")} == {"see", "you"}
    assert nb.explain({"subject": "free"})[0].spans("body") == []
    with pytest.raises(ValueError, match="subject, body"):
        row.spans()
    with pytest.raises(ValueError, match="'n' is not a column of texts"):
        row.segments("n")
    with pytest.raises(ValueError, match="reads no texts"):
        db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], CLASSES[:2]).explain([["a"]])[0].spans()


def test_marks_in_html_are_on_one_scale_and_text_stays_text():
    nb = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TRAINING, CLASSES)
    html = nb.explain(["<b>free</b> cash <script>alert(1)</script> lunch"])[0]._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert html.count("<mark") >= 3
    assert "strongest mark" in html
