"""fastText's lines: __label__x and a text, both read where they lie."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.documents import labelled_lines
from deciban.arrays.parallel import map_ordered, thread_count
from deciban.errors import ColumnWarning
from deciban.readers.arrow import DOCUMENT
from deciban.readers.stream import TEXT_BLOCK, ReadOptions, Types, open_stream, position_in, told, whole_lines

SCHEMA = pa.schema([("label", pa.string()), pa.field("text", pa.string_view(), metadata=DOCUMENT)])


def open_fasttext(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    stream, raw = open_stream(path, options.encoding)

    def batches() -> Iterator[pa.RecordBatch]:
        several = 0
        with stream, told(path):
            for batch, more in map_ordered(_labelled, whole_lines(stream, TEXT_BLOCK), thread_count(None)):
                several += more
                yield batch if columns is None else batch.select(list(columns))
        if several and columns is not None and "label" in columns:
            warnings.warn(
                f"{several} lines of {path} have more than one label; the first counts.", ColumnWarning, stacklevel=2
            )

    return SCHEMA, batches(), position_in(raw)


def _labelled(block: pa.Buffer) -> tuple[pa.RecordBatch, int]:
    """Labels and texts, and how many lines have more than one label; what is not UTF-8 becomes U+FFFD."""
    label_start, labels, has_label, texts, several = labelled_lines(block)
    valid = pa.py_buffer(np.packbits(has_label, bitorder="little"))
    label = pa.Array.from_buffers(
        pa.large_string(), len(has_label), [valid, pa.py_buffer(label_start), pa.py_buffer(labels)]
    )
    text = pa.Array.from_buffers(pa.string_view(), len(has_label), [None, pa.py_buffer(texts), block])
    try:
        for array in (label, text):
            array.validate(full=True)
    except pa.ArrowInvalid:
        return _labelled(pa.py_buffer(block.to_pybytes().decode("utf-8", "replace").encode()))
    return pa.record_batch([label.cast(pa.string()), text], schema=SCHEMA), several
