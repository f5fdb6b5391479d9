"""Words: merging, zeros, odd documents, scripts without spaces, weights and threads."""

import numpy as np
import pyarrow as pa
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from texts import SMALL

import deciban as db
from deciban.arrays.texts import Texts


@pytest.mark.parametrize("words", [db.Words(), db.Words("set"), db.Words(complement=True, transform="tfidf"),
                                   db.Words("binary", transform="tfidf")])  # fmt: skip
@pytest.mark.parametrize("estimate", ["map", "mle"])
def test_parts_in_any_order_and_forgetting(words, estimate):
    texts, y = SMALL[0] * 3, SMALL[1] * 3
    make = lambda: db.NaiveBayes(words, estimate=estimate)  # noqa: E731
    whole = make().fit(texts, y)
    parts = [make().fit(texts[i::3], y[i::3]) for i in range(3)]
    for merged in (parts[0] + parts[1] + parts[2], parts[2] + (parts[0] + parts[1])):
        assert merged.statistics_.blocks[0].vocabulary == whole.statistics_.blocks[0].vocabulary
        np.testing.assert_allclose(
            merged.predict_log_proba(texts), whole.predict_log_proba(texts), rtol=1e-9, atol=1e-9
        )
    rest = make().fit(texts, y).forget(texts[9:], y[9:])
    first = make().fit(texts[:9], y[:9])
    assert rest.statistics_.blocks[0].vocabulary == first.statistics_.blocks[0].vocabulary
    np.testing.assert_allclose(rest.predict_log_proba(texts), first.predict_log_proba(texts), rtol=1e-9, atol=1e-9)


