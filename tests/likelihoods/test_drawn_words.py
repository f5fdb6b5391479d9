"""Documents drawn from Words, fitted again, give its parameters back within four standard errors."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from standard_errors import CODE, N, drawn, scorer, shares_within, within, y

import deciban as db
from deciban.likelihoods.words.drawing import Lengths

RNG = np.random.default_rng(31)

VOCABULARY = np.array([f"word{i}" for i in range(30)])
LIKELY = 1 / np.arange(1, 31)
LENGTHS = RNG.poisson(RNG.gamma(2.0, 4.0, N))
TEXTS = [
    " ".join(RNG.choice(np.roll(VOCABULARY, 5 * c), size, p=LIKELY / LIKELY.sum())) for size, c in zip(LENGTHS, CODE)
]


def words_of(nb):
    """Return the words of a model and their [classes × words] log probabilities."""
    model = scorer(nb)
    words = np.arange(len(model.vocabulary))
    return model.vocabulary.words, model.weights.weights(words).T


def counted(table, likelihood, vocabulary):
    """Return [classes × words] counts of a vocabulary, and [classes × 3] documents with sums of their lengths."""
    block = db.NaiveBayes(likelihood).fit(table, "label").statistics_.blocks[0]
    place = {word: i for i, word in enumerate(block.vocabulary.words)}
    assert set(place) <= set(vocabulary)
    total = np.c_[block.total(), np.zeros(block.classes)]
    return total[:, [place.get(word, -1) for word in vocabulary]], block.lengths


@pytest.mark.parametrize("estimate", ["map", "mle"])
def test_bag_of_words(estimate):
    nb = db.NaiveBayes(db.Words(), estimate=estimate).fit(TEXTS, y)
    table = drawn(nb)
    assert table.column_names == ["text", "label"]
    assert table["text"].type == pa.string()
    words, logs = words_of(nb)
    count, lengths = counted(table, db.Words(), words)
    seen = nb.statistics_.blocks[0].total()
    theta = (seen + (estimate == "map")) / (seen + (estimate == "map")).sum(axis=1, keepdims=True)
    assert estimate == "mle" or np.allclose(np.exp(logs), theta, rtol=1e-12)
    shares_within(count, theta)
    documents, total, squares = nb.statistics_.blocks[0].lengths.T
    mean, variance = total / documents, squares / documents - (total / documents) ** 2
    assert (variance > mean).all()
    d, t, s = lengths.T
    within(t / d, mean, np.sqrt(variance / d))
    kurtosis = stats.nbinom(mean**2 / (variance - mean), mean / variance).stats("k")
    within(s / d - (t / d) ** 2, variance, variance * np.sqrt((kurtosis + 2) / d))


def test_lengths_that_vary_little_are_poisson():
    short = [" ".join(RNG.choice(VOCABULARY, 6)) for _ in range(100)]
    table = drawn(db.NaiveBayes(db.Words()).fit(short, ["a"] * 100))
    _, lengths = counted(table, db.Words(), VOCABULARY.tolist())
    ((d, t, s),) = lengths
    within(t / d, 6.0, np.sqrt(6 / d))
    within(s / d - (t / d) ** 2, 6.0, 6.0 * np.sqrt((1 / 6 + 2) / d))


def test_set_of_words():
    nb = db.NaiveBayes(db.Words("set")).fit(TEXTS, y)
    table = drawn(nb)
    block = nb.statistics_.blocks[0]
    count, lengths = counted(table, db.Words("set"), block.vocabulary.words)
    p = (block.total() + 1) / (block.lengths[:, :1] + 2)
    within(count / lengths[:, :1], p, np.sqrt(p * (1 - p) / lengths[:, :1]))
    # Words are independent of one another: the number of them varies by as much as that makes.
    d, t, s = lengths.T
    mean, variance = p.sum(axis=1), (p * (1 - p)).sum(axis=1)
    within(t / d, mean, np.sqrt(variance / d))
    fourth = (p * (1 - p) * (1 - 6 * p * (1 - p))).sum(axis=1)  # cumulants add up
    within(s / d - (t / d) ** 2, variance, np.sqrt((fourth + 2 * variance**2) / d))


def test_a_set_has_the_words_that_all_documents_have():
    texts = ["every one here", "every two here", "every one"]
    table = db.NaiveBayes(db.Words("set"), estimate="mle").fit(texts, ["x", "x", "x"]).sample(20_000, random_state=1)
    found = [set(text.split()) for text in table["text"].to_pylist()]
    assert all("every" in words for words in found)
    assert all(len(words) == len(text.split()) for words, text in zip(found, table["text"].to_pylist()))


def test_binary_bag_of_words():
    nb = db.NaiveBayes(db.Words("binary")).fit(TEXTS, y)
    table, block = drawn(nb), nb.statistics_.blocks[0]
    count, lengths = counted(table, db.Words("binary"), block.vocabulary.words)
    theta = (block.total() + 1) / (block.total() + 1).sum(axis=1, keepdims=True)
    p = theta * block.total().sum(axis=1, keepdims=True) / block.lengths[:, :1]
    assert p.max() < 1
    within(count / lengths[:, :1], p, np.sqrt(p * (1 - p) / lengths[:, :1]))
    assert lengths[:, 1].tolist() == count.sum(axis=1).tolist()  # no word twice in a document


def test_words_that_do_not_count_are_not_drawn_and_make_no_length():
    nb = db.NaiveBayes(db.Words(stop_words=["word0"], min_count=40, max_words=12)).fit(TEXTS, y)
    words, logs = words_of(nb)
    assert len(words) == 12
    count, lengths = counted(drawn(nb), db.Words(), words)
    shares_within(count, np.exp(logs))
    block = nb.statistics_.blocks[0]
    place = [block.vocabulary.words.index(word) for word in words]
    mean = block.total()[:, place].sum(axis=1) / block.lengths[:, 0]
    all_mean, squares = block.lengths[:, 1] / block.lengths[:, 0], block.lengths[:, 2] / block.lengths[:, 0]
    kept = mean / all_mean
    variance = kept**2 * (squares - all_mean**2) + kept * (1 - kept) * all_mean
    within(lengths[:, 1] / lengths[:, 0], mean, np.sqrt(variance / lengths[:, 0]))


def test_weights_of_tfidf_are_taken_for_counts():
    nb = db.NaiveBayes(db.Words(transform="tfidf")).fit(TEXTS, y)
    words, logs = words_of(nb)
    count, lengths = counted(drawn(nb), db.Words(), words)
    shares_within(count, np.exp(logs))
    seen = nb.statistics_.blocks[0].lengths
    mean = seen[:, 1] / seen[:, 0]
    within(lengths[:, 1] / lengths[:, 0], mean, np.sqrt((seen[:, 2] / seen[:, 0] - mean**2) / lengths[:, 0]))


def test_a_binary_bag_of_tfidf_draws_each_word_once():
    nb = db.NaiveBayes(db.Words("binary", transform="tfidf")).fit(TEXTS, y)
    texts = drawn(nb)["text"].to_pylist()
    assert any(texts)
    assert all(len(set(text.split())) == len(text.split()) for text in texts)


def test_only_single_words_are_drawn_of_ngrams():
    nb = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TEXTS, y)
    words, logs = words_of(nb)
    single = [i for i, word in enumerate(words) if " " not in word]
    count, lengths = counted(drawn(nb), db.Words(), [words[i] for i in single])
    theta = np.exp(logs[:, single])
    shares_within(count, theta / theta.sum(axis=1, keepdims=True))
    mean = np.bincount(CODE, LENGTHS) / np.bincount(CODE)
    of_words = Lengths.of(nb.statistics_.blocks[0].lengths, 2)
    kept = mean / of_words.mean
    variance = kept**2 * of_words.variance + kept * (1 - kept) * of_words.mean
    within(lengths[:, 1] / lengths[:, 0], mean, np.sqrt(variance / lengths[:, 0]))


def test_characters_follow_one_another_without_spaces():
    nb = db.NaiveBayes(db.Words(analyzer="char")).fit(["abcß", "cccß", "ab"], ["x", "x", "x"])
    table = drawn(nb)
    found = "".join(table["text"].to_pylist())
    assert " " not in found
    count = np.array([[found.count(letter) for letter in "abcß"]], dtype=float)
    seen = np.array([[2.0, 2.0, 4.0, 2.0]]) + 1
    shares_within(count, seen / seen.sum())


def test_lengths_in_ngrams_become_lengths_in_words():
    words = np.array([5.0, 9.0, 12.0])
    for most in (1, 2, 3):
        runs = most * words - most * (most - 1) / 2
        lengths = Lengths.of(np.array([[3.0, runs.sum(), (runs**2).sum()]]), most)
        assert np.allclose([lengths.mean[0], lengths.variance[0]], [words.mean(), words.var()], rtol=1e-12)
