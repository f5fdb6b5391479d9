"""Keys of rows: 64-bit hashes of their content, the same whatever frame, file or batch the rows come from.

A key is a sum over the cells, each hashed with the seed of its column; missing cells add nothing. Samples in model
files are ordered by key, so keys must never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.labels import encode
from deciban.arrays.names import is_missing
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.types import Array, Codes, Longs, Names

Keys = NDArray[np.uint64]

# The name under which labels enter a key; no column of a table is called so.
LABEL_SEED = "\0label"
# A sample drops bits of keys in tests only, so that different rows have one key.
KEY_MASK = (1 << 64) - 1


def name_seed(name: str) -> int:
    """Return the seed of a column of a table."""
    return int(kernels.text_hash(name.encode("utf-8", "surrogatepass")))


def position_seeds(columns: int) -> Keys:
    """Return the seeds of the columns of an array, which are known by position."""
    positions = np.arange(1, columns + 1, dtype=np.uint64)
    return positions * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(name_seed("\0position"))


@dataclass(frozen=True, eq=False)
class RowKeys:
    """[rows] keys of rows, and the bytes that each row takes, to which cells are added in place."""

    key: Keys
    size: Longs

    @staticmethod
    def zero(rows: int) -> RowKeys:
        """Return the keys of rows without cells."""
        return RowKeys(np.zeros(rows, dtype=np.uint64), np.zeros(rows, dtype=np.int64))

    def add_numbers(self, x: Array, seeds: Keys, valid: Array | None = None, first: int = 0) -> None:
        """Add columns of numbers [rows × columns]; NaN is missing, and so is a row without a bit in ``valid``."""
        kernels.add_number_keys(x, valid, first, seeds, self.key, self.size)

    def add_sparse(self, values: Array, indices: Array, pointers: Array, seeds: Keys) -> None:
        """Add the columns of compressed rows; a key is that of the same row stored densely."""
        kernels.add_sparse_keys(values, indices, pointers, len(self.key), seeds, self.key, self.size)

    def add_texts(self, texts: Documents, seed: int) -> None:
        """Add a column of texts."""
        kernels.add_text_keys(texts, seed, self.key, self.size)

    def add_values(self, values: Names, seed: int) -> None:
        """Add a column of values of any hashable kind, None or NaN for a missing one."""
        names, codes = encode(values)
        self.add_codes(codes, names, seed)

    def add_codes(self, codes: Codes, names: Names, seed: int) -> None:
        """Add a column of categories: the position of every row's name, −1 for a missing value."""
        cells = RowKeys.zero(len(names) + 1)  # the last is a missing value's
        known = RowKeys(cells.key[:-1], cells.size[:-1])
        if names.dtype.kind in "biuf":
            known.add_numbers(readable(names[:, None]), np.array([seed], dtype=np.uint64))
        elif all(isinstance(name, str) for name in names.tolist()):
            known.add_texts(documents_of(names.tolist()), seed)
        else:
            for i, name in enumerate(names.tolist()):
                RowKeys(cells.key[i : i + 1], cells.size[i : i + 1])._add_value(name, seed)
        self.add_cells(codes, cells)

    def add_cells(self, codes: Codes, cells: RowKeys) -> None:
        """Add a column by the position of every row's cell among cells with keys; the last one is a missing value's."""
        np.add(self.key, cells.key[codes], out=self.key)
        np.add(self.size, cells.size[codes], out=self.size)

    def _add_value(self, value: Any, seed: int) -> None:
        """Add one value to all rows: numbers and booleans by value, texts by UTF-8, other values by their repr."""
        number = canonical_number(value) if isinstance(value, Real) else None
        if isinstance(number, float) or (number is not None and number.bit_length() < 64):
            self.add_numbers(np.array([[number]] * len(self.key)), np.array([seed], dtype=np.uint64))
            return
        text = value if isinstance(value, str | bytes) else f"\0{type(value).__name__} {value!r}"
        self.add_texts(documents_of([text] * len(self.key)), seed)

    def finished(self) -> Keys:
        """Return the keys, scrambled once more, because sums of few cells are not spread evenly."""
        key = self.key.copy()
        for _ in range(2):
            key ^= key >> np.uint64(32)
            key *= np.uint64(0xD6E8FEB86659FD93)
        return (key ^ key >> np.uint64(32)) & np.uint64(KEY_MASK)


def canonical_number(value: Any) -> float | int:
    """Return a number as a float, or as an integer where no float has its value.

    >>> canonical_number(True), canonical_number(-0.0), canonical_number(2**53 + 1)
    (1.0, 0.0, 9007199254740993)
    """
    as_float = float(value) + 0.0
    if isinstance(value, int | np.integer) and int(as_float) != int(value):
        return int(value)
    return as_float


def encode_cells(cells: Sequence[tuple[str, Any]]) -> bytes:
    """Return the cells of a row, by column, as bytes that tell any two different rows apart.

    They order the rows of one key.
    """
    parts = []
    for name, value in sorted(cells, key=lambda cell: cell[0]):
        if is_missing(value):
            continue
        if isinstance(value, Real):
            content = f"n{canonical_number(value)!r}"
        else:
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            content = f"t{text}" if isinstance(text, str) else f"o{type(value).__name__} {value!r}"
        parts.append(f"{len(name)}:{name}{len(content)}:{content}")
    return "".join(parts).encode("utf-8", "surrogatepass")