def test_maximum_likelihood_has_true_zeros_and_no_nan():
    texts, y = ["aa bb", "aa cc"], ["p", "q"]
    bag = db.NaiveBayes(db.Words(), estimate="mle").fit(texts, y)
    assert bag.predict_proba(["aa bb", "cc"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    with pytest.warns(db.ImpossibleRowWarning):
        assert bag.predict_proba(["bb cc"]).tolist() == [[0.5, 0.5]]
    whole = db.NaiveBayes(db.Words("set"), estimate="mle").fit(texts, y)
    assert whole.predict_proba(["aa bb", "aa cc"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    with pytest.warns(db.ImpossibleRowWarning):  # aa cannot be absent in either class
        assert whole.predict_proba(["bb"]).tolist() == [[0.5, 0.5]]


def test_unknown_words_empty_and_missing_documents():
    texts, y = SMALL
    bag = db.NaiveBayes(db.Words()).fit(texts, y)
    prior = np.exp(bag.model_.log_prior)
    for document in ("", "zzz qqq", "…", None, float("nan")):
        assert np.allclose(bag.predict_proba([document])[0], prior)
    whole = db.NaiveBayes(db.Words("set")).fit(texts, y)
    assert np.allclose(whole.predict_proba([None])[0], np.exp(whole.model_.log_prior))  # no evidence
    assert not np.allclose(whole.predict_proba([""])[0], np.exp(whole.model_.log_prior))  # no word is evidence
    assert np.allclose(whole.predict_proba(["zzz"]), whole.predict_proba([""]))
    with_hole = db.NaiveBayes(db.Words("set")).fit([*texts, None], [*y, "spam"])
    assert with_hole.statistics_.blocks[0].lengths[:, 0].tolist() == [2, 1, 2]
    assert with_hole.statistics_.weight.tolist() == [2, 1, 3]


@pytest.mark.slow
def test_odd_documents():
    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    million = "buy " * 1_000_000
    assert nb.predict([million, "see " * 1_000_000]).tolist() == ["spam", "ham"]
    assert np.isfinite(nb.predict_joint_log_proba([million])).all()
    token = "x" * 10_000_000
    huge = db.NaiveBayes(db.Words()).fit([token, "y" + token, "é" * 5_000_000], ["a", "b", "c"])
    assert huge.predict([token, "y" + token, "É" * 5_000_000]).tolist() == ["a", "b", "c"]
    scripts = ["مرحبا بالعالم", "שלום עולם", "👍👍 😀", "中文 文本", "Ελλάς ΕΛΛΆΣ"]
    odd = db.NaiveBayes(db.Words()).fit(scripts, list("abcde"))
    assert odd.predict([s for s in scripts if s != "👍👍 😀"]).tolist() == list("abde")
    assert sorted(odd.statistics_.blocks[0].vocabulary.words) == sorted(CountVectorizer().fit(scripts).vocabulary_)


def test_soft_labels_weights_and_threads():
    texts, y = SMALL[0] * 20, np.array(SMALL[1] * 20)
    names = sorted(set(y))
    hard = db.NaiveBayes(db.Words()).fit(texts, y)
    soft = (y[:, None] == names).astype(float)
    assert db.NaiveBayes(db.Words()).fit(texts, soft, classes=names).statistics_ == hard.statistics_
    weight = np.arange(len(y)) % 3
    repeated = db.NaiveBayes(db.Words()).fit([t for t, w in zip(texts, weight) for _ in range(w)], np.repeat(y, weight))
    assert db.NaiveBayes(db.Words()).fit(texts, y, sample_weight=weight).statistics_ == repeated.statistics_
    many = ["".join(t) for t in zip(texts * 400, [f" w{i}" for i in range(40_000)])]
    one, two = (db.NaiveBayes(db.Words(), threads=n).fit(many, np.resize(y, len(many))) for n in (1, 3))
    assert one.statistics_ == two.statistics_
    assert (one.predict_log_proba(many) == two.predict_log_proba(many)).all()


def test_texts_in_tables_beside_other_columns(tmp_path):
    texts, y = SMALL
    table = pa.table({"subject": texts, "links": [3, 4, 0, 0, 1], "body": texts[::-1], "label": y})
    nb = db.NaiveBayes({"subject": db.Words(), "body": db.Words("set"), "links": db.Poisson()}).fit(table, "label")
    assert nb.predict(table).tolist() == y
    assert np.allclose(nb.evidence(table).sum(-1) + nb.model_.log_prior, nb.predict_joint_log_proba(table), atol=1e-10)
    nb.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert loaded.statistics_ == nb.statistics_
    assert (loaded.predict_proba(table) == nb.predict_proba(table)).all()
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        other = table.set_column(0, "subject", table["subject"].cast(kind))
        assert (nb.predict_proba(other) == nb.predict_proba(table)).all()
        again = db.NaiveBayes(nb.columns_).fit(other, "label")
        assert again.statistics_ == nb.statistics_
    frame = table.select(["subject", "label"]).to_pandas()
    alone = db.NaiveBayes().fit(frame, "label")
    assert alone.columns_ == {"subject": db.Words(transform="tfidf", evidence="auto")}
    assert alone.predict(texts).tolist() == alone.predict(frame).tolist() == y  # a list is the one text column
    assert db.NaiveBayes().fit(frame["subject"], frame["label"]).statistics_.blocks == alone.statistics_.blocks
    mixed = np.array([[t, n] for t, n in zip(texts, [3.0, 4, 0, 0, 1])], dtype=object)
    assert db.NaiveBayes({0: db.Words(), 1: db.Poisson()}).fit(mixed, y).predict(mixed).tolist() == y


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("股票市场利率银行投资", "足球比赛球队冠军教练"),
        ("株式市場の金利と銀行", "サッカーの試合と監督"),
        ("ตลาดหุ้นและธนาคาร", "ฟุตบอลและผู้ฝึกสอน"),
    ],
)
def test_scripts_without_spaces_are_read_by_characters(one, other, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    texts = ["".join(rng.choice(list((one, other)[k]), 12)) for k in y]
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"__label__{k} {text}\n" for text, k in zip(texts, y)))
    alone, table = db.NaiveBayes().fit(texts, y), db.NaiveBayes().fit({"t": texts, "y": y}, "y")
    lines = db.NaiveBayes().fit(path, "label")
    assert {m.analyzer for nb in (alone, table, lines) for m in nb.columns_.values()} == {"char"}
    assert alone.score(texts, y) > 0.95
    words = db.NaiveBayes().fit(["some words of text here"] * 9, [1, 0, 1] * 3)
    assert words.columns_[0] == db.Words(transform="tfidf", evidence="auto")


def test_a_class_prior_that_decides_alone_is_warned_of():
    texts, y = SMALL
    with pytest.warns(db.ColumnWarning, match="class_prior='uniform'"):
        db.NaiveBayes(db.Words(complement=True, norm=True)).fit(texts, y)
    with pytest.warns(db.ColumnWarning, match="class_prior='uniform'"):
        db.NaiveBayes({"t": db.Words(complement=True, norm=True)}).fit({"t": texts, "y": y}, "y")
    db.NaiveBayes(db.Words(complement=True, norm=True), class_prior="uniform").fit(texts, y)


def test_words_of_a_document_and_their_evidence():
    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    scorer = nb.model_.parts[0].scorer
    words, evidence = scorer.word_evidence("Buy, buy a MEETING or nothing")
    assert sorted(scorer.vocabulary.words[w] for w in words) == ["buy", "meeting"]
    joint = nb.predict_joint_log_proba(["Buy, buy a MEETING or nothing"])[0] - nb.model_.log_prior
    np.testing.assert_allclose(evidence.sum(axis=0), joint, rtol=1e-12)


def test_models_of_text_pickle_and_clone():
    import pickle

    from sklearn.base import clone
    from sklearn.model_selection import cross_val_predict

    texts, y = SMALL
    nb = db.NaiveBayes(db.Words(transform="tfidf")).fit(texts, y)
    nb.predict(texts)
    for copy in (pickle.loads(pickle.dumps(nb)), clone(nb).fit(texts, y)):
        assert (copy.predict_proba(texts) == nb.predict_proba(texts)).all()
    model = pickle.loads(pickle.dumps(nb.model_))
    assert (model.posterior(Texts.of(texts)) == nb.predict_proba(texts)).all()
    assert nb.columns_[0] == nb.columns_[0]
    assert len(cross_val_predict(db.NaiveBayes(db.Words()), np.array(texts * 3, dtype=object), y * 3, cv=3)) == 15


def test_a_class_without_documents_has_every_word_or_not_with_equal_probability():
    """At maximum likelihood a set of words gave such a class P(document) = 1, where Bernoulli has 1/2 for each word."""
    nb = db.NaiveBayes(db.Words("set"), estimate="mle").fit(["green blue", None], ["a", "b"])
    assert np.allclose(np.exp(nb.evidence(["green blue", "green", ""])[:, 1, 0]), 0.25)
    assert np.exp(nb.evidence(["green blue", "green", ""])[:, 0, 0]).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("words", [3, 1000])
def test_a_single_class_has_no_other_to_complement_and_all_words_weigh_the_same(words):
    """The stand-in for a count of 0 lost digits beside the counts of the class."""
    vocabulary = [f"word{i}" for i in range(words)]
    nb = db.NaiveBayes(db.Words(complement=True), estimate="mle").fit([" ".join(vocabulary)], ["a"])
    assert np.allclose(nb.evidence(vocabulary[:2])[:, 0, 0], np.log(words), rtol=1e-12)


def test_a_document_counts_in_idf_by_its_weight():
    words = db.Words(transform="tfidf")
    texts, y = ["red green", "red", "blue green"], [0, 1, 1]
    weighed = db.NaiveBayes(words).fit(texts, y, sample_weight=[3, 1, 1])
    assert weighed.statistics_ == db.NaiveBayes(words).fit(texts[:1] * 2 + texts, [0, 0, *y]).statistics_


def test_english_stop_words_are_scikit_learns():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    texts, y = ["the cat and the dog", "a house of the rising sun", "cat house"], [0, 1, 0]
    named, listed = (
        db.NaiveBayes(db.Words(stop_words=words, ngrams=(1, 2))).fit(texts, y)
        for words in ("english", sorted(ENGLISH_STOP_WORDS))
    )
    assert np.array_equal(named.predict_proba(texts), listed.predict_proba(texts))
    assert sorted(word.word for word in named.words(1)[1]) == ["house", "rising", "rising sun", "sun"]
    with pytest.raises(ValueError, match="stop_words is 'german'; give a list of words, 'english', or how many"):
        db.Words(stop_words="german")
