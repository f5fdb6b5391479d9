"""A file is opened once per fit: its schema, its first rows and its batches come from one reading."""

import builtins
import gc
import gzip
import io
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet
import pytest
from click.testing import CliRunner
from pyarrow import feather

import deciban as db
import deciban.readers.fasttext as fasttext
from deciban.cli.main import deciban_command
from deciban.readers import open_table, read_table

FORMATS = ["csv", "csv.gz", "jsonl", "fasttext", "parquet", "feather", "arrows", "name of no format"]
TEXTS = [
    "a letter with many words in it, long enough to be taken for a text by every reader of texts",
    "the minutes of a meeting, which nobody has read before they were written down for everybody",
    "cheap watches, cheap pills and cheap loans for you alone if you answer before this evening",
]
ROWS = [
    {"x": float(x), "colour": "rgb"[i % 3], "text": f"{TEXTS[i % 3]} {i}", "label": "pq"[i % 2]}
    for i, x in enumerate(np.random.default_rng(0).normal(size=600).round(3))
]


def write(path, form, rows=ROWS):
    """Write the rows in a format and return the path."""
    table = pa.Table.from_pylist(rows)
    if form in ("csv", "csv.gz", "name of no format"):
        text = io.BytesIO()
        pa.csv.write_csv(table, text)
        path.write_bytes(gzip.compress(text.getvalue()) if form == "csv.gz" else text.getvalue())
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif form == "fasttext":
        path.write_text("".join(f"__label__{row['label']} {row['text']}\n" for row in rows))
    elif form == "parquet":
        pa.parquet.write_table(table, path, row_group_size=100)
    elif form == "feather":
        feather.write_feather(table, path, chunksize=100)
    else:
        with pa.ipc.new_stream(str(path), table.schema) as stream:
            for batch in table.to_batches(100):
                stream.write_batch(batch)
    return path


@pytest.fixture(params=FORMATS)
def path(request, tmp_path):
    names = {"fasttext": "t.txt", "name of no format": "table"}
    return write(tmp_path / names.get(request.param, f"t.{request.param}"), request.param)


@pytest.fixture
def openings(monkeypatch):
    """Files opened by pyarrow or Python for reading, in order."""
    opened = []

    def recorded(function):
        def open_and_record(file, mode="r", *args, **options):
            if isinstance(file, str | os.PathLike) and "r" in mode:
                opened.append(Path(file))
            return function(file, mode, *args, **options)

        return open_and_record

    monkeypatch.setattr(pa, "OSFile", recorded(pa.OSFile))
    monkeypatch.setattr(pa, "memory_map", recorded(pa.memory_map))
    monkeypatch.setattr(builtins, "open", recorded(open))
    parquet_file = pa.parquet.ParquetFile

    def open_parquet(source, *args, **options):
        assert not isinstance(source, str | os.PathLike), "pyarrow would open the file a second time"
        return parquet_file(source, *args, **options)

    monkeypatch.setattr(pa.parquet, "ParquetFile", open_parquet)
    return opened


@pytest.fixture
def parsed_texts(monkeypatch):
    """Text handed to the parsers of CSV, JSON Lines and fastText, call by call."""
    parsed = []

    def recorded(function):
        def record_and_parse(source, *args, **options):
            text = source.read_buffer() if isinstance(source, pa.NativeFile) else source
            parsed.append(text.to_pybytes())
            return function(pa.BufferReader(text) if isinstance(source, pa.NativeFile) else text, *args, **options)

        return record_and_parse

    for module, name in (pa.csv, "read_csv"), (pa.csv, "open_csv"), (pa.json, "read_json"):
        monkeypatch.setattr(module, name, recorded(getattr(module, name)))
    monkeypatch.setattr(fasttext, "labelled_lines", recorded(fasttext.labelled_lines))
    return parsed


def small_blocks(monkeypatch):
    for module in ("csv_file", "json_lines", "fasttext"):
        monkeypatch.setattr(f"deciban.readers.{module}.TEXT_BLOCK", 1 << 12)


def is_closed(path):
    """Return whether no descriptor of the file is open, within two seconds: Arrow reads ahead on threads of its own."""
    until = time.monotonic() + 2
    while (found := count_descriptors(path)) and time.monotonic() < until:
        time.sleep(0.01)
    return not found


