"""Samples: what a model draws, fitted again, gives the model's parameters back within four standard errors."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import deciban as db
from deciban.arrays.alias import AliasTables
from deciban.likelihoods.drawn_words import Lengths
from deciban.model.classifier import Chosen, replace

RNG = np.random.default_rng(11)
N, MANY = 900, 200_000
y = RNG.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
CODE = (y == "b") + 2 * (y == "c")


def within(found, expected, error):
    """Every figure within four of its standard errors, which are computed from the parameters."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    assert (np.abs(found - expected) <= 4 * error + 1e-12).all(), np.abs((found - expected) / error).max()


def shares_within(count, probability):
    """Counts (classes × values) against the probabilities they were drawn by."""
    n = count.sum(axis=1, keepdims=True)
    within(count / n, probability, np.sqrt(probability * (1 - probability) / n))


def weights(table):
    _, count = np.unique(table["label"].to_numpy(zero_copy_only=False), return_counts=True)
    return count[:, None].astype(float)


def drawn(nb, **given):
    return nb.sample(MANY, random_state=5, **given)


def refit(nb, likelihood, **settings):
    table = drawn(nb)
    return table, db.NaiveBayes(likelihood, estimate="mle", **settings).fit(table, "label")


def scorer(nb, part=0):
    return nb.model_.parts[part].scorer


# Alias tables.


def test_alias_tables_draw_the_weights_and_never_what_has_none():
    rng = np.random.default_rng(0)
    weight = rng.random((3, 40)) * (rng.random((3, 40)) < 0.6)
    tables = AliasTables.of(weight)
    share = weight / weight.sum(axis=1, keepdims=True)
    assert np.abs(tables.shares() - share).max() < 1e-15
    classes = rng.integers(0, 3, MANY).astype(np.int32)
    found = tables.draw(MANY, rng, classes)
    count = np.zeros((3, 40))
    np.add.at(count, (classes, found), 1)
    assert (count[weight == 0] == 0).all()
    shares_within(count, share)


def test_alias_tables_of_many_values_of_very_different_weight():
    weight = np.r_[1 / np.arange(1, 100_001) ** 1.1, 0.0, 1e-300]
    assert np.abs(AliasTables.of(weight[None]).shares()[0] - weight / weight.sum()).max() < 1e-15
    one = AliasTables.of(np.array([[0.0, 5e-324, 0.0]]))
    assert set(one.draw(1000, np.random.default_rng(0)).tolist()) == {1}
    large = AliasTables.of(np.array([[1e308, 1e308, 0.0]]))
    assert large.shares().tolist() == [[0.5, 0.5, 0.0]]


# Every event model.


def test_classes_are_drawn_by_the_prior_in_use():
    nb = db.NaiveBayes(db.Gaussian()).fit(RNG.normal(size=(N, 1)), y)
    shares_within(weights(drawn(nb)).T, np.exp(nb._classifier.log_prior)[None])
    moved = nb.with_class_prior({"a": 0.1, "b": 0.0, "c": 0.9})
    table = drawn(moved)
    assert set(table["label"].to_pylist()) == {"a", "c"}
    shares_within(weights(table).T, np.array([[0.1, 0.9]]))
    even = db.NaiveBayes(db.Gaussian(), class_prior="uniform").fit(RNG.normal(size=(N, 1)), y)
    shares_within(weights(drawn(even)).T, np.full((1, 3), 1 / 3))


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


def test_categories_keep_their_type_and_what_has_no_name_is_not_drawn():
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
    bins = model.bins(table["x0"].to_numpy()[:, None].astype(float))[:, 0]
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


# Documents.

VOCABULARY = np.array([f"word{i}" for i in range(30)])
LIKELY = 1 / np.arange(1, 31)
LENGTHS = RNG.poisson(RNG.gamma(2.0, 4.0, N))
TEXTS = [
    " ".join(RNG.choice(np.roll(VOCABULARY, 5 * c), size, p=LIKELY / LIKELY.sum())) for size, c in zip(LENGTHS, CODE)
]


