"""Many files as one table: patterns, columns in another order, columns of other types."""

import pyarrow as pa
import pytest
from pyarrow import parquet

import deciban as db


def test_shards_of_other_types_did_not_join(tmp_path):
    parquet.write_table(pa.table({"a": [1, 2, 3], "y": ["p", "q", "p"]}), tmp_path / "1.parquet")
    parquet.write_table(pa.table({"a": [1.5, None, 3.0], "y": ["p", "q", "p"]}), tmp_path / "2.parquet")
    nb = db.NaiveBayes({"a": db.Binned()}).fit(str(tmp_path / "*.parquet"), "y")
    assert nb.statistics_.weight.tolist() == [4, 2]


GOOD = "a,b,y\n1.5,u,p\n2.5,v,q\n3.5,u,p\n"


def test_columns_of_files_may_have_another_order(tmp_path):
    (tmp_path / "1.csv").write_text(GOOD)
    (tmp_path / "2.csv").write_text("y,b,a\np,u,1\nq,v,2\n")
    assert db.NaiveBayes().fit(str(tmp_path / "*.csv"), "y").statistics_.weight.tolist() == [3, 2]


def test_a_file_without_a_column_of_the_others_is_named(tmp_path):
    (tmp_path / "1.csv").write_text(GOOD)
    (tmp_path / "3.csv").write_text("a,y\n1,p\n")
    with pytest.raises(ValueError, match=r"3\.csv has no column 'b'"):
        db.NaiveBayes().fit(str(tmp_path / "*.csv"), "y")


def test_a_pattern_without_a_match_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file matches"):
        db.NaiveBayes().fit(str(tmp_path / "*.absent"), "y")


def test_a_pattern_without_a_match_was_passed_over(tmp_path):
    (tmp_path / "a.csv").write_text("a,y\n1,p\n")
    with pytest.raises(FileNotFoundError, match="no file matches"):
        db.read_table([str(tmp_path / "a.csv"), str(tmp_path / "none*.csv")])


def test_an_empty_list_of_files_is_an_error():
    with pytest.raises(ValueError, match="list of files is empty"):
        db.read_table([])
