"""Regressions of tables, files and the command line, named after what went wrong."""

import os
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import deciban as db
import deciban.readers.csv_file as csv_file
from deciban.arrays.documents import row_ends
from deciban.arrays.labels import Labels, union
from deciban.arrays.native import kernels
from deciban.files.model_file import load
from deciban.model.classifier import Settings
from deciban.readers import open_table
from deciban.readers.batches import rebatched
from deciban.statistics import Tables
from deciban.tables.evaluation import evaluated
from deciban.tables.jobs import fit_classifier, forget_rows


def rows_of(path):
    return sum(b.num_rows for b in open_table(path).batches(open_table(path).schema.names, {}))


def test_one_inch_mark_made_the_rest_of_a_file_one_row(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_file, "TEXT_BLOCK", 1 << 10)
    path = tmp_path / "inch.csv"
    path.write_text("a,b\n" + "1,x\n" * 50 + '2,5" pipe\n' + "3,y\n" * 3000)
    with open(path, "rb") as file:
        blocks = list(csv_file.row_blocks(file, path, ","))
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


def test_labels_of_a_file_to_evaluate_were_guessed_anew(tmp_path):
    (tmp_path / "train.csv").write_text("a,y\n1,01\n2,02\n3,x\n" * 20)
    (tmp_path / "test.csv").write_text("a,y\n1,01\n2,02\n")
    nb = db.NaiveBayes({"a": db.Categorical()}).fit(tmp_path / "train.csv", "y")
    assert nb.score(tmp_path / "test.csv", "y") == 1.0


def test_forgetting_weighted_rows_took_one_each():
    table = {"a": [1.5, 2.5, 3.5, 4.5], "w": [3.0, 2.0, 1.0, 5.0], "y": ["p", "q", "p", "q"]}
    first = {k: v[:2] for k, v in table.items()}
    whole = fit_classifier(open_table(table), "y", {"a": db.Gaussian()}, weight="w")
    rest = forget_rows(whole, open_table({k: v[2:] for k, v in table.items()}), None, None)
    assert rest.statistics.weight.tolist() == [3.0, 2.0]
    assert (
        rest.statistics.weight.tolist() == fit_classifier(open_table(first), "y", weight="w").statistics.weight.tolist()
    )


def test_guesses_followed_the_class_prior_and_not_the_data():
    table = {"a": [float(i) for i in range(20)], "y": ["rare"] * 2 + ["common"] * 18}
    classifier = fit_classifier(open_table(table), "y").with_settings(Settings(class_prior="uniform"))
    result = evaluated(classifier, open_table(table))
    assert result.majority.accuracy == pytest.approx(0.9)
    assert result.matching.accuracy == pytest.approx(0.82)


def test_a_table_without_classes_killed_the_process():
    with pytest.raises(ValueError, match="needs classes"):
        kernels.score_codes([np.zeros(3, np.int32)], np.array([0, 1]), np.zeros((2, 0)), np.zeros((3, 0)))


def test_categories_that_no_row_has_counted_as_values():
    words = pd.Categorical(["a", "b"] * 60, categories=["a", "b", *map(str, range(100))])
    frame = pd.DataFrame({"c": words, "y": ["p", "q", "q"] * 40})
    assert db.NaiveBayes().fit(frame, "y").columns_ == {"c": db.Categorical()}
    assert db.NaiveBayes().fit(frame, "c").classes_.tolist() == ["a", "b"]
    ids = pa.array([None, *range(1, 200)], pa.int64())
    with pytest.warns(db.ColumnWarning, match="'id'"):
        nb = db.NaiveBayes().fit(pa.table({"id": ids, "few": [1, 2] * 100, "y": ["p", "q"] * 100}), "y")
    assert nb.columns_["id"] is None
    few = pa.array([None, *(i % 20 + 1 for i in range(199))], pa.int64())
    assert db.NaiveBayes().fit(pa.table({"few": few, "y": ["p", "q"] * 100}), "y").columns_ == {"few": db.Categorical()}
    flat = {"flat": [1, None, 1, 1], "yes": [True] * 4, "a": [1.5, 2.5, 3.5, 4.5], "y": ["p", "q", "p", "q"]}
    with pytest.warns(db.ColumnWarning, match=r"'flat'.*'yes'"):
        db.NaiveBayes().fit(flat, "y")


def test_shards_of_other_types_did_not_join(tmp_path):
    parquet.write_table(pa.table({"a": [1, 2, 3], "y": ["p", "q", "p"]}), tmp_path / "1.parquet")
    parquet.write_table(pa.table({"a": [1.5, None, 3.0], "y": ["p", "q", "p"]}), tmp_path / "2.parquet")
    nb = db.NaiveBayes({"a": db.Binned()}).fit(str(tmp_path / "*.parquet"), "y")
    assert nb.statistics_.weight.tolist() == [4, 2]