def count_descriptors(path):
    """Return how often a file is open; without /proc there is nothing to count."""
    found = 0
    for link in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):  # a descriptor of the listing itself is gone by now
            found += os.readlink(link) == str(path)
    return found


def test_a_fit_opens_its_file_once(path, openings):
    nb = db.NaiveBayes(alpha=1.0, calibrate=None).fit(path, "label")
    assert openings.count(path) == 1
    assert nb.statistics_.weight.tolist() == [300, 300]


def test_a_prediction_opens_its_file_once(path, openings):
    nb = db.NaiveBayes(alpha=1.0, calibrate=None).fit(path, "label")
    openings.clear()
    assert len(nb.predict(path)) == 600
    assert openings.count(path) == 1


def test_deciban_fit_opens_its_file_once(path, openings, tmp_path):
    done = CliRunner().invoke(deciban_command, ["fit", str(path), "-t", "label", "-o", str(tmp_path / "m")])
    assert done.exit_code == 0, done.output
    assert openings.count(path) == 1


def test_several_files_are_opened_once_each_in_their_turn(tmp_path, openings):
    files = [write(tmp_path / f"{i}.{form}", form) for i, form in enumerate(["csv", "jsonl", "parquet", "feather"])]
    openings.clear()
    source = open_table(files)
    assert openings == files[:1]
    source.head(10)
    assert openings == files[:1]
    assert sum(batch.num_rows for batch in source.batches(["label"], {})) == 4 * 600
    assert openings == files


@pytest.mark.parametrize("form", ["csv", "csv.gz", "jsonl", "fasttext"])
def test_a_head_is_parsed_once(tmp_path, monkeypatch, parsed_texts, form):
    small_blocks(monkeypatch)
    path = write(tmp_path / ("t.txt" if form == "fasttext" else f"t.{form}"), form)
    first, last = TEXTS[0].encode() + b" 0", TEXTS[2].encode() + b" 599"
    source = open_table(path)
    assert source.head(5).num_rows == 5
    assert source.head(5).num_rows == 5
    assert sum(first in text for text in parsed_texts) == 1
    assert not any(last in text for text in parsed_texts)
    kinds = dict(zip(source.schema.names, source.schema.types))
    rows = sum(batch.num_rows for batch in source.batches(source.schema.names, kinds))
    assert rows == 600
    assert sum(first in text for text in parsed_texts) == 1
    assert sum(last in text for text in parsed_texts) == (form != "jsonl")  # whose long texts are copied out natively


def test_other_types_parse_the_first_block_once_more(tmp_path, parsed_texts):
    source = open_table(write(tmp_path / "t.csv", "csv"))
    source.head(5)
    [batch] = source.batches(["text", "x"], {"text": pa.large_string(), "x": pa.string()})
    assert batch.schema.types == [pa.large_string(), pa.string()]
    assert sum(TEXTS[0].encode() + b" 0" in text for text in parsed_texts) == 2


@pytest.mark.parametrize("rows", [1, 50, 599, 10_000])
def test_rows_looked_at_remain_to_be_read(path, monkeypatch, rows):
    small_blocks(monkeypatch)
    columns = ["label", "text"]
    untouched, looked_at = open_table(path), open_table(path)
    looked_at.head(1)
    head = looked_at.head(rows)
    whole, again = ([row for b in s.batches(columns, {}) for row in b.to_pylist()] for s in (untouched, looked_at))
    assert [row["text"] for row in whole] == [row["text"] for row in ROWS]
    assert again == whole
    assert [row["text"] for row in head.to_pylist()] == [row["text"] for row in ROWS[:rows]]


def test_a_source_of_files_can_be_read_again(path, openings):
    source = open_table(path)
    for _ in range(2):
        assert source.head(7).num_rows == 7
        assert sum(batch.num_rows for batch in source.batches(["label"], {})) == 600
    assert openings.count(path) == 2


