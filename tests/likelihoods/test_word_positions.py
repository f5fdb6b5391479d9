"""A table of words for every position, against counts of (position, word) and probabilities in exact fractions."""

from collections import Counter
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.arrays.documents import Tokenizer
from deciban.arrays.labels import Labels
from deciban.arrays.terms import find_terms
from deciban.arrays.texts import Texts
from deciban.statistics.vocabulary import Vocabulary
from deciban.statistics.word_positions import PlacedWords, PositionTables, words_anywhere
from deciban.statistics.words import WordCounts, WordValues

VALUES = WordValues(Tokenizer(positions=True))
TEXTS = ["cheap pills now", "cheap watches", "see you later now", "you see"]
Y = ["spam", "spam", "ham", "ham"]
DOCUMENTS = st.lists(st.lists(st.sampled_from(["red", "blue", "green"]), max_size=4).map(" ".join), min_size=2)


def reference(texts, y, weight, document, label, alpha):
    """P(document | class) = ∏ (n + α) / (N + α·V) over known words at positions that a text reaches, as a fraction."""
    rows = [(text.split(), other, w) for text, other, w in zip(texts, y, weight)]
    vocabulary = {word for words, _, _ in rows for word in words}
    factors = []
    for i, word in enumerate(document.split()):
        if word not in vocabulary or not any(len(words) > i for words, _, _ in rows):
            continue
        here = Counter()
        for words, other, w in rows:
            if len(words) > i and other == label:
                here[words[i]] += w
        factors.append(Fraction(here[word] + alpha) / (sum(here.values()) + alpha * len(vocabulary)))
    return prod(factors, start=Fraction(1))


@given(DOCUMENTS, st.data())
def test_statistics_are_counts_of_position_and_word(texts, data):
    y = data.draw(st.lists(st.integers(0, 1), min_size=len(texts), max_size=len(texts)))
    weight = data.draw(st.lists(st.integers(1, 3), min_size=len(texts), max_size=len(texts)))
    labels = Labels(2, np.array(y, np.int32), np.array(weight, float))
    counts = WordCounts.of(Texts.of(texts), labels, VALUES)
    expected = Counter()
    for text, c, w in zip(texts, y, weight):
        for i, word in enumerate(text.split(), 1):
            expected[i, word, c] += w
    tables = PositionTables.of(counts, words_anywhere(counts))
    found = {
        (int(tables.positions[tables.line[t]]), tables.words.vocabulary.words[tables.word[t]], int(c)): w
        for t, c, w in zip(tables.terms.entry_word, tables.terms.cls, tables.terms.weight)
    }
    assert found == expected
    whole = {(int(i), c): tables.whole[line, c] for line, i in enumerate(tables.positions) for c in (0, 1)}
    documents = Counter()
    for (i, _, c), w in expected.items():
        documents[i, c] += w
    assert whole == {key: documents[key] for key in whole}


@given(DOCUMENTS, st.data())
def test_scores_equal_exact_fractions(texts, data):
    y = [0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=len(texts) - 2, max_size=len(texts) - 2))]
    weight = data.draw(st.lists(st.integers(1, 3), min_size=len(texts), max_size=len(texts)))
    alpha = data.draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(5, 4)]))
    document = data.draw(st.lists(st.sampled_from(["red", "blue", "green", "never"]), max_size=6).map(" ".join))
    nb = db.NaiveBayes(db.Words("position"), alpha=float(alpha)).fit(texts, y, sample_weight=weight)
    expected = [reference(texts, y, weight, document, c, alpha) for c in (0, 1)]
    shares = [float(sum(w for w, other in zip(weight, y) if other == c) * expected[c]) for c in (0, 1)]
    assert np.allclose(nb.predict_proba([document])[0], np.array(shares) / sum(shares), rtol=1e-12)
    logs = nb.evidence([document])[0, :, 0]
    assert np.allclose(logs, [np.log(float(p)) for p in expected], rtol=1e-12, atol=1e-12)
    assert np.allclose(nb.log_likelihood([document]), np.log(sum(shares) / sum(weight)), rtol=1e-12)


