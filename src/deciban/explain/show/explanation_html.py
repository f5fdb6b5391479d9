"""The explanation of a row as HTML: bars on an axis, and the words of texts marked."""

from __future__ import annotations

import re
from html import escape

import numpy as np

from deciban.explain.row_explanation import POSTERIOR, Item, RowExplanation
from deciban.explain.show.explanation_text import SHOWN_ITEMS, bar_scale, closing_remarks, decibans_text
from deciban.markup.bars import diverging_bar
from deciban.markup.html import heading_html, remark_html, text_html

# Decibans at which a word has its full colour.
FULL_COLOUR = 10.0


def row_html(row: RowExplanation) -> str:
    """Return the explanation of a row as HTML: a table with bars, remarks, and the documents with marked words."""
    parts = [heading_html(row.title)]
    if row.favour != row.against:
        lines, scale = row.lines(SHOWN_ITEMS), bar_scale(row)
        cells = [
            f"<tr{' class=last' if line.kind == POSTERIOR else ''}><td>{text_html(line.text)}</td>"
            f'<td>{diverging_bar(line.decibans, scale)}</td><td class="number">{decibans_text(line.decibans)}</td></tr>'
            for line in lines
        ]
        parts += ["<table>", *cells, "</table>", *map(remark_html, closing_remarks(row))]
    return "\n".join([*parts, *_texts_html(row)])


def _texts_html(row: RowExplanation) -> list[str]:
    """Return the documents of a row, with every word in the colour of its evidence."""
    columns: dict[int, list[Item]] = {}
    for item in row.items:
        if item.word is not None:
            columns.setdefault(item.column, []).append(item)
    documents = ((row.texts[j], items) for j, items in columns.items() if j in row.texts)
    return [f'<p class="text">{_marked_html(row, document, items)}</p>' for document, items in documents]


def _marked_html(row: RowExplanation, document: str, items: list[Item]) -> str:
    evidence = {str(item.word): row.decibans(item.scores) / max(1.0, float(item.value)) for item in items}
    parts = re.split(r"(\w+)", document)
    return "".join(_mark(part, evidence.get(part.lower(), evidence.get(part, 0.0))) for part in parts)


def _mark(word: str, value: float) -> str:
    if not value:
        return escape(word)
    strength = min(1.0, abs(value) / FULL_COLOUR if np.isfinite(value) else 1.0)
    colour = "179,72,47" if value < 0 else "27,127,92"
    title = f"{value:+.1f} dB" if np.isfinite(value) else "impossible"
    return f'<mark style="background:rgba({colour},{0.1 + 0.5 * strength:.2f})" title="{title}">{escape(word)}</mark>'