def words_of(nb):
    """Words of a model by class: the words, and their log probabilities (classes × words)."""
    model = scorer(nb)
    words = np.arange(len(model.vocabulary))
    return model.vocabulary.words, model.weights.of(words).T


def counted(table, likelihood, vocabulary):
    """Classes × words of the given vocabulary, and documents with their lengths (classes × 3)."""
    block = db.NaiveBayes(likelihood).fit(table, "label").statistics_.blocks[0]
    place = {word: i for i, word in enumerate(block.vocabulary.words)}
    assert set(place) <= set(vocabulary)
    total = np.c_[block.total(), np.zeros(block.classes)]
    return total[:, [place.get(word, -1) for word in vocabulary]], block.lengths


@pytest.mark.parametrize("estimate", ["map", "mle"])
def test_bag_of_words(estimate):
    nb = db.NaiveBayes(db.Words(), estimate=estimate).fit(TEXTS, y)
    table = drawn(nb)
    assert table.column_names == ["text", "label"]
    assert table["text"].type == pa.string()
    words, logs = words_of(nb)
    count, lengths = counted(table, db.Words(), words)
    seen = nb.statistics_.blocks[0].total()
    theta = (seen + (estimate == "map")) / (seen + (estimate == "map")).sum(axis=1, keepdims=True)
    assert estimate == "mle" or np.allclose(np.exp(logs), theta, rtol=1e-12)
    shares_within(count, theta)
    documents, total, squares = nb.statistics_.blocks[0].lengths.T
    mean, variance = total / documents, squares / documents - (total / documents) ** 2
    assert (variance > mean).all()
    d, t, s = lengths.T
    within(t / d, mean, np.sqrt(variance / d))
    kurtosis = stats.nbinom(mean**2 / (variance - mean), mean / variance).stats("k")
    within(s / d - (t / d) ** 2, variance, variance * np.sqrt((kurtosis + 2) / d))


def test_lengths_that_vary_little_are_poisson():
    short = [" ".join(RNG.choice(VOCABULARY, 6)) for _ in range(100)]
    table = drawn(db.NaiveBayes(db.Words()).fit(short, ["a"] * 100))
    _, lengths = counted(table, db.Words(), VOCABULARY.tolist())
    ((d, t, s),) = lengths
    within(t / d, 6.0, np.sqrt(6 / d))
    within(s / d - (t / d) ** 2, 6.0, 6.0 * np.sqrt((1 / 6 + 2) / d))


def test_set_of_words():
    nb = db.NaiveBayes(db.Words("set")).fit(TEXTS, y)
    table = drawn(nb)
    block = nb.statistics_.blocks[0]
    count, lengths = counted(table, db.Words("set"), block.vocabulary.words)
    p = (block.total() + 1) / (block.lengths[:, :1] + 2)
    within(count / lengths[:, :1], p, np.sqrt(p * (1 - p) / lengths[:, :1]))
    # Words are independent of one another: the number of them varies by as much as that makes.
    d, t, s = lengths.T
    mean, variance = p.sum(axis=1), (p * (1 - p)).sum(axis=1)
    within(t / d, mean, np.sqrt(variance / d))
    fourth = (p * (1 - p) * (1 - 6 * p * (1 - p))).sum(axis=1)  # cumulants add up
    within(s / d - (t / d) ** 2, variance, np.sqrt((fourth + 2 * variance**2) / d))


def test_a_set_has_the_words_that_all_documents_have():
    texts = ["every one here", "every two here", "every one"]
    table = db.NaiveBayes(db.Words("set"), estimate="mle").fit(texts, ["x", "x", "x"]).sample(20_000, random_state=1)
    found = [set(text.split()) for text in table["text"].to_pylist()]
    assert all("every" in words for words in found)
    assert all(len(words) == len(text.split()) for words, text in zip(found, table["text"].to_pylist()))


