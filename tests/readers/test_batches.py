"""Batches of rows are cut into equal shares, or joined, without a copy."""

import pyarrow as pa

from deciban.readers.batches import rebatch


def test_large_batches_are_cut_into_equal_shares_without_a_copy():
    batch = pa.record_batch({"t": pa.array(["x" * 20_000] * 2000)})
    memory = batch.column("t").buffers()[2].address
    pieces = list(rebatch(iter([batch]), 1 << 17))
    assert [piece.num_rows for piece in pieces] == [500] * 4
    assert {piece.column("t").buffers()[2].address for piece in pieces} == {memory}
    few = [pa.record_batch({"t": pa.array(["y"] * 3)})] * 5
    assert [piece.num_rows for piece in rebatch(iter([*few, batch, *few]), 1 << 17)] == [15, *[500] * 4, 15]