def test_dates_had_other_names_in_text_and_no_numbers(tmp_path):
    text = "d,y\n" + "2020-01-01 00:00:00,p\n2021-05-05 10:00:00,q\n" * 10
    (tmp_path / "d.csv").write_text(text)
    frame = pd.read_csv(tmp_path / "d.csv", parse_dates=["d"])
    for model in (db.Categorical(), db.Gaussian(), db.Binned()):
        nb = db.NaiveBayes({"d": model}).fit(tmp_path / "d.csv", "y")
        assert nb.predict(tmp_path / "d.csv").tolist() == ["p", "q"] * 10
    seconds = frame.astype({"d": "datetime64[s]"})
    assert db.NaiveBayes({"d": db.Categorical()}).fit(tmp_path / "d.csv", "y").score(seconds, "y") == 1.0


def test_a_source_could_be_fitted_once_and_kept_its_threads(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 50)
    source = db.read_table(tmp_path / "t.csv")
    before = threading.active_count()
    one, two = (db.NaiveBayes().fit(source, "y") for _ in range(2))
    assert one.statistics_ == two.statistics_
    assert threading.active_count() == before


def test_only_the_first_mappings_keys_counted():
    nb = db.NaiveBayes().fit([{"a": 1, "y": "p"}, {"a": 2, "b": 3.5, "y": "q"}, {"a": 2, "b": 4.5, "y": "q"}], "y")
    assert set(nb.columns_) == {"a", "b"}
    assert len(nb.predict([{"a": 1}, {"a": 1, "b": 2.0}])) == 2


def test_a_pattern_without_a_match_was_passed_over(tmp_path):
    (tmp_path / "a.csv").write_text("a,y\n1,p\n")
    with pytest.raises(FileNotFoundError, match="no file matches"):
        db.read_table([str(tmp_path / "a.csv"), str(tmp_path / "none*.csv")])


def test_a_category_called_other_stood_for_all_others():
    nb = db.NaiveBayes({"x": db.Categorical()}).fit({"x": ["(other)"] * 20 + ["b"], "y": ["p"] * 20 + ["q"]}, "y")
    assert (nb.evidence({"x": "never seen"}) == 0).all()
    assert "too many values" not in repr(nb)


def test_other_took_the_place_of_a_category():
    def of(*names):
        return Tables.of(np.array([names], dtype=object).T, Labels(1, np.zeros(len(names), np.int32)), most=2)

    full = of("a", "b", "c")
    assert len(full.categories[0]) == 3
    assert (full + of("d")).categories[0].tolist() == full.categories[0].tolist()
    assert (full + of("d")).weight.sum() == 4


def test_bad_weights_and_labels_far_down_were_not_named(tmp_path):
    table = pa.table({"a": [1.0, 2.0], "w": ["1", "z"], "y": ["p", "q"]})
    with pytest.raises(ValueError, match=r"row 2, column 'w': 'z' is no number"):
        db.NaiveBayes().fit(table, "y", sample_weight="w")
    nb = db.NaiveBayes({"a": db.Gaussian()}).fit({"a": [1.0, 2.0], "y": [0, 1]}, "y")
    labels = pa.array(["0", "1"] * 125_000 + ["bad"])
    with pytest.raises(ValueError, match=r"row 250001, column 'y': 'bad' is no integer"):
        nb.score(pa.table({"a": np.zeros(250_001), "y": labels}), "y")


def test_integers_became_floats_when_models_were_merged():
    names, _, _ = union(np.array([1, 2]), np.array([1, 2**63], dtype=np.uint64))
    assert names.tolist() == [1, 2, 2**63]
    assert all(isinstance(name, int) for name in names.tolist())


def run(folder, *words):
    command = [sys.executable, "-c", "from deciban.cli import main; main()", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 5000)
    run(tmp_path, "fit", "t.csv", "-t", "y", "-o", "m.deciban")
    return tmp_path


def test_a_table_for_the_screen_was_an_empty_file(folder):
    done = run(folder, "predict", "m.deciban", "t.csv", "-f", "table", "-o", "out.txt")
    assert done.returncode == 1
    assert not (folder / "out.txt").exists()


def test_tab_separated_output_had_commas(folder):
    run(folder, "predict", "m.deciban", "t.csv", "--keep", "a", "-o", "out.tsv")
    assert open_table(folder / "out.tsv").schema.names == ["a", "prediction"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_became_a_file(folder):
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=folder, stdout=subprocess.PIPE) as reader:
        assert run(folder, "fit", "t.csv", "-t", "y", "-o", "pipe").returncode == 0
        (folder / "copy.deciban").write_bytes(reader.stdout.read())
    assert not (folder / "pipe").is_file()
    assert load(folder / "copy.deciban").statistics == load(folder / "m.deciban").statistics


