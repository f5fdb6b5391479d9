"""Columns drawn from an event model, fitted again, give its parameters back within four standard errors."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from standard_errors import CODE, N, drawn, refit, scorer, shares_within, weights, within, y

import deciban as db
from deciban.arrays.matrix import as_frame

RNG = np.random.default_rng(31)


@pytest.mark.parametrize("estimate", ["map", "mle"])
@pytest.mark.parametrize("variance", ["class", "shared", 2.5])
def test_gaussian(variance, estimate):
    x = RNG.normal(size=(N, 3)) * [1.0, 5.0, 1e-3] + CODE[:, None] * [1.0, -2.0, 1e6]
    nb = db.NaiveBayes(db.Gaussian(variance), estimate=estimate).fit(x, y)
    table, again = refit(nb, db.Gaussian())
    model, n = scorer(nb), weights(table)
    within(scorer(again).mean, model.mean, np.sqrt(model.variance / n))
    within(scorer(again).variance, model.variance, model.variance * np.sqrt(2 / n))


def test_gaussian_with_its_parameters_integrated_out_is_students():
    few = db.NaiveBayes(db.Gaussian(), estimate="predictive").fit([[1.0], [2.0], [4.0], [9.0]], ["a", "a", "b", "b"])
    model, table = scorer(few), drawn(few)
    x, labels = table["x0"].to_numpy(), table["label"].to_numpy(zero_copy_only=False)
    at = np.array([-8.0, -2.0, -0.5, 0.0, 1.0, 3.0, 20.0])
    for c, name in enumerate("ab"):
        u = (x[labels == name] - model.location[c, 0]) / np.sqrt(model.scale[c, 0])
        p = stats.t(model.freedom[c, 0]).cdf(at)
        within([(u < a).mean() for a in at], p, np.sqrt(p * (1 - p) / len(u)))


def test_bernoulli():
    x = (RNG.random((N, 4)) < 0.1 + 0.2 * CODE[:, None]).astype(int)
    nb = db.NaiveBayes(db.Bernoulli(prior=db.Beta(2, 5))).fit(x, y)
    table, again = refit(nb, db.Bernoulli())
    theta, n = (np.exp(scorer(nb).weight + scorer(nb).base), weights(table))
    within(np.exp(scorer(again).weight + scorer(again).base), theta, np.sqrt(theta * (1 - theta) / n))
    assert table["x0"].type == pa.int64()


@pytest.mark.parametrize("threshold", [0.0, 0.5, 2.5, -1.5])
def test_bernoulli_with_a_threshold_draws_the_numbers_beside_it(threshold):
    nb = db.NaiveBayes(db.Bernoulli(threshold=threshold)).fit(RNG.normal(threshold, 1, (N, 2)), y)
    table, again = refit(nb, db.Bernoulli(threshold=threshold))
    theta = np.exp(scorer(nb).weight + scorer(nb).base)
    within(np.exp(scorer(again).weight + scorer(again).base), theta, np.sqrt(theta * (1 - theta) / weights(table)))
    assert set(table["x0"].to_pylist()) == {np.floor(threshold), np.floor(threshold) + 1}


@pytest.mark.parametrize("estimate", ["map", "mle", "predictive"])
def test_categorical(estimate):
    x = np.array([["red", "green", "blue"][i] for i in RNG.integers(0, 3, N)], dtype=object)[:, None]
    x[:4] = "rare"
    nb = db.NaiveBayes(db.Categorical(values=["red", "never"]), estimate=estimate).fit(x, y)
    table = drawn(nb)
    names, model = scorer(nb).categories[0].tolist(), np.exp(scorer(nb).log_probability[0])
    code = {v: i for i, v in enumerate(names)}
    count = np.zeros(model.shape)
    label = {v: i for i, v in enumerate(nb.classes_.tolist())}
    for v, c in zip(table["x0"].to_pylist(), table["label"].to_pylist()):
        count[label[c], code[v]] += 1
    shares_within(count, model)
    assert (count[:, code["never"]] > 0).all() == (estimate != "mle")


def test_categories_keep_their_type_and_categories_without_a_name_are_missing():
    x = RNG.integers(0, 50, (N, 1))
    nb = db.NaiveBayes(db.Categorical(unseen="share", max_categories=10)).fit(x, y)
    table = nb.sample(20_000, random_state=0)
    assert table["x0"].type == pa.int64()
    kept = nb.statistics_.blocks[0].categories[0]
    assert set(table["x0"].drop_null().to_pylist()) == {v for v in kept.tolist() if v != "(other)"}
    other = np.exp(scorer(nb).log_probability[0])[:, kept.tolist().index("(other)")] @ np.exp(nb.model_.log_prior)
    within(table["x0"].null_count / 20_000, other, np.sqrt(other * (1 - other) / 20_000))
    words = np.array([f"w{v}" for v in x[:, 0]], dtype=object)[:, None]
    lumped = db.NaiveBayes(db.Categorical(max_categories=10)).fit(words, y).sample(1000, random_state=0)
    assert "(other)" in lumped["x0"].to_pylist()
    assert lumped["x0"].null_count == 0
    shared = db.NaiveBayes(db.Categorical(unseen="share")).fit(words, y).sample(1000, random_state=0)
    assert "(other)" not in shared["x0"].to_pylist()


@pytest.mark.parametrize("likelihood", [db.Binned(), db.Binned(7), db.Binned("mdl"), db.Binned(shape="normal")])
def test_binned(likelihood):
    x = RNG.normal(CODE, 1.0)[:, None]
    nb = db.NaiveBayes(likelihood).fit(x, y)
    bins_within(nb, drawn(nb))
    assert set(drawn(nb)["x0"].to_pylist()) <= set(x[:, 0].tolist())  # no bit is dropped of so few numbers


def bins_within(nb, table):
    model = scorer(nb)
    bins = as_frame(table["x0"].to_numpy()[:, None].astype(float)).bins(model.cuts)[:, 0]
    labels = np.searchsorted(nb.classes_, table["label"].to_numpy(zero_copy_only=False).astype(str))
    count = np.zeros(model.log_probability[0].shape)
    np.add.at(count, (labels, bins), 1)
    shares_within(count, np.exp(model.log_probability[0]))


@pytest.mark.parametrize("shape", [None, "normal", "log-normal"])
def test_binned_where_bits_were_dropped(shape):
    rows = 30_000
    label = np.array(["a", "b"])[RNG.integers(0, 2, rows)]
    x = RNG.lognormal(label == "b", 1.0)
    nb = db.NaiveBayes(db.Binned(shape=shape)).fit(x[:, None], label)
    block = nb.statistics_.blocks[0]
    assert block.drop[0] > 0
    table = drawn(nb)
    bins_within(nb, table)
    drawn_x = np.sort(table["x0"].to_numpy())
    # Every number lies in a bucket that statistics know.
    place = np.searchsorted(block.lower_edges(0), drawn_x, side="right") - 1
    assert (drawn_x >= block.lower_edges(0)[place]).all()
    assert (drawn_x <= block.upper_edges(0)[place]).all()
    assert len(np.unique(drawn_x)) > 100_000


def test_whole_numbers_stay_whole_and_in_their_buckets():
    rows = 20_000
    label = np.array(["a", "b"])[RNG.integers(0, 2, rows)]
    x = RNG.integers(-400_000, 400_000, rows)
    nb = db.NaiveBayes({"x0": db.Binned()}).fit(pa.table({"x0": x, "label": label}), "label")
    block, table = nb.statistics_.blocks[0], drawn(nb)
    assert block.drop[0] > 0
    assert table.schema.field("x0").type == pa.int64()
    found = table["x0"].to_numpy()
    place = np.searchsorted(block.lower_edges(0), found, side="right") - 1
    assert (found <= block.upper_edges(0)[place]).all()
    bins_within(nb, table)


def test_buckets_next_to_infinity_draw_finite_numbers():
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 1.79, (30_000, 1)) * 1e308 * rng.choice([-1.0, 1.0], (30_000, 1))
    nb = db.NaiveBayes(db.Binned()).fit(x, np.arange(30_000) % 2)
    assert nb.statistics_.blocks[0].drop[0] > 0
    found = nb.sample(20_000, random_state=0)["x0"].to_numpy()
    assert np.isfinite(found).all()
    assert (np.abs(found) > 0.49e308).all()


@pytest.mark.parametrize("estimate", ["map", "mle"])
def test_poisson(estimate):
    x = RNG.poisson(0.5 + 2 * CODE[:, None], (N, 3))
    nb = db.NaiveBayes(db.Poisson(), estimate=estimate).fit(x, y)
    table, again = refit(nb, db.Poisson())
    rate = np.exp(scorer(nb).weight)
    within(np.exp(scorer(again).weight), rate, np.sqrt(rate / weights(table)))


def test_poisson_with_its_rate_integrated_out_is_negative_binomial():
    nb = db.NaiveBayes(db.Poisson(prior=db.Gamma(1.0, 1.0)), estimate="predictive").fit(
        [[3], [0], [9]], ["a", "a", "b"]
    )
    model, table = scorer(nb), drawn(nb)
    x, labels = table["x0"].to_numpy(), table["label"].to_numpy(zero_copy_only=False)
    for c, name in enumerate("ab"):
        b = model.rate[c, 0]
        p = stats.nbinom(model.shape[c, 0], b / (b + 1)).pmf(np.arange(12))
        found = np.bincount(x[labels == name], minlength=12)[:12] / (labels == name).sum()
        within(found, p, np.sqrt(p * (1 - p) / (labels == name).sum()))


@pytest.mark.parametrize("estimate", ["map", "mle", "predictive"])
def test_multinomial(estimate):
    x = RNG.poisson([0.2, 1.0, 3.0] + CODE[:, None], (N, 3))
    nb = db.NaiveBayes(db.Multinomial(), estimate=estimate).fit(x, y)
    table = drawn(nb)
    again = db.NaiveBayes(db.Multinomial()).fit(table, "label")
    block, seen = again.statistics_.blocks[0], nb.statistics_.blocks[0]
    theta = (seen.total + (estimate != "mle")) / (seen.total + (estimate != "mle")).sum(axis=1, keepdims=True)
    shares_within(block.total, theta)
    mean = (seen.total.sum(axis=1) / seen.weight[:, 0])[:, None]
    within(block.total.sum(axis=1, keepdims=True) / block.weight, mean, np.sqrt(mean / block.weight))


def test_columns_without_any_value_stay_without():
    nothing = np.full((N, 1), np.nan)
    for likelihood in (db.Gaussian(), db.Binned(), db.Categorical()):
        assert db.NaiveBayes(likelihood).fit(nothing, y).sample(10, random_state=0)["x0"].null_count == 10
    assert db.NaiveBayes(db.Words()).fit(["", ""], ["a", "b"]).sample(3, random_state=0)["text"].to_pylist() == [""] * 3
