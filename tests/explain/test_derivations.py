"""Derivations: the worked solution of a row, with its fractions, in text and LaTeX."""

from fractions import Fraction

import numpy as np
import pytest
from lectures import ROW, A
from scipy import stats

import deciban as db
from deciban.terminal.printable import UNSAFE

RNG = np.random.default_rng(3)
N, K = 200, 3
y = RNG.integers(0, K, N)
COUNTS = RNG.poisson(1 + y[:, None], size=(N, 4)).astype(float)
WORDS = ["cheap", "pills", "meeting", "noon", "lunch", "offer", "viagra"]
TEXTS = [" ".join(RNG.choice(WORDS, RNG.integers(0, 6))) for _ in y]


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
    assert "<mfrac><mn>625</mn><mn>706</mn></mfrac>" in d.to_html()


def test_smoothing_is_shown_and_factors_without_fractions_are_named():
    nb = db.NaiveBayes(db.Categorical(), class_prior=1).fit(A, "Y")
    text = str(nb.derive(ROW))
    assert "P(S = 1 | Y = 0) = (1 + 1)/(5 + 2) = 2/7" in text
    assert "P(Y = 1)         = (9 + 1)/(14 + 2) = 10/16" in text
    copies = np.repeat(COUNTS[:, :1], 8, axis=1)
    calibrated = db.NaiveBayes(db.Poisson(), calibrate="temperature").fit(copies, y)
    assert "Then calibration (evidence ÷" in str(calibrated.derive(copies[:1]))
    assert "integrated out" in str(db.NaiveBayes(db.Gaussian(), estimate="predictive").fit(A, "Y").derive(ROW))
    gaussian = db.NaiveBayes(db.Gaussian()).fit(A, "Y")
    scorer = gaussian.model_.parts[0].scorer
    density = stats.norm(scorer.mean[1, 1], np.sqrt(scorer.variance[1, 1])).pdf(1)
    assert f"variance {scorer.variance[1, 1]:.6g}) = {density:.4g}" in str(gaussian.derive(ROW))
    with pytest.raises(ValueError, match="derive takes one row, not 14"):
        nb.derive(A.drop(columns="Y"))
    bag = db.NaiveBayes(db.Words()).fit(["cheap pills now", "meeting at noon", "cheap meeting pills"], ["s", "h", "s"])
    assert "((2 + 1)/(6 + 6))^2 = (3/12)^2" in str(bag.derive(["cheap cheap pills tomorrow"]))


def formulas(d):
    """Return the lines of the one aligned block of a derivation, without the marks of alignment."""
    markdown = d.to_markdown()
    assert markdown.count("$$\n\\begin{aligned}\n") == markdown.count("\\end{aligned}\n$$\n") == 1
    block = markdown.split("\\begin{aligned}\n")[1].split("\n\\end{aligned}")[0]
    lines = [line.removesuffix(r" \\").removesuffix(r" \\[1ex]") for line in block.split("\n")]
    assert all(line.count("&=") == 1 for line in lines)
    assert d.to_latex() == "\\begin{align*}\n" + block + "\n\\end{align*}\n"
    # matplotlib does not know \\&, which LaTeX and MathJax do.
    return [line.replace("&=", "=").replace(r"\&", "+") for line in lines]


HOSTILE = "$\\frac{$ \\end{aligned} <script>alert(1)</script> **b** `c` 100% #1 a_b^2 ~ & | [x](y) “q”"


