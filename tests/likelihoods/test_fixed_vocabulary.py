"""A fixed vocabulary: these words and n-grams count and no others, whether documents have them or not."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from texts import SMALL

import deciban as db

TEXTS, Y = SMALL
# Words of one class and of several, pairs, and terms that no document has.
TERMS = ["now", "at", "buy", "meeting at", "see you", "über", "never", "seen before"]
PEERS = {
    "bag": (db.Words(), MultinomialNB()),
    "binary": (db.Words("binary"), MultinomialNB()),
    "set": (db.Words("set"), BernoulliNB()),
    "complement": (db.Words(complement=True), ComplementNB()),
}
NEW = ["see you at noon now", "never seen before", "nothing known", ""]


def fixed(words, terms=TERMS):
    return replace(words, ngrams=(1, 2), vocabulary=terms)


def fit(words, **settings):
    prior = "uniform" if words.complement else None
    return db.NaiveBayes(words, class_prior=prior, **settings).fit(TEXTS, Y)


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("terms", [TERMS, TERMS[:3], ["never"]], ids=["mixed", "seen", "unseen"])
def test_a_fixed_vocabulary_is_that_of_scikit_learn(name, terms):
    words, peer = PEERS[name]
    vectorizer = CountVectorizer(vocabulary=terms, ngram_range=(1, 2), binary=name == "binary")
    peer.fit(vectorizer.transform(TEXTS), Y)
    nb = fit(fixed(words, terms))
    texts = [*TEXTS, *NEW]
    expected = peer.predict_log_proba(vectorizer.transform(texts))
    np.testing.assert_allclose(nb.predict_log_proba(texts), expected, rtol=0, atol=1e-12)
    assert sorted(nb.model_.parts[0].scorer.vocabulary.words) == sorted(terms)


def test_a_word_of_the_left_out_row_alone_stays_in_a_fixed_vocabulary():
    """It left the vocabulary, as it does where no vocabulary is fixed. test_left_out.py compares all event models."""
    words = fixed(db.Words(complement=True))  # no class is scaled back, so it is a fit without the row
    left_out = fit(words).leave_one_out(TEXTS, Y)
    for i in range(4):  # the last class has one row
        rest = db.NaiveBayes(words, class_prior="uniform").fit(TEXTS[:i] + TEXTS[i + 1 :], Y[:i] + Y[i + 1 :])
        np.testing.assert_allclose(left_out[i], rest.predict_log_proba(TEXTS[i : i + 1])[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "words",
    [*(w for w, _ in PEERS.values()), db.Words(transform="tfidf"), db.Words(evidence="lift", neutral=0.4)],
    ids=str,
)
@pytest.mark.parametrize("estimate", ["map", "predictive", "mle"])
@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
def test_terms_that_no_document_has_are_explained_and_saved(words, estimate, tmp_path):
    nb = fit(fixed(words), estimate=estimate)
    nb.save(tmp_path / "model.deciban")
    found = nb.predict_proba(NEW)
    assert np.array_equal(db.load(tmp_path / "model.deciban").predict_proba(NEW), found)
    with np.errstate(invalid="ignore"):
        joint = nb.evidence(NEW).sum(-1) + nb.model_.log_prior
    np.testing.assert_allclose(joint, nb.predict_joint_log_proba(NEW), rtol=0, atol=1e-10)
    assert str(nb.explain(NEW)[1])
    assert not np.isnan(nb.leave_one_out(TEXTS, Y)).any()


def test_terms_that_no_document_has_are_among_the_parameters():
    found = db.NaiveBayes(db.Words(vocabulary=["now", "never"])).fit(["now a", "b now now", "c"], ["x", "y", "y"])
    lines = {
        line.split("|")[0].strip(): line.split()[-2:] for line in str(found.parameters()).splitlines() if "|" in line
    }
    assert lines == {"P(“now”": ["2/3", "3/4"], "P(“never”": ["1/3", "1/4"]}


def test_a_vocabulary_can_change_after_training_and_statistics_merge():
    plain, chosen = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TEXTS, Y), fit(fixed(db.Words()))
    assert plain.statistics_ == chosen.statistics_
    again = plain.reestimate(columns=fixed(db.Words()))
    assert np.array_equal(again.predict_proba(NEW), chosen.predict_proba(NEW))
    halves = [db.NaiveBayes(fixed(db.Words())).fit(TEXTS[i::2], Y[i::2]) for i in range(2)]
    assert np.array_equal(sum(halves).predict_proba(NEW), chosen.predict_proba(NEW))
