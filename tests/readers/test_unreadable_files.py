"""Files that cannot be read are one sentence, and the model stays as it was."""

import os

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import deciban as db

GOOD = "a,b,y\n1.5,u,p\n2.5,v,q\n3.5,u,p\n"


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        ("", "t.csv", "is empty"),
        ("a,b,y\n", "t.csv", "no rows to learn from"),
        ("a,y\n\n\n", "t.csv", "no rows to learn from"),
        (b"PAR1" + b"\0" * 50, "t.parquet", "cannot be read"),
        (b"ARROW1\0\0" + b"\1" * 50, "t.feather", "cannot be read"),
        (b"not gzip at all", "t.csv.gz", "cannot be read"),
        ('{"a": 1, "y": "p"\n', "t.jsonl", "one object per line"),
    ],
    ids=["empty", "header", "blank lines", "parquet", "feather", "gzip", "json"],
)
def test_files_that_cannot_be_read(fails, content, name, says):
    assert says in fails(content, name=name)


def test_a_truncated_parquet_file(tmp_path):
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"a": np.arange(1000.0), "y": ["p", "q"] * 500}), path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match="cannot be read"):
        db.NaiveBayes().fit(path, "y")


def test_a_file_that_does_not_exist(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        db.NaiveBayes().fit(tmp_path / "absent.csv", "y")


def test_a_folder_is_not_a_table(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        db.NaiveBayes().fit(tmp_path, "y")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission(tmp_path):
    (tmp_path / "secret.csv").write_text(GOOD)
    (tmp_path / "secret.csv").chmod(0)
    with pytest.raises(PermissionError):
        db.NaiveBayes().fit(tmp_path / "secret.csv", "y")


@pytest.mark.parametrize(("used", "proposed"), [(",", ";"), (";", ","), ("\t", ";")], ids=["comma", "semicolon", "tab"])
def test_too_many_fields_propose_another_delimiter_than_the_one_in_use(fails, used, proposed):
    text = "a,y\n1,p\n2,q,r\n".replace(",", used)
    assert f"give another one (delimiter={proposed!r})" in fails(text)
