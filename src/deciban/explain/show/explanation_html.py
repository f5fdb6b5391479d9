"""The explanation of a row as HTML: bars on an axis, and the words of texts marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deciban.explain.row_explanation import POSTERIOR, Line, RowExplanation
from deciban.explain.show.explanation_text import SHOWN_ITEMS, bar_scale, closing_remarks, decibans_text
from deciban.explain.spans import Segment, strongest
from deciban.markup.bars import diverging_bar
from deciban.markup.html import heading_html, remark_html, text_html
from deciban.terminal.values import short_value

# Characters of a text that are shown, and words that are named at a mark.
MOST_TEXT, MOST_WORDS = 20_000, 5


def row_html(row: RowExplanation) -> str:
    """Return the explanation of a row as HTML: a table with bars, remarks, and the documents with marked words."""
    parts = [heading_html(row.title)]
    if row.favour != row.against:
        lines, scale = row.lines(SHOWN_ITEMS), bar_scale(row)
        cells = [
            f"<tr{' class=last' if line.kind == POSTERIOR else ''}><td>{text_html(_name(line))}</td>"
            f'<td>{diverging_bar(line.decibans, scale)}</td><td class="number">{decibans_text(line.decibans)}</td></tr>'
            for line in lines
        ]
        parts += ["<table>", *cells, "</table>", *map(remark_html, closing_remarks(row))]
    return "\n".join([*parts, *texts_html(row)])


def _name(line: Line) -> str:
    return f"{line.text} ({line.addends})" if line.addends else line.text


def texts_html(row: RowExplanation, most: int = MOST_TEXT) -> list[str]:
    """Return the documents of a row, their words marked by evidence; all marks of a row are on one scale.

    Documents are cut after ``most`` characters.
    """
    if row.favour == row.against:
        return []
    documents = {j: row.segments(row.columns[j]) for j in row.texts if j in row.find_terms}
    scale = max((strongest(segments) for segments in documents.values()), default=0.0) or 1.0
    marked = [segment for segments in documents.values() for segment in segments if segment.decibans]
    parts = [_text_html(row.texts[j], segments, scale, most) for j, segments in documents.items()]
    return [*parts, remark_html(_legend(row, scale))] if marked else parts


def _legend(row: RowExplanation, scale: float) -> str:
    return (
        f"Marked words: for {short_value(row.decision)} with a solid line, for {short_value(row.other)} with a dashed "
        f"one. The strongest mark is {scale:.1f} dB; words or n-grams that overlap are added up."
    )


def _text_html(text: str, segments: Sequence[Segment], scale: float, most: int) -> str:
    """Return a document with marks, cut short if it is very long."""
    shown = [segment for segment in segments if segment.begin < most]
    marked = "".join(_mark(text[s.begin : min(s.end, most)], s, scale) for s in shown)
    return f'<p class="text">{marked}{"…" if len(text) > most else ""}</p>'


def _mark(part: str, segment: Segment, scale: float) -> str:
    value = segment.decibans
    if not value:
        return text_html(part, None)
    strength = min(1.0, abs(value) / scale) if np.isfinite(value) else 1.0
    kind, line = ("against", "dashed") if value < 0 else ("for", "solid")
    style = (
        f"background:color-mix(in srgb,var(--{kind}) {8 + 42 * strength:.0f}%,transparent);"
        f"border-bottom:{1 + 2 * strength:.1f}px {line} var(--{kind})"
    )
    title = f"{', '.join(segment.words[:MOST_WORDS])}: {decibans_text(value)}"
    return f'<mark style="{style}" title="{text_html(title)}">{text_html(part, None)}</mark>'
