"""Tables from every place they come from: one model, columns by name, holes, unknown values, streams, caps."""

import io
import warnings

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, dataset, feather, parquet

import deciban as db
from deciban.likelihoods import Categorical
from deciban.statistics import Histogram
from deciban.statistics import histogram as histogram_module

RNG = np.random.default_rng(3)
ROWS = 5000
KIND = np.array(["ham", "spam"])[RNG.integers(0, 2, ROWS)]


def holes(values, share=0.1):
    return [None if hole else v for v, hole in zip(values.tolist(), RNG.random(ROWS) < share)]


TABLE = pa.table(
    {
        "size": holes(RNG.normal(size=ROWS) + (KIND == "spam")),
        "links": pa.array(holes(RNG.poisson(3 + 20 * (KIND == "spam"))), pa.int64()),
        "stars": pa.array(RNG.integers(1, 6, ROWS)),
        "from": holes(np.array(["alpha", "beta", "gamma", "délta"])[RNG.integers(0, 4, ROWS)]),
        "known": holes(RNG.random(ROWS) < 0.3 + 0.3 * (KIND == "ham")),
        "kind": KIND,
    }
)
COLUMNS = {
    "size": db.Binned(), "links": db.Gaussian(), "stars": db.Categorical(), "from": db.Categorical(),
    "known": db.Bernoulli(),
}  # fmt: skip


def same_counts(a, b):
    """Counts bit for bit, moments to 1e-10."""
    assert a.classes.tolist() == b.classes.tolist()
    assert a.weight.tolist() == b.weight.tolist()
    for x, y in zip(a.blocks, b.blocks, strict=True):
        if x.name == "moments":
            for name, array in x.arrays().items():
                assert np.allclose(array, y.arrays()[name], rtol=1e-10, atol=0)
        else:
            assert x == y


@pytest.fixture(scope="module")
def model():
    return db.NaiveBayes(COLUMNS).fit(TABLE, "kind")


def forms(folder):
    """The table in every form a user may have it."""
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
    table = TABLE.slice(0, 300) if rows == 1 else TABLE
    expected = db.NaiveBayes(COLUMNS).fit(table, "kind").statistics_
    nb = db.NaiveBayes(COLUMNS)
    for batch in table.to_batches(rows):
        nb.partial_fit(batch, "kind")
    same_counts(nb.statistics_, expected)


@given(order=st.permutations(range(10)))
def test_ten_shards_merge_in_any_order(order):
    shards = [db.NaiveBayes(COLUMNS).fit(TABLE.slice(500 * i, 500), "kind") for i in range(10)]
    whole = db.NaiveBayes(COLUMNS).fit(TABLE, "kind")
    same_counts(sum(shards[i] for i in order).statistics_, whole.statistics_)


def forgets_the_last_tenth(frame, target):
    cut = len(frame) * 9 // 10
    first = db.NaiveBayes(alpha=1.0, calibrate=False).fit(frame[:cut], target)
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


def test_a_hole_is_no_evidence_and_changes_nothing_else(model):
    row = TABLE.slice(0, 1).to_pylist()[0]
    empty = {**row, "from": None, "size": float("nan")}
    evidence = model.evidence(empty)
    names = list(model.feature_names_in_)
    assert (evidence[0, :, [names.index("from"), names.index("size")]] == 0).all()
    others = [j for j, n in enumerate(names) if n not in ("from", "size")]
    assert (evidence[0][:, others] == model.evidence(row)[0][:, others]).all()
    nothing = dict.fromkeys(names)
    assert np.allclose(model.predict_proba(nothing), np.exp(model.model_.log_prior))


