"""Derivations as an HTML page."""

from __future__ import annotations

from html import escape

from deciban.explain.derivation import Derivation
from deciban.explain.show.derivation_text import (
    class_text,
    closing,
    decision_text,
    factor_rows,
    posteriors,
    product_text,
    sum_text,
)
from deciban.markup.html import page


def as_html(d: Derivation) -> str:
    """Return a derivation as a complete page, with a table per class."""
    title = f"{d.target} = {d.decision}"
    parts = [f"<h2>{escape(title)}</h2>"]
    for c in d.shown:
        rows = [*factor_rows(d, c), ("product", product_text(d, c))]
        kinds = [""] * (len(rows) - 1) + [" class=last"]
        cells = [
            f'<tr{kind}><td class="name">{escape(name)}</td><td>= {escape(working)}</td></tr>'
            for kind, (name, working) in zip(kinds, rows)
        ]
        parts += [f"<h3>{escape(class_text(d, c))}</h3>", "<table>", *cells, "</table>"]
    parts += [f"<p>sum of the products = {escape(sum_text(d))}</p>"]
    parts += [f"<p>P({escape(f'{d.target} = {name}')} | row) = {escape(text)}</p>" for name, text in posteriors(d)]
    parts += [f"<p><b>{escape(decision_text(d))}</b></p>"]
    parts += [f'<p class="remark">{escape(line)}</p>' for line in closing(d)]
    return page(title, *parts)
