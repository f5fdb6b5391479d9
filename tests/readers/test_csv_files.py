"""CSV files: quotes, line ends, delimiters, rows and values that do not fit."""

import numpy as np
import pytest

import deciban as db
import deciban.readers.csv_file as csv_file
from deciban.likelihoods import Categorical
from deciban.readers import open_table
from deciban.readers.splitting import row_ends


def rows_of(path):
    return sum(b.num_rows for b in open_table(path).batches(open_table(path).schema.names, {}))


def test_one_inch_mark_made_the_rest_of_a_file_one_row(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_file, "TEXT_BLOCK", 1 << 10)
    path = tmp_path / "inch.csv"
    path.write_text("a,b\n" + "1,x\n" * 50 + '2,5" pipe\n' + "3,y\n" * 3000)
    with open(path, "rb") as file:
        blocks = list(csv_file.csv_blocks(file, path, ","))
    assert max(map(len, blocks)) < 4096
    assert rows_of(path) == 3051


def test_a_quote_in_the_header_swallowed_rows(tmp_path):
    path = tmp_path / "header.csv"
    path.write_text('size 5",b\n1,x\n2,3" y\n3,z\n')
    assert rows_of(path) == 3
    path.write_text('"two\nlines",b\n1,x\n')
    assert rows_of(path) == 1


def test_a_quote_that_never_ends_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_file, "TEXT_BLOCK", 1 << 8)
    monkeypatch.setattr(csv_file, "LONGEST_ROW", 1 << 12)
    (tmp_path / "open.csv").write_text('a,y\n1,p\n2,"q\n' + "3,p\n" * 5000)
    with pytest.raises(ValueError, match="is a quoted field left open"):
        db.NaiveBayes().fit(tmp_path / "open.csv", "y")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_files_with_line_ends_of_other_systems_had_no_rows(tmp_path, end):
    path = tmp_path / "ends.csv"
    path.write_bytes(end.join(["", "a,b", "1,x", "2,y"]).encode())
    assert rows_of(path) == 2
    path.write_bytes(end.join(["a,b", "1,x", "2,y", "", "3,z", ""]).encode())
    assert rows_of(path) == 3


def test_row_ends_against_a_reader_of_csv():
    import csv

    rng = np.random.default_rng(0)
    for _ in range(300):
        fields = [["".join(rng.choice(list('ab",\n'), rng.integers(0, 5))) for _ in range(2)] for _ in range(4)]
        quoted = ['"' + f.replace('"', '""') + '"' for row in fields for f in row]
        lines = [f"{a},{b}\n" for a, b in zip(quoted[::2], quoted[1::2])]
        text = "".join(lines).encode()
        assert row_ends(text, ",") == (len(lines[0]), len(text))
        assert list(csv.reader(text.decode().splitlines(keepends=True))) == fields
        cut = int(rng.integers(0, len(text)))
        whole = sum(len(line) for i, line in enumerate(lines) if sum(map(len, lines[: i + 1])) <= cut)
        assert row_ends(text[:cut], ",")[1] == whole


GOOD = "a,b,y\n1.5,u,p\n2.5,v,q\n3.5,u,p\n"


def test_the_wrong_delimiter_is_suspected(fails):
    message = fails(GOOD.replace(",", "#"))
    assert "no column 'y'" in message
    assert "is the delimiter right?" in message
    assert "no column 'y'" in fails(GOOD, delimiter=";")


def test_a_row_with_too_many_fields_is_named(fails):
    message = fails(GOOD * 1 + "4.5,v,q,extra\n")
    assert "line 5" in message
    assert "4 fields where the header has 3" in message
    assert "extra" in message
    assert "2 fields where the header has 3" in fails(GOOD + "4.5,v\n")


def test_reading_options(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes("zip|temp|café|y\n01|-|é|a\n02|3|ü|b\n03|4|é|a\n04|5|ü|b\n".encode("latin-1"))
    source = lambda: db.read_table(path, delimiter="|", missing="-", types={"zip": "string"}, encoding="latin-1")  # noqa: E731
    nb = db.NaiveBayes({"zip": db.Categorical()}).fit(source(), "y")
    assert nb.statistics_.classes.tolist() == ["a", "b"]
    assert nb.columns_["café"] == Categorical()
    zips = next(b for b in nb.statistics_.blocks if b.name == "tables").categories[0].tolist()
    assert zips == ["01", "02", "03", "04"]
    letters = next(b for b in nb.statistics_.blocks if b.name == "tables").categories[-1].tolist()
    assert letters == ["é", "ü"]
    assert nb.predict(source()).tolist() == ["a", "b", "a", "b"]
    with pytest.raises(ValueError, match="one character"):
        db.read_table(path, delimiter="||")
    with pytest.raises(ValueError, match="not an Arrow type"):
        db.read_table(path, types={"zip": "strng"})


def test_quotes_line_breaks_and_blank_lines_in_text_files(tmp_path, monkeypatch):
    path = tmp_path / "quoted.csv"
    rows = [(f'say ""{i}"",\n{"x" * (i % 90)}', "ab"[i % 2]) for i in range(3000)]
    path.write_text("text,y\n" + "".join(f'"{text}",{y}\n' for text, y in rows))
    nb = db.NaiveBayes({"text": db.Categorical()}).fit(path, "y")
    monkeypatch.setattr("deciban.readers.csv_file.TEXT_BLOCK", 1 << 12)
    again = db.NaiveBayes({"text": db.Categorical()}).fit(path, "y")
    assert nb.statistics_ == again.statistics_
    assert nb.statistics_.weight.tolist() == [1500, 1500]
    assert len(nb.statistics_.blocks[0].categories[0]) == len({text for text, _ in rows})


@pytest.mark.slow
def test_a_value_that_does_not_fit_far_down_is_named_with_its_line(fails):
    message = fails(GOOD + "4.5,v,q\n" * 2_000_000 + "oops,v,q\n4.5,v,q\n")
    assert "line 2000005" in message
    assert "'oops'" in message
    assert "column 'a'" in message


def test_whole_numbers_first_and_fractions_later_are_numbers(tmp_path):
    (tmp_path / "later.csv").write_text("a,y\n" + "".join(f"{i},p\n{i + 7},q\n" for i in range(300_000)) + "0.5,p\n")
    assert db.NaiveBayes().fit(tmp_path / "later.csv", "y").statistics_.weight.sum() == 600_001


def test_text_that_is_not_utf8_asks_for_the_encoding(tmp_path):
    (tmp_path / "l.csv").write_bytes("name,y\nMüller,u\nX,v\n".encode("latin-1"))
    with pytest.raises(ValueError, match="not UTF-8 text; name the file's encoding"):
        db.NaiveBayes().fit(tmp_path / "l.csv", "y")