def test_binary_bag_of_words():
    nb = db.NaiveBayes(db.Words("binary")).fit(TEXTS, y)
    table, block = drawn(nb), nb.statistics_.blocks[0]
    count, lengths = counted(table, db.Words("binary"), block.vocabulary.words)
    theta = (block.total() + 1) / (block.total() + 1).sum(axis=1, keepdims=True)
    p = theta * block.total().sum(axis=1, keepdims=True) / block.lengths[:, :1]
    assert p.max() < 1
    within(count / lengths[:, :1], p, np.sqrt(p * (1 - p) / lengths[:, :1]))
    assert lengths[:, 1].tolist() == count.sum(axis=1).tolist()  # no word twice in a document


def test_words_that_do_not_count_are_not_drawn_and_make_no_length():
    nb = db.NaiveBayes(db.Words(stop_words=["word0"], min_count=40, max_words=12)).fit(TEXTS, y)
    words, logs = words_of(nb)
    assert len(words) == 12
    count, lengths = counted(drawn(nb), db.Words(), words)
    shares_within(count, np.exp(logs))
    block = nb.statistics_.blocks[0]
    place = [block.vocabulary.words.index(word) for word in words]
    mean = block.total()[:, place].sum(axis=1) / block.lengths[:, 0]
    all_mean, squares = block.lengths[:, 1] / block.lengths[:, 0], block.lengths[:, 2] / block.lengths[:, 0]
    kept = mean / all_mean
    variance = kept**2 * (squares - all_mean**2) + kept * (1 - kept) * all_mean
    within(lengths[:, 1] / lengths[:, 0], mean, np.sqrt(variance / lengths[:, 0]))


def test_weights_of_tfidf_are_taken_for_counts():
    nb = db.NaiveBayes(db.Words(transform="tfidf")).fit(TEXTS, y)
    words, logs = words_of(nb)
    count, lengths = counted(drawn(nb), db.Words(), words)
    shares_within(count, np.exp(logs))
    seen = nb.statistics_.blocks[0].lengths
    mean = seen[:, 1] / seen[:, 0]
    within(lengths[:, 1] / lengths[:, 0], mean, np.sqrt((seen[:, 2] / seen[:, 0] - mean**2) / lengths[:, 0]))


def test_a_binary_bag_of_tfidf_draws_each_word_once():
    nb = db.NaiveBayes(db.Words("binary", transform="tfidf")).fit(TEXTS, y)
    texts = drawn(nb)["text"].to_pylist()
    assert any(texts)
    assert all(len(set(text.split())) == len(text.split()) for text in texts)


def test_of_runs_only_single_words_are_drawn():
    nb = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TEXTS, y)
    words, logs = words_of(nb)
    single = [i for i, word in enumerate(words) if " " not in word]
    count, lengths = counted(drawn(nb), db.Words(), [words[i] for i in single])
    theta = np.exp(logs[:, single])
    shares_within(count, theta / theta.sum(axis=1, keepdims=True))
    mean = np.bincount(CODE, LENGTHS) / np.bincount(CODE)
    of_words = Lengths.of(nb.statistics_.blocks[0].lengths, 2)
    kept = mean / of_words.mean
    variance = kept**2 * of_words.variance + kept * (1 - kept) * of_words.mean
    within(lengths[:, 1] / lengths[:, 0], mean, np.sqrt(variance / lengths[:, 0]))


def test_characters_follow_one_another_without_spaces():
    nb = db.NaiveBayes(db.Words(analyzer="char")).fit(["abcß", "cccß", "ab"], ["x", "x", "x"])
    table = drawn(nb)
    found = "".join(table["text"].to_pylist())
    assert " " not in found
    count = np.array([[found.count(letter) for letter in "abcß"]], dtype=float)
    seen = np.array([[2.0, 2.0, 4.0, 2.0]]) + 1
    shares_within(count, seen / seen.sum())


# Tables.


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


def test_what_was_chosen_is_drawn_and_a_saved_model_draws_the_same(tmp_path):
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


