"""One promise: any order, batches, threads or merges of the same rows give one model, choices included."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

import deciban as db
from deciban.statistics import row_sample

FORMS = ("table", "array", "sparse", "texts")
SEEN: Counter[str] = Counter()
WORDS = ["pills", "prize", "lunch", "noon", "free", "meeting"]
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def rows_of(form, seed, rows):
    """Return rows with copies, ties and missing values, and their labels, that two classes share unevenly."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    x = np.round(rng.normal(y[:, None], 1.0, (rows, 2)) * 2) / 2
    copies = rng.integers(0, rows, rows // 3)
    x[rng.random((rows, 2)) < 0.1] = 0.0 if form == "sparse" else np.nan
    for part in (x, y):
        part[: len(copies)] = part[copies]
    if form == "texts":
        return [" ".join(rng.choice(WORDS, 5, p=np.array([3, 3, 1, 1, 1, 1])[:: 1 - 2 * c] / 10)) for c in y], y
    return x, y


def as_input(form, x, y, weight):
    """Return rows as partial_fit takes them, with labels and weights."""
    if form != "table":
        return (sparse.csr_array(x) if form == "sparse" else x), np.where(y, "yes", "no"), weight
    kind = pa.array(np.where(np.isnan(x[:, 1]), "", np.char.add("k", np.nan_to_num(x[:, 1]).astype(str))))
    labels = pa.array(np.where(y > 0, "yes", "no"), mask=np.arange(len(y)) % 17 == 16)
    return pa.table({"number": x[:, 0], "kind": kind, "w": weight, "label": labels}), "label", "w"


def pick(x, rows):
    return [x[i] for i in rows] if isinstance(x, list) else x[rows]


class Rows:
    """Weighted rows of one form, of which some can be taken."""

    def __init__(self, form, seed, rows):
        self.form, (self.x, self.y) = form, rows_of(form, seed, rows)
        self.weight = np.random.default_rng(seed + 1).integers(1, 4, rows).astype(float)
        if form == "table":  # a label belongs to its row
            self.whole = as_input(form, self.x, self.y, self.weight)[0]

    def part(self, rows):
        if self.form == "table":
            return self.whole.take(pa.array(rows)), "label", "w"
        return as_input(self.form, pick(self.x, rows), self.y[rows], self.weight[rows])

    def has_labels(self, rows):
        return self.form != "table" or self.whole["label"].take(pa.array(rows)).null_count < len(rows)

    def model(self, remember, threads=None, columns=None):
        return db.NaiveBayes(columns, remember=remember, threads=threads)


def learn(nb, part, method="fit"):
    x, y, weight = part
    return getattr(nb, method)(x, y, sample_weight=weight)


def assert_same(one, other, rows):
    """Assert that two models have equal samples and choices, and the same probabilities bit for bit."""
    a, b = one._fitted().sample, other._fitted().sample
    assert a.limit == b.limit
    assert a == b
    assert one.chosen_ == other.chosen_
    x = rows.part(np.arange(len(rows.y)))[0]
    assert np.array_equal(one.predict_proba(x), other.predict_proba(x))


def cut_into(order, draw):
    cuts = sorted(draw(st.lists(st.integers(1, len(order) - 1), min_size=1, max_size=4, unique=True)))
    return np.split(order, cuts)


@pytest.mark.filterwarnings("ignore")
@given(st.sampled_from(FORMS), st.integers(0, 10**6), st.sampled_from([20, 20, 5000]), st.data())
@QUIET
def test_any_order_batches_threads_and_merges_give_one_model(form, seed, remember, data):
    rows = Rows(form, seed, 60)
    with pytest.MonkeyPatch.context() as patch:
        if remember == 20:
            patch.setattr(row_sample, "SAMPLE_BYTES", 2048)
            patch.setattr(row_sample, "BYTES_PER_ROW", 0)
        order = np.array(data.draw(st.permutations(range(60))))
        parts = cut_into(order, data.draw)
        assume(all(map(rows.has_labels, parts)))  # a model learns from no batch without a label: one clear error
        whole = learn(rows.model(remember), rows.part(np.arange(60)))
        shuffled = learn(rows.model(remember, threads=data.draw(st.sampled_from([1, 3]))), rows.part(order))
        stream = rows.model(remember)
        for part in parts:
            learn(stream, rows.part(part), "partial_fit")
        merged = [learn(rows.model(remember), rows.part(part)) for part in parts]
        data.draw(st.randoms()).shuffle(merged)
        for other in (shuffled, stream.tune(), sum(merged[1:], merged[0])):
            assert_same(other, whole, rows)
    SEEN["complete" if whole._fitted().sample.is_complete else "cut"] += 1


@pytest.mark.filterwarnings("ignore")
@given(st.sampled_from(FORMS), st.integers(0, 10**6), st.sampled_from([20, 5000]), st.data())
@QUIET
def test_rows_that_are_forgotten_leave_no_trace(form, seed, remember, data):
    rows = Rows(form, seed, 60)
    order = np.array(data.draw(st.permutations(range(60))))
    kept, gone = order[:40], order[40:]
    never = learn(rows.model(remember), rows.part(kept))
    nb = learn(learn(rows.model(remember), rows.part(order)), rows.part(gone), "forget")
    sample = nb._fitted().sample
    if sample.is_complete:
        assert_same(nb, never, rows)
    # No forgotten row is in the sample: its rows are rows of a model that never saw them.
    full = learn(rows.model(5000), rows.part(kept))._fitted().sample
    assert set(sample.key.tolist()) <= set(full.key.tolist())
    assert nb.chosen_.rows == len(sample) or nb.chosen_.reason
    SEEN["forgotten, complete" if sample.is_complete else "forgotten, cut"] += 1


@pytest.mark.filterwarnings("ignore")
@given(st.integers(0, 10**6), st.data())
@QUIET
def test_moments_are_equal_bit_for_bit_while_the_sample_is_complete(seed, data):
    rows = Rows("array", seed, 60)
    whole = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(*rows.part(np.arange(60))[:2])
    stream = db.NaiveBayes(db.Gaussian(), calibrate="temperature")
    for part in cut_into(np.array(data.draw(st.permutations(range(60)))), data.draw):
        stream.partial_fit(*rows.part(part)[:2])
    assert_same(stream.tune(), whole, rows)
    SEEN["none"] += not db.NaiveBayes(db.Gaussian()).fit(*rows.part(np.arange(60))[:2])._fitted().sample.keeps_rows


def test_the_laws_were_tried_on_every_kind_of_sample():
    if len(SEEN) < 5:
        pytest.skip("the laws run in other processes")
    assert min(SEEN.values()) >= 10, SEEN


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMS)
def test_a_file_with_rows_goes_on_as_the_model_would(form, tmp_path):
    rows = Rows(form, 3, 60)
    nb = learn(rows.model(5000), rows.part(np.arange(50)))
    nb.save(tmp_path / "m.deciban", rows=True)
    loaded = db.load(tmp_path / "m.deciban")
    assert loaded._fitted().sample == nb._fitted().sample
    loaded.save(tmp_path / "again.deciban", rows=True)
    assert (tmp_path / "m.deciban").read_bytes() == (tmp_path / "again.deciban").read_bytes()
    for model in (nb, loaded):
        learn(model, rows.part(np.arange(50, 60)), "partial_fit").tune()
    assert_same(nb, loaded, rows)
    nb.save(tmp_path / "plain.deciban")
    assert not db.load(tmp_path / "plain.deciban")._fitted().sample.keeps_rows
