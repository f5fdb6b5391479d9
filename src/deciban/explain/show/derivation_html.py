"""Derivations as HTML: a table per class, names as text and formulas in MathML."""

from __future__ import annotations

from collections.abc import Sequence

from deciban.explain.derivation import Derivation
from deciban.explain.show.derivation_tex import decimal_tex, posterior_tex, product_tex, sum_tex, working_tex
from deciban.explain.show.derivation_text import class_text, closing, decision_text, given_text
from deciban.markup.html import heading_html, remark_html, text_html
from deciban.markup.mathml import math_html


def derivation_parts(d: Derivation) -> list[str]:
    """Return the parts of a derivation: the decision, factors and product of every class, the sum, the posterior."""
    parts = [heading_html(decision_text(d), 2)]
    for c in d.shown:
        parts += [heading_html(class_text(d, c)), _formulas(factor_formulas(d, c))]
    rows = [("sum of the products", sum_tex(d))]
    rows += [(f"P({class_text(d, c)} | row)", posterior_tex(d, c)) for c in d.shown]
    parts += [heading_html("posterior"), _formulas(rows, last=False), *map(remark_html, closing(d))]
    return parts


def factor_formulas(d: Derivation, c: int) -> list[tuple[str, str]]:
    """Return names, as text, and formulas, in LaTeX, of the prior, the factors that are shown, and the product."""
    rows = [(f"P({class_text(d, c)})", working_tex(d.prior, c))]
    rows += [(given_text(f, class_text(d, c)), working_tex(f, c)) for f in d.factors]
    if d.hidden_log_product is not None:
        rows.append((f"{d.hidden_factors} factors more", decimal_tex(float(d.hidden_log_product[c]))))
    return [*rows, ("product", product_tex(d, c))]


def _formulas(rows: Sequence[tuple[str, str]], last: bool = True) -> str:
    """Return a table of names and formulas; the last line is set off if it is a result."""
    lines = []
    for i, (name, tex) in enumerate(rows):
        kind = " class=last" if last and i == len(rows) - 1 else ""
        lines.append(f"<tr{kind}><td>{text_html(name)}</td><td>=</td><td>{math_html(tex)}</td></tr>")
    return f"<table>{''.join(lines)}</table>"
