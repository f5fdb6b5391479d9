"""Derivations as Markdown with formulas in LaTeX."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from deciban.explain.derivation import Derivation, Factor
from deciban.explain.show.derivation_text import (
    class_text,
    closing,
    decimal_text,
    decision_text,
    is_short,
    product_workings,
)
from deciban.likelihoods.workings import fraction_tex

TIMES = r" \cdot "
# Characters with a meaning in LaTeX, and what stands for them.
ESCAPES = {c: f"\\{c}" for c in "#$%&_{}"} | {"\\": "/", "^": " ", "~": " ", "“": '"', "”": '"'}


def as_markdown(d: Derivation) -> str:
    """Return a derivation with one formula per line, which any renderer of LaTeX takes."""
    blocks = []
    for c in d.shown:
        given = class_tex(d, c)
        lines = [f"P({given}) = {working_tex(d.prior, c)}"]
        lines += [rf"{notation_tex(f)}({words_tex(f.name)} \mid {given}) = {working_tex(f, c)}" for f in d.factors]
        if d.hidden_log_product is not None:
            lines.append(
                rf"{words_tex(f'{d.hidden_factors} factors more')} = {decimal_tex(float(d.hidden_log_product[c]))}"
            )
        lines.append(rf"{words_tex('product')} = {product_tex(d, c)}")
        blocks += [f"**{class_text(d, c)}**", *(f"$${line}$$" for line in lines)]
    blocks.append(f"$${words_tex('sum of the products')} = {sum_tex(d)}$$")
    for c in d.shown:
        blocks.append(rf"$$P({class_tex(d, c)} \mid {words_tex('row')}) = {posterior_tex(d, c)}$$")
    blocks += [f"**{decision_text(d).capitalize()}**", *closing(d)]
    return "\n\n".join(blocks) + "\n"


def words_tex(words: str) -> str:
    """Return words as text inside a formula, escaped."""
    return rf"\text{{{''.join(ESCAPES.get(c, c) for c in words)}}}"


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
        return f"{d.posterior[c]:.4f}"
    quotient = f"{fraction_tex(exact)} : {fraction_tex(d.total)} = {fraction_tex(exact / d.total)}"
    return rf"{quotient} \approx {d.posterior[c]:.4f}"
