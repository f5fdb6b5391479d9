"""The table of parameters shows the numbers that predictions use, as exact fractions where these come from counts."""

from dataclasses import dataclass
from fractions import Fraction as F
from typing import ClassVar

import numpy as np
import pytest
from event_models import event_models, fitted, rows_for
from lectures import A
from scipy import stats

import deciban as db

ESTIMATES = ["map", "mle", "predictive"]


def one_cell(nb, column, value):
    """[classes] Evidence of a row in which one column has a value and all others are missing."""
    row = np.full((1, nb.n_features_in_), np.nan, dtype=object)
    row[0, int(column.removeprefix("x"))] = value
    return nb.evidence(row)[0].sum(axis=1)


def one_number(nb, column, value):
    row = np.full((1, nb.n_features_in_), np.nan)
    row[0, int(column.removeprefix("x"))] = value
    return nb.evidence(row)[0].sum(axis=1)


def check_values(nb, column):
    for line in column:
        assert np.allclose(np.log(line.numbers), one_cell(nb, column.name, line.value), rtol=1e-12)


def check_bits(nb, column):
    for line, value in zip(column, (0, 1)):
        with np.errstate(divide="ignore"):
            assert np.allclose(np.log(line.numbers), one_number(nb, column.name, value), rtol=1e-9)


def check_bins(nb, column):
    X = rows_for(db.Binned())[:, int(column.name.removeprefix("x"))]
    scores = np.exp([one_number(nb, column.name, value) for value in np.unique(X)])
    listed = {tuple(np.round(line.numbers, 12)) for line in column}
    found = {tuple(np.round(row, 12)) for row in scores}
    assert listed <= found if column.omitted else listed == found


def check_normal(nb, column):
    numbers = [np.array(line.numbers) for line in column]
    for x in (-1.5, 0.3, 20.0):
        if column.family == "Normal":
            expected = stats.norm.logpdf(x, numbers[0], np.sqrt(numbers[1]))
        else:
            expected = stats.t.logpdf(x, numbers[2], numbers[0], np.sqrt(numbers[1]))
        assert np.allclose(one_number(nb, column.name, x), expected, rtol=1e-9)


def check_counts(nb, column):
    numbers = [np.array(line.numbers) for line in column]
    for x in (0, 1, 7):
        if column.family == "Poisson":
            expected = stats.poisson.logpmf(x, numbers[0])
        else:
            expected = stats.nbinom.logpmf(x, numbers[0], numbers[1] / (numbers[1] + 1))
        shift = one_number(nb, column.name, x) - expected
        assert np.allclose(shift, shift[0], rtol=1e-9, atol=1e-9)  # −log x! is the same for all classes
        for fraction, number in zip(column.lines[0].fractions, column.lines[0].numbers):
            assert fraction is None or np.isclose(float(fraction), number, rtol=1e-12)


def check_bag(nb, column):
    for line in column:
        row = np.zeros((1, nb.n_features_in_))
        row[0, int(line.value.removeprefix("x"))] = 1.0
        scores = nb.evidence(row)[0].sum(axis=1)
        numbers = np.log(line.numbers) if line.notation == "P" else line.numbers
        assert np.allclose(numbers, scores, rtol=1e-9)


def check_words(nb, column):
    scorer = nb.model_.parts[0].scorer
    words = scorer.words
    names = words.named(np.arange(len(words.vocabulary)))
    for line in column:
        word, _, position = line.value.partition(" at position ")
        document = "unknown " * (int(position) - 1) + word if position else word
        _, evidence = scorer.word_evidence(document) if line.value in names else (None, [None])
        if len(evidence) != 1 or evidence[0] is None or words.gain is not None:
            continue  # several n-grams, a bucket, or a weight that depends on the document
        numbers = np.log(line.numbers) if line.notation == "P" else line.numbers
        assert np.allclose(numbers, evidence[0], rtol=1e-9)
    assert len(column) > 0


def check_combinations(nb, column):
    rows = {", ".join(map(str, row)): row for row in rows_for(db.Joint()).tolist()}
    for line in column:
        assert np.allclose(np.log(line.numbers), nb.evidence(np.array([rows[line.value]]))[0].sum(axis=1), rtol=1e-9)


CHECKS = {
    "Categorical": check_values,
    "Bernoulli": check_bits,
    "Binned": check_bins,
    "Gaussian": check_normal,
    "Poisson": check_counts,
    "Multinomial": check_bag,
    "Complement": check_bag,
    "Words": check_words,
    "Joint": check_combinations,
}


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("likelihood", event_models(variants=True))
@pytest.mark.filterwarnings("ignore::deciban.DegenerateVarianceWarning", "ignore::deciban.ImpossibleRowWarning")
def test_numbers_are_those_that_rows_are_scored_by(likelihood, estimate):
    if likelihood.reads_text:
        rows = rows_for(likelihood)[:, 0]
        nb = db.NaiveBayes(likelihood, estimate=estimate).fit(rows, np.arange(len(rows)) % 3)
    else:
        nb = fitted(likelihood, estimate=estimate)
    found = nb.parameters()
    assert np.allclose(found.prior.numbers, np.exp(nb.model_.log_prior), rtol=1e-12)
    with np.errstate(divide="ignore"):
        for column in found:
            CHECKS[likelihood.name](nb, column)
            for line in column:
                for fraction, number in zip(line.fractions, line.numbers):
                    assert fraction is None or np.isclose(float(fraction), number, rtol=1e-9)


