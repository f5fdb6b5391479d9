"""An explanation as a complete HTML page without scripts or other files; words of texts are marked."""

from __future__ import annotations

import re
from html import escape

import numpy as np

from deciban.explain.row_explanation import Item, RowExplanation
from deciban.explain.show.explanation_text import (
    bar_scale,
    closing_remarks,
    decibans_text,
    explanation_lines,
    heading,
)

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
h2 { font-size: 1.1rem; margin-top: 2rem } table { border-collapse: collapse; width: 100% }
td { padding: .15rem .5rem; white-space: nowrap }
td.name { max-width: 24rem; overflow: hidden; text-overflow: ellipsis }
td.bar { width: 50%; padding: 0 } td.number { text-align: right; font-variant-numeric: tabular-nums }
tr.last td { border-top: 1px solid #999; font-weight: 600 }
.half { display: inline-block; width: 50%; box-sizing: border-box; height: .9rem; vertical-align: middle }
.left { border-right: 1px solid #999; text-align: right } .half span { display: inline-block; height: 100% }
.for { background: #1b7f5c } .against { background: #b3482f }
p.remark { color: #666; margin: .3rem 0 } p.text { background: #f7f7f5; padding: .8rem; white-space: pre-wrap }
mark { border-radius: .2rem; padding: 0 .1rem; color: inherit }
"""
# Decibans at which a word has its full colour.
FULL_COLOUR = 10.0


def page(title: str, parts: list[str]) -> str:
    """Return a complete HTML page."""
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def row_html(row: RowExplanation) -> str:
    """Return the explanation of a row as HTML."""
    lines = explanation_lines(row) if row.favour != row.against else []
    scale = bar_scale(row, lines)
    cells = [
        f'<tr{" class=last" if i == len(lines) - 1 else ""}><td class="name">{escape(name)}</td>'
        f'<td class="bar">{_bar_html(value, scale)}</td><td class="number">{escape(decibans_text(value))}</td></tr>'
        for i, (name, value) in enumerate(lines)
    ]
    remarks = [f'<p class="remark">{escape(remark)}</p>' for remark in (closing_remarks(row) if lines else [])]
    return "\n".join([f"<h2>{escape(heading(row))}</h2>", "<table>", *cells, "</table>", *remarks, *_texts_html(row)])


def _bar_html(value: float, scale: float) -> str:
    share = 100.0 if not np.isfinite(value) else min(100.0, 100 * abs(value) / scale)
    drawn = f'<span class="{"against" if value < 0 else "for"}" style="width:{share:.1f}%"></span>'
    left, right = (drawn, "") if value < 0 else ("", drawn)
    return f'<span class="half left">{left}</span><span class="half">{right}</span>'


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
