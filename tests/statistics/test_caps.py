"""Caps on categories and words: what is kept, and on what it depends."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(9)
N = 400
y = RNG.integers(0, 2, N)
LETTERS = np.array([f"w{i}" for i in range(30)])
WORDS = LETTERS[np.minimum(RNG.geometric(0.12, N) + 3 * y, 30) - 1]
TEXTS = [" ".join(LETTERS[np.minimum(RNG.geometric(0.1, 6), 30) - 1]) for _ in range(N)]
COLUMN = np.array(WORDS, dtype=object)[:, None]
CASES = {
    "categories": (lambda: db.NaiveBayes(db.Categorical(max_categories=5), alpha="auto"), COLUMN),
    "words": (lambda: db.NaiveBayes(db.Words(limit=5), alpha="auto"), np.array(TEXTS, dtype=object)),
}


def rows(case, members):
    x = CASES[case][1]
    return x[members] if x.ndim == 2 else x[members].tolist()


@pytest.mark.parametrize("case", CASES)
def test_caps_do_not_depend_on_order_while_all_rows_are_remembered(case):
    make = CASES[case][0]
    whole = make().fit(rows(case, np.arange(N)), y)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(N)
        shuffled = make().fit(rows(case, order), y[order])
        parts = [make().fit(rows(case, part), y[part]) for part in np.array_split(order, 3)]
        stream = make()
        for part in np.array_split(order, 10):
            stream.partial_fit(rows(case, part), y[part])
        stream.tune()
        for other in (shuffled, sum(parts), stream):
            assert other.statistics_ == whole.statistics_
            assert (
                other.predict_proba(rows(case, np.arange(50))) == whole.predict_proba(rows(case, np.arange(50)))
            ).all()


@pytest.mark.parametrize("case", CASES)
def test_forgetting_from_a_capped_model_equals_never_having_seen_the_rows(case):
    make = CASES[case][0]
    whole = make().fit(rows(case, np.arange(N)), y).forget(rows(case, np.arange(100)), y[:100])
    never = make().fit(rows(case, np.arange(100, N)), y[100:])
    assert whole.statistics_ == never.statistics_


def test_without_remembered_rows_the_first_categories_stay():
    nb = db.NaiveBayes(db.Categorical(max_categories=2)).fit([["a"], ["a"], ["b"], ["c"], ["c"]], [0, 0, 0, 1, 1])
    assert nb.statistics_.blocks[0].categories[0].tolist() == ["(other)", "a", "c"]  # the most frequent of a batch
    nb.partial_fit([["b"]] * 9, [0] * 9)
    assert nb.statistics_.blocks[0].categories[0].tolist() == ["(other)", "a", "c"]  # which later ones do not replace
    other = db.NaiveBayes(db.Categorical(max_categories=2)).fit([["b"]] * 9, [0] * 9)
    other.partial_fit([["a"], ["a"], ["b"], ["c"], ["c"]], [0, 0, 0, 1, 1])
    assert other.statistics_.blocks[0].categories[0].tolist() == ["(other)", "a", "b"]


def test_a_word_that_was_dropped_starts_again_from_zero():
    nb = db.NaiveBayes(db.Words(limit=2)).fit(["xx xx xx", "yy yy", "zz"], [0, 0, 1])
    nb.partial_fit(["zz zz zz zz"], [1])
    block = nb.statistics_.blocks[0]
    counted = {word: int(weight) for word, weight in zip(block.vocabulary.words, block.frequency)}
    assert counted == {"xx": 3, "zz": 4}
    assert block.rest.tolist() == [2.0, 1.0]
