"""Kernels of documents and vocabularies refuse arrays that do not fit together."""

import numpy as np
import pytest

from deciban.arrays.documents import Tokenizer, documents_of, letters, plain_letters
from deciban.arrays.native import kernels
from deciban.statistics.vocabulary import Vocabulary

ONE, LONGS = np.zeros(1, np.int32), np.array([0, 1, 2])
HOW, DOCUMENTS = Tokenizer().native, documents_of(["a b"])
VOCABULARY, _ = Vocabulary.of(["one", "two"])
PAIRS = Tokenizer(ngrams=(1, 2)).native
INDEX, INDEX_OF_PAIRS = (VOCABULARY.indexed(np.ones(2), joins_words) for joins_words in (False, True))
SCORES = kernels.word_scores(LONGS, np.array([0, 1], np.int32), np.ones(2), *np.ones((3, 2)), None, None)


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.count_words(DOCUMENTS, np.zeros(2, np.int32), None, None, 1, HOW, 0, False),
        lambda: kernels.count_words(DOCUMENTS, ONE + 1, None, None, 1, HOW, 0, False),
        lambda: kernels.count_words(DOCUMENTS, ONE, None, None, 1, HOW, 7, False),
        lambda: kernels.word_index(VOCABULARY.hash, VOCABULARY.start[:-1], VOCABULARY.text, None),
        lambda: kernels.word_index(VOCABULARY.hash, VOCABULARY.start, VOCABULARY.text[:-1], None),
        lambda: kernels.word_index(VOCABULARY.hash, VOCABULARY.start, VOCABULARY.text, np.array([0, 2])),
        lambda: kernels.word_scores(LONGS, np.array([0, 5], np.int32), np.ones(2), *np.ones((3, 2)), None, None),
        lambda: kernels.word_scores(
            np.array([0, 2, 2]), np.array([1, 0], np.int32), np.ones(2), *np.ones((3, 2)), None, None
        ),
        lambda: kernels.word_scores(
            np.array([0, 3, 2]), np.array([1, 0], np.int32), np.ones(2), *np.ones((3, 2)), None, None
        ),
        lambda: kernels.word_scores(LONGS, np.array([0, 1], np.int32), np.ones(2), *np.ones((3, 2)), None, np.ones(3)),
        lambda: kernels.find_words(DOCUMENTS, INDEX, PAIRS, 0, False),
        lambda: kernels.find_words(DOCUMENTS, INDEX_OF_PAIRS, HOW, 0, False),
        lambda: kernels.score_words(DOCUMENTS, INDEX, PAIRS, 0, False, SCORES, np.zeros((1, 2))),
        lambda: kernels.place_terms(DOCUMENTS, INDEX, PAIRS),
        lambda: kernels.place_terms(DOCUMENTS, INDEX_OF_PAIRS, PAIRS),
        lambda: kernels.tokenizer(False, True, 1, 2, 0, [], *letters(), positions=True),
        lambda: kernels.tokenizer(True, True, 1, 1, 0, [], *letters(), positions=True),
        lambda: kernels.tokenizer(False, True, 1, 1, 9, [], *letters(), positions=True),
        lambda: kernels.find_vocabulary(INDEX_OF_PAIRS, VOCABULARY.hash, VOCABULARY.start, VOCABULARY.text),
        lambda: kernels.hash_words(np.array([0, 9]), VOCABULARY.text),
        lambda: kernels.hash_words(np.array([5, 2]), VOCABULARY.text),
        lambda: kernels.tokenizer(False, True, 0, 1, 0, [], *letters()),
        lambda: kernels.tokenizer(False, True, 1, 1, -1, [], *letters()),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [], letters()[0], letters()[1] + 0x110000),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [ord("x")], *letters()),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [ord(" ")], *letters()),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [0x110000], *letters()),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [], *letters(), plain_letters()[0], None),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [], *letters(), plain_letters()[0] + 0x110000, ONE),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [], *letters(), np.array([-2], "i4"), ONE),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [], *letters(), np.array([-1], "i4"), ONE + 1),
        lambda: kernels.tokenizer(False, True, 1, 1, 0, [], *letters(), np.array([-1], "i4"), ONE - 1),
        lambda: kernels.documents_of_list(["a", 5]),
        lambda: kernels.documents_of_strings(np.array([0, 9], "i4").view("u1"), False, np.zeros(3, "u1"), None, 0, 1),
        lambda: kernels.documents_of_strings(np.array([0], "i4").view("u1"), False, np.zeros(3, "u1"), None, 0, 1),
    ],
)
def test_word_kernels_refuse_arrays_that_do_not_fit(call):
    with pytest.raises((ValueError, IndexError)):
        call()
