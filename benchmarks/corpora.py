"""Documents of the text cases, real and synthetic, from a fixed seed: the same in every run, in the same order."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from benchmarks.data import SEED
from benchmarks.memory import MB
from benchmarks.real_data import DATA, read_documents

FILES = [DATA / name / f"{part}.jsonl.gz" for name in ("20newsgroups", "imdb") for part in ("train", "test")]
HEADLINES = [DATA / name / "all.jsonl.gz" for name in ("sarcasm_headlines", "onion_or_not")]

# Synthetic documents: vocabulary, exponent of Zipf's law, classes.
WORDS, EXPONENT, CLASSES = 100_000, 1.1, 20
# Letters of a word and words of a document; with the space, a word has about the bytes of an English one.
LETTERS, SHORTEST, LONGEST = range(3, 8), 100, 300
# The COMMON most frequent words are the same in every class; blocks of TRADING ranks are rotated by class.
COMMON, TRADING = 100, 1000


class Corpus(NamedTuple):
    """Documents and their labels."""

    texts: list[str]
    labels: NDArray[np.str_]

    @property
    def megabytes(self) -> float:
        return sum(len(text.encode()) for text in self.texts) / MB

    def first(self, share: float) -> Corpus:
        """Return the first documents, a share of all."""
        end = max(1, int(share * len(self.texts)))
        return Corpus(self.texts[:end], self.labels[:end])


def long_texts(size: float) -> dict[str, Corpus]:
    """Return the real and the synthetic corpus, about ``size`` bytes each; the real one only if its files exist."""
    makers: dict[str, Callable[[float], Corpus]] = {"zipf": zipf} if missing_notes() else {"real": real, "zipf": zipf}
    return {name: make(size) for name, make in makers.items()}


def all_texts(size: float) -> dict[str, Corpus]:
    """Return the long texts, and headlines if their files exist."""
    return long_texts(size) | ({} if missing_notes() else {"headlines": shuffled(HEADLINES, size)})


def missing_notes() -> list[str]:
    """Return a note on files of real documents that do not exist, if any."""
    missing = [str(path.relative_to(DATA)) for path in FILES + HEADLINES if not path.exists()]
    where = "set DECIBAN_DATA to the folder that holds them"
    return [f"Left out: real documents, for {', '.join(missing)} are not here; {where}."] if missing else []


def real(size: float) -> Corpus:
    """Return news and film reviews."""
    return shuffled(FILES, size)


def shuffled(paths: Sequence[Path], size: float) -> Corpus:
    """Return the documents of the files in random order, repeated up to ``size`` bytes, each a string of its own."""
    documents = list(read_documents(paths))
    texts = pa.array([text for text, _ in documents], pa.large_string())
    lengths = pc.binary_length(texts).to_numpy()
    passes = int(size / lengths.sum()) + 1
    order = np.random.default_rng(SEED).permutation(np.tile(np.arange(len(documents)), passes))
    order = order[: np.searchsorted(lengths[order].cumsum(), size)]
    return Corpus(texts.take(pa.array(order)).to_pylist(), np.array([documents[i][1] for i in order]))


def zipf(size: float) -> Corpus:
    """Return documents of words drawn by Zipf's law. The ranks of the words depend on the class."""
    rng = np.random.default_rng(SEED)
    words = pa.array(vocabulary(rng))
    frequencies = np.arange(1, WORDS + 1) ** -EXPONENT
    cumulated = frequencies.cumsum() / frequencies.sum()
    word_bytes = 1 + pc.binary_length(words).to_numpy() @ frequencies / frequencies.sum()
    documents = max(CLASSES, int(size / (word_bytes * (SHORTEST + LONGEST) / 2)))
    y = rng.integers(0, CLASSES, documents)
    lengths = rng.integers(SHORTEST, LONGEST + 1, documents)
    rank = np.searchsorted(cumulated, rng.random(lengths.sum()))
    traded = rank - rank % TRADING + (rank + np.repeat(y, lengths) * (TRADING // CLASSES)) % TRADING
    drawn = words.take(pa.array(np.where(rank < COMMON, rank, traded)))
    ends = pa.array(np.concatenate([[0], lengths.cumsum()]), pa.int32())
    texts = pc.binary_join(pa.ListArray.from_arrays(ends, drawn), " ")
    return Corpus(texts.to_pylist(), np.array([f"class{k:02d}" for k in range(CLASSES)])[y])


def vocabulary(rng: np.random.Generator) -> NDArray[np.str_]:
    """Return distinct random words. Twice the number needed is drawn, since short words repeat."""
    letters = rng.choice(list(string.ascii_lowercase), (2 * WORDS, LETTERS[-1]))
    # NumPy drops empty characters at the end of a string, so words have different lengths.
    letters[np.arange(LETTERS[-1]) >= rng.choice(LETTERS, (2 * WORDS, 1))] = ""
    return rng.permutation(np.unique(letters.view(f"U{LETTERS[-1]}")))[:WORDS]


def write_lines(path: Path, corpus: Corpus) -> None:
    """Write the lines that fastText reads: one per document, whose own line breaks become spaces."""
    lines = (text.replace("\n", " ") for text in corpus.texts)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"__label__{label} {line}\n" for label, line in zip(corpus.labels, lines))


def write_json(path: Path, corpus: Corpus) -> None:
    """Write JSON Lines with "text" and "label"."""
    objects = ({"text": text, "label": label} for text, label in zip(corpus.texts, corpus.labels))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(document, ensure_ascii=False) + "\n" for document in objects)
