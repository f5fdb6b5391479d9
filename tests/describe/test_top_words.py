"""Top words have the log-odds of P(word | class) against the other classes, and the counts of training."""

import numpy as np
import pytest

import deciban as db

TEXTS = ["cheap pills", "cheap watches now", "see you later", "see you", "meeting at noon", "noon meeting cheap"]
LABELS = ["spam", "spam", "ham", "ham", "work", "work"]
MODELS = {
    "bag": db.Words(),
    "set": db.Words("set"),
    "binary": db.Words("binary"),
    "tfidf": db.Words(transform="tfidf"),
    "complement": db.Words(complement=True),
    "bigrams": db.Words(ngrams=(1, 2)),
}


@pytest.mark.parametrize("name", MODELS)
def test_decibans_are_log_odds_against_the_other_classes(name):
    nb = db.NaiveBayes(MODELS[name], class_prior={"ham": 0.5, "spam": 0.3, "work": 0.2}).fit(TEXTS, LABELS)
    scorer, prior = nb.model_.parts[0].scorer, np.array([0.5, 0.3, 0.2])
    position = {w: i for i, w in enumerate(scorer.words.named(np.arange(len(scorer.words.vocabulary))))}
    found = nb.top_words(5)
    for c, label in enumerate(found.classes):
        others = np.arange(3) != c
        assert found[label]
        for word in (*found[label], *found.against[c]):
            p = np.exp(scorer.log_probability(np.array([position[word.word]]))[0])
            rest = (p * prior)[others].sum() / prior[others].sum()
            assert np.isclose(word.decibans, 10 * np.log10(p[c] / rest), rtol=1e-9)
            assert (word.decibans > 0) == (word in found[label])


def test_counts_are_those_of_the_training_rows():
    words = {w.word: w for w in db.NaiveBayes(db.Words()).fit(TEXTS, LABELS).top_words()["spam"]}
    assert (words["cheap"].count, words["cheap"].other_count) == (2, 1)
    assert (words["pills"].count, words["pills"].other_count) == (1, 0)


def test_with_two_classes_words_against_one_are_those_for_the_other():
    found = db.NaiveBayes(db.Words()).fit(TEXTS[:4], LABELS[:4]).top_words()
    assert [w.word for w in found.favour[0]] == [w.word for w in found.against[1]]
    assert np.allclose([w.decibans for w in found.favour[0]], [-w.decibans for w in found.against[1]])


@pytest.mark.parametrize("model", [db.Multinomial(), db.Bernoulli(), db.Complement()])
def test_columns_of_an_array_are_words(model):
    X = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]])
    nb = db.NaiveBayes(model).fit(X, ["a", "a", "b", "b"])
    found = nb.top_words()
    assert found["a"][0].word == "x0"
    assert found["b"][0].word == "x1"
    assert (found["a"][0].count, found["a"][0].other_count) == (2, 0)


def test_rare_words_do_not_crowd_out_frequent_ones():
    texts = [f"rare{i} nasa" for i in range(30)] + [f"odd{i} goal" for i in range(30)]
    nb = db.NaiveBayes(db.Words(), alpha=0.001).fit(texts, ["space"] * 30 + ["sport"] * 30)
    assert nb.top_words(1)["space"][0].word == "nasa"


def test_maximum_likelihood_has_certain_words():
    nb = db.NaiveBayes(db.Words(), estimate="mle").fit(TEXTS[:4], LABELS[:4])
    found = nb.top_words()
    assert all(word.decibans == np.inf for word in found["spam"])
    assert "∞" in str(found)
    assert "certain" in found._repr_html_()


def test_columns_without_words_say_so():
    nb = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="the model has no words"):
        nb.top_words()
    with pytest.raises(ValueError, match="n is 0"):
        nb.top_words(0)


def test_the_blocks_of_a_large_vocabulary_are_joined(monkeypatch):
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, LABELS)
    whole = nb.top_words(3)
    monkeypatch.setattr("deciban.describe.top_words.BLOCK", 2)
    assert nb.top_words(3) == whole


def test_arrow_has_words_for_and_against():
    found = db.NaiveBayes(db.Words()).fit(TEXTS, LABELS).top_words(2)
    table = found.to_arrow().to_pylist()
    assert len(table) == sum(map(len, found.favour)) + sum(map(len, found.against))


def test_words_of_one_class_are_those_of_all():
    texts, y = ["wheat and corn", "corn", "oil and gas", "gold"], ["grain", "grain", "energy", "metal"]
    nb = db.NaiveBayes(db.Words(evidence="lift")).fit(texts, y)
    found, whole = nb.words("grain", 2), nb.top_words(2)
    assert found["grain"] == whole["grain"]
    assert found.against == (whole.against[whole.classes.index("grain")],)
    assert [(word.word, word.count) for word in found["grain"]] == [("corn", 2.0), ("wheat", 1.0)]
    with pytest.raises(KeyError, match="'grains' is not among the classes"):
        nb.words("grains")
