"""Texts of JSON Lines are taken out of objects before these are parsed; the result is the one of pyarrow alone."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, feather, parquet

import deciban as db
from deciban.errors import UnreadableValueWarning
from deciban.readers.batches import bytes_of
from deciban.readers.json_lines import parse_objects as parsed
from deciban.readers.json_lines import parse_with_texts as rows_of
from deciban.readers.splitting import take_texts

SCHEMA = pa.schema([("text", pa.string_view()), ("n", pa.float64()), ("label", pa.string_view())])
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | texts,
    lambda v: st.lists(v, max_size=3) | st.dictionaries(texts, v, max_size=3),
    max_leaves=5,
)
rows = st.fixed_dictionaries(
    {}, optional={"text": st.none() | texts, "label": st.none() | texts, "n": st.none() | st.floats(-1e6, 1e6),
                  "x": values},
)  # fmt: skip


def outcome(read, block):
    try:
        return read(pa.py_buffer(block), SCHEMA).to_pydict()
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        return str(error)


@given(st.lists(rows, min_size=1, max_size=8), st.booleans(), st.sampled_from([(",", ":"), (" ,\t", " : ")]), st.data())
def test_as_pyarrow_reads_it(objects, plain, separators, data):
    lines = [json.dumps(o, ensure_ascii=plain, separators=separators) for o in objects]
    end = data.draw(st.sampled_from(["\n", "\r\n", "\n\n ", " "]))
    block = end.join(lines).encode()
    assert take_texts(block, ["text", "label"]) is not None
    found = outcome(rows_of, block)
    assert found == outcome(parsed, block)
    if not isinstance(found, str):  # pyarrow knows lists and objects of one kind only
        assert found["text"] == [o.get("text") for o in objects]


@given(st.lists(rows, min_size=1, max_size=4), st.data())
def test_broken_lines_are_judged_by_pyarrow(objects, data):
    block = bytearray("\n".join(map(json.dumps, objects)).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(block) - 1)))
        instead = data.draw(st.sampled_from([b"", b'"', b"\\", b",", b"}", b"\x01"]))
        block[at : at + data.draw(st.integers(0, 2))] = instead
    if block.strip():
        assert outcome(rows_of, bytes(block)) == outcome(parsed, bytes(block))


PIECES = [b'"text"', b'"label"', b'"n"', b'"x"', b'"a"', b'"\\n"', b'"\\ud83d\\ude00"', b'"\\ud800"', b":", b",", b"{",
          b"}", b"[", b"]", b"1", b"-2.5e3", b"null", b"true", b"nul", b" ", b"\n", b'"', b"\\",
          b'"te\\u0078t"']  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_pieces_in_any_order_are_judged_by_pyarrow(pieces):
    block = b'{"text":"first"}\n{' + b"".join(pieces) + b"}\n"
    assert outcome(rows_of, block) == outcome(parsed, block)


@pytest.mark.parametrize(
    "block",
    [
        b'{"text": "a", "text": "b"}',
        b'{"text": null, "text": "b"}',
        b'{"te\\u0078t": "a"}',
        b'{"text": "\\ud800"}',
        b'{"text": "\\ude00\\ud83d"}',
        b'{"text": "a\tb"}',
        b'{"text": "\\q"}',
        b'{"text": "\\u12g4"}',
        b'{"text": "a"',
        b'{"text": "a',
        b'{"text": "a\\',
        b'{"text": "a\\u00',
        b'{"text": "a",}',
        b'{"text" "a"}',
        b'[{"text": "a"}]',
        b'"text"',
        b'{"x": [1, {"y": "]"}',
        b'{"x": }',
    ],
)
def test_lines_that_need_a_parser_are_left_to_pyarrow(block):
    assert take_texts(block, ["text"]) is None
    assert outcome(rows_of, block) == outcome(parsed, block)


def test_bytes_that_are_not_utf8_stay_as_they_are():
    [(views, valid)], text, rest = take_texts(b'{"t": "\xff\xe9 a long enough text"}\n{"t": 5}', ["t"])
    assert text.tobytes() == b"\xff\xe9 a long enough text"
    assert valid.tolist() == [1, 0]
    assert len(views) == 32
    assert rest.tobytes() == b'{}\n{"t": 5}\n'


def test_texts_of_every_length_at_every_place():
    lengths = [*range(40), 1000, 10]
    lines = [json.dumps({"text": 'xy\n\t"é😀'[i % 7 :] + "z" * i, "n": i}) for i in lengths]
    block = "\n".join(lines).encode()
    found = rows_of(pa.py_buffer(block), SCHEMA)
    assert found["text"].to_pylist() == [json.loads(line)["text"] for line in lines]
    assert found["n"].to_pylist() == [float(i) for i in lengths]
    assert found.schema == SCHEMA


def test_only_long_texts_are_taken_out(tmp_path):
    path = tmp_path / "t.jsonl"
    rows = [{"short": "few", "long": "many words, " * 9, "none": None} for _ in range(5)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [str(kind) for kind in db.read_table(path).schema.types] == ["string", "string_view", "null"]


def test_columns_that_share_their_memory_are_measured_once():
    block = "\n".join(json.dumps({"text": "x" * 99, "label": "y" * 77, "n": 1}) for _ in range(100)).encode()
    batch = rows_of(pa.py_buffer(block), SCHEMA).to_batches()[0]
    assert [bytes_of(column) for column in batch.columns] == [100 * (16 + 99), 800, 100 * (16 + 77)]
    assert bytes_of(batch.column("text").slice(7, 10)) == 10 * (16 + 99)
    codes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), batch.column("text").slice(0, 2))
    assert bytes_of(codes) == 3 * 4 + 2 * (16 + 99)


@pytest.mark.parametrize("other", ["csv", "parquet", "arrow", "jsonl"])
@pytest.mark.parametrize("first", [True, False])
def test_texts_of_files_of_several_kinds_are_one_column(tmp_path, other, first):
    text = "a text of more bytes than words have, so that it is taken out: number {}"
    rows = [{"text": text.format(i % 5), "colour": "rgb"[i % 3], "y": "pq"[i % 2]} for i in range(200)]
    table = pa.Table.from_pylist(rows)
    path = tmp_path / f"b.{other}"
    if other == "csv":
        csv.write_csv(table, path)
    elif other == "parquet":
        parquet.write_table(table, path)
    elif other == "arrow":
        feather.write_feather(table, path)
    else:  # whose first rows have no colour, and short texts
        small = [{"text": "short", "colour": None, "y": "p"}] * 60_000
        path.write_text("".join(json.dumps(row) + "\n" for row in [*small, *rows]))
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    files = [tmp_path / "a.jsonl", path][:: 1 if first else -1]
    columns = {"text": db.Words(), "colour": db.Categorical()}
    nb = db.NaiveBayes(columns, alpha="auto").fit(files, "y")
    apart = [db.NaiveBayes(columns).fit(file, "y") for file in files]
    assert nb.statistics_ == sum(apart).statistics_


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('null\n{"t": "a", "y": "x"}\n', "row 1 of .* is not an object"),  # pyarrow would end the program
        ('[1]\n{"t": "a", "y": "x"}\n', "row 1 of .* is not an object"),
        ("\n\n \n", "has no values"),
    ],
)
def test_a_line_that_is_not_an_object_is_an_error(tmp_path, lines, says):
    (tmp_path / "t.jsonl").write_text(lines)
    with pytest.raises(ValueError, match=says):
        db.read_table(tmp_path / "t.jsonl")


def test_rows_and_errors_of_a_file_are_numbered_as_before(tmp_path):
    path = tmp_path / "t.jsonl"
    good = '{"text": "a few words", "label": "x", "n": %d}\n'
    path.write_text("".join(good % (i % 3) for i in range(100_000)) + '{"text": 7, "label": "x"}\n' + good % 1)
    with pytest.raises(ValueError, match=r"row 100001 of .* has a number in 'text', where there is a string before"):
        db.NaiveBayes({"text": db.Words()}).fit(path, "label")


def test_a_file_of_texts_and_numbers_equals_its_table(tmp_path):
    rng = np.random.default_rng(0)
    words = np.array(["good", "bad\n", '"so"', "naïve", "\\", "😀 ok"])
    table = [
        {"text": None if i % 50 == 0 else " ".join(rng.choice(words, 9)), "n": i % 7, "label": "ab"[i % 2]}
        for i in range(3000)
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in table))
    columns = {"text": db.Words(), "n": db.Gaussian()}
    assert (
        db.NaiveBayes(columns).fit(path, "label").statistics_ == db.NaiveBayes(columns).fit(table, "label").statistics_
    )


def test_labels_that_are_lists_are_refused(tmp_path):
    path = tmp_path / "lists.jsonl"
    path.write_text('{"text": "aa bb", "label": ["x", "y"]}\n{"text": "cc dd", "label": ["x"]}\n')
    with pytest.raises(ValueError, match=r"'label' is of type list.*, which is not a label; make one of it"):
        db.NaiveBayes().fit(path, "label")


@pytest.mark.parametrize(
    ("lines", "types"),
    [
        ('{"a": 1}\n{"a": 2.5}', {"a": "double"}),  # the last line needs no end, and says what a column is
        ('{"a": null}\n{"a": "x"}', {"a": "string"}),
        ('{"a": 1}\n{"a": 1, "b": 2}', {"a": "int64", "b": "int64"}),
        ("\n" * 5_000_000 + '{"a": 1}\n\n', {"a": "int64"}),
        ('\ufeff{"a": 1}\n', {"a": "int64"}),
    ],
)
def test_types_follow_from_all_lines(tmp_path, lines, types):
    (tmp_path / "t.jsonl").write_text(lines, encoding="utf8")
    table = db.read_table(tmp_path / "t.jsonl")
    assert {field.name: str(field.type) for field in table.schema} == types


def test_json_that_changes_its_mind_is_named_with_its_row(fails):
    lines = '{"a": 1, "y": "p"}\n{"a": 2, "y": "q"}\n' * 200_000
    message = fails(lines + '{"a": "oops", "y": "q"}\n', name="t.jsonl")
    assert "row 400001" in message
    assert "has a string in 'a', where there is a number before" in message


@pytest.mark.parametrize("on_error", ["skip", "missing"])
def test_columns_may_begin_after_a_line_that_is_not_json(tmp_path, on_error):
    lines = ['{"a": 1}', "not json", '{"a": 2.5, "b": "x"}', "[]", '{"c": "2024-01-01"}', '{"c": "later"}']
    (tmp_path / "t.jsonl").write_text("\n".join(lines) + "\n")
    source = db.read_table(tmp_path / "t.jsonl", on_error=on_error)
    with pytest.warns(UnreadableValueWarning, match="2 rows that do not fit the columns are left out"):
        found = pa.Table.from_batches(source.batches(["a", "b", "c"], {}))
    assert found.to_pydict() == {
        "a": [1, 2.5, None, None],
        "b": [None, "x", None, None],
        "c": [None, None, "2024-01-01", "later"],
    }


def test_a_value_of_another_type_does_not_hide_later_columns(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n{"a": "x"}\n{"a": 2, "b": "y"}\n')
    source = db.read_table(tmp_path / "t.jsonl", on_error="missing")
    with pytest.warns(UnreadableValueWarning, match="1 values that do not fit"):
        found = pa.Table.from_batches(source.batches(["a", "b"], {}))
    assert found.to_pydict() == {"a": [1, None, 2], "b": [None, None, "y"]}
