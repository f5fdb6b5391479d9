"""Terms and evidence of texts that are left to the rows: words or pairs, shares or lifts."""

import pickle

import numpy as np
import pyarrow as pa
import pytest

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.texts import Texts
from deciban.choosing.terms import choose_terms

AUTO = db.Words(transform="tfidf", evidence="auto")
COLOURS = ["red", "green", "blue", "black", "grey", "white"]


def texts_of_pairs(rows, seed=0):
    """Return texts in which the order of two words tells the class, and no single word does."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    pairs = ["sweet sour", "sour sweet"]
    return [f"{rng.choice(COLOURS)} {pairs[k]} {rng.choice(COLOURS)} row{i}" for i, k in enumerate(y.tolist())], y


def texts_of_words(rows, seed=0):
    """Return texts in which single words tell the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    return [" ".join(rng.choice(COLOURS[k * 2 : k * 2 + 4], 5)) + f" row{i}" for i, k in enumerate(y.tolist())], y


def ngrams(nb):
    return next(iter(nb.chosen_.columns.values())).ngrams


@pytest.mark.parametrize(("make", "expected"), [(texts_of_pairs, (1, 2)), (texts_of_words, (1, 1))])
def test_pairs_are_counted_where_they_tell_more(make, expected):
    texts, y = make(800)
    nb = db.NaiveBayes().fit(texts, y)
    assert ngrams(nb) == expected
    assert nb.score(*make(200, seed=1)) > 0.9
    table = pa.table({"text": texts, "y": y.tolist()})
    assert ngrams(db.NaiveBayes().fit(table, "y")) == expected
    assert ngrams(db.NaiveBayes().fit(table.drop_columns(["y"]), y)) == expected
    assert ngrams(db.NaiveBayes({"text": AUTO}, alpha="auto").fit(table, "y")) == expected


@pytest.mark.parametrize("form", ["texts", "table"])
def test_rows_that_are_read_again_anyway_choose_terms_on_more_short_texts(form, monkeypatch):
    # Half of the texts are noise, so that 500 rows cannot tell pairs from words, and 4,000 can.
    texts, y = texts_of_pairs(4000)
    y = np.where(np.random.default_rng(3).random(4000) < 0.8, np.random.default_rng(4).integers(0, 2, 4000), y)
    monkeypatch.setattr("deciban.choosing.terms.MOST_ROWS", 500)
    data = (texts, y) if form == "texts" else ({"text": texts, "y": y.tolist()}, "y")
    settings = {"alpha": "auto", "calibrate": "temperature", "remember": 600}
    columns = AUTO if form == "texts" else {"text": AUTO}
    found = {refine: db.NaiveBayes(columns, refine=refine, **settings).fit(*data) for refine in (None, "rows")}
    assert {refine: ngrams(nb) for refine, nb in found.items()} == {None: (1, 1), "rows": (1, 2)}
    assert {len(nb._fitted().sample) for nb in found.values()} == {600}


def test_few_rows_get_words():
    assert ngrams(db.NaiveBayes().fit(*texts_of_pairs(300))) == (1, 1)


def test_terms_do_not_depend_on_order_or_batches():
    texts, y = texts_of_pairs(900)
    whole = db.NaiveBayes().fit(texts, y)
    order = np.random.default_rng(5).permutation(900)
    shuffled = db.NaiveBayes().fit([texts[i] for i in order], y[order])
    parts = db.NaiveBayes()
    for begin in range(0, 900, 300):
        parts.partial_fit(texts[begin : begin + 300], y[begin : begin + 300])
    halves = [db.NaiveBayes().fit(texts[i::2], y[i::2]) for i in range(2)]
    for other in (shuffled, parts.tune(), halves[0].merge(halves[1])):
        assert other.chosen_ == whole.chosen_
        assert other.statistics_ == whole.statistics_


@pytest.mark.parametrize("form", ["texts", "table"])
def test_terms_of_many_merged_shards_are_decided_once(form, monkeypatch):
    texts, y = texts_of_pairs(960)

    def learn(rows):
        if form == "texts":
            return db.NaiveBayes().fit([texts[i] for i in rows], y[rows])
        return db.NaiveBayes().fit({"text": [texts[i] for i in rows], "y": y[rows].tolist()}, "y")

    whole, shards = learn(np.arange(960)), [learn(np.arange(i, 960, 8)) for i in range(8)]
    decided = []

    def count(likelihood, *rows):
        decided.append(likelihood)
        return choose_terms(likelihood, *rows)

    for module in ("deciban.choosing.terms", "deciban.tables.decide_again"):
        monkeypatch.setattr(f"{module}.choose_terms", count)
    merged = sum(shards[1:], shards[0])
    assert not decided
    copy = pickle.loads(pickle.dumps(merged))
    assert len(decided) == 1
    for nb in (merged, copy):
        assert ngrams(nb) == (1, 2)
        assert nb.chosen_ == whole.chosen_
        assert nb.statistics_ == whole.statistics_
    assert len(decided) == 1


