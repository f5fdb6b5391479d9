"""Rows and tables drawn from a model: classes, types, missing values, the same rows for the same state."""

import numpy as np
import pyarrow as pa
import pytest
from standard_errors import CODE, MANY, N, drawn, refit, scorer, shares_within, weights, within, y

import deciban as db
from deciban.model.choices import Choices
from deciban.model.classifier import replace

RNG = np.random.default_rng(31)


def test_classes_are_drawn_by_the_prior_in_use():
    nb = db.NaiveBayes(db.Gaussian()).fit(RNG.normal(size=(N, 1)), y)
    shares_within(weights(drawn(nb)).T, np.exp(nb.model_.log_prior)[None])
    moved = nb.with_class_prior({"a": 0.1, "b": 0.0, "c": 0.9})
    table = drawn(moved)
    assert set(table["label"].to_pylist()) == {"a", "c"}
    shares_within(weights(table).T, np.array([[0.1, 0.9]]))
    even = db.NaiveBayes(db.Gaussian(), class_prior="uniform").fit(RNG.normal(size=(N, 1)), y)
    shares_within(weights(drawn(even)).T, np.full((1, 3), 1 / 3))


VOCABULARY = np.array([f"word{i}" for i in range(30)])
LIKELY = 1 / np.arange(1, 31)
LENGTHS = RNG.poisson(RNG.gamma(2.0, 4.0, N))
TEXTS = [
    " ".join(RNG.choice(np.roll(VOCABULARY, 5 * c), size, p=LIKELY / LIKELY.sum())) for size, c in zip(LENGTHS, CODE)
]


def mixed():
    texts = np.array(TEXTS, dtype=object)
    return pa.table(
        {
            "note": pa.array(texts),
            "city": pa.array(np.array(["Rome", "Oslo", "Lima"])[RNG.integers(0, 3, N)]),
            "rooms": pa.array(RNG.integers(1, 6, N)),
            "garden": pa.array(RNG.random(N) < 0.3 + 0.1 * CODE),
            "size": pa.array(np.round(RNG.normal(80 + 20 * CODE, 10.0), 2)),
            "sold": pa.array(RNG.poisson(2.0, N)),
            "grade": pa.array(CODE),
        }
    )


COLUMNS = {
    "note": db.Words(),
    "city": db.Categorical(),
    "rooms": db.Binned(),
    "garden": db.Bernoulli(),
    "size": db.Gaussian(),
    "sold": db.Poisson(),
}


def test_a_mixed_table_has_its_names_and_types_and_gives_its_parameters_back():
    table = mixed()
    nb = db.NaiveBayes(COLUMNS).fit(table, "grade")
    found = drawn(nb)
    assert found.schema == table.schema
    again = db.NaiveBayes(COLUMNS, estimate="mle").fit(found, "grade")
    assert again.classes_.tolist() == nb.classes_.tolist() == [0, 1, 2]
    n = again.statistics_.weight[:, None]
    old, new = ({tuple(np.atleast_1d(np.arange(6)[p.columns])): p.scorer for p in m.model_.parts} for m in (nb, again))
    for j in (1, 2):  # a category or a number of few values has an entry in both
        shares_within(np.exp(new[j,].log_probability[0]) * n, np.exp(old[j,].log_probability[0]))
    theta = np.exp(old[3,].weight + old[3,].base)
    within(np.exp(new[3,].weight + new[3,].base), theta, np.sqrt(theta * (1 - theta) / n))
    within(new[4,].mean, old[4,].mean, np.sqrt(old[4,].variance / n))
    within(new[4,].variance, old[4,].variance, old[4,].variance * np.sqrt(2 / n))
    rate = np.exp(old[5,].weight)
    within(np.exp(new[5,].weight), rate, np.sqrt(rate / n))
    # Columns are independent given the class.
    one = found["grade"].to_numpy() == 1
    r = np.corrcoef(found["size"].to_numpy()[one], found["sold"].to_numpy()[one])[0, 1]
    within(r, 0.0, 1 / np.sqrt(one.sum()))


def test_the_same_random_state_gives_the_same_table_and_another_another():
    nb = db.NaiveBayes(COLUMNS).fit(mixed(), "grade")
    assert nb.sample(500, random_state=1).equals(nb.sample(500, random_state=1))
    assert not nb.sample(500, random_state=1).equals(nb.sample(500, random_state=2))
    rng = np.random.default_rng(1)
    first, second = nb.sample(500, random_state=rng), nb.sample(500, random_state=rng)
    assert first.equals(nb.sample(500, random_state=1))
    assert not first.equals(second)
    assert nb.sample().num_rows == 1


def test_chosen_event_models_are_drawn_and_a_saved_model_draws_the_same(tmp_path):
    table = mixed()
    nb = db.NaiveBayes().fit(table, "grade")
    nb.save(tmp_path / "m.deciban")
    found = nb.sample(300, random_state=3)
    assert found.schema == table.schema
    assert db.load(tmp_path / "m.deciban").sample(300, random_state=3).equals(found)
    assert db.NaiveBayes().fit(found, "grade").score(table, "grade") > 0.6


