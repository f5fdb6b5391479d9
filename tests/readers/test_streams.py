"""Streams: standard input, named pipes and devices are read once, from front to back; compression is recognised."""

import bz2
import gzip
import io
import os
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import deciban as db
from deciban.readers import read_table

TABLE = pa.table({"a": np.arange(2000) % 7 + 0.5, "y": ["p", "q"] * 1000})
CSV = ("a,y\n" + "".join(f"{a},{y}\n" for a, y in zip(TABLE["a"].to_pylist(), TABLE["y"].to_pylist()))).encode()
COMPRESS = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "zstd": lambda data: pa.compress(data, "zstd", asbytes=True),
    "lz4": lambda data: pa.compress(data, "lz4", asbytes=True),
}

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def written(form):
    """Return the table as the bytes of a format."""
    if form == "csv":
        return CSV
    if form == "jsonl":
        return "".join(f'{{"a": {row["a"]}, "y": "{row["y"]}"}}\n' for row in TABLE.to_pylist()).encode()
    memory = io.BytesIO()
    if form == "parquet":
        parquet.write_table(TABLE, memory)
    elif form == "feather":
        feather.write_feather(TABLE, memory)
    else:
        with pa.ipc.new_stream(memory, TABLE.schema) as stream:
            stream.write_table(TABLE, 100)
    return memory.getvalue()


@pytest.fixture
def pipe(tmp_path):
    """Return a function that sends bytes through a named pipe and returns its path."""
    writers = []

    def send(data, name="pipe"):
        os.mkfifo(tmp_path / name)
        writers.append(threading.Thread(target=lambda: (tmp_path / name).write_bytes(data)))
        writers[-1].start()
        return tmp_path / name

    yield send
    for writer in writers:
        writer.join(10)


def rows_of(source):
    return sum(batch.num_rows for batch in source.batches(["a", "y"], {}))


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "feather", "arrows"])
@pytest.mark.parametrize("compression", COMPRESS)
def test_pipes_of_every_format_and_compression_are_read(pipe, monkeypatch, form, compression):
    if form in ("csv", "jsonl", "arrows"):
        monkeypatch.setattr("tempfile.TemporaryFile", None)  # read as it arrives, without a copy
    source = read_table(pipe(COMPRESS[compression](written(form))))
    assert (source.bytes, source.position()) == (None, 0)
    assert source.head(5).num_rows == 5
    assert rows_of(source) == 2000
    assert source.reopened() is None
    with pytest.raises(ValueError, match="pipe can be read only once; write it to a file"):
        source.head(1)


@pytest.mark.parametrize("form", ["csv", "parquet", "arrows"])
@pytest.mark.parametrize("compression", COMPRESS)
def test_standard_input_may_be_compressed(monkeypatch, form, compression):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(COMPRESS[compression](written(form)))))
    assert rows_of(read_table("-")) == 2000
    assert not sys.stdin.buffer.closed


@pytest.mark.parametrize("compression", COMPRESS)
def test_a_compressed_file_needs_no_ending(tmp_path, compression):
    (tmp_path / "rows.csv").write_bytes(COMPRESS[compression](CSV))
    source = read_table(tmp_path / "rows.csv")
    assert source.bytes == (tmp_path / "rows.csv").stat().st_size
    assert rows_of(source) == 2000
    assert rows_of(source) == 2000


def test_several_pipes_are_one_table(pipe):
    assert rows_of(read_table([pipe(CSV, "first"), pipe(gzip.compress(CSV), "second")])) == 4000


def test_an_empty_pipe_is_named(pipe):
    with pytest.raises(ValueError, match="pipe is empty"):
        read_table(pipe(b""))
    with pytest.raises(ValueError, match="other is empty"):
        read_table(pipe(gzip.compress(b""), "other"))


def test_half_a_compressed_file_is_one_error(tmp_path):
    (tmp_path / "half.csv.gz").write_bytes(
        gzip.compress(np.random.default_rng(0).bytes(100_000).hex().encode())[:50_000]
    )
    with pytest.raises(ValueError, match=r"half\.csv\.gz cannot be read"):
        db.NaiveBayes().fit(tmp_path / "half.csv.gz", "y")


def test_a_stream_that_cannot_be_read_again_keeps_the_first_decision(pipe, tmp_path):
    words = [f"{i % 3}" for i in range(11_000)] + [f"a text of many words, number {i}" for i in range(11_000)]
    text = "t,a,y\n" + "".join(f'"{word}",{i % 5}.5,{"pq"[i % 2]}\n' for i, word in enumerate(words))
    (tmp_path / "t.csv").write_text(text)
    types = {"t": "string"}
    with pytest.warns(db.ColumnWarning, match=r"'t' look different .*pipe cannot be read again"):
        nb = db.NaiveBayes(alpha=1.0).fit(read_table(pipe(text.encode()), types=types), "y")
    assert isinstance(nb.columns_["t"], db.Categorical)
    again = db.NaiveBayes(alpha=1.0).fit(read_table(tmp_path / "t.csv", types=types), "y")
    assert isinstance(again.columns_["t"], db.Words)


def test_errors_about_standard_input_name_it(monkeypatch):
    for text, says in [(b"a,y\n1,2,3\n", "line 2 of standard input"), (b"{bad\n", "standard input cannot be read")]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        with pytest.raises(ValueError, match=says):
            read_table("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ValueError, match="standard input is closed"):
        read_table("-")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device here")
def test_an_endless_row_stops(monkeypatch):
    with pytest.raises(ValueError, match="/dev/zero has a row of more than 64 MB"):
        read_table("/dev/zero")
    monkeypatch.setattr("deciban.readers.splitting.LONGEST_LINE", 1 << 24)
    for form in ("jsonl", "fasttext"):
        with pytest.raises(ValueError, match="/dev/zero cannot be read: a line of more than 16 MB"):
            read_table("/dev/zero", format=form).head(1)
