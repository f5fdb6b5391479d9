"""Read tables: files, frames and streams become Arrow batches, and Arrow columns become arrays."""

from deciban.readers.source import Source, open_table, read_table

__all__ = ["Source", "open_table", "read_table"]
