"""Texts without a table around them, as a frame of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.frame import Coded, Columns, Frame
from deciban.arrays.labels import encode
from deciban.arrays.names import object_array
from deciban.arrays.row_keys import RowKeys, name_seed
from deciban.arrays.types import Longs, Mask

if TYPE_CHECKING:
    from deciban.arrays.kept_rows import KeptTexts

# Bytes of text to summarise at a time: enough to be worth merging a vocabulary.
SUMMARY_BYTES = 1 << 27
# Fewer bytes than this are not worth a second thread.
SMALL_BYTES = 1 << 20
# Bytes of text to score at a time.
SCORE_BYTES = 1 << 20
# The mean size of all texts is estimated from this number of them.
MEASURED_TEXTS = 1000


@dataclass(frozen=True)
class Texts(Frame):
    """One column of texts, read in place: Python strings, bytes in UTF-8, or an Arrow column."""

    documents: Documents

    @staticmethod
    def of(texts: list[Any]) -> Texts:
        """Wrap a list of strings, or of bytes in UTF-8, with None for a missing value."""
        return Texts(documents_of(texts))

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.documents), 1

    def block(self, begin: int, end: int) -> Texts:
        return Texts(self.documents.slice(begin, end))

    def take(self, columns: Columns) -> Texts:
        return self

    def pick(self, rows: Longs) -> Texts:
        return Texts(self.documents.take(rows.astype(np.int64, copy=False)))

    def column(self, j: int) -> Coded:
        names, codes = encode(object_array(self.to_list()))
        return Coded(codes, names)

    def values(self, row: int) -> list[Any]:
        return self.block(row, row + 1).to_list()

    def missing(self, j: int) -> Mask:
        return self.documents.missing().view(bool)

    def texts(self, j: int) -> Documents:
        return self.documents

    def row_keys(self) -> RowKeys:
        rows = RowKeys.zero(len(self.documents))
        rows.add_texts(self.documents, name_seed("text"))
        return rows

    def keep(self, rows: Longs) -> KeptTexts:
        from deciban.arrays.kept_rows import KeptTexts

        return KeptTexts(tuple(self.pick(rows).to_list()))

    def to_list(self) -> list[str | bytes | None]:
        """Return the texts as they were given."""
        return self.documents.to_list()

    def strings(self) -> list[str | None]:
        """Return the texts as strings, None for a missing value."""
        return [text.decode("utf8", "replace") if isinstance(text, bytes) else text for text in self.to_list()]

    def known_strings(self, rows: int) -> list[str]:
        """Return the texts of the first rows, without missing values."""
        return [text for text in self.block(0, rows).strings() if text is not None]

    def summary_rows(self, state_cells: int, dense: bool) -> int:
        size = self.text_size * len(self.documents)
        if size < SMALL_BYTES:
            return max(1, len(self.documents))
        blocks = 1 << math.ceil(math.log2(max(2, size / SUMMARY_BYTES)))  # a power of two shares evenly among cores
        return -(-len(self.documents) // blocks)

    def score_rows(self, classes: int, dense: bool) -> int:
        return max(1, int(SCORE_BYTES / self.text_size))

    @property
    def text_size(self) -> float:
        """Mean number of characters of a text, and one more; estimated from some of the texts."""
        rows = np.arange(0, len(self.documents), max(1, len(self.documents) // MEASURED_TEXTS))
        return 1 + float(self.pick(rows).documents.sizes().mean()) if len(rows) else 1.0
