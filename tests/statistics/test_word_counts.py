"""Word counts: bounded memory, buckets, flat arrays that must fit together."""

import numpy as np
import pytest
from texts import SMALL

import deciban as db
from deciban.statistics import WordCounts


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
    wide = db.NaiveBayes(db.Words(buckets=2**30)).fit(texts, y)  # no two words share one
    np.testing.assert_allclose(wide.predict_log_proba(texts), full.predict_log_proba(texts), rtol=0, atol=1e-9)


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
