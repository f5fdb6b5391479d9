"""Words: wrong settings and wrong input are one clear error."""

from dataclasses import replace

import numpy as np
import pytest
from texts import SMALL

import deciban as db
from deciban.priors.estimation import Estimation

TEXTS, Y = SMALL


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"model": "bog"}, "model is 'bog'"),
        ({"analyzer": "line"}, "analyzer is 'line'"),
        ({"transform": "idf"}, "transform is 'idf'"),
        ({"model": "set", "complement": True}, "complement=True"),
        ({"norm": True}, "norm=True"),
        ({"model": "set", "transform": "tfidf"}, "transform='tfidf'"),
        ({"model": "position", "complement": True}, "single words for every position, and complement=True does not"),
        ({"model": "position", "transform": "tfidf"}, "transform='tfidf' does not apply to it; leave out transform"),
        ({"model": "position", "evidence": "lift"}, "evidence='lift' does not apply"),
        ({"model": "position", "evidence": "auto"}, "evidence='auto' does not apply"),
        ({"model": "position", "ngrams": (1, 2)}, r"ngrams=\(1, 2\) does not apply"),
        ({"model": "position", "buckets": 8}, "buckets=8 does not apply"),
        ({"model": "position", "analyzer": "char"}, "analyzer='char' does not apply"),
        ({"model": "position", "max_df": 0.5}, r"max_df=0\.5 does not apply"),
        ({"ngrams": (2, 1)}, "ngrams is"),
        ({"ngrams": 2}, "ngrams is 2"),
        ({"buckets": 0}, "buckets is 0"),
        ({"max_words": 1.5}, "max_words is 1.5"),
        ({"min_count": "two"}, "min_count is 'two'"),
        ({"max_df": 0.0}, r"max_df is 0\.0; give a share"),
        ({"max_df": 1.5}, r"max_df is 1\.5"),
        ({"max_df": 0}, "max_df is 0"),
        ({"max_df": True}, "max_df is True"),
        ({"max_df": "half"}, "max_df is 'half'"),
        ({"max_df": float("nan")}, "max_df is nan"),
        ({"stop_words": "the"}, "stop_words is 'the'"),
        ({"stop_words": -3}, "stop_words is -3"),
        ({"stop_words": b"the"}, "stop_words is b'the'"),
        ({"stop_words": [1, "a"]}, "stop_words is"),
        ({"stop_words": ["a"], "buckets": 10}, "no names to compare"),
        ({"lowercase": "no"}, "lowercase is 'no'"),
        ({"strip_accents": "unicode"}, "strip_accents is 'unicode'; it can be True, False"),
        ({"vocabulary": []}, r"vocabulary is \[\]; give a list of one or more words"),
        ({"vocabulary": "red"}, "vocabulary is 'red'"),
        ({"vocabulary": [1, 2]}, r"vocabulary is \[1, 2\]"),
        ({"vocabulary": 3}, "vocabulary is 3"),
        ({"vocabulary": ["a"], "buckets": 10}, "no names to compare vocabulary with"),
        ({"vocabulary": ["a"], "min_count": 2, "stop_words": ["b"]}, "so min_count and stop_words cannot"),
        ({"vocabulary": ["a"], "stop_words": 1}, "so stop_words cannot"),
        ({"buckets": 2**40}, "from 1 to 2,147,483,648"),
        ({"ngrams": (1, 100)}, "at most 64"),
        ({"joiners": "-x"}, "joiners is '-x'; give punctuation"),
        ({"joiners": "- "}, "joiners is '- '; give punctuation"),
        ({"joiners": ["-"]}, "joiners is"),
        ({"joiners": "\ud800"}, "joiners is"),
        ({"joiners": "-", "analyzer": "char"}, "joiners hold words together"),
        ({"limit": None}, "limit is None"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_wrong_settings_of_words(settings, match):
    with pytest.raises(ValueError, match=match):
        db.Words(**settings)


@pytest.mark.parametrize(
    ("texts", "match"),
    [
        ("a free prize", "X is one text"),
        (["a", 2], "row 1 of X is 2, not text"),
        ([2], "row 0 of X is 2, not text"),
        ({"txt": TEXTS}, r"has no column 'text'.*mean 'txt'"),
        (iter(TEXTS), "X is of type list_iterator, not texts"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_texts_that_cannot_be_predicted(texts, match):
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(db.Words()).fit(TEXTS, Y).predict(texts)


@pytest.mark.parametrize(
    ("columns", "x", "y", "match"),
    [
        (db.Words(), [], [], "X has no texts"),
        (db.Words(), [*TEXTS, 5], [*Y, "spam"], "row 5 of X is 5, not text"),
        (db.Words(), np.ones((3, 1)), [0, 1, 1], "row 0 of X is 1.0, not text"),
        ({("a", "b"): db.Words()}, {"a": TEXTS, "b": TEXTS, "y": Y}, "y", "reads one column"),
        (db.Gaussian(), TEXTS, Y, "numbers are needed|needs numbers"),
        (db.Words(), TEXTS, Y[:-1], "inconsistent"),
    ],
    ids=["no texts", "number", "array", "two columns", "gaussian", "labels"],
)
def test_texts_that_cannot_be_fitted(columns, x, y, match):
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(columns).fit(x, y)


def test_words_of_other_settings_do_not_merge():
    with pytest.raises(ValueError, match="min_count=2"):
        _ = db.NaiveBayes(db.Words()).fit(TEXTS, Y) + db.NaiveBayes(db.Words(min_count=2)).fit(TEXTS, Y)


def test_an_array_of_one_truth_value_was_a_setting():
    with pytest.raises(ValueError, match="lowercase is"):
        db.Words(lowercase=np.array([True]))


def test_documents_too_long_to_draw_are_one_error():
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, Y, sample_weight=np.ones(len(TEXTS)))
    words = nb.statistics_.blocks[0]
    long = replace(words, weight=words.weight * 1e12, lengths=words.lengths * [1, 1e12, 1e24])
    with pytest.raises(ValueError, match=r"words together; draw fewer at a time"):
        db.Words().draw(long, Estimation(), np.zeros(2, np.int32), np.random.default_rng(0))
