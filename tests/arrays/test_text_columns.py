"""Columns of texts without a table: lists of strings of every width, columns of frames, Arrow memory in place."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from texts import SMALL

import deciban as db
from deciban.arrays.documents import Tokenizer, documents_of
from deciban.arrays.labels import Labels
from deciban.arrays.texts import Texts
from deciban.readers.texts import as_texts
from deciban.statistics.words import WordCounts, WordValues

CHARS = WordValues(Tokenizer(analyzer="char", lowercase=False))


def counted(lines, rows, how=CHARS):
    found = WordCounts.of(lines, Labels(1, np.zeros(rows, np.int32)), how)
    return dict(zip(found.vocabulary.words, found.weight.tolist()))


def test_columns_of_texts_in_every_form():
    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    forms = [
        tuple(texts), np.array(texts), np.array(texts, dtype=object), pd.Series(texts), pd.Index(texts),
        pd.Series(texts, dtype="string"), pl.Series(texts), pa.array(texts), pa.chunked_array([texts]),
    ]  # fmt: skip
    for form in forms:
        assert db.NaiveBayes(db.Words()).fit(form, y).statistics_ == nb.statistics_
        assert nb.predict(form).tolist() == y
        assert nb.partial_fit(form, y).forget(form, y).statistics_.weight.tolist() == [2, 1, 2]
    named = db.NaiveBayes().fit(pd.DataFrame({"mail": texts, "y": y}), "y")
    for form in forms:
        assert named.predict(form).tolist() == y
    missing = [*texts, None, float("nan"), pd.NA]
    assert (nb.predict_proba(missing)[-3:] == nb.predict_proba([None])).all()


def test_a_model_of_a_list_reads_a_column_named_text(tmp_path):
    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    expected, path = nb.predict_proba(texts), tmp_path / "mails.jsonl"
    path.write_text("".join(json.dumps({"label": label, "text": text}) + "\n" for text, label in zip(texts, y)))
    for nothing in ([], np.array([], dtype=str), pd.Series([], dtype=object), {"text": []}):
        assert nb.predict(nothing).tolist() == []
    for column in (pd.Series(texts, index=range(7, 12)), pa.chunked_array([texts]), np.array(texts)):
        assert (nb.predict_proba(column) == expected).all()
    with pytest.warns(UserWarning, match="feature names"):  # the one column, whatever its name
        assert (nb.predict_proba(pd.DataFrame({"body": texts})) == expected).all()
    for table in ({"text": texts}, pa.table({"n": [1] * 5, "text": texts}), [{"text": t} for t in texts], path):
        assert (nb.predict_proba(table) == expected).all()
    twice = db.NaiveBayes(db.Words()).fit(texts, y).partial_fit(path, "label").partial_fit({"text": texts}, y)
    assert twice.statistics_ == (nb * 3).statistics_
    assert not hasattr(twice, "feature_names_in_")
    nb.save(tmp_path / "mails.deciban")
    nb.predict_file(path, tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 6
    assert "texts by themselves" in repr(nb)
    assert str(nb.explain({"text": texts[:1]})) == str(nb.explain(texts[:1]))
    assert (nb.leave_one_out({"text": texts}, y) == nb.leave_one_out(texts, y)).all()


def test_a_text_that_names_a_file_is_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "meeting").write_text("x")
    nb = db.NaiveBayes(db.Words()).fit(*SMALL)
    assert nb.predict(["meeting"]).tolist() == ["ham"]
    assert db.NaiveBayes(db.Words()).fit(["meeting"], ["ham"]).predict(["meeting"]).tolist() == ["ham"]


WIDTHS = st.sampled_from(["a~", "é\x80ÿ", "ĀЖ߿ࠀ中\ud800\udfff\uffff", "\U00010000👍\U0010ffff"])


@example(["é" * 16 + "a" * 16 + "ж"])
@example(["\ud83d\ude00"])  # a surrogate pair, which Python keeps as two characters
@given(st.lists(WIDTHS.flatmap(lambda letters: st.text(st.sampled_from("a " + letters), max_size=70)), max_size=5))
def test_strings_of_every_width_are_read_as_python_encodes_them(texts):
    encoded = [text.encode("utf-8", "replace") for text in texts]
    for how in (CHARS, WordValues(Tokenizer(ngrams=(1, 2)))):
        assert counted(Texts.of(texts), len(texts), how) == counted(Texts.of(encoded), len(texts), how)


def arrow_forms(texts):
    whole = pa.array(["before", *texts, "behind"])
    yield whole.slice(1, len(texts))
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        yield pa.array(texts, kind)
        yield pa.chunked_array([texts[:1], [], texts[1:4], texts[4:]], kind)
    yield pl.Series(texts)
    yield pl.concat([pl.Series(texts[:2]), pl.Series(texts[2:])], rechunk=False)
    yield pd.Series(texts, dtype=pd.ArrowDtype(pa.string()))


def test_columns_of_arrow_are_read_where_they_are():
    texts = ["naïve ΟΔΟΣ 👍", None, "", "a text of more than twelve bytes", None, "a text"]
    y = ["a", "b", "a", "b", "a", "b"]
    expected = db.NaiveBayes(db.Words(), alpha="auto").fit(texts, y)
    chosen = db.NaiveBayes().fit(texts, y)
    for form in arrow_forms(texts):
        lines = as_texts(form)
        assert len(lines.documents) == 6
        assert lines.missing(0).tolist() == [text is None for text in texts]
        assert lines.block(1, 4).to_list() == texts[1:4]
        assert lines.known_strings(5) == [text for text in texts[:5] if text is not None]
        assert lines.pick(np.array([0, 4, 5])).to_list() == [texts[0], None, texts[5]]
        assert lines.to_list() == texts
        assert lines.column(0).names[lines.column(0).codes[[2, 3]]].tolist() == texts[2:4]
        nb = db.NaiveBayes(db.Words(), alpha="auto").fit(form, y)
        assert nb.statistics_ == expected.statistics_
        assert (nb.predict_proba(form) == expected.predict_proba(texts)).all()
        assert (nb.leave_one_out(form, y) == expected.leave_one_out(texts, y)).all()
        assert [str(row) for row in nb.explain(form)] == [str(row) for row in expected.explain(texts)]
        assert (db.NaiveBayes().fit(form, y).predict(form) == chosen.predict(texts)).all()


def test_an_arrow_column_gives_no_copy_of_its_text():
    texts = pa.array(["some words of a text"] * 50_000)
    before = pa.total_allocated_bytes()
    db.NaiveBayes(db.Words()).fit(texts, np.arange(50_000) % 2).predict(texts)
    assert pa.total_allocated_bytes() == before


def test_a_list_that_changes_while_it_is_read_was_read_as_it_was():
    texts = ["one text", "ein Märchen"]
    documents = Texts.of(texts).texts(0)
    texts.clear()
    assert len(documents) == 2
    assert documents.missing().tolist() == [0, 0]


@pytest.mark.parametrize("make", [pa.array, pl.Series, pd.Series, lambda texts: pa.array(texts).dictionary_encode()])
def test_columns_without_rows(make):
    nb = db.NaiveBayes(db.Words()).fit(*SMALL)
    empty = make(SMALL[0])[:0]
    assert nb.predict(empty).tolist() == []
    with pytest.raises(ValueError, match="no texts"):
        db.NaiveBayes(db.Words()).fit(empty, [])


def test_categories_of_polars_are_texts_too():
    texts, y = SMALL
    nb = db.NaiveBayes(db.Words()).fit(texts, y)
    for kind in (pl.Categorical, pl.Enum(texts)):
        assert nb.predict(pl.Series(texts, dtype=kind)).tolist() == y


def test_bytes_stay_bytes_where_they_are_categories():
    nb = db.NaiveBayes(db.Categorical()).fit([b"\xff", b"\xfe", b"aa"] * 5, list("abc") * 5)
    assert nb.predict([b"\xff", b"\xfe"]).tolist() == ["a", "b"]
    assert nb.predict(np.array([[b"aa"]], dtype=object)).tolist() == ["c"]
    assert as_texts([b"\xff", "a", None]).to_list() == [b"\xff", "a", None]
    assert as_texts([b"\xff", "a", None]).strings() == ["\ufffd", "a", None]


def test_strings_of_pandas_that_lie_in_python():
    texts = ["\ud800 aa", "bb cc"]
    series = pd.Series(texts, dtype=pd.StringDtype("python"))
    assert db.NaiveBayes(db.Words()).fit(series, ["a", "b"]).predict(texts).tolist() == ["a", "b"]


class Odd:
    """A value that is neither text nor missing, with a repr that cannot be encoded."""

    def __repr__(self):
        return "\ud800" * 100


class DNAType(Odd):
    pass


def test_a_value_that_is_not_text_is_one_short_error():
    for odd in (Odd(), DNAType(), [1] * 1000, bytearray(b"text")):
        with pytest.raises(ValueError, match=r"row 1 of X is .*, not text") as caught:
            db.NaiveBayes(db.Words()).fit(["a text", odd], ["a", "b"])
        assert len(str(caught.value)) < 200


def test_a_list_that_shrinks_as_garbage_is_collected():
    import gc

    texts = [f"text {i}" for i in range(1000)]
    before = gc.get_threshold()
    gc.callbacks.append(lambda phase, info: texts.clear())
    try:
        gc.set_threshold(1, 1, 1)
        documents = documents_of(texts)
    except ValueError as error:
        assert "changed while it was read" in str(error)  # noqa: PT017 - it may, or may not
    else:
        assert len(documents) in (0, 1000)  # emptied before it was read, or not at all
    finally:
        gc.set_threshold(*before)
        gc.callbacks.pop()
