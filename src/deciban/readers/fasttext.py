"""fastText's lines: __label__x and a text, both read in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from deciban.errors import ColumnWarning, setting, warn_user
from deciban.readers.arrow import DOCUMENT
from deciban.readers.faults import Parsed
from deciban.readers.options import ReadOptions
from deciban.readers.splitting import labelled_lines, whole_lines
from deciban.readers.stream import TEXT_BLOCK, OpenFile, Types
from deciban.readers.table_reader import BlockReader

SCHEMA = pa.schema([("label", pa.string()), pa.field("text", pa.string_view(), metadata=DOCUMENT)])


class FastTextReader(BlockReader):
    """A file of labelled lines."""

    schema = SCHEMA

    def __init__(self, file: OpenFile, options: ReadOptions) -> None:
        super().__init__(file, whole_lines(file.text(options.encoding), TEXT_BLOCK))
        self._each_label = options.labels == "each"
        self._several_labels: list[int] = []  # lines with more than one label, by block

    def parser(self, schema: pa.Schema) -> Callable[[pa.Buffer], Parsed]:
        def parse(text: pa.Buffer) -> Parsed:
            batch, several_labels = split_labels(text, self._each_label)
            self._several_labels.append(several_labels)
            return Parsed([batch.select(schema.names)])

        return parse

    def schema_to_read(self, columns: Sequence[str], types: Types) -> pa.Schema:
        return pa.schema([SCHEMA.field(name) for name in columns])

    def batches(self, columns: Sequence[str], types: Types) -> Iterator[pa.RecordBatch]:
        yield from super().batches(columns, types)
        several_labels = sum(self._several_labels)
        if several_labels and "label" in columns and not self._each_label:
            warn_user(
                f"{several_labels} lines of {self.file.name} have more than one label; the first counts. "
                f"Give {setting('labels', 'each')} for a row of each label.",
                ColumnWarning,
            )


def split_labels(text: pa.Buffer, each_label: bool) -> tuple[pa.RecordBatch, int]:
    """Return labels and texts, and the number of lines with more than one label.

    There is a row for each line or, with ``each_label``, for each of its labels. Invalid UTF-8 becomes U+FFFD.
    """
    label_start, labels, has_label, texts, several_labels = labelled_lines(text, each_label)
    valid = pa.py_buffer(np.packbits(has_label, bitorder="little"))
    label = pa.Array.from_buffers(
        pa.large_string(), len(has_label), [valid, pa.py_buffer(label_start), pa.py_buffer(labels)]
    )
    document = pa.Array.from_buffers(pa.string_view(), len(has_label), [None, pa.py_buffer(texts), text])
    try:
        for array in (label, document):
            array.validate(full=True)
    except pa.ArrowInvalid:
        return split_labels(pa.py_buffer(text.to_pybytes().decode("utf-8", "replace").encode()), each_label)
    return pa.record_batch([label.cast(pa.string()), document], schema=SCHEMA), several_labels