def test_derivations_have_exact_fractions_and_name_positions():
    nb = db.NaiveBayes(db.Words("position"), alpha=1).fit(TEXTS, Y)
    document = "cheap you later"
    shown = str(nb.derive([document]))
    for label in ("ham", "spam"):
        product = Fraction(1, 2) * reference(TEXTS, Y, [1] * 4, document, label, 1)
        assert f"= {product} ≈" in shown
    assert "P(“later at position 3” | class = ham)" in shown
    assert "= (1 + 1)/(1 + 7) = 2/8" in shown
    words = [item.word for item in nb.explain([document])[0].items]
    assert [*map(str, words)] == ["cheap at position 1", "you at position 2", "later at position 3"]


def test_words_count_where_they_stand():
    """A bag has no order: it scores a shuffled document the same."""
    texts, y, shuffled = ["red blue", "blue red"] * 3, [0, 1] * 3, ["blue red"]
    bag = db.NaiveBayes(db.Words("bag"), alpha=1).fit(texts, y)
    position = db.NaiveBayes(db.Words("position"), alpha=1).fit(texts, y)
    assert np.array_equal(bag.predict_log_proba(texts[:1]), bag.predict_log_proba(shuffled))
    assert position.predict(texts[:1]).tolist() == [0]
    assert position.predict(shuffled).tolist() == [1]
    assert np.allclose(position.predict_proba(shuffled), [[1 / 17, 16 / 17]], rtol=1e-12)


def test_the_first_words_alone_are_a_bag():
    """Documents of one word have one table, which is that of a bag."""
    texts, y = ["red", "blue", "red", "green", "blue"], [0, 0, 0, 1, 1]
    bag, position = (db.NaiveBayes(db.Words(model), alpha=0.5).fit(texts, y) for model in ("bag", "position"))
    assert np.allclose(bag.predict_log_proba(texts), position.predict_log_proba(texts), rtol=1e-12)


def test_unknown_words_and_positions_beyond_the_longest_document_are_no_evidence():
    nb = db.NaiveBayes(db.Words("position"), alpha=1).fit(TEXTS, Y)
    documents = ["unknown words only", "", None, "unknown unknown unknown unknown cheap pills"]
    assert np.allclose(nb.predict_proba(documents), 0.5, rtol=1e-12)
    longer = nb.predict_proba(["cheap unknown", "cheap"])
    assert np.array_equal(longer[0], longer[1])


def test_a_known_word_counts_where_it_was_never_seen():
    nb = db.NaiveBayes(db.Words("position"), alpha=1).fit(TEXTS, Y)
    assert np.allclose(np.exp(nb.evidence(["later"])[0, :, 0]), [1 / 9, 1 / 9], rtol=1e-12)
    assert np.allclose(np.exp(nb.evidence(["unknown unknown cheap"])[0, :, 0]), [1 / 8, 1 / 8], rtol=1e-12)


def test_maximum_likelihood_of_a_word_at_a_new_position_is_zero():
    nb = db.NaiveBayes(db.Words("position"), estimate="mle").fit(TEXTS, Y)
    assert nb.evidence(["pills"])[0, :, 0].tolist() == [-np.inf, -np.inf]
    assert np.allclose(nb.evidence(["unknown unknown unknown now"])[0, :, 0], np.log([1, 1 / 7]), rtol=1e-12)


def test_a_prior_by_word_holds_at_every_position():
    prior = db.Dirichlet({"ham": {"cheap": 3.0, "never": 2.5}}, default=1.5)
    nb = db.NaiveBayes(db.Words("position", prior=prior)).fit(TEXTS, Y)
    # Of 8 words, ham has 2.0 + 1.5 + 6·0.5 imagined ones at a position, and spam 8·0.5.
    assert np.allclose(np.exp(nb.evidence(["cheap"])[0, :, 0]), [2 / 8.5, 2.5 / 6], rtol=1e-12)
    assert np.allclose(np.exp(nb.evidence(["red never"])[0, :, 0]), [1.5 / 8.5, 0.5 / 6], rtol=1e-12)


