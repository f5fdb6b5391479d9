"""Random arguments that fit together, as the package passes them to kernels."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from kernel_arrays import KINDS

from deciban.arrays.documents import documents_of, letters, plain_letters
from deciban.arrays.native import kernels
from deciban.statistics.vocabulary import Vocabulary

TEXTS = ["a b", "", None, "Straße 12", "zwölf Boxkämpfer", b"bytes and b", "\U0001f600 x", "a a a", "日本語"]


def padded(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


@dataclass
class Draw:
    """Draws arrays for tables with this number of rows, features and classes."""

    rng: np.random.Generator
    rows: int
    features: int
    classes: int
    classes_padded: int = field(init=False)
    features_padded: int = field(init=False)

    def __post_init__(self) -> None:
        self.classes_padded = padded(self.classes, kernels.LANES)
        self.features_padded = padded(self.features, kernels.PACK)

    def chance(self) -> bool:
        return bool(self.rng.random() < 0.5)

    def below(self, end: int) -> int:
        return int(self.rng.integers(end))

    def doubles(self, *shape: int) -> np.ndarray:
        return self.rng.normal(size=shape)

    def counts(self, *shape: int) -> np.ndarray:
        return self.rng.integers(1, 9, shape).astype(float)

    def codes(self, size: int, end: int) -> np.ndarray:
        """int32 codes from 0 to end - 1; all of them 0 if there are none."""
        return self.rng.integers(0, max(end, 1), size).astype(np.int32)

    def longs(self, size: int, end: int) -> np.ndarray:
        return self.rng.integers(0, max(end, 1), size)

    def hashes(self, *shape: int) -> np.ndarray:
        return self.rng.integers(0, 2**64 - 1, shape, dtype=np.uint64)

    def memory(self, size: int) -> np.ndarray:
        return self.rng.integers(0, 256, size).astype(np.uint8)

    def threshold(self) -> float | None:
        return 0.5 if self.chance() else None

    def ends(self, parts: int, size: int) -> np.ndarray:
        """Offsets of some parts that fill memory of this size."""
        if not parts:
            return np.zeros(1, np.int64)
        cuts = np.sort(self.longs(parts - 1, size + 1))
        return np.concatenate([[0], cuts, [size]]).astype(np.int64)

    def start(self, parts: int) -> np.ndarray:
        """Offsets of some parts of zero to four entries."""
        return np.concatenate([[0], np.cumsum(self.longs(parts, 5))]).astype(np.int64)

    def matrix(self, rows: int | None = None, cols: int | None = None) -> np.ndarray:
        """A matrix of any number type and layout."""
        shape = self.rows if rows is None else rows, self.features if cols is None else cols
        kind = KINDS[self.below(len(KINDS))]
        x = self.rng.integers(0, 5, (2 * shape[0], 2 * shape[1])).astype(kind)
        if kind in ("f8", "f4"):
            x[self.rng.random(x.shape) < 0.02] = np.nan
        views = [x[::2, ::2], x[1::2, ::2], x[::-2, ::-2], np.ascontiguousarray(x[::2, ::2]), x[::2, ::2].copy("F")]
        return views[self.below(len(views))]

    def row_major(self) -> np.ndarray:
        return np.ascontiguousarray(self.matrix())

    def labels(self) -> tuple:
        """Class codes with or without weights, or soft labels; a code of -1 has no class."""
        if self.chance():
            return None, None, self.rng.random((self.rows, self.classes))
        codes = self.codes(self.rows, self.classes + 1) - 1
        return codes, self.rng.random(self.rows) if self.chance() else None, None

    def bits(self) -> tuple:
        """A bitmap of the rows and its first bit, or none."""
        first = self.below(9)
        return (self.memory((first + self.rows + 7) // 8), first) if self.chance() else (None, 0)

    def columns(self) -> tuple:
        """Separate columns with their bitmaps."""
        bits = [self.bits() for _ in range(self.features)]
        return [self.matrix(cols=1) for _ in bits], [b[0] for b in bits], [b[1] for b in bits]

    def code_columns(self) -> list:
        return [self.codes(self.rows, 6) - 1 for _ in range(self.features)]

    def layout(self) -> tuple:
        """The lowest code of every column and the offsets of its codes, with the number of all codes."""
        start = np.arange(self.features + 1) * 5
        return np.zeros(self.features, np.int64), start, int(start[-1])

    def cuts(self) -> list:
        return [np.sort(self.doubles(self.below(4))) for _ in range(self.features)]

    def bins(self, cuts: list) -> int:
        return sum(len(c) + 1 for c in cuts)

    def pairs(self) -> tuple:
        """Two classes of every row; there are no rows if there are no classes."""
        return self.codes(self.rows, self.classes), self.codes(self.rows, self.classes)

    def sparse(self, major: int, minor: int) -> tuple:
        """Values, indices and pointers of compressed rows or columns."""
        kind = (np.int32, np.int64)[self.below(2)]
        pointers = self.start(major) if minor else np.zeros(major + 1, np.int64)
        size = int(pointers[-1])
        number = KINDS[self.below(len(KINDS))]
        return self.counts(size).astype(number), self.longs(size, minor).astype(kind), pointers.astype(kind)

    def strings(self) -> tuple:
        """Offsets and bytes of an Arrow column of strings, and its bitmap; None where no row is missing."""
        valid, first = self.bits()
        wide, data = self.chance(), self.memory(3 * self.rows)
        ends = np.concatenate([np.zeros(first), self.ends(self.rows, len(data) if self.rows else 0)])
        return ends.astype("i8" if wide else "i4").view(np.uint8), wide, data, valid, first

    def views(self) -> tuple:
        """An Arrow column of string views, short ones and ones in two buffers, and its bitmap."""
        valid, first = self.bits()
        views = np.zeros((first + self.rows, 4), np.int32)
        views[:, 0] = self.longs(len(views), 20)
        views[:, 2:] = self.rng.integers(0, 2, (len(views), 2))
        return views.view(np.uint8).ravel(), [self.memory(40), self.memory(30)], valid, first

    def documents(self) -> object:
        return documents_of([TEXTS[self.below(len(TEXTS))] for _ in range(self.rows)])

    def vocabulary(self) -> tuple:
        """The hash, offsets and bytes of a vocabulary with as many words as there are features, at most."""
        words = {f"{'a bc'[: self.below(5)]}{self.below(99)}" for _ in range(self.features)} | {"a"}
        found, _ = Vocabulary.of(sorted(words)[: self.features])
        return found.hash, found.start, found.text

    def word_counts(self, words: int) -> tuple:
        """The offsets, ascending classes and weights of the entries of some words."""
        present = self.rng.random((words, self.classes)) < 0.6
        start = np.concatenate([[0], np.cumsum(present.sum(axis=1))]).astype(np.int64)
        return start, np.nonzero(present)[1].astype(np.int32), self.counts(int(start[-1]))

    def tokenizer(self) -> object:
        return kernels.tokenizer(*self.tokenizer_options())

    def tokenizer_options(self) -> tuple:
        least = 1 + self.below(3)
        buckets = [0, 1, 7, 1 << 20][self.below(4)]
        joiners = [ord("-")] if self.chance() else []
        tables = (*letters(), *(plain_letters() if self.chance() else (None, None)))
        if self.chance():
            return False, self.chance(), 1, 1, 0, joiners, *tables, False, True
        most = least + self.below(3)
        return self.chance(), self.chance(), least, most, buckets, joiners, *tables, self.chance(), False

    def word_scores(self, words: int) -> tuple:
        base = self.doubles(words) if self.chance() else None
        return *self.word_counts(words), *self.doubles(3, self.classes), base
