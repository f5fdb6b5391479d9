"""Parts: what was learned from some rows of a table as bytes, so that engines move and add nothing else.

A part holds statistics and a sample as compressed arrays, like a model file, and no pickled object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import reduce

import numpy as np
import pyarrow as pa
from safetensors.numpy import load, save

from deciban.files.sample import SAMPLE, describe_sample, read_sample, sample_arrays
from deciban.statistics import STATISTICS, Block, Statistics
from deciban.tables.learn import LearnedTable

# The compression of parts: as quick as a network, and every pyarrow has it.
CODEC = "zstd"
HEADER = "header"


def part_to_bytes(part: LearnedTable) -> bytes:
    """Return a part as bytes."""
    arrays = part.statistics.to_arrays() | sample_arrays(part.sample)
    header = {"rows": part.rows, "unlabelled": part.unlabelled, "sample": describe_sample(part.sample)}
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    whole = save({name: np.ascontiguousarray(array) for name, array in (arrays | {HEADER: text}).items()})
    return len(whole).to_bytes(8, "little") + pa.compress(whole, codec=CODEC, asbytes=True)


def part_from_bytes(data: bytes, kinds: dict[str, type[Block]] = STATISTICS) -> LearnedTable:
    """Return the part that bytes hold."""
    size = int.from_bytes(data[:8], "little")
    arrays = load(pa.decompress(data[8:], decompressed_size=size, codec=CODEC, asbytes=True))
    header = json.loads(arrays.pop(HEADER).tobytes())
    statistics = Statistics.from_arrays({n: a for n, a in arrays.items() if not n.startswith(SAMPLE)}, kinds)
    return LearnedTable(statistics, read_sample(header["sample"], arrays), header["rows"], header["unlabelled"])


def merge_parts(parts: Iterable[LearnedTable]) -> LearnedTable:
    """Return the sum of parts."""
    return reduce(LearnedTable.__add__, parts)
