"""A diagnosis as HTML for notebooks: findings, evidence of the columns, and the pairs that go together."""

from __future__ import annotations

from deciban.explain.column_pairs import ColumnPairs
from deciban.markup.bars import bar
from deciban.markup.html import fragment, heading_html, remark_html, table_html, text_html

# Columns and pairs that are shown, and the pixels of the longest bar.
SHOWN_COLUMNS, SHOWN_PAIRS, BAR_WIDTH = 20, 10, 140


def diagnosis_html(sentences: list[tuple[str, str]], remarks: list[str], pairs: ColumnPairs) -> str:
    """Return findings as kind and sentence, then columns and pairs with bars, then remarks."""
    parts = []
    if sentences:
        # Sentences are long, so they are a list: cells of tables do not wrap.
        items = [f"<li><b>{text_html(kind)}</b>: {text_html(sentence, 2000)}</li>" for kind, sentence in sentences]
        parts += ["<ul>", *items, "</ul>"]
    parts += map(remark_html, remarks)
    if pairs.names:
        heading = "evidence of every column about the class, in decibans per row, less what chance shows"
        parts += [heading_html(heading), _columns_html(pairs)]
    if len(pairs.names) > 1:
        parts += [heading_html("columns that go together given the class"), _pairs_html(pairs)]
    return fragment(*parts)


def _columns_html(pairs: ColumnPairs) -> str:
    order = (-pairs.evidence).argsort(kind="stable")[:SHOWN_COLUMNS]
    most = float(pairs.evidence.max())
    rows = [
        [text_html(pairs.names[j]), bar(pairs.evidence[j], most, BAR_WIDTH), f"{pairs.evidence[j]:.3f}"] for j in order
    ]
    return table_html(["column", "", "dB"], rows, (2,))


def _pairs_html(pairs: ColumnPairs) -> str:
    rows = [
        [*map(text_html, pair.columns), bar(pair.share, 1.0, BAR_WIDTH), f"{pair.share:.1%}", f"{pair.decibans:.3f}"]
        for pair in pairs.top(SHOWN_PAIRS)
    ]
    return table_html(["column", "column", "", "shared", "dB"], rows, (3, 4))
