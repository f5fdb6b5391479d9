"""Odd files: large cells, many columns, bytes that are not text. A right answer or one clear error."""

import numpy as np
import pyarrow as pa
import pytest

import deciban as db
from deciban.readers import read_table


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\n\n\n", "is empty"),
        (b"y\np\nq\n", "no column besides 'y'"),
        (b"a,a,y\n1,2,p\n", "two columns named 'a'"),
        (b"PK\x03\x04 and so on", "is not a table but a zip archive or an Excel workbook"),
        (b"\xfd7zXZ\0 and so on", "compressed by xz; decompress it first"),
        (b"\x89PNG\r\n", "is not a table but a picture"),
        (np.random.default_rng(0).bytes(5000), "is not UTF-8 text"),
    ],
    ids=["blank", "one column", "two of a name", "zip", "xz", "picture", "random"],
)
def test_what_is_not_a_table_is_named(fails, text, says):
    assert says in fails(text)


def test_nul_bytes_are_characters_like_others(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a\0b,y\n" + b"x\0,p\ny\0,q\n" * 10)
    nb = db.NaiveBayes().fit(tmp_path / "t.csv", "y")
    assert nb.predict({"a\0b": ["x\0", "y\0"]}).tolist() == ["p", "q"]


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_large_cell(tmp_path, quote):
    cell = "word and\n"[: 8 + bool(quote)] * 1_200_000
    (tmp_path / "t.csv").write_text(f"a,y\n{quote}{cell}{quote},p\nshort,q\n" + f"{quote}{cell}{quote},p\nshort,q\n")
    source = read_table(tmp_path / "t.csv")
    rows = [row for batch in source.batches(["a", "y"], {}) for row in batch.to_pylist()]
    assert [(len(row["a"]), row["y"]) for row in rows] == [(len(cell), "p"), (5, "q")] * 2


def test_many_columns(tmp_path):
    names = [f"c{i}" for i in range(100_000)]
    row = ",".join("1" for _ in names)
    (tmp_path / "t.csv").write_text(",".join([*names, "y"]) + f"\n{row},p\n{row},q\n")
    source = read_table(tmp_path / "t.csv")
    assert source.schema.names == [*names, "y"]
    [batch] = source.batches(source.schema.names, {})
    assert batch.shape == (2, 100_001)
    with pytest.raises(ValueError, match="has no column 'z'"):
        list(source.batches([*names, "z"], {}))


def test_a_deeply_nested_value_ended_the_process(tmp_path):
    path = tmp_path / "t.jsonl"
    for begin, end in (("[", "]"), ('{"a": ', "}")):
        inner = begin * 100_000 + "1" + end * 100_000
        path.write_text('{"a": "[[[[", "y": "p"}\n' + f'{{"b": {inner}, "y": "p"}}\n')
        with pytest.raises(ValueError, match=r"row 2 of .* values are nested more than 1000 deep"):
            read_table(path)
    path.write_text('{"a": "%s", "y": "p"}\n' % ("[{" * 5000))
    assert read_table(path).schema.field("a").type == pa.string_view()
