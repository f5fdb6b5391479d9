"""Importance and linear weights as HTML fragments with bars."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from deciban.markup.bars import bar, diverging_bar
from deciban.markup.html import fragment, heading_html, remark_html, table_html, text_html

if TYPE_CHECKING:
    from deciban.explain.importance import Importance
    from deciban.explain.weights import Weights

# Lines that are shown, and words per column.
SHOWN_LINES, SHOWN_WORDS = 40, 10


def importance_html(found: Importance) -> str:
    """Return a bar for every column, and the best words of every text."""
    most = max([v for v in found.values() if v == v] + [0.0])
    rows = [
        [text_html(name), *([bar(max(v, 0.0), most), f"{v:.2f} dB"] if v == v else ["", "not known"])]
        for name, v in list(found.items())[:SHOWN_LINES]
    ]
    heading = heading_html("importance: mean evidence for a row's own class")
    parts = [heading, table_html(["evidence", "", ""], rows, [2])]
    if len(found) > SHOWN_LINES:
        parts.append(remark_html(f"{len(found) - SHOWN_LINES:,} more columns are not shown."))
    for column in found.words:
        words = ", ".join(f"{word} ({v:.3f})" for word, v in found.best_words(column, SHOWN_WORDS).items())
        parts.append(remark_html(f"{column}: {words}"))
    parts += map(remark_html, found.remarks())
    return fragment(*parts)


def weights_html(found: Weights) -> str:
    """Return the intercept and the strongest weights as bars to either side."""
    lines = [(f"{name} × its number", weight) for name, weight in found.slopes.items()]
    lines += [(f"{name} = {v}", w) for name, weights in found.values.items() for v, w in weights.items()]
    shown = sorted(range(len(lines)), key=lambda i: -abs(lines[i][1]))[:SHOWN_LINES]
    kept = [("intercept", found.intercept), *(lines[i] for i in sorted(shown))]
    scale = max([abs(w) for _, w in kept if math.isfinite(w)] + [1e-300])
    rows = [[text_html(name), diverging_bar(w, scale), f"{w:+.4f}"] for name, w in kept]
    parts = [
        heading_html(f"log-odds of {found.favour} against {found.against}"),
        table_html(["", "", "weight"], rows, [2]),
    ]
    if len(lines) > SHOWN_LINES:
        parts.append(remark_html(f"{len(lines) - SHOWN_LINES:,} smaller weights are not shown."))
    return fragment(*parts)
