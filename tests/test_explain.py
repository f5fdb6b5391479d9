"""Explanations, derivations, importance, weights and diagnoses: exact, for every event model, and for people."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from scipy import integrate, sparse, stats

import deciban as db
from deciban.cli.main import deciban_command
from deciban.explain.explanation import ALIKE, DECIBANS, IGNORED, MISSING, UNSEEN
from deciban.model.classifier import Chosen

RNG = np.random.default_rng(3)
N, K = 200, 3
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, 4)) + y[:, None] * [1, 0.5, 0, 2]
HOLES = np.where(RNG.random((N, 4)) < 0.15, np.nan, NUMBERS)
BITS = (RNG.random((N, 4)) < 0.2 + 0.2 * y[:, None]).astype(float)
COUNTS = RNG.poisson(1 + y[:, None], size=(N, 4)).astype(float)
COLOURS = np.array(["red", "green", "blue", None], dtype=object)[RNG.integers(0, 4, (N, 3))]
CODES = RNG.integers(0, 5, (N, 4))
WORDS = ["cheap", "pills", "meeting", "noon", "lunch", "offer", "viagra"]
TEXTS = [" ".join(RNG.choice(WORDS, RNG.integers(0, 6))) for _ in y]

CASES = {
    "gaussian": (db.Gaussian(), HOLES, {}),
    "gaussian-shared": (db.Gaussian("shared"), HOLES, {}),
    "gaussian-student": (db.Gaussian(), HOLES, {"estimate": "predictive"}),
    "bernoulli": (db.Bernoulli(), BITS, {}),
    "bernoulli-zeros": (db.Bernoulli(), np.where(y[:, None] == 1, BITS, 0.0), {"estimate": "mle"}),
    "bernoulli-threshold": (db.Bernoulli(threshold=0.5), HOLES, {}),
    "multinomial": (db.Multinomial(), COUNTS, {}),
    "multinomial-polya": (db.Multinomial(), COUNTS, {"estimate": "predictive"}),
    "complement": (db.Complement(), COUNTS, {}),
    "poisson": (db.Poisson(), COUNTS, {}),
    "poisson-predictive": (db.Poisson(), COUNTS, {"estimate": "predictive"}),
    "words-of-columns": (db.Categorical(), COLOURS, {}),
    "codes": (db.Categorical(), CODES, {}),
    "codes-far": (db.Categorical(), CODES + (1 << 60), {}),
    "unseen-share": (db.Categorical(unseen="share"), COLOURS, {}),
    "binned": (db.Binned(), HOLES, {}),
    "binned-shape": (db.Binned(shape="normal"), HOLES, {}),
    "calibrated": (db.Gaussian(), HOLES, {"calibrate": "isotonic"}),
    "mixed": ({0: db.Gaussian(), 1: db.Binned(), 2: db.Gaussian("shared"), 3: db.Gaussian()}, HOLES, {}),
}


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
def test_evidence_and_prior_are_the_log_odds_and_the_posterior_is_that_of_predict_proba(case, classes):
    likelihood, x, settings = CASES[case]
    nb = db.NaiveBayes(likelihood, **settings).fit(x, np.minimum(y, classes - 1))
    found, posterior, joint = nb.explain(x), nb.predict_proba(x), nb.predict_joint_log_proba(x)
    assert np.array_equal(found.posterior, posterior)
    rows, (of, against) = np.arange(N), (np.searchsorted(nb.classes_, c) for c in (found.of, found.against))
    assert np.array_equal(of, posterior.argmax(axis=1))
    assert (posterior[rows, against] <= posterior[rows, of]).all()
    possible = np.isfinite(joint).all(axis=1)
    odds = DECIBANS * (joint[rows, of] - joint[rows, against])[possible]
    assert np.allclose((found.prior + found.evidence.sum(axis=1))[possible], odds, rtol=0, atol=1e-9)
    for i in (0, 7, 50):
        row = found[i]
        assert np.array_equal(row.posterior, posterior[i])
        assert np.allclose(sum(item.scores for item in row.items) + row.log_prior, joint[i], rtol=0, atol=1e-9)
        if possible[i]:
            total = row.prior + row.evidence.sum() + row.adjustment
            assert np.isclose(total, row.odds, rtol=0, atol=1e-9)
            assert np.allclose(row.evidence, found.evidence[i], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "words", [db.Words(), db.Words(model="set"), db.Words(model="binary"), db.Words(transform="tfidf"),
              db.Words("binary", transform="tfidf"),
              db.Words(complement=True), db.Words(ngrams=(1, 2)), db.Words(buckets=64)]
)  # fmt: skip
def test_words_of_a_text_add_up(words):
    for settings in ({}, {"estimate": "predictive"}, {"calibrate": "temperature"}):
        nb = db.NaiveBayes(words, **settings).fit(TEXTS, y)
        found, joint = nb.explain(TEXTS[:20]), nb.predict_joint_log_proba(TEXTS[:20])
        for i, row in enumerate(found):
            assert np.allclose(sum(item.scores for item in row.items) + row.log_prior, joint[i], rtol=0, atol=1e-9)
        assert np.array_equal(found.posterior, nb.predict_proba(TEXTS[:20]))


def test_bars_of_wide_characters_stand_below_each_other():
    table = {"天気": ["晴れ", "雨", "晴れ", "雨"], "wind": ["weak", "weak", "strong", "weak"], "y": [1, 0, 1, 1]}
    lines = str(db.NaiveBayes().fit(table, "y").explain({"天気": ["晴れ"], "wind": ["weak"]})).splitlines()
    bars = [cell_len(line.split("│")[0]) for line in lines if "│" in line]
    assert len(bars) == 5
    assert len(set(bars)) == 1


@pytest.mark.parametrize(("model", "shown"), [("bag", "“free” ×2"), ("binary", "“free”"), ("set", "“free”")])
def test_a_word_is_shown_as_often_as_it_counts(model, shown):
    nb = db.NaiveBayes(db.Words(model)).fit(["free free prize", "see you"], ["spam", "ham"])
    item, _ = nb.explain(["free free"])[0].top(1)[0]
    assert item.text == shown


def mixed_table(rows=N):
    label = np.array(["no", "perhaps", "yes"])[y[:rows]]
    return pa.table(
        {
            "size": pa.array(HOLES[:rows, 0], from_pandas=True),
            "colour": COLOURS[:rows, 0].tolist(),
            "old": (BITS[:rows, 0] > 0).tolist(),
            "note": [f"{text} {'pills pills' if c else 'noon'} words for a note" for text, c in zip(TEXTS, y[:rows])],
            "label": label.tolist(),
        }
    )


@pytest.fixture(scope="module")
def mixed():
    return db.NaiveBayes({"note": db.Words()}, calibrate="temperature").fit(mixed_table(), "label")


def test_tables_with_holes_texts_and_unknown_values(mixed, tmp_path):
    table = mixed_table()
    found, joint = mixed.explain(table), mixed.predict_joint_log_proba(table)
    rows, (of, against) = np.arange(N), (np.searchsorted(mixed.classes_, c) for c in (found.of, found.against))
    odds = DECIBANS * (joint[rows, of] - joint[rows, against])
    assert np.allclose(found.prior + found.evidence.sum(axis=1), odds, rtol=0, atol=1e-9)
    assert np.array_equal(found.posterior, mixed.predict_proba(table))
    assert len(found) == N
    assert set(found.totals()) == {"size", "colour", "old", "note"}
    odd = mixed.explain({"size": None, "colour": "mauve", "old": True, "note": ""})[0]
    said = {item.name: item.silent for item in odd.items}
    assert said == {"size": MISSING, "colour": UNSEEN, "old": "", "note": "an empty text"}
    assert "no evidence (missing): size" in str(odd)
    unknown = mixed.explain({"size": 1.0, "colour": "red", "old": True, "note": "zzz"})[0]
    assert {i.name: i.silent for i in unknown.items}["note"] == "no word that training had"
    with pytest.raises(ValueError, match="no column 'note'"):
        mixed.explain({"size": 1.0, "colour": "red", "old": True})
    with pytest.raises(ValueError, match="'maybe' is not among the classes"):
        mixed.explain(table, of="maybe")
    with pytest.raises(ValueError, match="give two classes"):
        mixed.explain(table, of="no", against="no")
    asked = mixed.explain(table, of="no", against="yes")
    assert set(asked.of) == {"no"}
    assert set(asked.against) == {"yes"}
    with pytest.raises(IndexError, match="no row 200"):
        found[N]
    flat = mixed.explain(table.slice(0, 2)).to_arrow()
    assert flat.num_rows == 2 * 6
    said = flat.column("decibans").to_numpy().reshape(2, 6)
    assert np.allclose(said[:, :-1].sum(axis=1), odds[:2], rtol=0, atol=1e-9)
    assert np.allclose(said.sum(axis=1), [found[0].odds, found[1].odds], rtol=0, atol=1e-9)
    assert len(mixed.explain(table.slice(0, 0))) == 0


def test_what_is_printed_is_what_was_found(mixed):
    row = mixed.explain(mixed_table())[0]
    text, page = str(row), row.to_html()
    first, *lines = text.splitlines()
    assert first.startswith(f"label = {row.decision}, ")
    assert lines[1].startswith("prior")
    assert any(line.startswith("posterior") and f"{row.odds:+.1f} dB" in line for line in lines)
    assert "temperature" in text
    assert page.startswith("<!doctype html>")
    assert "<mark" in page
    assert "script" not in page
    evil = db.NaiveBayes(db.Categorical()).fit([["<b>&"], ["x"]], ["<i>", "b"]).explain([["<b>&"]]).to_html()
    assert "<b>&" not in evil.replace("<b>&amp;", "")
    assert "<i>" not in evil


def test_the_smallest_set_that_flips_a_decision():
    nb = db.NaiveBayes({0: db.Gaussian(), 1: db.Binned(), 2: db.Gaussian(), 3: db.Gaussian()}).fit(NUMBERS, y)
    for calibrate in (False, "temperature"):
        nb = db.NaiveBayes(db.Gaussian(), calibrate=calibrate).fit(NUMBERS, y)
        for row in (nb.explain(NUMBERS[:40])[i] for i in range(40)):
            scores = np.array([item.scores for item in row.items])
            smallest = None
            for n in range(1, 5):
                for some in combinations(range(4), n):
                    joint = row.log_prior + np.delete(scores, some, axis=0).sum(axis=0)
                    if nb.model_.settled(joint[None]).argmax() != row.of:
                        smallest = n
                        break
                if smallest:
                    break
            assert (row.flip is None) == (smallest is None)
            assert row.flip is None or len(row.flip[0]) == smallest


@pytest.mark.parametrize("texts", [["cc", "ee"], ["cc dd", "ee ff"], ["aa bb cc dd", "ee ff"]])
def test_a_tie_is_decided_as_predict_decides_it(texts):
    nb = db.NaiveBayes(db.Words()).fit(texts, ["x", "y"])
    assert nb.predict(["nothing"]).tolist() == ["x"]
    assert nb.explain(texts[:1])[0].flip is None
    assert nb.explain(texts[1:])[0].flip[1] == "x"


def test_words_that_are_not_there_say_nothing_in_a_bag():
    text = "word other third " * 10_000
    items = db.NaiveBayes(db.Words()).fit([text, "small one here"], ["a", "b"]).explain([text])[0].items
    assert {item.word for item in items} == {"word", "other", "third"}


def test_one_class_ignored_columns_and_columns_that_never_vary():
    alone = db.NaiveBayes(db.Gaussian()).fit(NUMBERS, np.zeros(N))
    assert "nothing to weigh" in str(alone.explain(NUMBERS[:1]))
    assert "decision: class = 0" in str(alone.derive(NUMBERS[:1]))
    constant = db.NaiveBayes(db.Categorical()).fit([["a", "x"], ["a", "y"]], [0, 1])
    assert constant.explain([["a", "x"]])[0].items[0].silent == ALIKE
    nb = db.NaiveBayes(db.Gaussian()).fit(NUMBERS, y)
    nb._ready(replace(nb._classifier, chosen=Chosen(N, apart=((1, None),))))
    assert nb.explain(NUMBERS[:1])[0].items[1].silent == IGNORED
    assert nb.explain(NUMBERS[:1]).evidence[0, 1] == 0


# Worked example A of the lecture: older than 35, student, born before July, buys.
A = pd.DataFrame(
    [(0, 0, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1), (1, 0, 0), (0, 1, 0), (1, 0, 1), (1, 0, 1), (1, 1, 0), (0, 1, 1),
     (0, 1, 0), (0, 1, 1), (1, 0, 1), (0, 1, 0)],
    columns=list("OSJ"),
).assign(Y=[0] * 5 + [1] * 9)  # fmt: skip
ROW = {"O": 0, "S": 1, "J": 1}


@pytest.mark.parametrize("likelihood", [db.Categorical(), db.Bernoulli(), db.Binned()])
def test_example_a_is_derived_with_its_fractions(likelihood):
    nb = db.NaiveBayes(dict.fromkeys("OSJ", likelihood), estimate="mle").fit(A, "Y")
    d = nb.derive(ROW)
    assert [d.product(c) for c in (0, 1)] == [Fraction(3, 175), Fraction(25, 189)]
    assert d.total == Fraction(706, 4725)
    text = str(d)
    assert "P(Y = 1)" in text
    assert "9/14 · 5/9 · 6/9 · 5/9 = 25/189 ≈ 0.1323" in text
    assert "5/14 · 3/5 · 1/5 · 2/5 = 3/175 ≈ 0.01714" in text
    assert "P(Y = 1 | row) = 625/706 ≈ 0.8853" in text
    assert "decision: Y = 1" in text
    latex = d.to_markdown()
    assert (
        r"\frac{9}{14} \cdot \frac{5}{9} \cdot \frac{6}{9} \cdot \frac{5}{9} = \frac{25}{189} \approx 0.1323" in latex
    )
    assert "625/706" in d.to_html()


def test_smoothing_is_shown_and_what_fractions_do_not_include_is_said():
    nb = db.NaiveBayes(db.Categorical(), class_prior=1).fit(A, "Y")
    text = str(nb.derive(ROW))
    assert "P(S = 1 | Y = 0) = (1 + 1)/(5 + 2) = 2/7" in text
    assert "P(Y = 1)         = (9 + 1)/(14 + 2) = 10/16" in text
    assert "Calibration (temperature" in str(
        db.NaiveBayes(db.Categorical(), calibrate="temperature").fit(A, "Y").derive(ROW)
    )
    assert "integrated out" in str(db.NaiveBayes(db.Gaussian(), estimate="predictive").fit(A, "Y").derive(ROW))
    gaussian = db.NaiveBayes(db.Gaussian()).fit(A, "Y")
    scorer = gaussian.model_.parts[0].scorer
    density = stats.norm(scorer.mean[1, 1], np.sqrt(scorer.variance[1, 1])).pdf(1)
    assert f"variance {scorer.variance[1, 1]:.6g}) = {density:.4g}" in str(gaussian.derive(ROW))
    with pytest.raises(ValueError, match="derive takes one row, not 14"):
        nb.derive(A.drop(columns="Y"))
    bag = db.NaiveBayes(db.Words()).fit(["cheap pills now", "meeting at noon", "cheap meeting pills"], ["s", "h", "s"])
    assert "((2 + 1)/(6 + 6))^2 = (3/12)^2" in str(bag.derive(["cheap cheap pills tomorrow"]))


@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
def test_every_event_model_can_be_derived(case):
    likelihood, x, settings = CASES[case]
    nb = db.NaiveBayes(likelihood, **settings).fit(x, y)
    d = nb.derive(x[5:6])
    assert np.allclose(d.log_products, nb.predict_joint_log_proba(x[5:6])[0], rtol=1e-9, atol=1e-9)
    assert str(d).count("product  ") + str(d).count("product =") >= 1
    for factor in d.factors:
        for c in range(K):
            exact = factor.fraction(c)
            assert exact is None or np.isclose(float(exact), np.exp(factor.scores[c]), rtol=1e-9)


def test_latex_compiles():
    mathtext = pytest.importorskip("matplotlib.mathtext", reason="matplotlib draws the formulas; it is not needed")
    parser = mathtext.MathTextParser("path")
    for nb, row in (
        (db.NaiveBayes(db.Categorical()).fit(A, "Y"), ROW),
        (db.NaiveBayes(db.Gaussian()).fit(A.rename(columns={"O": "O_1 & 50%"}), "Y"), {"O_1 & 50%": 0, "S": 1, "J": 1}),
        (db.NaiveBayes(db.Words()).fit(TEXTS, y), ["cheap cheap pills"]),
        (db.NaiveBayes(db.Poisson()).fit(COUNTS, y), COUNTS[:1]),
    ):
        formulas = [line[1:-1] for line in nb.derive(row).to_markdown().splitlines() if line.startswith("$$")]
        assert len(formulas) > 5
        for formula in formulas:
            parser.parse(formula)


def test_long_rows_fold_and_nothing_underflows():
    x = RNG.integers(0, 2, (50, 400))
    nb = db.NaiveBayes(db.Categorical()).fit(x, y[:50] > 0)
    d = nb.derive(x[:1])
    assert d.folded == 400 - len(d.factors)
    assert np.allclose(d.log_products, nb.predict_joint_log_proba(x[:1])[0], rtol=1e-12)
    many = db.NaiveBayes(db.Multinomial()).fit(np.full((4, 3), 10_000), [0, 0, 1, 1])
    assert "e-" in str(many.derive(np.full((1, 3), 10_000)))


def test_importance_is_mutual_information():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y")
    p = np.array([[3, 2], [5, 4]]) / 14
    expected = (p * np.log(p / p.sum(1, keepdims=True) / p.sum(0))).sum()
    assert np.isclose(nb.importance()["O"], expected * DECIBANS, rtol=1e-12)
    assert list(nb.importance()) == sorted(nb.importance(), key=lambda name: -nb.importance()[name])
    nb = db.NaiveBayes(db.Gaussian()).fit(NUMBERS, y)
    scorer, prior = nb.model_.parts[0].scorer, np.exp(nb.model_.log_prior)
    bells = [stats.norm(m, np.sqrt(v)) for m, v in zip(scorer.mean[:, 3], scorer.variance[:, 3])]

    def inside(x):
        mixed = sum(q * b.pdf(x) for q, b in zip(prior, bells))
        return sum(q * b.pdf(x) * (b.logpdf(x) - np.log(mixed)) for q, b in zip(prior, bells))

    assert np.isclose(nb.importance()["x3"], integrate.quad(inside, -12, 16)[0] * DECIBANS, rtol=1e-6)
    poisson = db.NaiveBayes(db.Poisson()).fit(COUNTS, y)
    rate = -poisson.model_.parts[0].scorer.base[:, 0]
    table = stats.poisson(rate[:, None]).pmf(np.arange(60))
    prior = np.exp(poisson.model_.log_prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.nan_to_num(table * np.log(table / (prior @ table)))
    assert np.isclose(poisson.importance()["x0"], prior @ terms.sum(axis=1) * DECIBANS, rtol=1e-9)
    for case, (likelihood, x, settings) in CASES.items():
        values = db.NaiveBayes(likelihood, **settings).fit(x, y).importance().values()
        assert case == "complement" or all(v >= 0 for v in values), case
    words = db.NaiveBayes(db.Words()).fit(["spam pills"] * 5 + ["meeting noon"] * 5, [1] * 5 + [0] * 5).importance()
    assert set(words.words["text"]) == {"spam", "pills", "meeting", "noon"}
    assert "spam" in str(words)


def test_linear_weights_are_the_log_odds():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y")
    w = nb.linear_weights()
    assert np.isclose(w.intercept, np.log(9 / 5))
    assert np.isclose(w.values["S"][1], np.log((6 / 9) / (1 / 5)))
    found = w.intercept + sum(w.values[name][value] for name, value in ROW.items())
    assert np.isclose(found, np.log((25 / 189) / (3 / 175)), rtol=1e-12)
    two = np.minimum(y, 1)
    for likelihood, x in ((db.Multinomial(), COUNTS), (db.Poisson(), COUNTS),
                          (db.Gaussian("shared"), NUMBERS)):  # fmt: skip
        nb = db.NaiveBayes(likelihood).fit(x, two)
        w = nb.linear_weights()
        joint = nb.predict_joint_log_proba(x)
        assert np.allclose(w.intercept + x @ list(w.slopes.values()), joint[:, 1] - joint[:, 0], rtol=0, atol=1e-9)
    for threshold, x in ((None, BITS), (0.5, NUMBERS)):
        nb = db.NaiveBayes(db.Bernoulli(threshold=threshold)).fit(x, two)
        w, joint = nb.linear_weights(), nb.predict_joint_log_proba(x)
        bits = (x > 0.5).astype(int)
        found = w.intercept + sum(np.array(list(w.values[f"x{j}"].values()))[bits[:, j]] for j in range(4))
        assert np.allclose(found, joint[:, 1] - joint[:, 0], rtol=0, atol=1e-9)
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, two)
    w, joint = nb.linear_weights(of=0, against=1), nb.predict_joint_log_proba(TEXTS)
    found = [w.intercept + sum(w.values["text"][word] for word in text.split()) for text in TEXTS]
    assert np.allclose(found, joint[:, 0] - joint[:, 1], rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="variance='shared' makes them so"):
        db.NaiveBayes(db.Gaussian()).fit(NUMBERS, two).linear_weights()
    with pytest.raises(ValueError, match="two classes"):
        db.NaiveBayes(db.Bernoulli()).fit(BITS, np.zeros(N)).linear_weights()


def test_weights_where_something_is_impossible_missing_or_not_linear():
    certain = db.NaiveBayes(db.Words(), estimate="mle").fit(["aa bb", "aa cc", "bb bb"], ["h", "h", "s"])
    weights = certain.linear_weights().values["text"]
    assert weights["cc"] == weights["aa"] == -np.inf
    assert np.isclose(weights["bb"], np.log(4))
    bits = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit([[1, 0, 1], [1, 0, 0], [0, 1, 1]], ["h", "h", "s"])
    w = bits.linear_weights()
    assert np.isclose(w.intercept, np.log(1 / 2))
    assert w.values["x0"] == {0: np.inf, 1: -np.inf}
    assert np.isclose(w.values["x2"][1], np.log(2))
    with pytest.raises(ValueError, match="depends on the words around it"):
        db.NaiveBayes(db.Words(transform="tfidf")).fit(["aa bb", "aa cc"], ["h", "s"]).linear_weights()
    assert np.isclose(bits.linear_weights(of="h").intercept, np.log(2))
    assert bits.linear_weights(against="s").of == "h"


def with_telling_holes():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    x[100:180] = np.nan
    return x[:, None], np.repeat([0, 1], 100)


def test_holes_that_count_are_items_factors_weights_and_values():
    x, label = with_telling_holes()
    nb = db.NaiveBayes({0: db.Gaussian(variance="shared")}, alpha="auto").fit(x, label)
    assert nb._classifier.chosen.holes == (0,)
    row = nb.explain([[0.5]])[0]
    assert [item.text for item in row.items] == ["x0 = 0.5", "x0 is there"]
    assert np.isclose(row.items[1].scores[0], np.log(101 / 102))
    assert nb.explain([[np.nan]])[0].items[1].text == "x0 is missing"
    solution = nb.derive([[0.5]])
    assert "P(x0 is there | class = 1) = (20 + 1)/(100 + 2) = 21/102" in str(solution)
    scorer = nb.model_.parts[0].scorer
    density = stats.norm(scorer.mean[0, 0], np.sqrt(scorer.variance[0, 0])).pdf(0.5)
    assert f" = {density:.4g}" in str(solution)
    w = nb.linear_weights()
    assert np.isclose(w.intercept + 0.5 * w.slopes["x0"], nb.explain([[0.5]], of=1, against=0)[0].odds / DECIBANS)
    missing = nb.explain([[np.nan]], of=1, against=0)[0].odds / DECIBANS
    assert np.isclose(w.intercept + w.values["x0"]["missing"], missing)
    assert nb.importance()["x0"] > 1
    assert not nb.diagnose(x, label).of("irrelevant")


def test_what_a_review_found():
    """Each of these gave wrong numbers, a wrong sentence, or hung."""
    rng = np.random.default_rng(0)
    three = np.repeat([0, 1, 2], 50)
    far = rng.normal(three[:, None] * 20, 0.5, (150, 40))
    nb = db.NaiveBayes(db.Gaussian()).fit(far, three)
    for pair in ({}, {"of": 1, "against": 2}, {"against": 0}):
        row = nb.explain(far[:1], **pair)[0]
        assert row.of != row.against
        assert np.isclose(row.odds, row.prior + row.evidence.sum(), rtol=1e-12)
    assert "The decision is 0." in str(nb.explain(far[:1], of=1, against=2))
    many = db.NaiveBayes(db.Multinomial()).fit(rng.poisson(3, (400, 3)), rng.integers(0, 3, 400))
    assert "^100000" in str(many.derive([[100_000, 1, 2]]))
    bits = (rng.random((40_000, 3)) < 0.3) * 1.0
    columns = sparse.csc_matrix(bits)
    which = rng.integers(0, 2, 40_000)
    nb = db.NaiveBayes(db.Bernoulli()).fit(columns, which)
    assert np.array_equal(nb.explain(columns[:50])[3].evidence, nb.explain(bits[:50])[3].evidence)
    assert nb.diagnose(columns, which).rows == 40_000
    binned = db.NaiveBayes(db.Binned()).fit(far, three)
    assert np.isfinite(binned.explain(np.full((1, 40), np.inf))[0].evidence).all()
    pairs = np.array([["a", "x"], ["a", "z"], ["b", "x"], ["b", "z"]] * 20, dtype=object)
    joint = db.JointBayes().fit(pairs, ["s", "o", "o", "s"] * 20)
    assert str(joint.diagnose(pairs, ["s", "o", "o", "s"] * 20)) == "Nothing was found in 80 rows."
    assert all(np.isnan(v) for v in joint.importance().values())
    assert "not known" in str(joint.importance())
    certain = db.NaiveBayes(db.Categorical(), estimate="mle").fit(
        [["p", "u"]] * 6 + [["p", "v"]] + [["q", "v"]] * 3, ["A"] * 7 + ["B"] * 3
    )
    assert "Without x0 = p it would be B." in str(certain.explain([["p", "v"]]))
    with pytest.warns(db.ImpossibleRowWarning):
        assert "the prior stays" in str(certain.explain([["q", "u"]]))
    named = db.NaiveBayes({"t": db.Categorical()}).fit(pa.table({"t": ["a", "a", "b"], "y": [0, 0, 1]}), "y")
    assert len(named.explain({"t": pa.chunked_array([["a", "b"]])})) == 2
    assert len(named.explain({"t": pd.Series(["a", "b"])})) == 2
    with pytest.raises(ValueError, match="trained without column names"):
        nb.explain({"x0": 1})
    with pytest.raises(TypeError, match="by number"):
        named.explain({"t": "a"})[0:1]
    with pytest.raises(ValueError, match="settled in training"):
        named.reestimate(columns={"t": None})
    with pytest.raises(ValueError, match="has no classes"):
        (nb * 0).predict(bits[:1])


def test_a_model_that_is_right_is_not_called_wrong():
    rng = np.random.default_rng(1)
    p = [[0.4, 0.2, 0.1, 0.1, 0.1, 0.1], [0.1, 0.4, 0.2, 0.1, 0.1, 0.1]]
    label = rng.integers(0, 2, 5000)
    x = np.array([rng.multinomial(rng.geometric(0.02), p[c]) for c in label])
    assert not db.NaiveBayes(db.Multinomial()).fit(x, label).diagnose(x, label).findings
    label = rng.integers(0, 2, 20_000)
    z = rng.normal(size=(20_000, 2)) + label[:, None]
    nb = db.NaiveBayes(db.Gaussian()).fit(z[:10_000], label[:10_000])
    said = [nb.diagnose(z[a : a + 50], label[a : a + 50]).of("over-confident") for a in range(10_000, 15_000, 50)]
    assert sum(map(len, said)) <= 2


def test_the_temperature_of_documents_does_not_depend_on_units():
    rng = np.random.default_rng(0)
    k = rng.integers(0, 2, 600)
    docs = [" ".join(rng.choice(["w1", "w2", "w3"], rng.integers(1, 30), p=[0.5, 0.3, 0.2][:: 1 - 2 * c])) for c in k]
    g = rng.normal(k, 1)
    rows = {"t": ["", "w1"], "g": [2.0, 2.0]}
    found = []
    for unit in (1e-6, 1.0, 1e6):
        table = pa.table({"t": docs, "g": g * unit, "y": k})
        nb = db.NaiveBayes({"t": db.Words(), "g": db.Gaussian()}, calibrate="temperature").fit(table, "y")
        found.append(nb.predict_proba({"t": rows["t"], "g": [v * unit for v in rows["g"]]}))
    assert np.allclose(found[0], found[1], rtol=1e-6)
    assert np.allclose(found[2], found[1], rtol=1e-6)


def rows_to_diagnose(rows=4000):
    rng = np.random.default_rng(8)
    label = rng.integers(0, 2, rows)
    x = rng.normal(size=(rows, 2)) + label[:, None]
    return pd.DataFrame(
        {
            "signal": x[:, 0],
            "again": x[:, 0] * 1.8 + 32,
            "other": x[:, 1],
            "noise": rng.normal(size=rows),
            "kind": np.where((label == 1) & (rng.random(rows) < 0.1), "rare", "usual"),
            "leak": np.where(label == 1, "paid", "open"),
            "label": np.array(["no", "yes"])[label],
        }
    )


def test_a_diagnosis_finds_what_was_put_there():
    frame = rows_to_diagnose()
    nb = db.NaiveBayes(alpha=1.0, calibrate=False).fit(frame.drop(columns="leak"), "label")
    found = nb.diagnose(frame, "label")
    assert [f.columns for f in found.of("duplicate")] == [("signal", "again")]
    assert [f.columns for f in found.of("irrelevant")] == [("noise",)]
    assert [f.columns for f in found.of("never seen")] == [("kind",)]
    assert found.of("over-confident")
    assert not found.of("leak")
    assert "leave again out" in str(found)
    assert set(found.to_arrow().column_names) == {"kind", "columns", "decibans", "sentence"}
    # What is counted twice is the evidence of the column itself: the mean size of its log-odds.
    signal = db.NaiveBayes(db.Binned(bins=8), alpha=0.0001).fit(frame[["signal"]].to_numpy(), frame["label"])
    odds = np.abs(signal.explain(frame[["signal"]].to_numpy()).evidence).mean()
    assert np.isclose(found.of("duplicate")[0].decibans, odds, rtol=0.02)
    leaking = db.NaiveBayes().fit(frame, "label").diagnose(frame, "label")
    assert [f.columns for f in leaking.of("leak")] == [("leak",)]
    clean = frame[["signal", "other", "label"]]
    nothing = db.NaiveBayes().fit(clean, "label").diagnose(clean, "label")
    assert str(nothing) == "Nothing was found in 4,000 rows."


def test_arrays_counts_and_texts_are_diagnosed():
    rng = np.random.default_rng(4)
    label = rng.integers(0, 2, 3000)
    x = rng.normal(size=(3000, 3)) + label[:, None] * [1, 1, 0]
    x = np.column_stack([x, x[:, 0]])
    found = db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, label)
    assert [f.columns for f in found.of("duplicate")] == [("x0", "x3")]
    assert [f.columns for f in found.of("irrelevant")] == [("x2",)]
    counts = rng.poisson(1 + 2 * label[:, None], (3000, 2))
    counts = np.column_stack([counts, counts[:, 1]])
    found = db.NaiveBayes(db.Poisson()).fit(counts, label).diagnose(counts, label)
    assert ("x1", "x2") in [f.columns for f in found.of("duplicate")]
    pick = lambda words: " ".join(rng.choice(words, 3))  # noqa: E731
    texts = [
        pick(["lunch", "noon", "room", "door"]) + (" clipper chip" if c and rng.random() < 0.5 else "") for c in label
    ]
    found = db.NaiveBayes(db.Words()).fit(texts, label).diagnose(texts, label)
    assert {"clipper", "chip"} in [set(f.columns) for f in found.of("duplicate")]
    with pytest.raises(ValueError, match="no labelled rows"):
        db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, np.full(3000, 7))


def test_conditionally_independent_columns_are_no_duplicates():
    """Both say much about the class, so they go together, but not given the class."""
    rng = np.random.default_rng(4)
    label = rng.integers(0, 3, 20_000)
    x = rng.normal(size=(20_000, 4)) + 2 * label[:, None]
    assert not db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, label).of("duplicate")


def run(*arguments):
    return CliRunner().invoke(deciban_command, list(arguments), catch_exceptions=False)


def test_the_commands(tmp_path):
    table, model = tmp_path / "a.csv", str(tmp_path / "a.deciban")
    A.to_csv(table, index=False)
    db.NaiveBayes(dict.fromkeys("OSJ", db.Categorical()), estimate="mle").fit(A, "Y").save(model)
    said = run("derive", model, "--json", json.dumps(ROW)).output
    assert "9/14 · 5/9 · 6/9 · 5/9 = 25/189" in said
    assert r"\frac{25}{189}" in run("derive", model, "--json", json.dumps(ROW), "-f", "markdown").output
    assert run("derive", model, str(table), "--row", "10", "-f", "html").output.startswith("<!doctype")
    said = run("explain", model, str(table), "--row", "10").output
    assert "Y = 1, 88.5%; against 0, 11.5%" in said
    rows = json.loads(run("explain", model, str(table), "--row", "10", "-f", "json").output)
    assert np.isclose(sum(r["decibans"] for r in rows), DECIBANS * np.log((25 / 189) / (3 / 175)))
    assert "against 1" in run("explain", model, str(table), "--of", "0", "--against", "1").output
    assert run("explain", model, str(table), "-f", "html").output.startswith("<!doctype")
    for wrong, message in (
        (("explain", model), "Give files, --json or --text"),
        (("explain", model, "--json", "[1]"), "give one row as an object"),
        (("explain", model, "--json", "{"), "is no JSON"),
        (("explain", model, str(table), "--row", "0"), "not in the range"),
    ):
        result = CliRunner().invoke(deciban_command, list(wrong))
        assert result.exit_code == 2
        assert message in result.output
    for wrong, message in (
        (("explain", model, str(table), "--row", "15"), "has 14 rows, and no row 15"),
        (("explain", model, "--text", "hello"), "one column of texts"),
        (("derive", model, "--json", '{"O": 1}'), "no column 'S'"),
    ):
        with pytest.raises(ValueError, match=message):
            run(*wrong)
    texts = str(tmp_path / "t.deciban")
    db.NaiveBayes(db.Words()).fit(["cheap pills", "lunch at noon"], ["spam", "ham"]).save(texts)
    said = json.loads(run("explain", texts, "--text", "cheap cheap lunch", "-f", "json").output)
    assert [(r["column"], r["value"]) for r in said[:1]] == [("(prior)", None)]
    assert {(r["column"], r["value"]) for r in said[1:]} == {("text", "cheap"), ("text", "lunch")}
    frame, path = rows_to_diagnose(), str(tmp_path / "d.csv")
    frame.to_csv(path, index=False)
    db.NaiveBayes(alpha=1.0).fit(frame.drop(columns="leak"), "label").save(model)
    assert "signal and again say the same" in run("diagnose", model, path).output
    assert json.loads(run("diagnose", model, path, "-f", "json").output)[0]["kind"] == "duplicate"
