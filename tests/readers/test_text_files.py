"""Files of texts: lines of any length, lines of fastText, plain lines, bytes that are not UTF-8."""

import gzip
import json
from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pytest
from texts import SMALL

import deciban as db
from deciban.teaching.logistic_regression import read_into_memory


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("name", ["mails.jsonl", "mails.txt", "mails.jsonl.gz", "mails.csv"])
@pytest.mark.slow
def test_a_line_of_any_length(tmp_path, name, place):
    path = tmp_path / name
    texts = ["buy cheap pills", "see you soon", "buy more", "see more"]
    texts.insert(place, "word " * 2_000_000)
    if ".jsonl" in name:
        lines = [json.dumps({"label": "ab"[i % 2], "text": text}) for i, text in enumerate(texts)]
    elif name == "mails.csv":
        lines = ["text,label", *(f'"{text}",{"ab"[i % 2]}' for i, text in enumerate(texts))]
    else:
        lines = [f"__label__{'ab'[i % 2]} {text}" for i, text in enumerate(texts)]
    text = "\ufeff" + "\n".join(lines) + "\n\n"
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    with pytest.warns(db.MissingLabelWarning) if name == "mails.txt" else nullcontext():  # of the empty line
        nb = db.NaiveBayes({"text": db.Words()}).fit(path, "label")
    found = nb.statistics_.blocks[0]
    assert dict(zip(found.vocabulary.words, found.totals()))["word"] == 2_000_000
    assert nb.statistics_.weight.tolist() == [3.0, 2.0]


def test_lines_of_fasttext(tmp_path):
    path = tmp_path / "mails.txt"
    lines = [f"__label__{label} {text}" for text, label in zip(*SMALL)]
    path.write_bytes(
        "\r\n".join([*lines, "no label here", "", "__label__spam"]).encode() + b"\n__label__ham \xff see\xe9"
    )
    with pytest.warns(db.MissingLabelWarning, match="2 of 9 rows"):
        nb = db.NaiveBayes().fit(path, "label")
    assert nb.columns_ == {"text": db.Words(transform="tfidf", evidence="auto")}
    assert nb.classes_.tolist() == ["ham", "other", "spam"]
    assert "see" in nb.statistics_.blocks[0].vocabulary.words
    assert len(nb.predict(path)) == 9
    assert nb.score(path, "label") > 0.8
    path.write_text("__label__a __label__b both of them now\n" * 40 + "__label__b only this one here\n" * 40)
    with pytest.warns(db.ColumnWarning, match="40 lines of .* have more than one label"):
        assert db.NaiveBayes({"text": db.Words()}).fit(path, "label").statistics_.weight.tolist() == [40, 40]


def test_each_label_of_a_line_of_fasttext_makes_a_row(tmp_path):
    path = tmp_path / "several.txt"
    lines = [
        b"__label__a __label__b both \xff",
        b"none here",
        b"",
        b"__label__c one",
        b"\t__label__a  __label__b\t__label__c",
    ]
    path.write_bytes(b"\n".join(lines))
    rows = [("a", "both \ufffd"), ("b", "both \ufffd"), (None, "none here"), (None, ""), ("c", "one")]
    rows += [("a", ""), ("b", ""), ("c", "")]
    table = read_into_memory(db.read_table(path, format="fasttext", labels="each"))
    assert list(zip(table["label"].to_pylist(), table["text"].to_pylist())) == rows
    path.write_text("__label__a __label__b both of them now\n" * 40 + "__label__b only this one here\n" * 40)
    nb = db.NaiveBayes({"text": db.Words()}).fit(db.read_table(path, labels="each"), "label")
    assert nb.statistics_.weight.tolist() == [40, 80]
    with pytest.raises(ValueError, match="labels is 'all'; it can be first, each"):
        db.read_table(path, labels="all")


def test_plain_lines_are_texts_where_they_are_said_to_be(tmp_path):
    nb, path = db.NaiveBayes(db.Words()).fit(*SMALL), tmp_path / "new.txt"
    path.write_text("cheap watches\nsee you\n")
    assert nb.predict(db.read_table(path, format="fasttext")).tolist() == ["spam", "ham"]
    with pytest.raises(ValueError, match=r"it has cheap watches \(where every line is a text, read it as fasttext"):
        nb.predict(path)
    with pytest.raises(ValueError, match="format is 'lines'; it can be csv, jsonl, parquet, arrow, fasttext"):
        db.read_table(path, format="lines")


def test_files_that_are_not_utf8(tmp_path):
    row = b'{"text": "caf\xe9 au lait, number %d", "label": "%s"}\n'
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"".join(row % (i, (b"a", b"b\xff")[i % 2]) for i in range(40)))
    nb = db.NaiveBayes().fit(path, "label")
    assert nb.columns_ == {"text": db.Words(transform="tfidf", evidence="auto")}
    assert nb.classes_.tolist() == ["a", "b\ufffd"]
    assert {"caf", "au", "lait", "number"} <= set(nb.statistics_.blocks[0].vocabulary.words)
    column = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 2, 4], "i4")), pa.py_buffer(b"a\xffa\xff")]
    )
    for kind in (column, column.dictionary_encode()):
        assert db.NaiveBayes({"x": db.Categorical()}).fit(pa.table({"x": kind, "y": ["p", "q"]}), "y").predict(
            {"x": ["a\ufffd"]}
        ) == ["p"]
    table = tmp_path / "bad.csv"
    table.write_bytes(b"text,label\n" + b"caf\xe9 au lait today,a\nno coffee for me,b\n" * 40)
    with pytest.raises(ValueError, match="not UTF-8 text; name the file's encoding"):
        db.NaiveBayes().fit(table, "label")
    late = tmp_path / "late.csv"
    late.write_bytes(b"text,label\n" + b"some words in a row,a\n" * 250_000 + b"caf\xe9 au lait,b\n")
    with pytest.raises(ValueError, match=r"line 250002 of .*late.csv is not UTF-8 text; name the file's encoding"):
        db.NaiveBayes({"text": db.Words()}).fit(late, "label")
    with pytest.raises(ValueError, match=r"bytes, not UTF-8 text; .* or cast the column to string"):
        db.NaiveBayes({"text": db.Words()}).fit(pa.table({"text": [b"cheap", b"lunch"], "label": [1, 2]}), "label")
    latin = db.NaiveBayes().fit(db.read_table(table, encoding="latin-1"), "label")
    assert latin.predict(["café"]).tolist() == ["a"]
