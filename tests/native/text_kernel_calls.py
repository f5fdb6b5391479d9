"""Generators of valid arguments for the functions and methods that read texts, keys, draws and files."""

from __future__ import annotations

import numpy as np
from kernel_arguments import TEXTS
from kernel_calls import ZEROS, call

from deciban.arrays.native import kernels

LINES = [
    b'{"a": "x", "b": 2}\n',
    b'{"a": "\\u00e9\\n"}\n',
    b"__label__ham lunch\n",
    b"__label__a __label__b x\n",
    b"\n",
]
LINES += [b'a,"b\nc",d\n', b'""\r\n', b'{"a": null}\n', b"[1]\n", b'"', b"\\", b"\xff\xfe"]


def lines(d):
    """The memory of some lines of JSON, fastText and CSV."""
    return np.frombuffer(b"".join(LINES[d.below(len(LINES))] for _ in range(d.rows)), np.uint8)


@call
def row_ends(d):
    return lines(d), ord(","), ord('"')


@call
def labelled_lines(d):
    return lines(d), d.chance()


@call
def take_texts(d):
    text = lines(d) if d.chance() else np.frombuffer(LINES[d.below(2)] * d.rows, np.uint8)
    return text, ["a", "b"][: d.features]


# Documents


@call
def documents_of_list(d):
    return (d.documents().to_list(),)


@call
def documents_of_strings(d):
    return *d.strings(), d.rows


@call
def documents_of_views(d):
    return *d.views(), d.rows


@call
def joined_documents(d):
    return ([d.documents() for _ in range(d.features)],)


@call
def Documents___len__(d):
    return (d.documents(),)


@call
def Documents_slice(d):
    return d.documents(), d.below(9) - 2, d.below(9)


@call
def Documents_take(d):
    return d.documents(), d.longs(d.features if d.rows else 0, d.rows)


@call
def Documents_missing(d):
    return (d.documents(),)


@call
def Documents_sizes(d):
    return (d.documents(),)


@call
def Documents_to_list(d):
    return (kernels.documents_of_strings(*d.strings(), d.rows) if d.chance() else d.documents(),)


# Words


@call
def tokenizer(d):
    return d.tokenizer_options()


@call
def word_index(d):
    hashes, start, text = d.vocabulary()
    return hashes, start, text, d.rng.permutation(len(hashes)) if d.chance() else None, d.chance()


def tokenizer_and_index(d):
    """A tokenizer, and an index of a vocabulary for its terms."""
    tokenizer, vocabulary = d.tokenizer(), d.vocabulary()
    return tokenizer, kernels.word_index(*vocabulary, None, tokenizer.joins_words), len(vocabulary[0])


@call
def find_vocabulary(d):
    return kernels.word_index(*d.vocabulary(), None), *d.vocabulary()


@call
def hash_words(d):
    return d.vocabulary()[1:]


@call
def take_words(d):
    hashes, start, text = d.vocabulary()
    return hashes, start, text, d.longs(d.rows if len(hashes) else 0, len(hashes))


@call
def take_counts(d):
    members = np.unique(d.longs(d.rows if d.features else 0, d.features))
    return *d.word_counts(d.features), d.classes, members


@call
def merge_words(d):
    a, b = d.vocabulary(), d.vocabulary()
    return *a, *d.word_counts(len(a[0])), *b, *d.word_counts(len(b[0])), d.chance()


@call
def word_scores(d):
    return *d.word_scores(d.features), d.doubles(d.features) if d.chance() else None


@call
def count_words(d):
    return d.documents(), *d.labels(), d.classes, d.tokenizer(), d.below(3), d.chance()


@call
def find_words(d):
    tokenizer, index, _ = tokenizer_and_index(d)
    return d.documents(), index, tokenizer, d.below(3), d.chance()


@call
def place_terms(d):
    while (tokenizer := d.tokenizer()).joins_words:
        pass
    return d.documents(), kernels.word_index(*d.vocabulary(), None), tokenizer


@call
def score_words(d):
    tokenizer, index, words = tokenizer_and_index(d)
    scores = kernels.word_scores(*d.word_scores(words), d.doubles(words) if d.chance() else None)
    return d.documents(), index, tokenizer, d.below(3), d.chance(), scores, ZEROS((d.rows, d.classes))


@call
def add_left_out_lifts(d):
    start, lines = d.start(d.rows), d.features + 1
    entries = int(start[-1])
    shape = d.rows, d.classes
    line = d.longs(entries, lines)
    numbers = [d.counts(entries) for _ in range(3)]
    counts = d.counts(lines, d.classes), 0.5, d.rng.choice([0.0, 0.4])
    return start, line, *numbers, d.codes(d.rows, d.classes), d.counts(*shape), *counts, ZEROS(shape)


# Draws


@call
def build_alias(d):
    return d.counts(d.classes, d.features), ZEROS((d.classes, d.features, 2), np.uint64)


@call
def draw_alias(d):
    weight, table = build_alias(d)
    if weight.shape[1]:
        kernels.build_alias(weight, table)
    codes = d.codes(d.rows, d.classes) if d.classes != 1 or d.chance() else None
    return table, d.hashes(d.rows), codes, ZEROS(d.rows, np.int32)


@call
def compose(d):
    _, start, text = d.vocabulary()
    drawn = d.codes(3 * d.rows if len(start) > 1 else 0, len(start) - 1)
    first = np.arange(d.rows) * 3 if len(drawn) else ZEROS(d.rows, np.int64)
    return start, text, drawn, first, d.longs(d.rows, 4 if len(drawn) else 1), d.chance(), d.chance()


# Keys of rows


def keys(d):
    return ZEROS(d.rows, np.uint64), ZEROS(d.rows, np.int64)


@call
def add_number_keys(d):
    return d.matrix(), *d.bits(), d.hashes(d.features), *keys(d)


@call
def add_sparse_keys(d):
    return *d.sparse(d.rows, d.features), d.rows, d.hashes(d.features), *keys(d)


@call
def add_text_keys(d):
    return d.documents(), d.below(99), *keys(d)


@call
def text_hash(d):
    text = TEXTS[d.below(len(TEXTS))]
    return (str(text).encode() * d.rows,)
