"""Parts: what was learned from some rows of a table as bytes, so that engines move and add nothing else.

A part holds statistics and a sample as compressed arrays, like a model file, and no pickled object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from safetensors.numpy import load, save

from deciban.files.sample import SAMPLE, describe_sample, read_sample, sample_arrays
from deciban.statistics import STATISTICS, Block, Statistics
from deciban.tables.learn import LearnedTable

# The compression of parts: about as quick as a network, and part of every pyarrow.
CODEC = "zstd"
# The array that holds a part's numbers of rows and the description of its sample.
HEADER = "header"
# Bytes that hold the size of a part before its compression.
SIZE_BYTES = 8


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays as compressed bytes, after the number of bytes that they have without compression."""
    whole = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    return len(whole).to_bytes(SIZE_BYTES, "little") + pa.compress(whole, codec=CODEC, asbytes=True)


def unpack_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that bytes hold."""
    size = int.from_bytes(data[:SIZE_BYTES], "little")
    return load(pa.decompress(data[SIZE_BYTES:], decompressed_size=size, codec=CODEC, asbytes=True))


def part_to_bytes(part: LearnedTable) -> bytes:
    """Return a part as bytes."""
    arrays = part.statistics.to_arrays() | sample_arrays(part.sample)
    header = {"rows": part.rows, "unlabelled": part.unlabelled, "sample": describe_sample(part.sample)}
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    return pack_arrays(arrays | {HEADER: text})


def part_from_bytes(data: bytes, kinds: Mapping[str, type[Block]] = STATISTICS) -> LearnedTable:
    """Return the part that bytes hold; ``kinds`` are the kinds of blocks that it may have, by name."""
    arrays = unpack_arrays(data)
    header = json.loads(arrays.pop(HEADER).tobytes())
    counted = {name: array for name, array in arrays.items() if not name.startswith(SAMPLE)}
    sample = read_sample(header["sample"], arrays)
    return LearnedTable(Statistics.from_arrays(counted, kinds), sample, header["rows"], header["unlabelled"])
