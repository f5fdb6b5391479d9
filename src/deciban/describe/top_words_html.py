"""Top words as HTML: a table with bars for every class."""

from __future__ import annotations

import math

from deciban.describe.top_words import TopWords
from deciban.markup.bars import bar
from deciban.markup.html import heading_html, remark_html, table_html, text_html
from deciban.terminal.values import short_count

# Classes whose words are shown.
SHOWN_CLASSES = 20


def word_bars_html(found: TopWords) -> str:
    """Return the words of every class, with their decibans as bars and their counts."""
    finite = [w.decibans for words in found.favour for w in words if math.isfinite(w.decibans)]
    scale = max(finite, default=1.0)
    parts = []
    for label, words in list(zip(found.classes, found.favour))[:SHOWN_CLASSES]:
        rows = [
            [
                text_html(w.text),
                bar(min(w.decibans, scale), scale),
                f"{w.decibans:+.1f}" if math.isfinite(w.decibans) else "certain",
                f"{short_count(w.count)} : {short_count(w.other_count)}",
            ]
            for w in words
        ]
        parts.append(heading_html(f"for {found.target} = {label}"))
        parts.append(table_html(["word", "", "decibans", f"{found.unit}, class : others"], rows, [2, 3]))
    parts += [remark_html(found.remark)] if found.remark else []
    if len(found.classes) > SHOWN_CLASSES:
        parts.append(remark_html(f"{len(found.classes) - SHOWN_CLASSES} more classes are not shown."))
    return "\n".join(parts)
