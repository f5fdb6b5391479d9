"""Tables as they come: files, frames and streams as Arrow batches, and Arrow columns as arrays."""

from deciban.readers.source import Source, open_table, read_table

__all__ = ["Source", "open_table", "read_table"]
