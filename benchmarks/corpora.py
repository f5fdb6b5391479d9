"""The documents of the text cases, real and made up: fixed seeds, so every run sees the same ones in the same order."""

from __future__ import annotations

import gzip
import json
import os
import string
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from benchmarks.data import SEED
from benchmarks.memory import MB

DATA = Path(os.environ.get("DECIBAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
FILES = [DATA / name / f"{part}.jsonl.gz" for name in ("20newsgroups", "imdb") for part in ("train", "test")]
HEADLINES = [DATA / name / "all.jsonl.gz" for name in ("sarcasm_headlines", "onion_or_not")]

WORDS, EXPONENT, CLASSES = 100_000, 1.1, 20
# Of a word and of a document; with the space, about as many bytes a word as English has.
LETTERS, SHORTEST, LONGEST = range(3, 8), 100, 300
# So many of the most frequent words say nothing about the class; the others trade places by class, so many at a time.
COMMON, TRADING = 100, 1000


class Corpus(NamedTuple):
    texts: list[str]
    labels: NDArray[np.str_]

    @property
    def megabytes(self) -> float:
        return sum(len(text.encode()) for text in self.texts) / MB

    def first(self, share: float) -> Corpus:
        end = max(1, int(share * len(self.texts)))
        return Corpus(self.texts[:end], self.labels[:end])


def both(size: float) -> dict[str, Corpus]:
    """Of about so many bytes each; the made-up one alone where the data are missing."""
    makers: dict[str, Callable[[float], Corpus]] = {"zipf": zipf} if left_out() else {"real": real, "zipf": zipf}
    return {name: make(size) for name, make in makers.items()}


def short_ones_too(size: float) -> dict[str, Corpus]:
    return both(size) | ({} if left_out() else {"headlines": shuffled(HEADLINES, size)})


def left_out() -> list[str]:
    missing = [str(path.relative_to(DATA)) for path in FILES + HEADLINES if not path.exists()]
    where = "set DECIBAN_DATA to the folder that holds them"
    return [f"Left out: real documents, for {', '.join(missing)} are not here; {where}."] if missing else []


def real(size: float) -> Corpus:
    """News and film reviews."""
    return shuffled(FILES, size)


def shuffled(paths: Sequence[Path], size: float) -> Corpus:
    """Documents in a shuffled order, all of them as often as it takes, each in memory of its own."""
    documents = list(read(paths))
    texts = pa.array([text for text, _ in documents], pa.large_string())
    lengths = pc.binary_length(texts).to_numpy()
    passes = int(size / lengths.sum()) + 1
    order = np.random.default_rng(SEED).permutation(np.tile(np.arange(len(documents)), passes))
    order = order[: np.searchsorted(lengths[order].cumsum(), size)]
    return Corpus(texts.take(pa.array(order)).to_pylist(), np.array([documents[i][1] for i in order]))


def read(paths: Sequence[Path] = FILES) -> Iterator[tuple[str, str]]:
    """Texts and labels."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for document in map(json.loads, lines):
                yield document["text"], document["label"]


def zipf(size: float) -> Corpus:
    """Words by Zipf's law; which word has which rank depends on the class."""
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
    """Twice as many as needed are drawn, since short ones come up again and again."""
    letters = rng.choice(list(string.ascii_lowercase), (2 * WORDS, LETTERS[-1]))
    # An empty cell at the end is no letter, once a row is seen as one string.
    letters[np.arange(LETTERS[-1]) >= rng.choice(LETTERS, (2 * WORDS, 1))] = ""
    return rng.permutation(np.unique(letters.view(f"U{LETTERS[-1]}")))[:WORDS]


def write_lines(path: Path, corpus: Corpus) -> None:
    """As fastText reads them: a document is a line, so its own line breaks become spaces."""
    lines = (text.replace("\n", " ") for text in corpus.texts)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"__label__{label} {line}\n" for label, line in zip(corpus.labels, lines))


def write_json(path: Path, corpus: Corpus) -> None:
    objects = ({"text": text, "label": label} for text, label in zip(corpus.texts, corpus.labels))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)
