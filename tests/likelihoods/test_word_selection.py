"""Words that are left out when parameters are estimated: by the documents that have them."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from texts import SMALL

import deciban as db

TEXTS, Y = SMALL
# Documents with "at", "now" and the others, of five: limits on both sides of each, and no limit.
LIMITS = [0.2, 0.4, 0.6, 0.8, 1.0, 1, 2, 3, 5]


def named_words(nb):
    return sorted(nb.model_.parts[0].scorer.vocabulary.words)


@pytest.mark.parametrize("max_df", LIMITS)
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2)])
@pytest.mark.parametrize("model", ["bag", "binary", "set"])
def test_max_df_leaves_out_the_words_that_scikit_learn_leaves_out(model, ngrams, max_df):
    vectorizer = CountVectorizer(max_df=max_df, ngram_range=ngrams, binary=model != "bag")
    x = vectorizer.fit_transform(TEXTS)
    peer = (BernoulliNB() if model == "set" else MultinomialNB()).fit(x, Y)
    nb = db.NaiveBayes(db.Words(model, ngrams=ngrams, max_df=max_df)).fit(TEXTS, Y)
    assert named_words(nb) == vectorizer.get_feature_names_out().tolist()
    np.testing.assert_allclose(nb.predict_log_proba(TEXTS), peer.predict_log_proba(x), rtol=0, atol=1e-12)


def test_max_df_on_real_texts(corpus):
    texts, y = corpus("sms_spam", "all")
    for settings in ({"max_df": 0.05}, {"max_df": 20}):
        expected = CountVectorizer(**settings).fit(texts).get_feature_names_out().tolist()
        for words in (db.Words(**settings), db.Words(transform="tfidf", **settings)):
            assert named_words(db.NaiveBayes(words).fit(texts, y)) == expected


def test_a_share_of_documents_is_not_rounded_down():
    """0.29 * 100 is 28.999999999999996 in floating point."""
    texts = ["common word"] * 29 + ["other"] * 71
    assert named_words(db.NaiveBayes(db.Words(max_df=0.29)).fit(texts, np.arange(100) % 2)) == ["common", "word"]


@pytest.mark.parametrize("words", [db.Words("set"), db.Words("binary"), db.Words(transform="tfidf")], ids=str)
def test_max_df_can_change_after_training(words):
    from dataclasses import replace

    limited = replace(words, max_df=0.4)
    plain, fitted = (db.NaiveBayes(w).fit(TEXTS, Y) for w in (words, limited))
    assert plain.statistics_ == fitted.statistics_
    assert np.array_equal(plain.reestimate(columns=limited).predict_proba(TEXTS), fitted.predict_proba(TEXTS))


def test_a_plain_bag_counts_documents_only_if_it_is_asked_to():
    plain = db.NaiveBayes(db.Words()).fit(TEXTS, Y)
    before = plain.predict_proba(TEXTS)
    with pytest.raises(ValueError, match=r"max_df=0\.4 needs the number of documents with each word"):
        plain.reestimate(columns=db.Words(max_df=0.4)).predict_proba(TEXTS)
    assert np.array_equal(db.NaiveBayes(db.Words(max_df=1.0)).fit(TEXTS, Y).predict_proba(TEXTS), before)
    asked = db.NaiveBayes(db.Words(max_df=1.0)).fit(TEXTS, Y).reestimate(columns=db.Words(max_df=0.4))
    assert named_words(asked) == CountVectorizer(max_df=0.4).fit(TEXTS).get_feature_names_out().tolist()


def test_documents_that_were_not_counted_make_the_sum_unknown():
    """Their words would have been counted in too few documents."""
    nb = db.NaiveBayes(db.Words(max_df=0.4)).fit(TEXTS, Y)
    nb.reestimate(columns=db.Words()).partial_fit(TEXTS, Y)
    with pytest.raises(ValueError, match=r"max_df=0\.4 needs the number of documents"):
        nb.reestimate(columns=db.Words(max_df=0.4)).predict_proba(TEXTS)


def test_min_count_of_a_bag_stays_a_number_of_occurrences():
    texts, y = ["many many many", "few words", "few others"], [0, 1, 1]
    nb = db.NaiveBayes(db.Words(min_count=3, max_df=1.0)).fit(texts, y)
    assert named_words(nb) == ["many"]


@pytest.mark.parametrize("weight", [None, [1, 2, 0, 1, 3]], ids=["plain", "weighted"])
def test_documents_add_up_over_batches_merges_and_forgetting(weight, tmp_path):
    words = db.Words(ngrams=(1, 2), max_df=2)
    whole = db.NaiveBayes(words).fit(TEXTS, Y, sample_weight=weight)
    parts = [
        db.NaiveBayes(words).fit(TEXTS[i:j], Y[i:j], sample_weight=None if weight is None else weight[i:j])
        for i, j in ((0, 2), (2, 5))
    ]
    assert (parts[0] + parts[1]).statistics_ == whole.statistics_
    assert whole.statistics_.blocks[0].documents.sum() > 0
    whole.save(tmp_path / "model.deciban")
    loaded = db.load(tmp_path / "model.deciban")
    assert named_words(loaded) == named_words(whole)
    more = db.NaiveBayes(words).fit(TEXTS, Y, sample_weight=weight).partial_fit(["now now at"], [Y[0]])
    assert more.forget(["now now at"], [Y[0]]).statistics_ == whole.statistics_
