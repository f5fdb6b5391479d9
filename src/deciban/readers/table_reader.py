"""Readers of one open file: its schema, its first rows, then all rows, from one opening."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from deciban.arrays.parallel import map_ordered, thread_count
from deciban.readers.faults import NO_FAULTS, Parsed
from deciban.readers.stream import OpenFile, Types, unreadable


class TableReader:
    """The table in an open file. Call ``head`` any number of times, then ``batches`` once."""

    file: OpenFile
    schema: pa.Schema

    def head(self, rows: int) -> list[pa.RecordBatch]:
        """Return the first batches, with at least ``rows`` rows unless the file has fewer; they remain to be read."""
        raise NotImplementedError

    def batches(self, columns: Sequence[str], types: Types) -> Iterator[pa.RecordBatch]:
        """Yield all rows of some columns, in order; ``types`` guide formats without types."""
        raise NotImplementedError

    def position(self) -> int:
        """Return the number of bytes read from the file so far."""
        return self.file.position()

    def close(self) -> None:
        self.file.close()


@dataclass
class TextBlock:
    """Whole rows of a text file, with what was parsed from them if that is known."""

    text: Any
    parsed: Parsed | None = None


class BlockReader(TableReader):
    """A text file in blocks of whole rows, parsed on all cores; the first block settles the schema.

    Blocks read for the schema and the first rows wait in memory for ``batches``, with what was parsed from them.
    """

    def __init__(self, file: OpenFile, blocks: Iterator[Any]) -> None:
        self.file = file
        self._unread = map(TextBlock, blocks)
        self._waiting: deque[TextBlock] = deque()

    def parser(self, schema: pa.Schema) -> Callable[[Any], Parsed]:
        """Return a function that parses the text of a block to batches of the schema."""
        raise NotImplementedError

    def schema_to_read(self, columns: Sequence[str], types: Types) -> pa.Schema:
        """Return the schema of some columns under the types asked for, as far as the format allows."""
        raise NotImplementedError

    def locate(self, error: pa.ArrowInvalid, rows: int) -> ValueError:
        """Return a parser's error as one that names the file, and the row if known; ``rows`` rows precede the block."""
        return unreadable(self.file.name, error)

    def place(self, row: int) -> str:
        """Return the name of a row, counted from 0, for messages."""
        return f"row {row + 1} of {self.file.name}"

    def first_block(self) -> TextBlock | None:
        """Return the first block, which remains to be read; None in a file without rows."""
        return next(self._look_ahead(), None)

    def head(self, rows: int) -> list[pa.RecordBatch]:
        found: list[pa.RecordBatch] = []
        count, parse = 0, self.parser(self.schema)
        for block in self._look_ahead():
            try:
                block.parsed = parse(block.text) if block.parsed is None else block.parsed
            except pa.ArrowInvalid as error:
                raise self.locate(error, count) from None
            found += block.parsed.batches
            count += block.parsed.rows
            if count >= rows:
                break
        return found

    def batches(self, columns: Sequence[str], types: Types) -> Iterator[pa.RecordBatch]:
        schema = self.schema_to_read(columns, types)
        known = dict(zip(self.schema.names, self.schema.types))
        if any(known[name] != kind for name, kind in zip(schema.names, schema.types)):
            for block in self._waiting:
                block.parsed = None  # parsed by another schema
        parse, rows, faults = self.parser(schema), 0, NO_FAULTS

        def parse_block(block: TextBlock) -> Parsed:
            return parse(block.text) if block.parsed is None else block.parsed

        try:
            for parsed in map_ordered(parse_block, self._take_blocks(), thread_count(None)):
                yield from (batch.select(schema.names) for batch in parsed.batches)
                faults += parsed.faults_after(rows)
                rows += parsed.rows
        except pa.ArrowInvalid as error:
            raise self.locate(error, rows) from None
        faults.warn(self.file.name, self.place)

    def _look_ahead(self) -> Iterator[TextBlock]:
        """Yield blocks from the first one on; they wait to be taken."""
        yield from list(self._waiting)
        for block in self._unread:
            self._waiting.append(block)
            yield block

    def _take_blocks(self) -> Iterator[TextBlock]:
        """Yield all blocks and forget them."""
        while self._waiting:
            yield self._waiting.popleft()
        yield from self._unread
