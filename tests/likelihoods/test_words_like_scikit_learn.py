"""Words: the event models of text give scikit-learn's words, counts and probabilities."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from texts import SMALL

import deciban as db

PEERS = {
    "bag": (db.Words(), {}, CountVectorizer(), MultinomialNB()),
    "bigrams": (db.Words(ngrams=(1, 2)), {}, CountVectorizer(ngram_range=(1, 2)), MultinomialNB()),
    "binary": (db.Words("binary"), {}, CountVectorizer(binary=True), MultinomialNB()),
    "set": (db.Words("set"), {}, CountVectorizer(), BernoulliNB()),
    "complement": (db.Words(complement=True), {"class_prior": "uniform"}, CountVectorizer(), ComplementNB()),
    "normalised complement": (
        db.Words(complement=True, norm=True), {"class_prior": "uniform"}, CountVectorizer(), ComplementNB(norm=True),
    ),
}  # fmt: skip
LARGE_SETS = [pytest.param(name, marks=pytest.mark.slow) for name in ("20newsgroups", "imdb")]


@pytest.mark.parametrize("set_name", ["small", "sms_spam", *LARGE_SETS])
@pytest.mark.parametrize("name", PEERS)
def test_same_words_counts_and_probabilities_as_scikit_learn(name, set_name, corpus):
    words, settings, vectorizer, classifier = PEERS[name]
    texts, y = SMALL if set_name == "small" else corpus(set_name, "all" if set_name == "sms_spam" else "train", 3000)
    ours = db.NaiveBayes(words, **settings).fit(texts, y)
    x = vectorizer.fit_transform(texts)
    classifier.fit(x, y)
    block = ours.statistics_.blocks[0]
    order = np.argsort(block.vocabulary.words)
    assert [block.vocabulary.words[i] for i in order] == vectorizer.get_feature_names_out().tolist()
    if name == "set":
        x = (x > 0).astype(float)
    total = np.array([np.asarray(x[np.array(y) == c].sum(axis=0)).ravel() for c in ours.classes_])
    np.testing.assert_allclose(block.total()[:, order], total, rtol=1e-12 if words.transform else 0)
    theirs = classifier.predict_log_proba(vectorizer.transform(texts))
    assert np.abs(ours.predict_log_proba(texts) - theirs).max() <= 1e-9 * max(1.0, np.abs(theirs).max())
    assert (ours.predict(texts) == classifier.predict(vectorizer.transform(texts))).all()


@pytest.mark.parametrize("model", ["bag", "binary"])
def test_mergeable_tfidf_by_hand(model):
    texts, y = SMALL
    nb = db.NaiveBayes(db.Words(model, complement=True, transform="tfidf"), class_prior="uniform").fit(texts, y)
    vectorizer = CountVectorizer()
    n = vectorizer.fit_transform(texts).toarray().astype(float)
    tf = np.where(n > 0, 1 + np.log(np.maximum(n, 1)), 0.0) if model == "bag" else (n > 0).astype(float)
    tf /= np.sqrt((tf**2).sum(axis=1, keepdims=True))
    tf = np.rint(tf * 2**24) / 2**24  # so that sums are exact
    idf = np.log((1 + len(texts)) / (1 + (n > 0).sum(axis=0))) + 1
    counts = np.array([(tf * idf)[np.array(y) == c].sum(axis=0) for c in nb.classes_])
    others = counts.sum(axis=0) - counts + 1
    weight = -np.log(others / others.sum(axis=1, keepdims=True))
    joint = (tf * idf) @ weight.T
    log_posterior = (
        joint - np.log(np.exp(joint - joint.max(1, keepdims=True)).sum(1, keepdims=True)) - joint.max(1, keepdims=True)
    )
    np.testing.assert_allclose(nb.predict_log_proba(texts), log_posterior, rtol=0, atol=1e-12)


@pytest.mark.parametrize("estimate", ["map", "predictive"])
@pytest.mark.parametrize("words", [w for w, *_ in PEERS.values()], ids=str)
def test_texts_without_any_word(words, estimate):
    prior = "uniform" if words.norm else None
    nb = db.NaiveBayes(words, estimate=estimate, class_prior=prior).fit(["a", "b", "a", "b"] * 5, [1, 0, 1, 0] * 5)
    assert nb.predict_proba(["x", "word"]).tolist() == [[0.5, 0.5]] * 2
    assert db.NaiveBayes().fit(["a", "b"] * 10, [1, 0] * 10).predict_proba(["x"]).tolist() == [[0.5, 0.5]]
    left_out = np.exp(nb.leave_one_out(["a", "b"], [1, 0]))
    assert left_out == pytest.approx(0.5 if prior else np.array([[10, 9], [9, 10]]) / 19, rel=1e-12)


def test_the_words_that_count_are_chosen_after_training():
    texts, y = SMALL
    full = db.NaiveBayes(db.Words()).fit(texts, y)
    for words, vectorizer in (
        (db.Words(min_count=2), CountVectorizer(vocabulary=["at", "buy", "cheap", "meeting", "now", "see", "you"])),
        (db.Words(stop_words=["at", "the"]), CountVectorizer(stop_words=["at", "the"])),
        (db.Words(stop_words=1), CountVectorizer(stop_words=["now"])),
        (db.Words(max_words=2), CountVectorizer(vocabulary=["at", "now"])),
    ):
        nb = db.NaiveBayes(words).fit(texts, y)
        assert nb.statistics_ == full.statistics_
        x = vectorizer.fit_transform(texts)
        theirs = MultinomialNB().fit(x, y).predict_log_proba(x)
        np.testing.assert_allclose(nb.predict_log_proba(texts), theirs, rtol=0, atol=1e-12)
    runs = db.NaiveBayes(db.Words(ngrams=(1, 2), stop_words=["at"])).fit(texts, y)
    assert not any("at" in word.split() for word in runs.model_.parts[0].scorer.vocabulary.words)


@pytest.mark.parametrize("words", [db.Words(), db.Words("set"), db.Words(complement=True)], ids=str)
def test_words_of_small_weight_count(words):
    texts, y = SMALL
    vectorizer = CountVectorizer(binary=words.model == "set")
    peer = {"set": BernoulliNB(), "bag": ComplementNB() if words.complement else MultinomialNB()}[words.model]
    weight = np.array([0.1, 0.3, 0.02, 0.5, 0.2])
    peer.fit(vectorizer.fit_transform(texts), y, sample_weight=weight)
    expected = peer.predict_log_proba(vectorizer.transform(texts))
    prior = "uniform" if words.complement else None
    nb = db.NaiveBayes(words, class_prior=prior).fit(texts, y, sample_weight=weight)
    assert nb.predict_log_proba(texts) == pytest.approx(expected, rel=1e-12)
    faded = db.NaiveBayes(words, class_prior=prior).fit(texts, y, sample_weight=10 * weight) * 0.1
    assert faded.predict_log_proba(texts) == pytest.approx(expected, rel=1e-12)


def test_the_full_density_has_length_and_arrangements():
    from scipy import stats

    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    scorer = nb.model_.parts[0].scorer
    x = CountVectorizer(vocabulary=scorer.vocabulary.words).transform(texts).toarray()
    names = nb.classes_.tolist()
    rows = [scorer.weights.weights(np.arange(len(scorer.vocabulary)))[:, names.index(c)] for c in y]
    mean = x.sum() / len(x)
    for i, label in enumerate(y):
        expected = stats.multinomial.logpmf(x[i], x[i].sum(), np.exp(rows[i])) + stats.poisson.logpmf(x[i].sum(), mean)
        expected += nb.model_.log_prior[names.index(label)]
        assert nb.log_likelihood(texts, y)[i] == pytest.approx(expected, rel=1e-12)
    assert nb.statistics_.blocks[0].lengths[:, 1].sum() == x.sum()
