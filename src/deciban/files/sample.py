"""The sample of a model file: rows that were trained on, written only where the user asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from deciban.arrays.kept_rows import KeptMatrix, KeptRows, KeptSparse, KeptTexts
from deciban.arrays.kept_table import KeptTable
from deciban.arrays.packing import pack_names, unpack_names
from deciban.statistics import RowSample
from deciban.statistics.row_sample import INFINITE, UNBOUNDED

Arrays = dict[str, NDArray[Any]]

# Names of a sample's arrays begin so.
SAMPLE = "sample."
# Kinds of rows by their name in files.
KINDS: dict[str, type[KeptRows]] = {kind.kind: kind for kind in (KeptMatrix, KeptSparse, KeptTexts, KeptTable)}


def describe_sample(sample: RowSample) -> dict[str, Any]:
    """Return what the arrays of a sample do not say."""
    kind = None if sample.rows is None else sample.rows.kind
    return {"limit": sample.limit, "remember": sample.remember, "whole": sample.whole, "rows": kind}


def sample_arrays(sample: RowSample) -> Arrays:
    """Return the arrays of a sample, none if it keeps no rows."""
    if not sample.keeps_rows:
        return {}
    arrays = sample.arrays() | {"names": pack_names(sample.names)}
    return {SAMPLE + name: array for name, array in arrays.items()}


def read_sample(described: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> RowSample:
    """Return the sample of a file, or raise if its description or its arrays make no sense."""
    limit, remember, whole = described["limit"], described["remember"], described["whole"]
    numbers = type(limit) is int and type(remember) is int and type(whole) is bool
    if not numbers or not 0 <= limit <= INFINITE or not 0 <= remember <= UNBOUNDED:
        raise ValueError("the limits of its sample make no sense")
    if not limit:
        return RowSample(0, remember, whole)
    own = {name.removeprefix(SAMPLE): array for name, array in arrays.items() if name.startswith(SAMPLE)}
    kind = None if described["rows"] is None else KINDS[described["rows"]]
    names = unpack_names(own.pop("names"))
    return RowSample(limit, remember, whole, names=names).with_arrays(own, kind)