@pytest.mark.parametrize("model", [db.Categorical(), db.Bernoulli()])
def test_the_slide_of_the_worked_example(model):
    found = db.NaiveBayes(model, estimate="mle").fit(A, "Y").parameters()
    assert found.prior.given(1) == F(9, 14)
    assert [found[c][1].given(1) for c in "OSJ"] == [F(4, 9), F(6, 9), F(5, 9)]
    assert [found[c][1].given(0) for c in "OSJ"] == [F(2, 5), F(1, 5), F(2, 5)]
    assert found["S"][1].cells == ("1/5", "6/9")
    assert found["S"][1].counts == (1, 6)


def test_the_slide_with_one_imagined_row_of_each_kind():
    found = db.NaiveBayes(db.Categorical(), alpha=1, class_prior=1).fit(A, "Y").parameters()
    assert found["S"][1].given(0) == F(2, 7)
    assert found.prior.given(1) == F(10, 16)


def test_the_printed_slide():
    printed = str(db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y").parameters())
    for line in ("P(Y)           5/14    9/14", "P(S = 1 | Y)   1/5     6/9"):
        assert line in printed


def test_many_values_are_cut_and_counted():
    names = [f"v{i % 40}" for i in range(200)] + ["v3"] * 50
    found = db.NaiveBayes(db.Categorical()).fit([[n] for n in names], [0, 1] * 125).parameters()
    assert len(found["x0"]) == 20
    assert found["x0"].omitted == 20
    assert "v3" in found["x0"].values
    assert "20 rarer values are not shown" in str(found)


def test_an_event_model_of_the_user_lists_the_arrays_of_its_scorer():
    @dataclass(frozen=True)
    class Exponential(db.Likelihood):
        keeps: ClassVar = db.Sums

        def estimate(self, statistics, estimation):
            rate = statistics.weight / statistics.total
            return db.scorers.Linear(weight=-rate, base=np.log(rate))

    nb = db.NaiveBayes(Exponential()).fit([[1.0], [2.0], [5.0], [7.0]], ["a", "a", "b", "b"])
    column = nb.parameters()["x0"]
    assert column.values == ["weight", "base"]
    assert np.allclose(column["weight"].numbers, [-2 / 3, -2 / 12])


def test_wrong_names_are_named():
    nb = db.NaiveBayes(db.Categorical()).fit(A, "Y")
    with pytest.raises(ValueError, match="'Q' is not a column of the model; its columns are O, S, J"):
        nb.parameters("Q")
    with pytest.raises(KeyError, match="7 is not among the values of O: 0, 1"):
        nb.parameters()["O"][7]
    with pytest.raises(KeyError, match="'Q' is not among the columns"):
        nb.parameters("O")["Q"]
    with pytest.raises(ValueError, match="words is -1"):
        nb.parameters(words=-1)


def test_arrow_has_a_row_for_every_line_and_class():
    found = db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y").parameters()
    table = found.to_arrow().to_pylist()
    assert len(table) == 7 * 2
    (row,) = [row for row in table if (row["column"], row["value"], row["class"]) == ("S", "1", "1")]
    assert (row["number"], row["fraction"], row["count"]) == (6 / 9, "2/3", 6)


def test_missing_values_that_are_evidence_are_lines():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    column = np.where(rng.random(400) < 0.1 + 0.7 * y, None, rng.choice(["a", "b"], 400))
    nb = db.NaiveBayes(refine=None).fit({"x": column, "z": rng.choice(["p", "q"], 400), "y": y}, "y")
    line = nb.parameters()["x"]["missing"]
    gone = [sum(v is None for v in column[y == c]) for c in (0, 1)]
    assert line.counts == tuple(gone)
    assert line.fractions == tuple(F(n + 1, int((y == c).sum()) + 2) for c, n in enumerate(gone))


def test_hostile_names_stay_text():
    hostile = "<script>$\\frac{$|`\n\x1b[31m"
    nb = db.NaiveBayes(db.Categorical()).fit({hostile: ["a", hostile] * 5, "y": [hostile, "no"] * 5}, "y")
    found = nb.parameters()
    assert "<script>" not in found._repr_html_()
    assert "<script>" not in found.to_markdown().replace("\\<script\\>", "")
    assert "\x1b" not in str(found) + found.to_markdown()


def test_a_single_class_lists_its_most_frequent_words():
    texts = [" ".join(f"word{i}" for i in range(n, 30)) for n in range(30)]
    found = db.NaiveBayes(db.Words()).fit(texts, ["only"] * 30).parameters()
    assert "word29" in found.columns[0].values
    assert found.columns[0].omitted == 10
    assert found.top_words is None