def test_an_unseen_category_is_no_evidence_or_has_its_smoothed_share():
    table = pa.table({"x": ["a", "a", "b", "b", "b"], "y": ["u", "u", "u", "v", "v"]})
    unseen = pa.table({"x": ["new"]})
    ignoring = db.NaiveBayes({"x": db.Categorical()}).fit(table, "y")
    assert np.allclose(ignoring.predict_proba(unseen), [[0.6, 0.4]])
    sharing = db.NaiveBayes({"x": db.Categorical(unseen="share")}).fit(table, "y")
    # Two values and one for all others: 1/(3+3) in u, 1/(2+3) in v.
    joint = np.array([0.6 / 6, 0.4 / 5])
    assert np.allclose(sharing.predict_proba(unseen), joint / joint.sum())
    assert np.allclose(sharing.predict_proba(pa.table({"x": [None]}, pa.schema([("x", pa.string())]))), [[0.6, 0.4]])
    assert np.allclose(sharing.evidence(unseen)[0, :, 0], np.log([1 / 6, 1 / 5]))


def test_a_value_of_another_type_is_unseen_in_prediction_and_an_error_in_training(tmp_path):
    table = pa.table({"x": pa.array([1, 2, 1, 2]), "y": ["u", "v", "u", "v"]})
    nb = db.NaiveBayes({"x": db.Categorical()}).fit(table, "y")
    (tmp_path / "new.csv").write_text("x\n1\nthree\n2\n")
    assert nb.predict(tmp_path / "new.csv").tolist() == ["u", "u", "v"]
    assert nb.predict(pa.table({"x": ["1", "?", "2"]})).tolist() == ["u", "u", "v"]
    assert nb.predict(pa.table({"x": [1.0, 7.5, 2.0]})).tolist() == ["u", "u", "v"]
    with pytest.raises(ValueError, match=r"row 2, column 'x': 'three' is no integer"):
        nb.partial_fit(pa.table({"x": ["1", "three"], "y": ["u", "v"]}), "y")


def test_rows_without_a_label_are_left_out_and_told_of():
    table = pa.table({"x": ["a", "c", "b", "c"], "y": ["u", None, "v", None]})
    with pytest.warns(db.MissingLabelWarning, match="2 of 4 rows have no y"):
        nb = db.NaiveBayes().fit(table, "y")
    assert nb.statistics_ == db.NaiveBayes().fit(table.take([0, 2]), "y").statistics_


def test_labels_and_weights_apart_from_the_table_or_in_it(model):
    features = TABLE.drop_columns(["kind"])
    apart = db.NaiveBayes(COLUMNS).fit(features, KIND)
    same_counts(apart.statistics_, model.statistics_)
    weight = RNG.integers(0, 4, ROWS).astype(float)
    weighted = db.NaiveBayes(COLUMNS).fit(TABLE.append_column("w", pa.array(weight)), "kind", sample_weight="w")
    repeated = db.NaiveBayes(COLUMNS).fit(TABLE.take(np.repeat(np.arange(ROWS), weight.astype(int))), "kind")
    same_counts(weighted.statistics_, repeated.statistics_)
    assert "w" not in weighted.columns_
    same_counts(db.NaiveBayes(COLUMNS).fit(features, KIND, sample_weight=weight).statistics_, repeated.statistics_)
    soft = np.eye(2)[(KIND == "spam").astype(int)]
    same_counts(db.NaiveBayes(COLUMNS).fit(features, soft, classes=["ham", "spam"]).statistics_, model.statistics_)
    for labels in (KIND[:-1], np.append(KIND, "ham")):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            db.NaiveBayes(COLUMNS).fit(features.to_batches()[0] if len(labels) > ROWS else features, labels)


def test_new_classes_and_categories_may_appear_in_any_batch(model):
    nb = db.NaiveBayes(COLUMNS).fit(TABLE, "kind")
    late = {"size": 1.0, "links": 2, "stars": 9, "from": "omega", "known": True, "kind": "new"}
    nb.partial_fit(late, "kind")
    assert nb.classes_.tolist() == ["ham", "new", "spam"]
    assert nb.forget(late, "kind").statistics_.classes.tolist() == ["ham", "spam"]
    same_counts(nb.statistics_, model.statistics_)


