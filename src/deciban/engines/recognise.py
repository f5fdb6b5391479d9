"""Recognise frames of engines by their module, so that no engine is imported for it."""

from __future__ import annotations

from typing import Any


def is_dask(x: Any) -> bool:
    """Return whether x is a Dask data frame."""
    return type(x).__module__.startswith(("dask.dataframe", "dask_expr")) and hasattr(x, "map_partitions")


def is_spark(x: Any) -> bool:
    """Return whether x is a Spark data frame, of the classic API or of Spark Connect."""
    return type(x).__module__.startswith("pyspark.sql") and hasattr(x, "mapInArrow")


def is_engine_frame(x: Any) -> bool:
    """Return whether x is a frame that lies on a cluster."""
    return is_dask(x) or is_spark(x)
