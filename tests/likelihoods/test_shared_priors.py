"""Event models of classes that share a prior: laws, scores without a row by brute force, derivations, and errors."""

import numpy as np
import pytest

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.likelihoods.smoothed_counts import FamilyCounted
from deciban.likelihoods.words.family_words import FamilyWords
from deciban.priors.estimation import Estimation
from deciban.priors.families import Families

RNG = np.random.default_rng(5)
ROWS = 80
NAMES = ["a.x", "a.y", "b.u", "b.v", "c"]
FAMILIES = {"a.x": "a", "a.y": "a", "b.u": "b", "b.v": "b", "c": "c"}
CODES = np.r_[RNG.integers(0, 4, ROWS - 1), 4].astype(np.int32)  # the last class has one row
LABELS = np.array(NAMES)[CODES]
VALUES = (RNG.random((ROWS, 3)) ** (1 + CODES[:, None]) * 4).astype(int)
COLOURS = np.array(["red", "green", "blue", "black"], dtype=object)[VALUES]
COLOURS[0, 0], COLOURS[1, 0] = "only once", None
BITS = np.where(RNG.random((ROWS, 3)) < 0.1, np.nan, VALUES > 0)
COUNTS = RNG.poisson(1 + VALUES).astype(float)
TEXTS = [" ".join(RNG.choice(["red", "green", "blue", "black"], RNG.integers(0, 6))) for _ in LABELS]
TEXTS[3], TEXTS[4] = "hapax red", "hapax twice twice"
DOCUMENTS = np.array(TEXTS, dtype=object)[:, None]
CASES = {
    "categorical": (db.Categorical(values=["red", "green", "blue", "black", "only once"]), COLOURS[:, :1]),
    "categorical-share": (db.Categorical(values=["only once"], unseen="share"), COLOURS[:, :1]),
    "bernoulli": (db.Bernoulli(), BITS),
    "bernoulli-beta": (db.Bernoulli(prior=db.Beta(1.5, 2.5)), BITS),
    "bernoulli-threshold": (db.Bernoulli(threshold=1.5), VALUES),
    "binned": (db.Binned(), VALUES[:, :1].astype(float)),
    "multinomial": (db.Multinomial(), COUNTS),
    "multinomial-listed": (db.Multinomial(prior=[0.5, 1.0, 2.0]), COUNTS),
    "bag": (db.Words(), DOCUMENTS),
    "set": (db.Words("set"), DOCUMENTS),
    "binary": (db.Words("binary"), DOCUMENTS),
    "tfidf": (db.Words(transform="tfidf", idf=False), DOCUMENTS),
    "bigrams": (db.Words(ngrams=(1, 2)), DOCUMENTS),
    "vocabulary": (db.Words(vocabulary=["red", "twice", "never"]), DOCUMENTS),
    "priors": (db.Words(prior={"red": 2.0, "never": 0.5}), DOCUMENTS),
    "set-priors": (db.Words("set", prior=db.Beta({"red": 3.0}, 1.5)), DOCUMENTS),
}
EVENT_MODELS = pytest.mark.parametrize("name", CASES)
WEIGHTS = {"one": np.ones(ROWS), "some": RNG.choice([0.5, 1.0, 2.5], ROWS), "any": RNG.random(ROWS) + 0.1}


def fitted(name, x=None, labels=LABELS, families=FAMILIES, **settings):
    likelihood, rows = CASES[name]
    return db.NaiveBayes(likelihood, families=families, **settings).fit(rows if x is None else x, labels)


