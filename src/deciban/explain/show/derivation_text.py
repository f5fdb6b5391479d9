"""Derivations as text."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from deciban.arrays.tolerances import EQUAL_SCORES
from deciban.arrays.types import Floats
from deciban.explain.derivation import Derivation, Factor
from deciban.likelihoods.factors import DENSITY, EVIDENCE, SCORE
from deciban.likelihoods.workings import Working
from deciban.terminal.printable import printable_line
from deciban.terminal.width import pad_or_cut, text_width

# A fraction with more bits is shown as a decimal number.
SHOWN_BITS = 80
# A posterior that is nearer to 0 or 1 than four decimals show is written with a power of ten.
NEAR = 0.00005


def as_text(d: Derivation) -> str:
    """Return a derivation as plain text."""
    lines: list[str] = []
    for c in d.shown:
        rows = factor_rows(d, c)
        width = max(text_width(name) for name, _ in rows)
        lines += [class_text(d, c)]
        lines += [f"  {pad_or_cut(name, width)} = {working}" for name, working in rows]
        lines += [f"  {'product':{width}} = {product_text(d, c)}", ""]
    lines += [f"sum of the products = {sum_text(d)}"]
    lines += [f"P({printable_line(f'{d.target} = {name}')} | row) = {text}" for name, text in posteriors(d)]
    lines += [printable_line(line) for line in (decision_text(d), *closing(d))]
    return "\n".join(lines)


def decision_text(d: Derivation) -> str:
    """Return the decision, and which step after the factors changed it."""
    changes = [f"without {step} it would be {d.target} = {other}" for step, other in d.decided.without]
    return f"decision: {d.target} = {d.decision}" + (f" ({'; '.join(changes)})" if changes else "")


def given_text(f: Factor, given: str) -> str:
    """Return a factor as P(name | class), p(name | class) if it is a density, or as a score or evidence."""
    return printable_line(f"{f.notation}({f.name} | {given})")


def class_text(d: Derivation, c: int) -> str:
    """Return "target = label" of a class."""
    return printable_line(f"{d.target} = {d.classes.tolist()[c]}")


def factor_rows(d: Derivation, c: int) -> list[tuple[str, str]]:
    """Return name and working of the prior, of every factor shown, and of the product of the others."""
    rows = [(f"P({class_text(d, c)})", working_text(d.prior, c))]
    rows += [(given_text(f, class_text(d, c)), working_text(f, c)) for f in d.factors]
    if d.hidden_log_product is None:
        return rows
    return [*rows, (f"{d.hidden_factors} factors more", decimal_text(float(d.hidden_log_product[c])))]


def working_text(f: Factor, c: int) -> str:
    """Return the text of a factor's calculation for a class, or only its value if there is none."""
    value = decimal_text(float(f.scores[c]))
    return value if f.workings is None else f.workings[c].text(value)


def product_text(d: Derivation, c: int) -> str:
    """Return the product of prior and factors."""
    exact, log = d.product(c), float(d.log_products[c])
    if exact is None:
        return decimal_text(log)
    return f"{' · '.join(w.short_text for w in product_workings(d, c))} = {exact_text(exact, log)}"


def product_workings(d: Derivation, c: int) -> list[Working]:
    """Return the workings of prior and factors, all of them fractions, whose product is exact."""
    return [f.workings[c] for f in (d.prior, *d.factors) if f.workings is not None]


def exact_text(value: Fraction, log: float) -> str:
    """Return a fraction with its decimal value, or only the latter if the fraction is long."""
    if value.denominator == 1:
        return str(value)
    return f"{value} ≈ {decimal_text(log)}" if is_short(value) else decimal_text(log)


def is_short(value: Fraction) -> bool:
    """Return whether a fraction is short enough to be shown."""
    return value.numerator.bit_length() + value.denominator.bit_length() <= SHOWN_BITS