def test_forgetting_batch_by_batch_decides_on_terms_once(monkeypatch):
    texts, y = texts_of_pairs(1000)
    nb, never = db.NaiveBayes().fit(texts, y), db.NaiveBayes().fit(texts[300:], y[300:])
    decided = []
    monkeypatch.setattr("deciban.choosing.terms.choose_terms", lambda *a: decided.append(a) or choose_terms(*a))
    for begin in range(0, 300, 100):
        nb.forget(texts[begin : begin + 100], y[begin : begin + 100])
    assert not decided
    assert nb.chosen_ == never.chosen_
    assert nb.statistics_ == never.statistics_
    assert len(decided) == 1


def test_merged_shards_that_are_cut_keep_the_terms_that_were_decided(monkeypatch):
    texts, y = texts_of_pairs(1200)
    shards = [db.NaiveBayes(remember=700).fit(texts[i::4], y[i::4]) for i in range(4)]
    assert [ngrams(nb) for nb in shards] == [(1, 1)] * 4  # too few rows for a choice
    both = shards[0] + shards[1]  # all rows are remembered, and enough: pairs, though nobody has asked yet
    assert ngrams(both + (shards[2] + shards[3])) == (1, 2)


def test_first_rows_of_one_class_do_not_decide():
    texts, y = texts_of_pairs(12_000)
    order = np.argsort(y, kind="stable")
    table = pa.table({"text": [texts[i] for i in order], "y": y[order].tolist()})
    assert ngrams(db.NaiveBayes().fit(table, "y")) == (1, 2)


def test_other_terms_that_were_asked_for_stay():
    texts, y = texts_of_pairs(800)
    labels = Labels(2, y.astype(np.int32))
    for model in (db.Words(ngrams=(2, 3), evidence="auto"), db.Words(analyzer="char", evidence="auto"), db.Words()):
        assert choose_terms(model, Texts.of(texts), np.array([0, 1]), labels) is model


def test_the_evidence_of_words_is_chosen_only_with_the_pseudo_count():
    texts, y = texts_of_words(800)
    chosen = next(iter(db.NaiveBayes().fit(texts, y).chosen_.columns.values()))
    assert chosen.evidence in ("share", "lift")
    given = db.NaiveBayes(alpha=0.5).fit(texts, y)
    shares = db.NaiveBayes(db.Words(transform="tfidf"), alpha=0.5, calibrate="auto").fit(texts, y)
    assert np.array_equal(given.predict_proba(texts[:5]), shares.predict_proba(texts[:5]))


def test_lifts_are_not_tried_where_they_would_be_too_many(monkeypatch):
    texts, y = texts_of_words(800)
    counts = db.NaiveBayes(AUTO).fit(texts, y).statistics_.blocks[0]
    assert [ladder[0].evidence for ladder in AUTO.ladders(counts, all_open=True)] == ["share", *["lift"] * 3]
    monkeypatch.setattr("deciban.likelihoods.words.recipes.MOST_LIFTS", 100)
    assert [ladder[0].evidence for ladder in AUTO.ladders(counts, all_open=True)] == ["share"]
    assert AUTO.ladders(counts, all_open=False) == ()


def test_too_many_lifts_are_one_clear_error(monkeypatch):
    monkeypatch.setattr("deciban.likelihoods.words.weights.MOST_LIFTS", 100)
    with pytest.raises(ValueError, match=r"keeps a number for every word and class, .*; give max_words or min_count"):
        db.NaiveBayes(db.Words(evidence="lift")).fit(*texts_of_words(800))


def test_bytes_that_are_not_utf8_do_not_stop_the_choice(tmp_path):
    texts, y = texts_of_pairs(700)
    path = tmp_path / "bad.jsonl"
    lines = (b'{"text": "%s caf\xe9", "y": "%d"}\n' % (text.encode(), k) for text, k in zip(texts, y.tolist()))
    path.write_bytes(b"".join(lines))
    assert ngrams(db.NaiveBayes().fit(path, "y")) == (1, 2)
