"""Tables from every place they come from: one model, whatever the form, the batches, the order of shards."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mail_table import COLUMNS, ROWS, TABLE, same_counts
from pyarrow import csv, dataset, feather, parquet

import deciban as db


@pytest.fixture(scope="module")
def model():
    return db.NaiveBayes(COLUMNS).fit(TABLE, "kind")


def forms(folder):
    """Yield the table in every form a user may have it."""
    csv.write_csv(TABLE, folder / "t.csv")
    csv.write_csv(TABLE, folder / "t.tsv", csv.WriteOptions(delimiter="\t"))
    csv.write_csv(TABLE, folder / "semicolon.csv", csv.WriteOptions(delimiter=";"))
    for name, kind in (("t.csv.gz", "gzip"), ("t.csv.zst", "zstd")):
        with pa.CompressedOutputStream(str(folder / name), kind) as out:
            out.write((folder / "t.csv").read_bytes())
    parquet.write_table(TABLE, folder / "t.parquet", row_group_size=700)
    feather.write_feather(TABLE, str(folder / "t.feather"))
    with pa.ipc.new_stream(str(folder / "t.arrows"), TABLE.schema) as out:
        out.write_table(TABLE, max_chunksize=999)
    lines = TABLE.to_pandas().to_json(orient="records", lines=True)
    (folder / "t.jsonl").write_text(lines)
    for i, first in enumerate(range(0, ROWS, 1000)):
        csv.write_csv(TABLE.slice(first, 1000), folder / f"part-{i}.csv")
    paths = [
        "t.csv",
        "t.tsv",
        "semicolon.csv",
        "t.csv.gz",
        "t.csv.zst",
        "t.parquet",
        "t.feather",
        "t.arrows",
        "t.jsonl",
        "part-*.csv",
    ]
    yield from ((name, lambda name=name: str(folder / name)) for name in paths)
    yield "path object", lambda: folder / "t.csv"
    yield "list of files", lambda: sorted(folder.glob("part-*.csv"))
    yield "pyarrow", lambda: TABLE
    yield "chunks", lambda: pa.concat_tables([TABLE.slice(a, 313) for a in range(0, ROWS, 313)])
    yield "reader", lambda: pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(17))
    yield "dataset", lambda: dataset.dataset(folder / "t.parquet")
    yield "pandas", lambda: TABLE.to_pandas()
    yield "pandas, shuffled index", lambda: TABLE.to_pandas().set_index(np.arange(ROWS)[::-1])
    yield "polars", lambda: pl.from_arrow(TABLE)
    yield "polars categorical", lambda: pl.from_arrow(TABLE).with_columns(pl.col("from").cast(pl.Categorical))
    yield "duckdb", lambda: duckdb.from_arrow(TABLE)
    yield "large strings", lambda: TABLE.set_column(3, "from", TABLE["from"].cast(pa.large_string()))
    yield "dictionary", lambda: TABLE.set_column(3, "from", TABLE["from"].dictionary_encode())
    yield "other order", lambda: TABLE.select(["kind", "from", "known", "size", "links", "stars"])
    yield "another column", lambda: TABLE.append_column("more", TABLE["stars"])


def test_the_same_model_from_every_form_of_a_table(model, tmp_path):
    expected = model.predict_proba(TABLE)
    for name, form in forms(tmp_path):
        if name in ("other order", "another column"):
            nb = db.NaiveBayes(COLUMNS).fit(TABLE, "kind")
        else:
            nb = db.NaiveBayes(COLUMNS).fit(form(), "kind")
            same_counts(nb.statistics_, model.statistics_)
        assert np.allclose(nb.predict_proba(form()), expected, rtol=1e-9), name
        assert nb.score(form(), "kind") == model.score(TABLE, "kind"), name


@pytest.mark.parametrize("rows", [1, 7, 1000, 10**6])
def test_batches_of_any_size_make_the_same_model(model, rows):
    table = TABLE.slice(0, 200 * rows)
    expected = db.NaiveBayes(COLUMNS).fit(table, "kind").statistics_
    nb = db.NaiveBayes(COLUMNS)
    for batch in table.to_batches(rows):
        nb.partial_fit(batch, "kind")
    same_counts(nb.statistics_, expected)


@pytest.fixture(scope="module")
def shards():
    return [db.NaiveBayes(COLUMNS).fit(TABLE.slice(500 * i, 500), "kind") for i in range(10)]


@given(order=st.permutations(range(10)))
def test_ten_shards_merge_in_any_order(model, shards, order):
    same_counts(sum(shards[i] for i in order).statistics_, model.statistics_)


def forgets_the_last_tenth(frame, target):
    cut = len(frame) * 9 // 10
    first = db.NaiveBayes(alpha=1.0, calibrate=False, refine=None).fit(frame[:cut], target)
    rest = db.NaiveBayes(first.columns_).fit(frame, target).forget(frame[cut:], target)
    same_counts(rest.statistics_, first.statistics_)
    assert (rest.predict_proba(frame) == first.predict_proba(frame)).all()


def test_forgetting_the_last_tenth_equals_training_on_the_rest():
    forgets_the_last_tenth(TABLE.to_pandas(), "kind")


def test_forgetting_the_last_tenth_of_a_real_table(table):
    forgets_the_last_tenth(
        pd.DataFrame(table("adult")).replace("?", None).astype({"age": float, "fnlwgt": float}), "class"
    )


def test_one_thread_and_many_make_the_same_model(model):
    for threads in (1, 3):
        nb = db.NaiveBayes(COLUMNS, threads=threads).fit(TABLE, "kind")
        assert nb.statistics_ == model.statistics_
        assert (nb.predict_proba(TABLE) == model.predict_proba(TABLE)).all()


def test_a_missing_value_is_no_evidence_and_changes_no_other_column(model):
    row = TABLE.slice(0, 1).to_pylist()[0]
    empty = {**row, "from": None, "size": float("nan")}
    evidence = model.evidence(empty)
    names = list(model.feature_names_in_)
    assert (evidence[0, :, [names.index("from"), names.index("size")]] == 0).all()
    others = [j for j, n in enumerate(names) if n not in ("from", "size")]
    assert (evidence[0][:, others] == model.evidence(row)[0][:, others]).all()
    nothing = dict.fromkeys(names)
    assert np.allclose(model.predict_proba(nothing), np.exp(model.model_.log_prior))
