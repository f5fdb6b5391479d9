"""Options of text files: decimal marks, comments, lines before the header, no header, encodings."""

import pyarrow as pa
import pytest
from pyarrow import parquet

import deciban as db
import deciban.readers.csv_file as csv_file
from deciban.errors import command_line_words

ROWS = [{"a": 1.5, "y": "p"}, {"a": 2.25, "y": "q"}]


@pytest.fixture
def read(tmp_path):
    """Return a function that reads text as a file, and returns its rows."""

    def read_text(text, name="t.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        source = db.read_table(path, **options)
        return [row for batch in source.batches(source.schema.names, {}) for row in batch.to_pylist()]

    return read_text


def test_a_decimal_comma(read):
    assert read("a;y\n1,5;p\n2,25;q\n", decimal=",") == ROWS
    assert read("a\ty\n1,5\tp\n2,25\tq\n", decimal=",", delimiter="\t") == ROWS
    with pytest.raises(ValueError, match="delimiter and decimal are both ','"):
        read("a,y\n", decimal=",", delimiter=",")


@pytest.mark.parametrize("line", ["sep=;\n", '"sep=;"\r\n', "SEP=;\n", "\ufeffsep=;\n"])
def test_the_line_that_tells_excel_the_delimiter(read, line):
    assert read(line + "a;y\n1.5;p\n2.25;q\n") == ROWS
    assert read(line.replace(";", "~") + "a~y\n1.5~p\n2.25~q\n") == ROWS


def test_comments_are_left_out(read, monkeypatch):
    text = '# made by, "hand\n#\na,y\n1.5,p\n# in between, with, many, fields\n2.25,q\n#end'
    assert read(text, comment="#") == ROWS
    assert read("\ufeff" + text, comment="#") == ROWS
    monkeypatch.setattr(csv_file, "TEXT_BLOCK", 7)
    assert read(text, comment="#") == ROWS
    assert read("a,y\n1.5,#p\n", comment="#") == [{"a": 1.5, "y": "#p"}]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_before_the_header(read, end):
    lines = ["Report of May", "", "a,y", "1.5,p", "2.25,q"]
    assert read(end.join(lines), skip_lines=2) == ROWS
    with pytest.raises(ValueError, match="is empty"):
        read(end.join(lines), skip_lines=100)


def test_many_lines_before_the_header(read):
    assert read("x" * 100 + "\n" + "# words and words\n" * 200_000 + "a,y\n1.5,p\n2.25,q\n", skip_lines=200_001) == ROWS


def test_columns_without_a_header_are_numbered(read):
    assert read("1.5,p\n2.25,q\n", header=False) == [{"c1": 1.5, "c2": "p"}, {"c1": 2.25, "c2": "q"}]
    assert read("1.5,p", header=False) == [{"c1": 1.5, "c2": "p"}]
    assert read('"two\nlines",p\n', header=False) == [{"c1": "two\nlines", "c2": "p"}]
    assert read("01;p\n", header=False, types={"c1": "string"}) == [{"c1": "01", "c2": "p"}]
    assert read("7\n8\n", header=False) == [{"c1": 7}, {"c1": 8}]


def test_lines_are_counted_with_those_before_the_header(read):
    with pytest.raises(ValueError, match=r"line 5 of .* has 3 fields"):
        read("notes\nsep=,\na,y\n1.5,p\n1,2,3\n", skip_lines=1)
    with pytest.raises(ValueError, match=r"line 2 of .* has 3 fields"):
        read("1.5,p\n1,2,3\n", header=False)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.txt"])
def test_a_byte_order_mark_tells_the_encoding(read, encoding, name):
    text = '{"größe": "weiß"}\n' if name == "t.jsonl" else "größe;y\nweiß;p\n"
    marked = (
        text.encode(encoding) if encoding in ("utf-16", "utf-32", "utf-8-sig") else ("\ufeff" + text).encode(encoding)
    )
    assert read(marked, name)[0]["größe"] == "weiß"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_of_two_byte_characters_without_a_mark_asks_for_its_encoding(read, encoding):
    with pytest.raises(ValueError, match=f"UTF-16 without its mark; give encoding='{encoding}'"):
        read("a,y\n1.5,p\n".encode(encoding))
    assert read("a,y\n1.5,p\n2.25,q\n".encode(encoding), encoding=encoding) == ROWS


def test_a_header_that_is_not_utf8_asks_for_its_encoding(read):
    text = "größe,y\n1.5,p\n".encode("latin-1")
    with pytest.raises(ValueError, match=r"the header of .* is not UTF-8 text; .*encoding='latin-1'"):
        read(text)
    assert read(text, encoding="latin-1") == [{"größe": 1.5, "y": "p"}]
    with command_line_words(), pytest.raises(ValueError, match="--encoding latin-1"):
        read(text)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"delimiter": "ab"}, "delimiter is 'ab', not one character"),
        ({"comment": "//"}, "comment is '//', not one character"),
        ({"decimal": ""}, "decimal is '', not one character"),
        ({"comment": '"'}, "other than a quote"),
        ({"skip_lines": -1}, "skip_lines is -1"),
        ({"on_error": "ignore"}, "on_error is 'ignore'; it can be stop, missing, skip"),
        ({"format": "xlsx"}, "format is 'xlsx'; it can be csv"),
        ({"encoding": "rot13"}, "encoding is 'rot13', which is not an encoding of text"),
        ({"encoding": "no-such"}, "encoding is 'no-such'"),
        ({"encoding": "undefined"}, "encoding is 'undefined'"),
        ({"types": {"a": "strng"}}, "'strng', which is not an Arrow type"),
        ({"types": {"b": "string"}}, "types names 'b', but .* has a, y"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
def test_options_that_cannot_be_are_refused(read, options, says):
    with pytest.raises(ValueError, match=says):
        read("a,y\n1.5,p\n", **options)


def test_options_do_not_change_files_that_describe_themselves(tmp_path):
    parquet.write_table(pa.table({"a": [1.5]}), tmp_path / "t.parquet")
    source = db.read_table(tmp_path / "t.parquet", decimal=",", comment="#", skip_lines=3, header=False)
    assert source.schema.names == ["a"]
