"""Fit and predict on lists of documents, next to scikit-learn, polars and fastText, and to ``wc -w`` on a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline

import deciban as db
from benchmarks import corpora, word_count
from benchmarks.by_hand import LABEL, TEXT, polars_words
from benchmarks.corpora import Corpus
from benchmarks.memory import MB
from benchmarks.race import OWN, Key, add_agreement
from benchmarks.report import Section, Target
from benchmarks.throughput import Entries, Entry, throughput

SKLEARN = "× CountVectorizer"
FIT_TARGETS = [Target("≥", 25, SKLEARN), word_count.TARGET]
PREDICT_TARGETS = [Target("≥", 20, SKLEARN)]
BIGRAMS_TARGETS = [Target("≥", 20, SKLEARN)]
# Share of the documents for contestants that would take minutes.
SLICE = 0.1
SLICE_NOTE = (
    f"Where MB is smaller, the first {100 * SLICE:g} % of the documents were measured: compare MB/s, not times."
)

WORDS, BIGRAMS = f"{OWN} Words()", f"{OWN} Words(ngrams=(1, 2))"
COUNTS, HASHES = "scikit-learn CountVectorizer, MultinomialNB", "scikit-learn HashingVectorizer, MultinomialNB"
COUNTS_OF_NGRAMS = "scikit-learn CountVectorizer(ngram_range=(1, 2)), MultinomialNB"


def words(longest: int = 1) -> db.NaiveBayes:
    return db.NaiveBayes(db.Words(ngrams=(1, longest)))


def counts(longest: int = 1) -> Pipeline:
    return make_pipeline(CountVectorizer(ngram_range=(1, longest)), MultinomialNB())


def hashes() -> Pipeline:
    return make_pipeline(HashingVectorizer(alternate_sign=False), MultinomialNB())


def fit(size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on a fit of single words."""
    entries: Entries = {}
    with TemporaryDirectory() as folder:
        for name, corpus in corpora.all_texts(size).items():
            contestants = {} if peers_only else {WORDS: fitting(words, corpus)}
            contestants |= fit_peers(corpus, Path(folder, name))
            entries |= {(name, contestant): entry for contestant, entry in contestants.items()}
        description = f"fit from a list of strings, {size / MB:,.0f} MB"
        peers = {SKLEARN: COUNTS, word_count.FIGURE: word_count.WC}
        section = throughput("text-fit", description, entries, peers, FIT_TARGETS, repeats)
    no_fasttext = [] if find_spec("fasttext") else ["Left out, not installed: fasttext."]
    section.notes += [SLICE_NOTE, *corpora.missing_notes(), *word_count.missing_notes(), *no_fasttext]
    return section


def fit_peers(corpus: Corpus, path: Path) -> dict[str, Entry]:
    """Return the entries of the peers: all but ``wc -w`` get a slice of the corpus."""
    part = corpus.first(SLICE)
    frame = pl.DataFrame({LABEL: part.labels, TEXT: part.texts}, schema_overrides={LABEL: pl.Categorical})
    entries = {COUNTS: fitting(counts, part), HASHES: fitting(hashes, part)}
    entries["polars group_by"] = Entry(partial(polars_words, frame), part.megabytes)
    if find_spec("fasttext"):
        entries["fastText train_supervised"] = fasttext(part, path.with_suffix(".slice"))
    path.write_text("\n".join(corpus.texts), encoding="utf-8")
    return entries | word_count.word_count(path)


def fasttext(corpus: Corpus, path: Path) -> Entry:
    """Return fastText's entry. It reads files only, and its five passes do more than count."""
    from fasttext import train_supervised

    corpora.write_lines(path, corpus)
    return Entry(partial(train_supervised, str(path), verbose=0), word_count.file_megabytes(path))


def predict(size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on predictions, all models fitted on a slice."""
    entries: Entries = {}
    labels: dict[Key, Any] = {}
    for name, corpus in corpora.all_texts(size).items():
        part = corpus.first(SLICE)
        contestants = {} if peers_only else {WORDS: (words, corpus)}
        for contestant, (make, documents) in {**contestants, COUNTS: (counts, part)}.items():
            model = make().fit(*part)
            entries[name, contestant] = Entry(partial(model.predict, documents.texts), documents.megabytes)
            labels[name, contestant] = model.predict(part.texts)
    description = f"predict a list of strings, {size / MB:,.0f} MB"
    section = throughput("text-predict", description, entries, {SKLEARN: COUNTS}, PREDICT_TARGETS, repeats)
    for name in dict.fromkeys(text for text, _ in labels):
        add_agreement(section, {key: predicted for key, predicted in labels.items() if key[0] == name}, (name, COUNTS))
    section.notes += [f"{SLICE_NOTE} All models, and the labels compared, are of these.", *corpora.missing_notes()]
    return section


def bigrams(size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on a fit of words and bigrams."""
    entries: Entries = {}
    for name, corpus in corpora.all_texts(size).items():
        part = corpus.first(SLICE)
        if not peers_only:
            entries[name, BIGRAMS] = fitting(partial(words, 2), corpus)
            entries[name, f"{BIGRAMS}, slice"] = fitting(partial(words, 2), part)
        entries[name, COUNTS_OF_NGRAMS] = fitting(partial(counts, 2), part)
    description = f"fit single words and pairs from a list of strings, {size / MB:,.0f} MB"
    section = throughput("text-bigrams", description, entries, {SKLEARN: COUNTS_OF_NGRAMS}, BIGRAMS_TARGETS, repeats)
    limit = (
        f"While it counts, deciban keeps the {db.Words().limit:,} most frequent; scikit-learn keeps all of its slice."
    )
    section.notes += [SLICE_NOTE, limit, *corpora.missing_notes()]
    return section


def fitting(make: Callable[[], Any], corpus: Corpus) -> Entry:
    """Return the entry of a fit with a new estimator each time, so that no fit reuses results of an earlier one."""
    return Entry(lambda: make().fit(*corpus), corpus.megabytes)