def test_a_reader_that_leaves_was_an_error(folder):
    command = f'{sys.executable} -c "from deciban.cli import main; main()" predict m.deciban t.csv | head -1; '
    done = subprocess.run(
        ["bash", "-c", command + "exit ${PIPESTATUS[0]}"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stdout == '"prediction"\n'
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_folder_was_named_by_a_temporary_file(folder):
    done = run(folder, "fit", "t.csv", "-t", "y", "-o", "no/m.deciban")
    assert "no to write m.deciban to" in done.stderr


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.uint32()], ids=str)
def test_labels_in_a_dictionary_changed_the_table(kind):
    labels = pa.array(["c", "c", "a", "a", "b", "b"] * 5)
    dictionary = pa.DictionaryArray.from_arrays(labels.dictionary_encode().indices.cast(kind), ["c", "a", "b"])
    table = pa.table({"n": [1.0, 2, 10, 11, 20, 21] * 5, "y": dictionary})
    nb = db.NaiveBayes().fit(table, "y")
    nb.score(table, "y")
    assert table["y"].to_pylist() == labels.to_pylist()
    assert nb.predict({"n": [1.0, 11.0, 21.0]}).tolist() == ["c", "a", "b"]


def test_whole_numbers_written_with_a_point_were_unseen(tmp_path):
    nb = db.NaiveBayes().fit({"k": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}, "y")
    (tmp_path / "k.csv").write_text("k\n1.0\n\n4.0\n")
    assert np.allclose(nb.predict_proba(tmp_path / "k.csv"), nb.predict_proba({"k": [1, None, 4]}))


def test_kept_columns_came_out_otherwise_than_they_went_in(tmp_path):
    (tmp_path / "t.csv").write_text("k,id,big,y\n1,007,9007199254740993,u\n2,008,9007199254740992,v\n")
    nb = db.NaiveBayes({"k": db.Categorical(), "big": db.Binned(), "id": None}).fit(tmp_path / "t.csv", "y")
    nb.predict_file(tmp_path / "t.csv", tmp_path / "out.jsonl", keep=["id", "big"])
    assert '"id": "007", "big": "9007199254740993"' in (tmp_path / "out.jsonl").read_text()


def test_a_link_was_replaced_by_a_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link.deciban").symlink_to(tmp_path / "real" / "m.deciban")
    db.NaiveBayes().fit({"a": [1.5, 2.5], "y": ["p", "q"]}, "y").save(tmp_path / "link.deciban")
    assert (tmp_path / "link.deciban").is_symlink()
    assert db.load(tmp_path / "real" / "m.deciban").classes_.tolist() == ["p", "q"]


def test_declared_pairs_did_not_come_back_from_columns():
    table = {"w": ["a", "b", "a"], "a": [1.5, 2.5, 3.5], "b": [1.0, 2.0, 4.0], "y": ["p", "q", "p"]}
    nb = db.NaiveBayes({("a", "b"): db.Gaussian()}).fit(table, "y")
    assert (db.NaiveBayes(nb.columns_).fit(table, "y") + nb).statistics_.weight.sum() == 6


def test_text_that_is_not_utf8_and_frames_without_rows_yet(tmp_path):
    import polars as pl

    (tmp_path / "l.csv").write_bytes("name,y\nMüller,u\nX,v\n".encode("latin-1"))
    with pytest.raises(ValueError, match="not UTF-8 text; name the file's encoding"):
        db.NaiveBayes().fit(tmp_path / "l.csv", "y")
    with pytest.raises(ValueError, match=r"call \.collect\(\)"):
        db.NaiveBayes().fit(pl.LazyFrame({"a": [1], "y": ["p"]}), "y")


def test_models_that_do_not_merge_did_not_say_why():
    a, b = (db.NaiveBayes({"x": m}).fit({"x": [1, 2], "y": ["p", "q"]}, "y") for m in (db.Binned(), db.Categorical()))
    with pytest.raises(ValueError, match=r"'x' is Binned\(\) of integer in one and Categorical\(\) of integer"):
        a.merge(b)


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
def test_json_lines_as_they_come(tmp_path, lines, types):
    (tmp_path / "t.jsonl").write_text(lines, encoding="utf8")
    table = db.read_table(tmp_path / "t.jsonl")
    assert {field.name: str(field.type) for field in table.schema} == types


def test_large_batches_are_cut_into_equal_shares_without_a_copy():
    batch = pa.record_batch({"t": pa.array(["x" * 20_000] * 2000)})
    memory = batch.column("t").buffers()[2].address
    pieces = list(rebatched(iter([batch]), 1 << 17))
    assert [piece.num_rows for piece in pieces] == [500] * 4
    assert {piece.column("t").buffers()[2].address for piece in pieces} == {memory}
    few = [pa.record_batch({"t": pa.array(["y"] * 3)})] * 5
    assert [piece.num_rows for piece in rebatched(iter([*few, batch, *few]), 1 << 17)] == [15, *[500] * 4, 15]