# Class "c" is alone in its family on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::deciban.errors.PriorWarning")


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("alpha", [0.0, 0.7])
@EVENT_MODELS
def test_left_out_scores_are_those_of_the_other_rows_under_the_same_weights(name, alpha, weights, monkeypatch):
    likelihood, rows = CASES[name]
    x, weight, codes = likelihood.read(as_frame(rows)), WEIGHTS[weights], CODES
    classes = len(NAMES)
    estimation = Estimation(alpha, classes=np.array(NAMES), families=Families(FAMILIES))
    block = likelihood.summarize(x, Labels(classes, codes, weight))
    left_out = np.zeros((ROWS, classes))
    likelihood.left_out(block, estimation).add_scores(x, codes, weight, left_out)
    kept = {}
    for kind in (FamilyCounted, FamilyWords):
        plain = kind.weights.func

        def keep_weights(self, plain=plain, kind=kind):
            return kept.setdefault(kind, plain(self))

        monkeypatch.setattr(kind, "weights", property(keep_weights))
    likelihood.estimate(block, estimation)
    expected = np.zeros((ROWS, classes))
    for i in range(ROWS):
        row = x.block(i, i + 1)
        rest = block - likelihood.summarize(row, Labels(classes, codes[i : i + 1], weight[i : i + 1]))
        likelihood.estimate(rest, estimation).add_scores(row, expected[i : i + 1])
    assert kept
    np.testing.assert_allclose(np.exp(left_out), np.exp(expected), rtol=1e-9, atol=1e-12)


@EVENT_MODELS
def test_probabilities_do_not_depend_on_the_order_of_rows_and_labels(name):
    rows, order = CASES[name][1], RNG.permutation(ROWS)
    before = fitted(name).predict_proba(rows)
    np.testing.assert_allclose(fitted(name, rows[order], LABELS[order]).predict_proba(rows), before, rtol=1e-9)
    renamed = {label: f"{9 - i}" for i, label in enumerate(NAMES)}
    again = fitted(
        name,
        labels=np.array([renamed[label] for label in LABELS]),
        families={renamed[k]: f for k, f in FAMILIES.items()},
    )
    np.testing.assert_allclose(again.predict_proba(rows)[:, ::-1], before, rtol=1e-9)


@EVENT_MODELS
def test_merging_streaming_and_forgetting_give_the_model_of_the_remaining_rows(name):
    rows, half = CASES[name][1], ROWS // 2
    whole = fitted(name)
    first, second = fitted(name, rows[:half], LABELS[:half]), fitted(name, rows[half:], LABELS[half:])
    expected = whole.predict_proba(rows)
    np.testing.assert_allclose((first + second).predict_proba(rows), expected, rtol=1e-9)
    streamed = fitted(name, rows[:half], LABELS[:half]).partial_fit(rows[half:], LABELS[half:])
    np.testing.assert_allclose(streamed.predict_proba(rows), expected, rtol=1e-9)
    np.testing.assert_allclose(
        whole.forget(rows[half:], LABELS[half:]).predict_proba(rows), first.predict_proba(rows), rtol=1e-9
    )


@EVENT_MODELS
def test_files_and_settings_after_training_give_the_model_of_a_fit(name, tmp_path):
    rows, nb = CASES[name][1], fitted(name)
    nb.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert loaded.families == FAMILIES
    np.testing.assert_array_equal(loaded.predict_proba(rows), nb.predict_proba(rows))
    flat = fitted(name, families=None)
    np.testing.assert_array_equal(flat.reestimate(families=FAMILIES).predict_proba(rows), nb.predict_proba(rows))
    np.testing.assert_array_equal(
        loaded.reestimate(families=None).predict_proba(rows), fitted(name, families=None).predict_proba(rows)
    )


@EVENT_MODELS
def test_derivations_and_explanations_are_those_of_the_model(name):
    rows = CASES[name][1][5:6]
    nb = fitted(name)
    derivation = nb.derive(rows)
    np.testing.assert_allclose(derivation.posterior, nb.predict_proba(rows)[0], rtol=1e-9)
    if not CASES[name][0].__dict__.get("transform"):
        exact = [[factor.fraction(c) for factor in derivation.factors] for c in range(len(NAMES))]
        floats = [[float(np.exp(factor.scores[c])) for factor in derivation.factors] for c in range(len(NAMES))]
        np.testing.assert_allclose(np.array(exact, dtype=float), floats, rtol=1e-9)
    why = nb.explain(rows)[0]
    np.testing.assert_allclose(why.prior + why.evidence.sum(), why.odds, atol=1e-9)