def test_no_rows_have_the_right_types():
    nb = db.NaiveBayes(COLUMNS).fit(mixed(), "grade")
    none = nb.sample(0)
    assert none.num_rows == 0
    assert none.schema == mixed().schema


def test_columns_with_event_models_of_their_own_and_ignored_columns_are_drawn():
    x = RNG.normal(size=(N, 3)) + CODE[:, None]
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    nb._keep(replace(nb._fitted(), choices=Choices(N, column_models=((0, db.Gaussian("shared")), (2, None)))))
    table, again = refit(nb, db.Gaussian())
    assert table.column_names == ["x0", "x1", "x2", "label"]
    n = weights(table)
    shared, plain = (scorer(db.NaiveBayes(db.Gaussian(v)).fit(x, y)) for v in ("shared", "class"))
    variance = np.c_[shared.variance[:, 0], plain.variance[:, 1:]]
    within(scorer(again).mean, plain.mean, np.sqrt(variance / n))
    within(scorer(again).variance, variance, variance * np.sqrt(2 / n))


def test_missing_values_are_drawn_where_they_count_and_nowhere_else():
    table = mixed()
    gone = RNG.random(N) < 0.1 + 0.3 * CODE
    for name in ("city", "size", "rooms"):
        values = table[name].to_pylist()
        there = [None if lost else v for v, lost in zip(values, gone)]
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(there, table[name].type))
    nb = db.NaiveBayes(COLUMNS).fit(table, "grade")
    assert all(nb.sample(1000, random_state=0)[name].null_count == 0 for name in table.column_names)
    nb._keep(replace(nb._fitted(), choices=Choices(N, missing_columns=(1, 2, 4))))
    found = drawn(nb)
    assert found.schema == table.schema
    weight, lost = np.bincount(CODE), np.bincount(CODE, gone)
    p = (lost + 1) / (weight + 2)
    grade = found["grade"].to_numpy()
    for name in ("city", "rooms", "size"):
        missing = found[name].is_null().to_numpy()
        n = np.bincount(grade)
        within(np.bincount(grade, missing) / n, p, np.sqrt(p * (1 - p) / n))
    assert found["note"].null_count == found["sold"].null_count == 0
    texts = db.NaiveBayes({"note": db.Words()}).fit(table.select(["note", "grade"]), "grade")
    texts._keep(replace(texts._fitted(), choices=Choices(N, missing_columns=(0,))))
    lost = (weight / weight.sum()) @ (1 / (weight + 2))  # one imagined document of each class is missing
    within(drawn(texts)["note"].null_count / MANY, lost, np.sqrt(lost * (1 - lost) / MANY))


def test_names_of_arrays_and_labels_keep_their_type():
    pandas = pytest.importorskip("pandas")
    x = RNG.normal(size=(N, 2))
    frame = pandas.DataFrame(x, columns=["left", "label"])
    assert db.NaiveBayes(db.Gaussian()).fit(frame, y).sample(2).column_names == ["left", "label", "label_"]
    for labels, kind in ((CODE, pa.int64()), (CODE > 0, pa.bool_()), (CODE.astype(float), pa.float64())):
        assert db.NaiveBayes(db.Gaussian()).fit(x, labels).sample(5, random_state=0)["label"].type == kind
    mixed_kinds = np.array([["yes", 1], ["no", 2], [True, 3]], dtype=object)
    found = db.NaiveBayes(db.Categorical()).fit(mixed_kinds, ["a", "b", "a"]).sample(5, random_state=0)
    assert found.schema.types == [pa.string(), pa.int64(), pa.string()]


COUNTS = RNG.poisson(2.0, (N, 2))


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: db.NaiveBayes(db.Poisson()).fit(COUNTS, y).sample(-1), "n is -1; give the number of rows"),
        (lambda: db.NaiveBayes(db.Poisson()).fit(COUNTS, y).sample(2.0), r"n is 2\.0"),
        (lambda: db.NaiveBayes(db.Poisson()).fit(COUNTS, y).sample(True), "n is True"),
        (lambda: db.NaiveBayes(db.Poisson()).fit(COUNTS, y).sample(1, random_state="x"), "random_state is 'x'"),
        (lambda: db.NaiveBayes(db.Poisson()).fit(COUNTS, y).sample(1, random_state=-1), "random_state is -1"),
        (lambda: db.NaiveBayes().sample(1), "not fitted yet"),
        (lambda: db.NaiveBayes(db.Complement()).fit(COUNTS, y).sample(1), r"Complement\(\) scores a class by the rows"),
        (lambda: db.NaiveBayes(db.Words(complement=True)).fit(TEXTS, y).sample(1), "not a probability to draw by"),
        (lambda: db.NaiveBayes(db.Words(buckets=64)).fit(TEXTS, y).sample(1), "words have no names"),
        (lambda: db.NaiveBayes(db.Words(ngrams=(2, 3))).fit(TEXTS, y).sample(1), r"fit with ngrams=\(1, 3\)"),
    ],
)
def test_samples_that_cannot_be_drawn_are_one_clear_error(call, match):
    with pytest.raises(ValueError, match=match):
        call()
