"""Derivations as Markdown with formulas in LaTeX."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from deciban.explain.derivation import Derivation, Factor
from deciban.explain.show.derivation_text import (
    closing,
    decimal_text,
    decision_text,
    is_short,
    posterior_text,
    product_workings,
)
from deciban.likelihoods.workings import fraction_tex
from deciban.markup.markdown import markdown_text
from deciban.terminal.printable import printable_line

TIMES = r" \cdot "
# Characters with a meaning in LaTeX, as symbols of a formula: not all renderers know escapes within \text{…}. The signs
# of HTML are among them, so that a Markdown renderer finds no tag.
SYMBOLS = {c: f"\\{c}" for c in "#$%&_{}"} | {
    "\\": r"\backslash ",
    "^": r"\wedge ",
    "~": r"\sim ",
    "<": "{<}",
    ">": "{>}",
    "“": r"\text{``}",
    "”": r"\text{''}",
    "`": r"\text{'}",
}


def as_markdown(d: Derivation) -> str:
    """Return Markdown: all formulas in one aligned block, then the decision and the remarks on it."""
    block = "\n".join([r"\begin{aligned}", aligned_rows(d), r"\end{aligned}"])
    decided = decision_text(d)
    words = [f"**{markdown_text(decided[:1].upper() + decided[1:])}**", *map(markdown_text, closing(d))]
    return "\n\n".join([f"$$\n{block}\n$$", *words]) + "\n"


def as_latex(d: Derivation) -> str:
    r"""Return an ``align*`` block, which LaTeX with amsmath and MathJax both take as it is."""
    return "\n".join([r"\begin{align*}", aligned_rows(d), r"\end{align*}"]) + "\n"


def aligned_rows(d: Derivation) -> str:
    """Return all formulas, aligned at their first equals sign: those of every class, the sum, the posteriors."""
    groups = [_class_rows(d, c) for c in d.shown]
    posteriors = [(rf"P({class_tex(d, c)} \mid {words_tex('row')})", posterior_tex(d, c)) for c in d.shown]
    groups.append([(words_tex("sum of the products"), sum_tex(d)), *posteriors])
    blocks = (" \\\\\n".join(f"{left} &= {right}" for left, right in rows) for rows in groups)
    return " \\\\[1ex]\n".join(blocks)


def _class_rows(d: Derivation, c: int) -> list[tuple[str, str]]:
    """Return both sides of the formulas of a class: prior, factors, product."""
    given = class_tex(d, c)
    rows = [(f"P({given})", working_tex(d.prior, c))]
    rows += [(rf"{notation_tex(f)}({words_tex(f.name)} \mid {given})", working_tex(f, c)) for f in d.factors]
    if d.hidden_log_product is not None:
        hidden = float(d.hidden_log_product[c])
        rows.append((words_tex(f"{d.hidden_factors} factors more"), decimal_tex(hidden)))
    return [*rows, (words_tex("product"), product_tex(d, c))]


def words_tex(words: str) -> str:
    r"""Return words as text inside a formula; characters with a meaning in LaTeX stand between the texts.

    >>> words_tex("late_payments")
    '\\text{late}\\_\\text{payments}'
    """
    parts = re.split(f"([{re.escape(''.join(SYMBOLS))}])", printable_line(words))
    return "".join(SYMBOLS.get(part, rf"\text{{{part}}}") for part in parts if part) or r"\text{ }"


def class_tex(d: Derivation, c: int) -> str:
    """Return "target = label" of a class."""
    return f"{words_tex(d.target)} = {words_tex(str(d.classes.tolist()[c]))}"


def notation_tex(f: Factor) -> str:
    """Return P, p, or a word in upright letters."""
    return f.notation if len(f.notation) == 1 else words_tex(f.notation)


def working_tex(f: Factor, c: int) -> str:
    """Return the working of a factor for a class, or its number if there is none."""
    value = decimal_tex(float(f.scores[c]))
    return value if f.workings is None else f.workings[c].tex(value)


def decimal_tex(log: float) -> str:
    """Return a number from its natural logarithm."""
    mantissa, _, exponent = decimal_text(log).partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def product_tex(d: Derivation, c: int) -> str:
    """Return the product of prior and factors."""
    exact, log = d.product(c), float(d.log_products[c])
    if exact is None:
        return decimal_tex(log)
    return f"{TIMES.join(w.short_tex for w in product_workings(d, c))} = {exact_tex(exact, log)}"


def exact_tex(value: Fraction, log: float) -> str:
    """Return a fraction with its decimal value, or only the latter if the fraction is long."""
    if value.denominator == 1:
        return str(value)
    return rf"{fraction_tex(value)} \approx {decimal_tex(log)}" if is_short(value) else decimal_tex(log)


def sum_tex(d: Derivation) -> str:
    """Return the sum of the products."""
    log = float(np.logaddexp.reduce(d.log_products))
    if d.total is None or len(d.shown) < len(d.classes) or not is_short(d.total):
        return decimal_tex(log)
    parts = [fraction_tex(p) for p in (d.product(c) for c in d.shown) if p is not None]
    return f"{' + '.join(parts)} = {exact_tex(d.total, log)}"


def posterior_tex(d: Derivation, c: int) -> str:
    """Return the posterior of a class."""
    exact = d.product(c)
    if not d.total or exact is None or not is_short(exact / d.total):
        return _posterior_decimal(d, c)
    quotient = f"{fraction_tex(exact)} : {fraction_tex(d.total)} = {fraction_tex(exact / d.total)}"
    return rf"{quotient} \approx {_posterior_decimal(d, c)}"


def _posterior_decimal(d: Derivation, c: int) -> str:
    """Return the posterior as a decimal; beside 0 and 1, as a power of ten."""
    text = posterior_text(d.posterior, c).replace("−", "-")
    mantissa, _, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
