"""Scales as HTML: a table per column, with a bar for the evidence of every value."""

from __future__ import annotations

import numpy as np

from deciban.describe.scales import SHOWN_SCALES, Scale, Scales
from deciban.markup.bars import diverging_bar
from deciban.markup.html import heading_html, remark_html, table_html, text_html


def scales_html(scales: Scales) -> list[str]:
    """Return the widest scales as tables with bars on one axis, and the notes."""
    shown = scales.widest(SHOWN_SCALES)
    parts = [heading_html(f"{scales.title}, in decibans"), *map(remark_html, scales.notes)]
    parts += [scale_html(scale, max(map(greatest_evidence, shown))) for scale in shown]
    rest = len(scales) - len(shown)
    return [*parts, remark_html(f"… and {rest:,} more columns")] if rest else parts


def greatest_evidence(scale: Scale) -> float:
    """Return the greatest finite evidence of a scale, in decibans without sign; 0 if there is none."""
    return float(np.abs(scale.decibans[np.isfinite(scale.decibans)]).max(initial=0.0))


def scale_html(scale: Scale, longest: float) -> str:
    """Return a scale as a table with bars; ``longest`` is the evidence of the longest bar."""
    table = scale.to_table()
    rows = [
        [text_html(cells[0]), diverging_bar(float(scale.decibans[i]), longest or 1.0), *map(text_html, cells[1:])]
        for i, cells in zip(scale.shown(), table.rows)
    ]
    names = [text_html(scale.name), "", *map(text_html, table.names[1:])]
    below = [remark_html(table.below)] if table.below else []
    return "\n".join([table_html(names, rows, range(2, len(names))), *below])
