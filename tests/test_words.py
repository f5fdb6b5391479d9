"""Text: event models against scikit-learn's, transforms, caps, odd documents."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from texts import SMALL

import deciban as db
from deciban.arrays.documents import documents_of, letters, reading
from deciban.arrays.native import kernels
from deciban.arrays.texts import Lines
from deciban.statistics import WordCounts
from deciban.statistics.words import Vocabulary

DATA = Path(os.environ.get("DECIBAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
ONE = np.zeros(1, np.int32)


def corpus(name, part="all", rows=None):
    path = DATA / name / f"{part}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{name} is not there; set DECIBAN_DATA to the folder of data sets")
    with gzip.open(path, "rt", encoding="utf8") as lines:
        read = [json.loads(line) for line, _ in zip(lines, range(rows or 10**9))]
    return [r["text"] for r in read], [r["label"] for r in read]


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


@pytest.mark.parametrize("set_name", ["small", "sms_spam", "20newsgroups", "imdb"])
@pytest.mark.parametrize("name", PEERS)
def test_same_words_counts_and_probabilities_as_scikit_learn(name, set_name):
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
    idf = np.log((1 + len(texts)) / (1 + (n > 0).sum(axis=0))) + 1
    counts = np.array([(tf * idf)[np.array(y) == c].sum(axis=0) for c in nb.classes_])
    others = counts.sum(axis=0) - counts + 1
    weight = -np.log(others / others.sum(axis=1, keepdims=True))
    joint = (tf * idf) @ weight.T
    log_posterior = (
        joint - np.log(np.exp(joint - joint.max(1, keepdims=True)).sum(1, keepdims=True)) - joint.max(1, keepdims=True)
    )
    np.testing.assert_allclose(nb.predict_log_proba(texts), log_posterior, rtol=0, atol=1e-12)


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


@pytest.mark.parametrize("estimate", ["map", "predictive"])
@pytest.mark.parametrize("words", [w for w, *_ in PEERS.values()], ids=str)
def test_texts_without_any_word(words, estimate):
    prior = "uniform" if words.norm else None
    nb = db.NaiveBayes(words, estimate=estimate, class_prior=prior).fit(["a", "b", "a", "b"] * 5, [1, 0, 1, 0] * 5)
    assert nb.predict_proba(["x", "word"]).tolist() == [[0.5, 0.5]] * 2
    assert db.NaiveBayes().fit(["a", "b"] * 10, [1, 0] * 10).predict_proba(["x"]).tolist() == [[0.5, 0.5]]
    left_out = np.exp(nb.leave_one_out(["a", "b"], [1, 0]))
    assert left_out == pytest.approx(0.5 if prior else np.array([[10, 9], [9, 10]]) / 19, rel=1e-12)


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


def test_what_counts_is_settled_after_training():
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


def test_memory_is_bounded_by_a_limit_or_by_buckets():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in np.minimum(rng.zipf(1.3, 50), 5000)) for _ in range(300)]
    y = rng.integers(0, 2, 300)
    full = db.NaiveBayes(db.Words()).fit(texts, y)
    bounded = db.NaiveBayes(db.Words(limit=100))
    for i in range(0, 300, 50):
        bounded.partial_fit(texts[i : i + 50], y[i : i + 50])
    block, whole = bounded.statistics_.blocks[0], full.statistics_.blocks[0]
    assert len(block.vocabulary) == 100
    assert block.weight.sum() + block.rest.sum() == whole.weight.sum()
    assert block.lengths.tolist() == whole.lengths.tolist()
    top = set(np.array(whole.vocabulary.words)[np.argsort(-whole.totals())[:20]])
    assert top <= set(block.vocabulary.words)
    left = bounded.forget(texts[250:], y[250:]).statistics_.blocks[0]
    assert (left.rest >= 0).all()
    hashed = db.NaiveBayes(db.Words(buckets=64)).fit(texts, y)
    assert len(hashed.statistics_.blocks[0].vocabulary) == 64
    assert (hashed.predict(texts) == y).mean() > 0.5
    wide = db.NaiveBayes(db.Words(buckets=2**30)).fit(texts, y)  # so many that none is shared
    np.testing.assert_allclose(wide.predict_log_proba(texts), full.predict_log_proba(texts), rtol=0, atol=1e-9)


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


def test_the_full_density_has_length_and_arrangements():
    from scipy import stats

    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    scorer = nb.model_.parts[0].scorer
    x = CountVectorizer(vocabulary=scorer.vocabulary.words).transform(texts).toarray()
    names = nb.classes_.tolist()
    rows = [scorer.weights.of(np.arange(len(scorer.vocabulary)))[:, names.index(c)] for c in y]
    mean = x.sum() / len(x)
    for i, label in enumerate(y):
        expected = stats.multinomial.logpmf(x[i], x[i].sum(), np.exp(rows[i])) + stats.poisson.logpmf(x[i].sum(), mean)
        expected += nb.model_.log_prior[names.index(label)]
        assert nb.log_likelihood(texts, y)[i] == pytest.approx(expected, rel=1e-12)
    assert nb.statistics_.blocks[0].lengths[:, 1].sum() == x.sum()


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
    assert alone.columns_ == {"subject": db.Words(transform="tfidf")}
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
    assert db.NaiveBayes().fit(["some words of text here"] * 9, [1, 0, 1] * 3).columns_[0] == db.Words(
        transform="tfidf"
    )


def test_a_class_prior_that_decides_alone_is_told():
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


def test_arrays_that_do_not_fit_together_are_refused():
    block = db.NaiveBayes(db.Words(transform="tfidf")).fit(*SMALL).statistics_.blocks[0]
    good = block.arrays()
    assert WordCounts.from_arrays(good) == block
    rng = np.random.default_rng(0)
    for name in ("words", "text", "start", "cls", "weight", "documents", "lengths", "rest"):
        array = good[name]
        changes = [array[:-1], np.append(array, array[-1:], axis=0), array[:0]]
        if array.dtype.kind == "i":
            wrong = np.repeat(array[None], 6, axis=0)
            wrong[np.arange(6), rng.integers(0, len(array), 6)] = [-1, 10**6, -(2**31), 2**31 - 1, 99, -5]
            changes += list(wrong)
        if name == "text":
            changes = [*changes[:2], np.zeros_like(array)]  # one word, many times
        if name == "documents":
            changes = changes[:2]  # none at all is fine
        for change in changes:
            with pytest.raises((ValueError, IndexError), match=r"(?s)."):
                WordCounts.from_arrays({**good, name: np.ascontiguousarray(change)}).total()


def test_buckets_are_kept_in_files_and_merge(tmp_path):
    docs = [" ".join(f"w{i}" for i in range(k, k + 30)) for k in range(0, 3000, 30)]
    y = np.arange(100) % 2
    for words in (
        db.Words(buckets=2**20),
        db.Words(buckets=2**20, transform="tfidf"),
        db.Words("set", buckets=64),
    ):
        nb = db.NaiveBayes(words).fit(docs, y)
        nb.save(tmp_path / "b.deciban")
        loaded = db.load(tmp_path / "b.deciban")
        assert (loaded.predict_proba(docs) == nb.predict_proba(docs)).all()
        assert (
            loaded.partial_fit(docs[:1], y[:1]).statistics_.blocks[0].vocabulary == nb.statistics_.blocks[0].vocabulary
        )


def test_a_long_word_does_not_cost_memory_when_words_are_ranked():
    texts = [f"w{i} w{i}" for i in range(2000)] + ["x" * 3_000_000]
    nb = db.NaiveBayes(db.Words(max_words=10)).fit(texts, [0, 1] * 1000 + [0])
    kept = sorted(nb.model_.parts[0].scorer.vocabulary.words)
    assert kept == sorted(f"w{i}" for i in range(2000))[:10]


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
    assert (model.posterior(Lines.of(texts)) == nb.predict_proba(texts)).all()
    assert nb.columns_[0] == nb.columns_[0]
    assert len(cross_val_predict(db.NaiveBayes(db.Words()), np.array(texts * 3, dtype=object), y * 3, cv=3)) == 15


def test_wrong_settings_and_input_are_one_error():
    texts, y = SMALL
    for make, message in (
        (lambda: db.Words(model="bog"), "model is 'bog'"),
        (lambda: db.Words(analyzer="line"), "analyzer is 'line'"),
        (lambda: db.Words(transform="idf"), "transform is 'idf'"),
        (lambda: db.Words("set", complement=True), "complement=True"),
        (lambda: db.Words(norm=True), "norm=True"),
        (lambda: db.Words("set", transform="tfidf"), "transform='tfidf'"),
        (lambda: db.Words(ngrams=(2, 1)), "ngrams is"),
        (lambda: db.Words(ngrams=2), "ngrams is 2"),
        (lambda: db.Words(buckets=0), "buckets is 0"),
        (lambda: db.Words(max_words=1.5), "max_words is 1.5"),
        (lambda: db.Words(min_count="two"), "min_count is 'two'"),
        (lambda: db.Words(stop_words="the"), "stop_words is 'the'"),
        (lambda: db.Words(stop_words=-3), "stop_words is -3"),
        (lambda: db.Words(stop_words=b"the"), "stop_words is b'the'"),
        (lambda: db.Words(stop_words=[1, "a"]), "stop_words is"),
        (lambda: db.Words(stop_words=["a"], buckets=10), "no names to compare"),
        (lambda: db.Words(lowercase="no"), "lowercase is 'no'"),
        (lambda: db.Words(buckets=2**40), "from 1 to 2,147,483,648"),
        (lambda: db.Words(ngrams=(1, 100)), "at most 64"),
        (lambda: db.Words(joiners="-x"), "joiners is '-x'; give punctuation"),
        (lambda: db.Words(joiners="- "), "joiners is '- '; give punctuation"),
        (lambda: db.Words(joiners=["-"]), "joiners is"),
        (lambda: db.Words(joiners="\ud800"), "joiners is"),
        (lambda: db.Words(joiners="-", analyzer="char"), "joiners hold words together"),
        (lambda: db.Words(limit=None), "limit is None"),
        (lambda: db.NaiveBayes(db.Words()).fit(texts, y).predict("a free prize"), "X is one text"),
        (lambda: db.NaiveBayes(db.Words()).fit(texts, y).predict(["a", 2]), "row 1 of X is 2, not text"),
        (lambda: db.NaiveBayes(db.Words()).fit(texts, y).predict([2]), "row 0 of X is 2, not text"),
        (lambda: db.NaiveBayes(db.Words()).fit(texts, y).predict({"txt": texts}), r"has no column 'text'.*mean 'txt'"),
        (lambda: db.NaiveBayes(db.Words()).fit(texts, y).predict(iter(texts)), "X is of type list_iterator, not texts"),
        (lambda: db.NaiveBayes(db.Words()).fit([], []), "X has no texts"),
        (
            lambda: db.NaiveBayes(db.Words()).fit(texts, y) + db.NaiveBayes(db.Words(min_count=2)).fit(texts, y),
            "min_count=2",
        ),
        (lambda: db.NaiveBayes(db.Words(prior=[1, 2])).fit(texts, y), "one pseudo-count"),
        (lambda: db.NaiveBayes(db.Words()).fit([*texts, 5], [*y, "spam"]), "row 5 of X is 5, not text"),
        (lambda: db.NaiveBayes(db.Words()).fit(np.ones((3, 1)), [0, 1, 1]), "row 0 of X is 1.0, not text"),
        (
            lambda: db.NaiveBayes({("a", "b"): db.Words()}).fit({"a": texts, "b": texts, "y": y}, "y"),
            "reads one column",
        ),
        (lambda: db.NaiveBayes(db.Gaussian()).fit(texts, y), "numbers are needed|needs numbers"),
        (lambda: db.NaiveBayes(db.Words()).fit(texts, y[:-1]), "inconsistent"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


def test_kernels_refuse_what_does_not_fit():
    how, documents = reading(), documents_of(["a b"])
    vocabulary, _ = Vocabulary.of(["one", "two"])
    longs = np.array([0, 1, 2])
    for call in (
        lambda: kernels.count_words(documents, np.zeros(2, np.int32), None, None, 1, how, 0, False),
        lambda: kernels.count_words(documents, ONE + 1, None, None, 1, how, 0, False),
        lambda: kernels.count_words(documents, ONE, None, None, 1, how, 7, False),
        lambda: kernels.word_index(vocabulary.hash, vocabulary.start[:-1], vocabulary.text, None),
        lambda: kernels.word_index(vocabulary.hash, vocabulary.start, vocabulary.text[:-1], None),
        lambda: kernels.word_index(vocabulary.hash, vocabulary.start, vocabulary.text, np.array([0, 2])),
        lambda: kernels.word_scores(longs, np.array([0, 5], np.int32), np.ones(2), *np.ones((3, 2)), None),
        lambda: kernels.word_scores(
            np.array([0, 2, 2]), np.array([1, 0], np.int32), np.ones(2), *np.ones((3, 2)), None
        ),
        lambda: kernels.word_scores(
            np.array([0, 3, 2]), np.array([1, 0], np.int32), np.ones(2), *np.ones((3, 2)), None
        ),
        lambda: kernels.hash_words(np.array([0, 9]), vocabulary.text),
        lambda: kernels.hash_words(np.array([5, 2]), vocabulary.text),
        lambda: kernels.reading(False, True, 0, 1, 0, [], *letters()),
        lambda: kernels.reading(False, True, 1, 1, -1, [], *letters()),
        lambda: kernels.reading(False, True, 1, 1, 0, [], letters()[0], letters()[1] + 0x110000),
        lambda: kernels.reading(False, True, 1, 1, 0, [ord("x")], *letters()),
        lambda: kernels.reading(False, True, 1, 1, 0, [ord(" ")], *letters()),
        lambda: kernels.reading(False, True, 1, 1, 0, [0x110000], *letters()),
        lambda: kernels.documents_of_list(["a", 5]),
        lambda: kernels.documents_of_strings(np.array([0, 9], "i4").view("u1"), False, np.zeros(3, "u1"), None, 0, 1),
        lambda: kernels.documents_of_strings(np.array([0], "i4").view("u1"), False, np.zeros(3, "u1"), None, 0, 1),
    ):
        with pytest.raises((ValueError, IndexError)):
            call()
