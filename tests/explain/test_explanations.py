"""Explanations: evidence that adds up to the posterior, for every event model, and shown as text and HTML."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from event_models import event_models
from explained import CASES, ROWS, Y
from scipy import sparse

import deciban as db
from deciban.explain.explanation import IGNORED
from deciban.explain.row_explanation import DECIBANS
from deciban.model.choices import Choices
from deciban.scorers.base import NEVER_SEEN, NO_VALUE, SAME_FOR_ALL
from deciban.terminal.printable import UNSAFE

RNG = np.random.default_rng(3)
N, K = 200, 3
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, 4)) + y[:, None] * [1, 0.5, 0, 2]
INCOMPLETE = np.where(RNG.random((N, 4)) < 0.15, np.nan, NUMBERS)
BITS = (RNG.random((N, 4)) < 0.2 + 0.2 * y[:, None]).astype(float)
COLOURS = np.array(["red", "green", "blue", None], dtype=object)[RNG.integers(0, 4, (N, 3))]
WORDS = ["cheap", "pills", "meeting", "noon", "lunch", "offer", "viagra"]
TEXTS = [" ".join(RNG.choice(WORDS, RNG.integers(0, 6))) for _ in y]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
def test_evidence_and_prior_are_the_log_odds(case, classes):
    likelihood, x, settings = CASES[case]
    nb = db.NaiveBayes(likelihood, **settings).fit(x, np.minimum(Y, classes - 1))
    found, posterior, joint = nb.explain(x), nb.predict_proba(x), nb.predict_joint_log_proba(x)
    assert np.array_equal(found.posterior, posterior)
    rows, (of, against) = np.arange(ROWS), (np.searchsorted(nb.classes_, c) for c in (found.favour, found.against))
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
            assert np.isclose(row.evidence.sum(), found.evidence[i].sum(), rtol=0, atol=1e-9)
            if not getattr(likelihood, "reads_text", False):  # the items of a text are its words
                assert np.allclose(row.evidence, found.evidence[i], rtol=0, atol=1e-9)


@pytest.mark.parametrize("settings", [{}, {"estimate": "predictive"}, {"calibrate": "temperature"}], ids=str)
@pytest.mark.parametrize("words", event_models(variants=True, reads_text=True))
def test_words_of_a_text_add_up(words, settings):
    nb = db.NaiveBayes(words, **settings).fit(TEXTS, y)
    found, joint = nb.explain(TEXTS[:20]), nb.predict_joint_log_proba(TEXTS[:20])
    for i, row in enumerate(found):
        assert np.allclose(sum(item.scores for item in row.items) + row.log_prior, joint[i], rtol=0, atol=1e-9)
    assert np.array_equal(found.posterior, nb.predict_proba(TEXTS[:20]))


@pytest.mark.parametrize(("model", "shown"), [("bag", "“free” ×2"), ("binary", "“free”"), ("set", "“free”")])
def test_a_word_is_shown_as_often_as_it_counts(model, shown):
    nb = db.NaiveBayes(db.Words(model)).fit(["free free prize", "see you"], ["spam", "ham"])
    assert nb.explain(["free free"])[0].items[0].text == shown


def mixed_table(rows=N):
    label = np.array(["no", "perhaps", "yes"])[y[:rows]]
    return pa.table(
        {
            "size": pa.array(INCOMPLETE[:rows, 0], from_pandas=True),
            "colour": COLOURS[:rows, 0].tolist(),
            "old": (BITS[:rows, 0] > 0).tolist(),
            "note": [f"{text} {'pills pills' if c else 'noon'} words for a note" for text, c in zip(TEXTS, y[:rows])],
            "label": label.tolist(),
        }
    )


@pytest.fixture(scope="module")
def mixed():
    return db.NaiveBayes({"note": db.Words()}, calibrate="temperature").fit(mixed_table(), "label")


def test_tables_with_missing_values_texts_and_unknown_values(mixed, tmp_path):
    table = mixed_table()
    found, joint = mixed.explain(table), mixed.predict_joint_log_proba(table)
    rows, (of, against) = np.arange(N), (np.searchsorted(mixed.classes_, c) for c in (found.favour, found.against))
    odds = DECIBANS * (joint[rows, of] - joint[rows, against])
    assert np.allclose(found.prior + found.evidence.sum(axis=1), odds, rtol=0, atol=1e-9)
    assert np.array_equal(found.posterior, mixed.predict_proba(table))
    assert len(found) == N
    assert set(found.totals()) == {"size", "colour", "old", "note"}
    odd = mixed.explain({"size": None, "colour": "mauve", "old": True, "note": ""})[0]
    said = {item.name: item.silent for item in odd.items}
    assert said == {"size": NO_VALUE, "colour": NEVER_SEEN, "old": "", "note": "an empty text"}
    assert "no evidence (missing): size" in str(odd)
    unknown = mixed.explain({"size": 1.0, "colour": "red", "old": True, "note": "zzz"})[0]
    assert {i.name: i.silent for i in unknown.items}["note"] == "no word that the model uses"
    assert "no evidence (missing): note" in str(mixed.explain({"size": 1.0, "colour": "red", "old": True}))
    with pytest.raises(ValueError, match="'maybe' is not among the classes"):
        mixed.explain(table, favour="maybe")
    with pytest.raises(ValueError, match="give two classes"):
        mixed.explain(table, favour="no", against="no")
    asked = mixed.explain(table, favour="no", against="yes")
    assert set(asked.favour) == {"no"}
    assert set(asked.against) == {"yes"}
    with pytest.raises(IndexError, match="no row 200"):
        found[N]
    flat = mixed.explain(table.slice(0, 2)).to_arrow()
    assert flat.num_rows == 2 * 6
    said = flat.column("decibans").to_numpy().reshape(2, 6)
    assert np.allclose(said[:, :-1].sum(axis=1), odds[:2], rtol=0, atol=1e-9)
    assert np.allclose(said.sum(axis=1), [found[0].odds, found[1].odds], rtol=0, atol=1e-9)
    assert len(mixed.explain(table.slice(0, 0))) == 0


def test_an_explanation_prints_its_numbers(mixed):
    row = mixed.explain(mixed_table())[0]
    text, page = str(row), row.to_html()
    first, *lines = text.splitlines()
    assert first.startswith(f"label = {row.decision}, ")
    assert lines[1].startswith("prior")
    assert any(line.startswith("posterior") and f"{row.odds:+.1f} dB" in line for line in lines)
    assert "calibration (evidence ÷ " in text
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
                    if nb.model_.calibrated_log_posterior(joint[None]).argmax() != row.favour:
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


def test_absent_words_are_no_evidence_in_a_bag():
    text = "word other third " * 10_000
    items = db.NaiveBayes(db.Words()).fit([text, "small one here"], ["a", "b"]).explain([text])[0].items
    assert {item.word for item in items} == {"word", "other", "third"}


def test_one_class_ignored_columns_and_columns_that_never_vary():
    alone = db.NaiveBayes(db.Gaussian()).fit(NUMBERS, np.zeros(N))
    assert "nothing to weigh" in str(alone.explain(NUMBERS[:1]))
    assert "decision: class = 0" in str(alone.derive(NUMBERS[:1]))
    constant = db.NaiveBayes(db.Categorical()).fit([["a", "x"], ["a", "y"]], [0, 1])
    assert constant.explain([["a", "x"]])[0].items[0].silent == SAME_FOR_ALL
    nb = db.NaiveBayes(db.Gaussian()).fit(NUMBERS, y)
    nb._keep(replace(nb._fitted(), choices=Choices(N, column_models=((1, None),))))
    assert nb.explain(NUMBERS[:1])[0].items[1].silent == IGNORED
    assert nb.explain(NUMBERS[:1]).evidence[0, 1] == 0


def three_classes_far_from_each_other():
    three = np.repeat([0, 1, 2], 50)
    return np.random.default_rng(0).normal(three[:, None] * 20, 0.5, (150, 40)), three


@pytest.mark.parametrize("pair", [{}, {"favour": 1, "against": 2}, {"against": 0}], ids=str)
def test_odds_of_two_classes_are_exact_far_from_the_decision(pair):
    far, three = three_classes_far_from_each_other()
    row = db.NaiveBayes(db.Gaussian()).fit(far, three).explain(far[:1], **pair)[0]
    assert row.favour != row.against
    assert np.isclose(row.odds, row.prior + row.evidence.sum(), rtol=1e-12)


def test_the_decision_is_said_where_two_other_classes_are_compared():
    far, three = three_classes_far_from_each_other()
    nb = db.NaiveBayes(db.Gaussian()).fit(far, three)
    assert "The decision is 0." in str(nb.explain(far[:1], favour=1, against=2))


def test_infinity_is_in_the_last_bin():
    far, three = three_classes_far_from_each_other()
    binned = db.NaiveBayes(db.Binned()).fit(far, three)
    assert np.isfinite(binned.explain(np.full((1, 40), np.inf))[0].evidence).all()


def test_sparse_columns_are_explained_as_dense_rows():
    rng = np.random.default_rng(0)
    bits, which = (rng.random((40_000, 3)) < 0.3) * 1.0, rng.integers(0, 2, 40_000)
    columns = sparse.csc_matrix(bits)
    nb = db.NaiveBayes(db.Bernoulli()).fit(columns, which)
    assert np.array_equal(nb.explain(columns[:50])[3].evidence, nb.explain(bits[:50])[3].evidence)


CERTAIN = db.NaiveBayes(db.Categorical(), estimate="mle").fit(
    [["p", "u"]] * 6 + [["p", "v"]] + [["q", "v"]] * 3, ["A"] * 7 + ["B"] * 3
)


def test_a_value_that_rules_a_class_out_is_the_one_that_decides():
    assert "Without x0 = p it would be B." in str(CERTAIN.explain([["p", "v"]]))


def test_a_row_that_no_class_can_explain_leaves_the_prior():
    with pytest.warns(db.ImpossibleRowWarning):
        assert "the prior stays" in str(CERTAIN.explain([["q", "u"]]))


NAMED = db.NaiveBayes({"t": db.Categorical()}).fit(pa.table({"t": ["a", "a", "b"], "y": [0, 0, 1]}), "y")


@pytest.mark.parametrize("column", [pa.chunked_array([["a", "b"]]), pd.Series(["a", "b"])], ids=["arrow", "pandas"])
def test_a_mapping_of_columns_is_explained_row_by_row(column):
    assert len(NAMED.explain({"t": column})) == 2


def test_a_mapping_needs_a_model_with_column_names():
    nb = db.NaiveBayes(db.Bernoulli()).fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(ValueError, match="trained without column names"):
        nb.explain({"x0": 1})


def test_rows_of_an_explanation_are_taken_by_number():
    with pytest.raises(TypeError, match="by number"):
        NAMED.explain({"t": "a"})[0:1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("free", "Without “free” it would be a tie, which goes to ham, the first class."),
        ("lunch", "No removal changes the decision: without evidence it is a tie, which goes to ham, the first class."),
        ("free free lunch", "Without “free” ×2 it would be ham."),
        ("free lunch", "Without “lunch” it would be spam."),
    ],
)
def test_what_flips_a_decision_is_true_for_even_priors(text, says):
    nb = db.NaiveBayes(db.Words()).fit(["free prize", "lunch noon"], ["spam", "ham"])
    assert str(nb.explain([text])).splitlines()[-1] == says


def test_the_table_of_all_rows_has_the_adjustment_of_every_row():
    nb = db.NaiveBayes(db.Gaussian(), calibrate="temperature", class_weight={0: 3.0}).fit(NUMBERS, y)
    found = nb.explain(NUMBERS[:20])
    assert np.allclose(found.adjustment, [row.adjustment for row in found])
    table = found.to_arrow().to_pandas()
    odds = [row.odds for row in found]
    assert np.allclose(table.groupby("row")["decibans"].sum(), odds)
    assert table["value"][1] == str(NUMBERS[0, 0])


def test_the_bar_of_evidence_near_the_greatest_float_overflowed():
    nb = db.NaiveBayes(db.Gaussian(variance=1e-300)).fit([[0.0], [5e3]], ["p", "q"])
    line = str(nb.explain([[0.0]])).splitlines()[3]
    assert "█" * 16 in line
    assert "dB" in line


def test_control_characters_of_names_are_printed_as_escapes():
    cells, labels = ["\x07a", "b\u202e\nb"] * 20, ["\x1b[2J", "two\nlines\u202e"] * 20
    nb = db.NaiveBayes(db.Categorical()).fit([[cell] for cell in cells], labels)
    described = nb.scales(), nb.linear_weights(), nb.diagnose([[cell] for cell in cells], labels), nb.parameters()
    for found in (*described, nb.story(), nb.explain([["\x07a"]])):
        assert not UNSAFE.search(str(found))
    assert str(nb.linear_weights()).splitlines()[0] == "log-odds of two lines\\u202e against \\x1b[2J"
    assert str(nb.scales()).startswith("two lines\\u202e against \\x1b[2J, in decibans\n")