def test_files_are_closed_when_read_or_dropped(path):
    gc.collect()
    gc.disable()  # files must be closed without help
    try:
        source = open_table(path)
        source.head(5)
        list(source.batches(["label"], {}))
        assert is_closed(path)
        del source
        open_table(path).head(5)
        assert is_closed(path)
        batches = open_table(path).batches(["label"], {})
        next(batches)
        del batches
        assert is_closed(path)
        with pytest.raises(ValueError, match="has no column 'nothing'"):
            list(open_table(path).batches(["nothing"], {}))
        with pytest.raises(ValueError, match="'nothing'"):
            db.NaiveBayes().fit(path, "nothing")
        assert is_closed(path)
        db.NaiveBayes(alpha=1.0, calibrate=None).fit(path, "label").predict(path)
        assert is_closed(path)
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", b"a,b\n1,2\n3\n"),
        ("t.csv.gz", b"not gzip at all"),
        ("t.jsonl", b'{"a": 1, "y"\n'),
        ("t.jsonl", b"\n\n"),
        ("t.parquet", b"PAR1 and no more"),
        ("t.feather", b"ARROW1 and no more"),
    ],
)
def test_files_that_cannot_be_read_are_closed(tmp_path, name, text):
    (tmp_path / name).write_bytes(text)
    for _ in range(3):
        with pytest.raises(ValueError, match=name):
            open_table(tmp_path / name)
    assert is_closed(tmp_path / name)


def test_an_error_names_its_line_without_a_second_reading(tmp_path, monkeypatch, openings):
    small_blocks(monkeypatch)
    path = tmp_path / "t.csv"
    good = '1,"two\nlines",p\n\n2,z,q\n' * 2000  # blank lines and line breaks in quotes are no rows
    path.write_text("a,t,y\n" + good + "oops,z,q\n" + good)
    with pytest.raises(ValueError, match=r"line 4002 of .* has 'oops' in column 'a', which holds int64 before"):
        list(open_table(path).batches(["t", "a"], {}))
    path.write_text("a,t,y\n" + good + "1,z\n" + good)
    with pytest.raises(ValueError, match=r"line 4002 of .* has 2 fields where the header has 3: '1,z'"):
        list(open_table(path).batches(["y"], {}))
    with pytest.raises(ValueError, match="line 4002 of "):
        open_table(path).head(10_000)
    assert openings.count(path) == 3


@pytest.mark.parametrize("form", ["csv", "jsonl", "fasttext", "parquet", "feather", "arrows"])
def test_standard_input_is_read_as_it_arrives(tmp_path, monkeypatch, form):
    path = write(tmp_path / ("t.txt" if form == "fasttext" else f"t.{form}"), form)
    if form in ("csv", "jsonl", "fasttext"):
        monkeypatch.setattr("tempfile.TemporaryFile", None)  # text needs no copy
    expected = db.NaiveBayes(alpha=1.0, calibrate=None).fit(path, "label")
    with open(path, "rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read())))
    source = read_table("-")
    assert (source.name, source.bytes, source.position()) == ("standard input", None, 0)
    assert db.NaiveBayes(alpha=1.0, calibrate=None).fit(source, "label").statistics_ == expected.statistics_
    assert not sys.stdin.buffer.closed
    with pytest.raises(ValueError, match="standard input can be read only once"):
        source.head(1)


def test_standard_input_without_rows_is_empty(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ValueError, match="standard input is empty"):
        read_table("-")


def test_standard_input_in_another_encoding(monkeypatch):
    text = "größe,y\n" + "groß,p\nklein,q\n" * 3
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("latin-1"))))
    source = read_table("-", encoding="latin-1")
    [batch] = source.batches(["größe"], {})
    assert batch["größe"].to_pylist() == ["groß", "klein"] * 3


def test_a_list_of_strings_is_never_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = [write(tmp_path / f"{i}.csv", "csv") for i in range(2)]
    names = [file.name for file in files]
    for given in (names, tuple(names), [files[0], names[1]]):
        with pytest.raises(ValueError, match=r"list of strings .*pathlib\.Path.*pattern.*read_table\(\[\.\.\.\]\)"):
            open_table(given)
    for source in (open_table(files), open_table("*.csv"), read_table(names)):
        assert sum(batch.num_rows for batch in source.batches(["label"], {})) == 1200