def test_hostile_names_stay_text():
    mathtext = pytest.importorskip("matplotlib.mathtext", reason="matplotlib draws the formulas; it is not needed")
    table = {HOSTILE: [HOSTILE, "b"] * 5, "y": [HOSTILE, "Yes"] * 5}
    d = db.NaiveBayes(db.Categorical()).fit(table, "y").derive({HOSTILE: HOSTILE})
    for formula in formulas(d):
        mathtext.MathTextParser("path").parse(f"${formula}$")
    markdown = d.to_markdown()
    assert "<script" not in markdown
    assert markdown.count("$$") == 2
    assert markdown.split("$$")[2].count("**") == 2 + markdown.split("$$")[2].count("\\**")
    for html in (d.to_html(), d._repr_html_()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
    yes = db.NaiveBayes(db.Categorical()).fit(table, "y").derive({HOSTILE: "b"})
    assert "**Decision: y = Yes**" in yes.to_markdown()


def test_formulas_in_html_are_well_formed():
    from xml.etree import ElementTree

    for nb, row in (
        (db.NaiveBayes(db.Categorical()).fit(A, "Y"), ROW),
        (db.NaiveBayes(db.Gaussian()).fit(A, "Y"), ROW),
        (db.NaiveBayes(db.Gaussian(), estimate="predictive").fit(A, "Y"), ROW),
        (db.NaiveBayes(db.Words()).fit(TEXTS, y), ["cheap cheap pills"]),
        (db.NaiveBayes(db.Words(), estimate="predictive").fit(TEXTS, y), ["cheap cheap pills"]),
        (db.NaiveBayes(db.Words("set")).fit(TEXTS, y), ["cheap cheap pills"]),
        (db.NaiveBayes(db.Poisson()).fit(COUNTS, y), COUNTS[:1]),
        (db.NaiveBayes(db.Poisson(), estimate="predictive").fit(COUNTS, y), COUNTS[:1]),
    ):
        d = nb.derive(row)
        html = d._repr_html_()
        found = [part.split("</math>")[0] for part in html.split("<math")[1:]]
        assert (
            len(found)
            == sum(len(d.factors) + 2 + (d.hidden_log_product is not None) for _ in d.shown) + len(d.shown) + 1
        )
        for formula in found:
            tree = ElementTree.fromstring(f"<math{formula}</math>")
            assert all(len(e) == 2 for e in tree.iter() if e.tag in ("mfrac", "msup", "msub"))
            assert not {"\\", "{", "}"} & set("".join(tree.itertext()))


def test_latex_compiles():
    mathtext = pytest.importorskip("matplotlib.mathtext", reason="matplotlib draws the formulas; it is not needed")
    parser = mathtext.MathTextParser("path")
    for nb, row in (
        (db.NaiveBayes(db.Categorical()).fit(A, "Y"), ROW),
        (db.NaiveBayes(db.Gaussian()).fit(A.rename(columns={"O": "O_1 & 50%"}), "Y"), {"O_1 & 50%": 0, "S": 1, "J": 1}),
        (db.NaiveBayes(db.Words()).fit(TEXTS, y), ["cheap cheap pills"]),
        (db.NaiveBayes(db.Poisson()).fit(COUNTS, y), COUNTS[:1]),
    ):
        for formula in formulas(nb.derive(row)):
            parser.parse(f"${formula}$")


def test_long_rows_fold_and_nothing_underflows():
    x = RNG.integers(0, 2, (50, 400))
    nb = db.NaiveBayes(db.Categorical()).fit(x, y[:50] > 0)
    d = nb.derive(x[:1])
    assert d.hidden_factors == 400 - len(d.factors)
    assert np.allclose(d.log_products, nb.predict_joint_log_proba(x[:1])[0], rtol=1e-12)
    many = db.NaiveBayes(db.Multinomial()).fit(np.full((4, 3), 10_000), [0, 0, 1, 1])
    assert "e-" in str(many.derive(np.full((1, 3), 10_000)))


def test_a_large_count_is_derived_as_a_power():
    rng = np.random.default_rng(0)
    many = db.NaiveBayes(db.Multinomial()).fit(rng.poisson(3, (400, 3)), rng.integers(0, 3, 400))
    assert "^100000" in str(many.derive([[100_000, 1, 2]]))


def test_control_characters_of_names_do_not_reach_the_printed_derivation():
    labels = ["\x1b[2J", "two\n\nlines\u202e"]
    text = str(db.NaiveBayes(db.Categorical()).fit([["\x07bell"], ["b"]], labels).derive([["\x07bell"]]))
    assert not UNSAFE.search(text)
    assert "P(class = \\x1b[2J)" in text
    assert "decision: class = \\x1b[2J" in text
    assert "class = two lines\\u202e\n" in text


def test_posteriors_near_0_and_1_are_not_rounded_to_them():
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    d = nb.derive([[0.5]])
    rest = f"{nb.predict_proba([[0.5]])[0, 1]:.4g}"
    mantissa, exponent = rest.split("e")
    assert f"P(class = a | row) = 1 − {rest}\n" in str(d)
    assert f"P(class = b | row) = {rest}\n" in str(d)
    assert rf"&= 1 - {mantissa} \cdot 10^{{{int(exponent)}}}" in d.to_latex()
    impossible = db.NaiveBayes(db.Categorical(), estimate="mle").fit([["u"], ["v"]], ["a", "b"]).derive([["u"]])
    assert "P(class = a | row) = 1.0000" in str(impossible)