def test_columns_apart_and_ignored_are_drawn():
    x = RNG.normal(size=(N, 3)) + CODE[:, None]
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    nb._ready(replace(nb._classifier, chosen=Chosen(N, apart=((0, db.Gaussian("shared")), (2, None)))))
    table, again = refit(nb, db.Gaussian())
    assert table.column_names == ["x0", "x1", "x2", "label"]
    n = weights(table)
    shared, plain = (scorer(db.NaiveBayes(db.Gaussian(v)).fit(x, y)) for v in ("shared", "class"))
    variance = np.c_[shared.variance[:, 0], plain.variance[:, 1:]]
    within(scorer(again).mean, plain.mean, np.sqrt(variance / n))
    within(scorer(again).variance, variance, variance * np.sqrt(2 / n))


def test_holes_are_drawn_where_they_count_and_nowhere_else():
    table = mixed()
    gone = RNG.random(N) < 0.1 + 0.3 * CODE
    for name in ("city", "size", "rooms"):
        values = table[name].to_pylist()
        there = [None if lost else v for v, lost in zip(values, gone)]
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(there, table[name].type))
    nb = db.NaiveBayes(COLUMNS).fit(table, "grade")
    assert all(nb.sample(1000, random_state=0)[name].null_count == 0 for name in table.column_names)
    nb._ready(replace(nb._classifier, chosen=Chosen(N, holes=(1, 2, 4))))
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
    texts._ready(replace(texts._classifier, chosen=Chosen(N, holes=(0,))))
    lost = (weight / weight.sum()) @ (1 / (weight + 2))  # one imagined document of each class is missing
    within(drawn(texts)["note"].null_count / MANY, lost, np.sqrt(lost * (1 - lost) / MANY))


def test_columns_without_any_value_stay_without():
    nothing = np.full((N, 1), np.nan)
    for likelihood in (db.Gaussian(), db.Binned(), db.Categorical()):
        assert db.NaiveBayes(likelihood).fit(nothing, y).sample(10, random_state=0)["x0"].null_count == 10
    assert db.NaiveBayes(db.Words()).fit(["", ""], ["a", "b"]).sample(3, random_state=0)["text"].to_pylist() == [""] * 3


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


def test_an_event_model_of_ones_own_says_how_it_is_drawn():
    class Plain(db.Likelihood):
        keeps = db.Sums

        def estimate(self, statistics, how):
            return db.Poisson().estimate(statistics, how)

    class Fixed(Plain):
        def draw(self, statistics, how, codes, rng):
            return [np.full(len(codes), 7) for _ in range(statistics.features)]

    x = RNG.poisson(2.0, (N, 2))
    assert db.NaiveBayes(Fixed()).fit(x, y).sample(3)["x1"].to_pylist() == [7, 7, 7]
    with pytest.raises(ValueError, match="Plain does not say how its columns are drawn"):
        db.NaiveBayes(Plain()).fit(x, y).sample(3)


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
        (lambda: db.NaiveBayes(db.Words(complement=True)).fit(TEXTS, y).sample(1), "no probability to draw by"),
        (lambda: db.NaiveBayes(db.Words(buckets=64)).fit(TEXTS, y).sample(1), "words have no names"),
        (lambda: db.NaiveBayes(db.Words(ngrams=(2, 3))).fit(TEXTS, y).sample(1), r"fit with ngrams=\(1, 3\)"),
    ],
)
def test_what_cannot_be_drawn_is_one_clear_error(call, match):
    with pytest.raises(ValueError, match=match):
        call()


def test_lengths_of_runs_are_those_of_words():
    words = np.array([5.0, 9.0, 12.0])
    for most in (1, 2, 3):
        runs = most * words - most * (most - 1) / 2
        lengths = Lengths.of(np.array([[3.0, runs.sum(), (runs**2).sum()]]), most)
        assert np.allclose([lengths.mean[0], lengths.variance[0]], [words.mean(), words.var()], rtol=1e-12)