def sum_text(d: Derivation) -> str:
    """Return the text of P(row), the sum of the products over the classes, exact if that is short."""
    log = float(np.logaddexp.reduce(d.log_products))
    if d.total is None or len(d.shown) < len(d.classes) or not is_short(d.total):
        return decimal_text(log)
    return f"{' + '.join(str(d.product(c)) for c in d.shown)} = {exact_text(d.total, log)}"


def posteriors(d: Derivation) -> list[tuple[str, str]]:
    """Return label and posterior of every class that is shown."""
    found = []
    for c in d.shown:
        exact, text = d.product(c), posterior_text(d.posterior, c)
        if d.total and exact is not None and is_short(exact / d.total):
            text = f"{exact / d.total} ≈ {text}" if (exact / d.total).denominator != 1 else text
        found.append((str(d.classes.tolist()[c]), text))
    return found


def posterior_text(posterior: Floats, c: int) -> str:
    """Return a posterior with four decimals; close to 0 or 1, with the four leading digits of the difference.

    >>> posterior_text(np.array([1e-12, 1.0]), 0), posterior_text(np.array([1e-12, 1.0]), 1)
    ('1e-12', '1 − 1e-12')
    """
    p, rest = float(posterior[c]), float(np.delete(posterior, c).sum())
    if 0 < p < NEAR:
        return f"{p:.4g}"
    return f"1 − {rest:.4g}" if 0 < rest < NEAR else f"{p:.4f}"


def closing(d: Derivation) -> list[str]:
    """Return the sentences after the decision."""
    lines = [] if d.decided.expected_costs is None else [costs_text(d)]
    lines += [f"no evidence: {silence.cell} ({silence.reason})" for silence in d.silent]
    lines += [f"no evidence: {d.more_silent:,} more columns"] if d.more_silent else []
    hidden = len(d.classes) - len(d.shown)
    lines += [f"{hidden} less probable classes are not shown"] if hidden else []
    if d.total == 0 or not np.isfinite(d.log_products).any():
        lines.append(
            "Every product is 0: the row is impossible under every class, which is no evidence; the prior stays."
        )
    lines += [*omission_texts(d), *d.remarks]
    if d.remarks and np.abs(d.predicted - d.posterior).max() > EQUAL_SCORES:
        c = int(d.predicted.argmax())
        lines.append(f"predict_proba: {class_text(d, c)} with {posterior_text(d.predicted, c)}")
    return lines


def costs_text(d: Derivation) -> str:
    """Return the expected cost of deciding for each of the classes that are shown."""
    costs = d.decided.expected_costs
    assert costs is not None
    return "expected costs: " + ", ".join(f"{costs[c]:.4g} of {class_text(d, c)}" for c in d.shown)


def omission_texts(d: Derivation) -> list[str]:
    """Return sentences on what the factors leave out, and on factors that are not probabilities."""
    found = [
        f"P(row | class) is proportional to the product (∝): {part.formula} is left out, as all classes share it "
        f"(here {decimal_text(part.log_value)})."
        for part in d.omitted
    ]
    kinds = {factor.notation for factor in d.factors}
    if SCORE in kinds:
        found.append("A score compares a class with all others; it is not a probability and may exceed 1.")
    if EVIDENCE in kinds:
        found.append(
            "Evidence is not a probability of the document: it is a probability to the power of a weight, or how many "
            "times as often as expected something occurs in a class, next to all other classes."
        )
    if DENSITY in kinds:
        found.append("p(…) is a probability density, which may exceed 1.")
    return found


def decimal_text(log: float) -> str:
    """Return a probability, or density, from its natural logarithm; small ones as powers of ten."""
    if log == -np.inf:
        return "0"
    if -700 < log < 700:
        return f"{np.exp(log):.4g}"
    ten = log / np.log(10)
    return f"{10 ** (ten - np.floor(ten)):.3g}e{int(np.floor(ten))}"
