"""Recognise tables: whether an object is a table by itself, or an array, a sparse matrix or a list of texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

# Attributes of objects that hand out Arrow data or batches of it.
ARROW_ATTRIBUTES = ("__arrow_c_stream__", "__arrow_c_array__", "to_batches", "batches")


def as_row(x: Any, names: Sequence[str]) -> Any:
    """Return a row of a pandas frame, as ``frame.iloc[0]`` gives it, as a table of one row; anything else as it is.

    A series is a row if its index holds a name of a column that the model reads.
    """
    index: Any = getattr(x, "index", None)
    if getattr(x, "ndim", 0) != 1 or not hasattr(index, "tolist") or not any(name in index for name in names):
        return x
    return {str(name): [value] for name, value in zip(index.tolist(), x.tolist())}


def is_table(x: Any) -> bool:
    """Return whether ``x`` is a table: a path, a frame, a stream, a mapping of columns, or rows as mappings.

    A list of strings is never a table, because it is texts or labels; a list of ``Path`` objects is one.
    """
    if hasattr(x, "tocsr"):  # some sparse matrices are mappings too
        return False
    if isinstance(x, str | os.PathLike | Mapping):
        return True
    if isinstance(x, list | tuple):
        return bool(x) and (all(isinstance(i, Mapping) for i in x) or all(isinstance(i, os.PathLike) for i in x))
    return any(hasattr(x, name) for name in ARROW_ATTRIBUTES)


# Frames of engines are recognised by their modules, so that no engine is imported for it.
def is_dask(x: Any) -> bool:
    """Return whether x is a Dask data frame."""
    return type(x).__module__.startswith(("dask.dataframe", "dask_expr")) and hasattr(x, "map_partitions")


def is_spark(x: Any) -> bool:
    """Return whether x is a Spark data frame, of the classic API or of Spark Connect."""
    return type(x).__module__.startswith("pyspark.sql") and hasattr(x, "mapInArrow")


def is_engine_frame(x: Any) -> bool:
    """Return whether x is a frame that lies on a cluster."""
    return is_dask(x) or is_spark(x)