@EVENT_MODELS
def test_probabilities_of_rows_sum_to_one_over_the_values(name):
    nb = fitted(name)
    for table in nb.parameters():
        if table.family == "Categorical" or name in ("bag", "binary", "bigrams", "multinomial"):
            sums = np.sum([[float(n) for n in line.numbers] for line in table.lines], axis=0)
            np.testing.assert_allclose(sums, 1.0)


def test_a_derivation_shows_the_three_fractions():
    x = [["red"]] * 3 + [["blue"]] * 2 + [["red"]] * 1 + [["blue"]] * 3 + [["green"]] + [["green"]] * 8
    y = ["a.x"] * 5 + ["a.y"] * 5 + ["b.u"] * 4 + ["b.v"] * 4
    # One count less: red 2/4, 3/9 and 4/20, so 3 of 5 vote for the class; blue 1/4, 4/9 and 5/20, so 2 vote for the
    # family. One vote more is for all classes.
    text = str(db.NaiveBayes(db.Categorical(), families=".").fit(x, y).derive([["red"]]))
    assert "P(x0 = red | class = a.x) = 1/2 · 3/5 + 1/3 · 4/10 + 1/6 · 5/21 = " in text


@pytest.mark.parametrize(("words", "column"), [(db.Words(), "bag"), (db.Words("set"), "set")])
def test_documents_are_drawn_by_the_shares(words, column):
    nb = db.NaiveBayes(words, families=FAMILIES).fit(TEXTS, LABELS)
    nb = nb.with_class_prior({label: float(label == "b.u") for label in NAMES})
    drawn = nb.sample(4000, random_state=0)["text"].to_pylist()
    found = db.NaiveBayes(words).fit(drawn, ["b.u"] * 4000).statistics_.blocks[0]
    expected = {line.value: float(line.numbers[2]) for line in nb.parameters().columns[0]}
    counts = dict(zip(found.vocabulary.words, found.total()[0].tolist()))
    whole = sum(counts.values()) if column == "bag" else 4000
    for word in ("red", "blue"):
        assert counts[word] / whole == pytest.approx(expected[word], abs=0.03)


@pytest.mark.parametrize(
    ("likelihood", "rows", "words"),
    [
        (
            db.Gaussian(),
            COUNTS,
            "column 'x0' has Gaussian.*give it Categorical, Binned, Bernoulli, Multinomial or Words",
        ),
        (db.Poisson(), COUNTS, "column 'x0' has Poisson"),
        (db.Complement(), COUNTS, "column 'x0' has Complement"),
        (db.Binned(shape="normal"), COUNTS, "give it Binned"),
        (db.Words(complement=True), DOCUMENTS, "give it Words"),
        (db.Words(evidence="lift"), DOCUMENTS, "give it Words"),
        (db.Multinomial(prior=np.ones((5, 3)).tolist()), COUNTS, "families has one prior for all classes"),
        (db.Categorical(prior=db.Dirichlet("evidence")), COLOURS, "families has one prior for all classes"),
    ],
)
def test_an_event_model_that_cannot_share_is_one_clear_error(likelihood, rows, words):
    with pytest.raises(ValueError, match=words):
        db.NaiveBayes(likelihood, families=FAMILIES).fit(rows, LABELS)


@pytest.mark.parametrize("estimate", ["mle", "predictive"])
def test_families_belong_to_the_most_probable_parameters(estimate):
    with pytest.raises(ValueError, match=f"families shares a prior .* and estimate is '{estimate}'"):
        fitted("bag", estimate=estimate)