def test_selection_is_by_words_and_leaves_positions():
    stopped = db.NaiveBayes(db.Words("position", stop_words=["cheap"]), alpha=1).fit(TEXTS, Y)
    # Six words are left; "pills" is still the second word.
    assert np.allclose(np.exp(stopped.evidence(["the pills"])[0, :, 0]), [1 / 8, 2 / 8], rtol=1e-12)
    often = db.NaiveBayes(db.Words("position", min_count=2), alpha=1).fit(TEXTS, Y)
    assert {word.split(" ")[0] for word in (line.value for line in often.parameters()["text"])} == {
        *("cheap", "now", "see", "you")
    }
    fixed = db.NaiveBayes(db.Words("position", vocabulary=["cheap", "never"]), alpha=1).fit(TEXTS, Y)
    assert np.allclose(np.exp(fixed.evidence(["never"])[0, :, 0]), [1 / 2, 1 / 4], rtol=1e-12)


def test_the_prior_that_is_found_by_evidence_maximises_that_of_all_tables():
    from scipy.special import gammaln

    texts = ["red blue", "red red", "red green", "blue blue", "blue red"] * 4
    y = [0, 0, 0, 1, 1] * 4
    nb = db.NaiveBayes(db.Words("position", prior=db.Dirichlet("evidence"))).fit(texts, y)
    tables = nb.model_.parts[0].scorer.tables
    n, whole = tables.terms.weight, tables.whole.ravel()

    def log_evidence(a):
        tables_of_words = gammaln(3 * a) - gammaln(whole + 3 * a)
        return tables_of_words.sum() + (gammaln(n + a) - gammaln(a)).sum()

    best = nb.model_.parts[0].scorer.pseudo.rest
    assert log_evidence(best) > max(log_evidence(best * factor) for factor in (0.97, 1.03))


def test_parameters_are_counted_as_the_lecture_counts_them():
    nb = db.NaiveBayes(db.Words("position"), alpha=1).fit(TEXTS, Y)
    formula = db.count_parameters(length=4, vocabulary=7, classes=2)
    assert db.count_parameters(nb).naive == formula.naive == 2 * 4 * (7 - 1)
    assert db.count_parameters(db.NaiveBayes(db.Words(), alpha=1).fit(TEXTS, Y)).naive == formula.bag


def test_documents_are_drawn_from_the_tables():
    texts, y = ["red blue", "red blue", "red green", "blue red"], [0, 0, 0, 1]
    nb = db.NaiveBayes(db.Words("position"), estimate="mle").fit(texts, y)
    drawn = nb.sample(4000, random_state=0).to_pydict()
    first, second = Counter(), Counter()
    for text, label in zip(drawn["text"], drawn["label"]):
        words = text.split()
        assert len(words) <= 2
        first.update([(label, *words[:1])] if words else [])
        second.update([(label, words[1])] if len(words) > 1 else [])
    assert set(first) == {(0, "red"), (1, "blue")}
    assert set(second) == {(0, "blue"), (0, "green"), (1, "red")}
    assert second[0, "blue"] / (second[0, "blue"] + second[0, "green"]) == pytest.approx(2 / 3, abs=0.05)


@given(st.text(st.sampled_from("aZ_9 -'.:\n éßİΣς中٢"), max_size=120), st.sampled_from(["", "-.:"]))
def test_the_kernel_and_python_place_the_same_words(text, joiners):
    how = Tokenizer(positions=True, joiners=joiners)
    found = WordCounts.of(Texts.of([text]), Labels(1, np.zeros(1, np.int32)), WordValues(how))
    assert sorted(found.vocabulary.words) == sorted(term.text for term in find_terms(text, how))


@pytest.mark.parametrize("word", ["red", ":red", "0:red", "01:red", "x:red", "1x:red", "1234567890123456789:red"])
def test_terms_without_a_position_are_refused(word):
    with pytest.raises(ValueError, match="its words have no positions"):
        PlacedWords.of(Vocabulary.of([word, "2:blue"])[0])
