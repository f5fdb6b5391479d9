"""Tokens of a text are those of scikit-learn and Python, for every script, at every edge of a chunk."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from deciban.arrays.documents import Tokenizer, letters
from deciban.arrays.labels import Labels
from deciban.arrays.texts import Texts
from deciban.statistics.vocabulary import Vocabulary
from deciban.statistics.words import WordCounts, WordValues

ONE = np.zeros(1, np.int32)


# Letters of many scripts, capitals that change their length, sigmas and what they look past, marks, white space.
CHARACTERS = st.one_of(
    st.characters(),
    st.sampled_from("aZ_9 -'.:\n\t ABCéÉßẞİıǅﬀΣσςΑαЖж中文ーあ한 ١٢️‍👍\u0301\u0307\u00ad\u2019\u3000\x1c\x85"),
)
TEXTS = st.text(CHARACTERS, max_size=150)


def counted(text, **how):
    found = WordCounts.of(Texts.of([text]), Labels(1, ONE), WordValues(Tokenizer(**how)))
    return dict(zip(found.vocabulary.words, found.weight.tolist()))


def expected(text, **how):
    return dict(Counter(CountVectorizer(**how).build_analyzer()(text)))


@given(TEXTS)
def test_words_equal_count_vectorizer(text):
    assert counted(text) == expected(text)
    assert counted(text, lowercase=False) == expected(text, lowercase=False)
    assert counted(text, ngrams=(1, 3)) == expected(text, ngram_range=(1, 3))


@example("İstanbul xİ-y x-İ İİ", "-\u0307", True)  # in lower case, i and a dot above
@given(TEXTS, st.text(st.sampled_from("-'.:@\u0301\u0307\u00ad\u2019\u200d👍"), min_size=1), st.booleans())
def test_joiners_hold_words_together_as_a_pattern_of_count_vectorizer_does(text, joiners, lowercase):
    pattern = rf"\w(?:[{re.escape(joiners)}]?\w)+"
    ours = counted(text, lowercase=lowercase, joiners=joiners, ngrams=(1, 2))
    assert ours == expected(text, lowercase=lowercase, token_pattern=pattern, ngram_range=(1, 2))


@pytest.mark.parametrize("shift", range(70))
def test_joiners_at_the_edges_of_chunks(shift):
    odd = " a.b c. d .e e-mail --f g-- don't a..b me@nasa.gov Straße.ΟΔΟΣ-x naïve’s ’x’ İ.b"
    text = "x" * shift + odd + "." * shift + "y."
    assert counted(text, joiners="-.@'’") == expected(text, token_pattern=r"\w(?:[-.@'’]?\w)+")


@given(TEXTS, st.integers(1, 3), st.integers(0, 3))
def test_characters_equal_count_vectorizer(text, least, more):
    how = {"ngrams": (least, least + more)}
    assert counted(text, analyzer="char", **how) == expected(text, analyzer="char", ngram_range=how["ngrams"])


@example(" a\tbc  d\n\ndefgh\u3000", 1, 2, True, True)
@example("", 1, 0, True, False)
@given(TEXTS, st.integers(1, 5), st.integers(0, 3), st.booleans(), st.booleans())
def test_characters_within_words_equal_count_vectorizer(text, least, more, lowercase, strip):
    ours = {"ngrams": (least, least + more), "lowercase": lowercase, "strip_accents": strip}
    theirs = {"ngram_range": ours["ngrams"], "lowercase": lowercase, "strip_accents": "unicode" if strip else None}
    assert counted(text, analyzer="char_wb", **ours) == expected(text, analyzer="char_wb", **theirs)


@pytest.mark.parametrize("name", ["sms_spam", "bbc_news"])
def test_characters_within_words_of_real_texts_equal_count_vectorizer(name, corpus):
    texts, _ = corpus(name, "all", 500)
    values = WordValues(Tokenizer("char_wb", ngrams=(2, 4)))
    found = WordCounts.of(Texts.of(texts), Labels(1, np.zeros(len(texts), np.int32)), values)
    vectorizer = CountVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    total = np.asarray(vectorizer.fit_transform(texts).sum(axis=0)).ravel()
    assert dict(zip(found.vocabulary.words, found.weight)) == dict(zip(vectorizer.get_feature_names_out(), total))


@example("Ǆ™ ﬁn ½ Ａ ΑΣ\u0301 İz ﷺ 한국 e\u0301t Å", 1, False)
@given(TEXTS, st.integers(1, 2), st.booleans())
def test_accents_are_taken_off_as_count_vectorizer_takes_them(text, longest, lowercase):
    ours = {"ngrams": (1, longest), "lowercase": lowercase, "strip_accents": True}
    theirs = {"ngram_range": (1, longest), "lowercase": lowercase, "strip_accents": "unicode"}
    assert counted(text, **ours) == expected(text, **theirs)
    assert counted(text, analyzer="char", **ours) == expected(text, analyzer="char", **theirs)
    joined = counted(text, joiners="-'", **ours)
    assert joined == expected(text, token_pattern=r"\w(?:[-']?\w)+", **theirs)


def test_every_character_without_accents_is_that_of_count_vectorizer():
    codes = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    for first in range(0, len(codes), 1 << 14):
        text = " ".join(f"a{chr(c)}z" for c in codes[first : first + (1 << 14)])
        assert counted(text, strip_accents=True) == expected(text, strip_accents="unicode")


@pytest.mark.parametrize("name", ["sms_spam", "bbc_news", "20newsgroups"])
def test_real_texts_without_accents_have_the_words_of_count_vectorizer(name, corpus):
    texts, _ = corpus(name, "train" if name == "20newsgroups" else "all", 2000)
    texts += ["Crème brûlée à la française, coûte 5½ €", "Žluťoučký kůň", "ΆΝΘΡΩΠΟΣ", "ﬁne Ｗｉｄｅ №5"]
    found = WordCounts.of(
        Texts.of(texts), Labels(1, np.zeros(len(texts), np.int32)), WordValues(Tokenizer(strip_accents=True))
    )
    vectorizer = CountVectorizer(strip_accents="unicode")
    total = np.asarray(vectorizer.fit_transform(texts).sum(axis=0)).ravel()
    assert dict(zip(found.vocabulary.words, found.weight)) == dict(zip(vectorizer.get_feature_names_out(), total))


def test_every_character_has_its_kind_and_lower_case_of_python():
    kind, lower = letters()
    every = [chr(c) for c in range(0x110000)]
    inside = len(kind)
    assert all(not c.isalnum() and not c.isspace() and c.lower() == c for c in every[inside:])
    word = np.array([c.isalnum() or c == "_" for c in every[:inside]])
    space = np.array([c.isspace() for c in every[:inside]])
    assert np.array_equal((kind & 1) > 0, word)
    assert np.array_equal((kind & 2) > 0, space)
    longer = [c for c in every if len(c.lower()) != 1]
    assert longer == ["\u0130"]
    same = [ord(c.lower()) if c != "\u0130" else ord("i") for c in every[:inside]]
    assert np.array_equal(lower, same)


@given(st.binary(max_size=200))
def test_bytes_that_are_not_utf8_are_read_as_python_replaces_them(data):
    found = WordCounts.of(Texts.of([data]), Labels(1, ONE), WordValues(Tokenizer(analyzer="char", ngrams=(1, 2))))
    text = data.decode("utf-8", "replace")
    assert dict(zip(found.vocabulary.words, found.weight)) == expected(text, analyzer="char", ngram_range=(1, 2))
    words = WordCounts.of(Texts.of([data]), Labels(1, ONE))
    assert dict(zip(words.vocabulary.words, words.weight)) == expected(text)


@pytest.mark.parametrize("shift", range(70))
def test_words_across_the_edges_of_chunks(shift):
    text = " " * shift + "Straße ΟΔΟΣ x naïve word" + "y" * shift + " İstanbul." + "z" * 64 + "é"
    assert counted(text) == expected(text)


@pytest.mark.slow
def test_ngrams_of_many_texts_equal_the_sum_of_parts():
    rng = np.random.default_rng(0)
    names = [f"w{i}" * (1 + i % 4) for i in range(3000)]
    texts = [" ".join(rng.choice(names, rng.integers(0, 60))) for _ in range(7000)] + [None, ""]
    assert sum(len(t or "") for t in texts) > 1 << 20  # enough to be counted part by part
    codes = rng.integers(-1, 3, len(texts)).astype(np.int32)
    weight = rng.choice([0.0, 1.0, 1.0, 2.5], len(texts))
    soft = rng.choice([0.0, 1.0, 0.5], (len(texts), 3))
    values = WordValues(Tokenizer(ngrams=(1, 3)))
    for labels in (Labels(3, codes), Labels(3, codes, weight), Labels(3, soft=soft)):
        whole = WordCounts.of(Texts.of(texts), labels, values)
        parts = [
            WordCounts.of(Texts.of(texts[a : a + 1000]), labels.block(a, a + 1000), values)
            for a in range(0, len(texts), 1000)
        ]
        assert whole == sum(parts[1:], parts[0])
    counts = CountVectorizer(ngram_range=(1, 3)).fit([t or "" for t in texts])
    found = WordCounts.of(Texts.of(texts), Labels(1, np.zeros(len(texts), np.int32)), values)
    expected = np.asarray(counts.transform([t or "" for t in texts]).sum(axis=0)).ravel()
    assert dict(zip(found.vocabulary.words, found.totals())) == dict(zip(counts.get_feature_names_out(), expected))


def test_words_of_one_hash_cannot_be_made_up_byte_by_byte():
    mask, c = 2**64 - 1, 0x9E3779B97F4A7C15
    key = int.from_bytes(b"abcdefgh", "little") ^ (int.from_bytes(b"ijklmnop", "little") * c & mask)
    letters_, made = b"abcdefghijklmnopqrstuvwxyz0123456789_", []

    def grow(i, high):
        if len(made) >= 200:
            return
        if i == 8:
            made.append(((key ^ (high * c & mask)).to_bytes(8, "little") + high.to_bytes(8, "little")).decode())
            return
        for letter in letters_:
            more = high | letter << 8 * i
            if ((key ^ more * c) >> 8 * i) & 255 in letters_:
                grow(i + 1, more)

    grow(0, 0)
    vocabulary, _ = Vocabulary.of(set(made))
    assert len(set(vocabulary.hash.tolist())) == len(vocabulary) == 200