def test_rules_for_columns():
    n = 200
    table = pa.table(
        {
            "id": RNG.permutation(n),
            "code": [f"u{i}" for i in range(n)],
            "note": [f"row number {i} of the table" for i in range(n)],
            "when": pa.array(np.datetime64("2020-01-01") + np.arange(n), pa.date32()),
            "few": RNG.integers(0, 5, n),
            "many": RNG.integers(0, 10**9, n),
            "float": RNG.normal(size=n),
            "money": pa.array(RNG.integers(0, 10**4, n)).cast(pa.decimal128(20)),
            "word": np.array(["a", "b"])[RNG.integers(0, 2, n)],
            "bool": RNG.random(n) < 0.5,
            "flat": ["same"] * n,
            "null": pa.nulls(n),
            "y": np.array(["p", "q"])[RNG.integers(0, 2, n)],
        }
    )
    with pytest.warns(db.ColumnWarning) as caught:
        nb = db.NaiveBayes().fit(table, "y")
    text = str(caught[0].message)
    for name in ("id", "code", "when", "flat", "null"):
        assert repr(name) in text
    assert nb.columns_ == {
        "id": None, "code": None, "note": db.Words(transform="tfidf"), "when": None, "few": db.Categorical(),
        "many": db.Binned(),
        "float": db.Binned(), "money": db.Binned(), "word": db.Categorical(), "bool": db.Categorical(),
        "flat": db.Categorical(), "null": db.Categorical(),
    }  # fmt: skip
    assert "identifier" in nb.columns_.why["id"]
    assert "identifier" in nb.columns_.why["code"]
    assert "free text" in nb.columns_.why["note"]
    assert "id" in repr(nb)
    assert "left out" in str(nb.columns_)
    again = db.NaiveBayes(nb.columns_).fit(table, "y")
    assert again.statistics_ == nb.statistics_
    declared = {"id": db.Gaussian(), "code": db.Categorical(), "word": None, "when": db.Binned()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = db.NaiveBayes(declared).fit(table, "y").columns_
    assert {name: other[name] for name in declared} == declared


def test_joined_columns_and_declarations_by_position():
    table = pa.table({"a": [3, 0, 1], "b": [0, 2, 2], "c": ["x", "y", "x"], "y": ["u", "v", "v"]})
    nb = db.NaiveBayes({("a", "b"): db.Multinomial(), 2: db.Categorical()}).fit(table, "y")
    assert nb.columns_ == {("a", "b"): db.Multinomial(), "c": db.Categorical()}
    assert nb.predict(table).tolist() == ["u", "v", "v"]


def test_more_categories_than_the_cap_count_as_other():
    names = np.array([f"n{i}" for i in range(50)])
    x, y = names[np.r_[np.zeros(60, int), RNG.integers(0, 50, 400)]], np.array(["p", "q"])[np.arange(460) % 2]
    nb = db.NaiveBayes({"x": db.Categorical(max_categories=10)})
    for first in range(0, 460, 23):
        nb.partial_fit({"x": x[first : first + 23], "y": y[first : first + 23]}, "y")
    block = nb.statistics_.blocks[0]
    assert len(block.categories[0]) <= 11
    assert "(other)" in block.categories[0]
    assert "(other)" in repr(nb)
    assert block.weight.sum() == 460
    assert (nb.evidence({"x": "never seen"})[0, :, 0] != 0).all()  # counts as one of the others
    nb.forget({"x": x[:23], "y": y[:23]}, "y")
    assert nb.statistics_.blocks[0].weight.sum() == 437


def test_histogram_keeps_what_the_numbers_are_whatever_their_order():
    numbers = np.concatenate(
        [RNG.normal(size=20_000), 1e9 + RNG.normal(size=500), [0.0, -0.0, np.inf, -np.inf, 5e-324]]
    )
    numbers = RNG.permutation(np.r_[numbers, np.nan])
    codes = RNG.integers(0, 2, len(numbers)).astype(np.int32)
    from deciban.arrays.labels import Labels

    def of(rows):
        return Histogram.of(numbers[rows, None], Labels(2, codes[rows]))

    whole = of(np.arange(len(numbers)))
    assert len(whole.counts.categories[0]) <= histogram_module.MOST
    assert whole.counts.weight.sum() == len(numbers) - 1
    order = RNG.permutation(len(numbers))
    parts = [of(part) for part in np.array_split(order, 7)]
    joined = sum(parts[1:], parts[0])
    assert joined == whole
    assert joined.drop.tolist() == whole.drop.tolist()
    lower, upper = whole.lower_edges(0), whole.upper_edges(0)
    assert (lower <= upper).all()
    assert (upper[:-1] < lower[1:]).all()
    for value in (0.0, np.inf, -np.inf, 5e-324, 1e9):
        assert ((lower <= value) & (value <= upper)).sum() <= 1
    few = Histogram.of(np.array([[0.1], [0.2], [-0.0], [0.0]]), Labels(1, np.zeros(4, np.int32)))
    assert few.lower_edges(0).tolist() == few.upper_edges(0).tolist() == [0.0, 0.1, 0.2]
    assert few.of_feature(0).tolist() == [[2.0, 1.0, 1.0]]


def test_forgetting_keeps_the_coarser_buckets():
    from deciban.arrays.labels import Labels

    a, b = RNG.normal(size=3000), RNG.normal(size=9000)
    one = [Histogram.of(x[:, None], Labels(1, np.zeros(len(x), np.int32))) for x in (a, b)]
    rest = one[0] + one[1] - one[1]
    assert rest == one[0].coarser(rest.drop)
    assert rest.drop[0] > one[0].drop[0]


def test_binned_finds_what_a_gaussian_cannot():
    x = RNG.normal(size=4000)
    y = (np.abs(x) > 0.7).astype(int)
    nb = db.NaiveBayes({"x": db.Binned()}).fit({"x": x}, y)
    assert nb.score({"x": x}, y) > 0.95
    assert nb.reestimate(alpha=0.5).score({"x": x}, y) > 0.95
    cuts = nb.model_.parts[0].scorer.cuts[0]
    assert (np.diff(cuts) > 0).all()
    few = db.NaiveBayes({"x": db.Binned(bins=3)}).fit({"x": [1.0, 2.0, 3.0, 3.0]}, ["a", "b", "b", "b"])
    assert few.model_.parts[0].scorer.cuts[0].tolist() == [1.5, 2.5]
    # (n + 1) / (N + 3) by hand.
    assert np.allclose(np.exp(few.evidence({"x": 2.2}))[0, :, 0], [1 / 4, 2 / 6])


def test_scikit_learn_tools_take_frames():
    from sklearn.model_selection import GridSearchCV, cross_val_score

    frame, y = TABLE.drop_columns(["kind"]).to_pandas(), KIND
    scores = cross_val_score(db.NaiveBayes(), frame, y, cv=3)
    assert scores.min() > 0.9
    search = GridSearchCV(db.NaiveBayes(), {"alpha": [0.1, 1.0]}, cv=3).fit(frame, y)
    assert search.best_score_ == pytest.approx(scores.mean(), abs=0.02)


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
    with pytest.raises(ValueError, match="no Arrow type"):
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


def test_a_bar_appears_on_a_terminal(monkeypatch, tmp_path):
    import deciban.terminal.progress as progress

    shown = io.StringIO()
    shown.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    csv.write_csv(TABLE, tmp_path / "t.csv")
    db.NaiveBayes(COLUMNS).fit(tmp_path / "t.csv", "kind")
    assert "rows/s" in shown.getvalue()
    shown.truncate(0)
    monkeypatch.setenv("DECIBAN_PROGRESS", "0")
    db.NaiveBayes(COLUMNS).fit(tmp_path / "t.csv", "kind")
    assert "rows/s" not in shown.getvalue()
