"""Importance and linear weights as HTML: a line with a bar for every column, value or word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deciban.markup.bars import bar, diverging_bar
from deciban.markup.html import heading_html, remark_html, table_html, text_html

if TYPE_CHECKING:
    from deciban.explain.importance import Importance
    from deciban.explain.weights import Weights

# Lines that are shown; the others are counted.
SHOWN_LINES = 40
# Words that are shown of every column of texts.
SHOWN_WORDS = 10


def importance_html(found: Importance) -> list[str]:
    """Return a bar for every column, and the most informative words of texts."""
    known = [value for value in found.values() if value == value]
    scale = max(known, default=0.0)
    shown = list(found.items())[:SHOWN_LINES]
    rows = [
        [
            text_html(name),
            bar(value, scale) if value == value else "",
            f"{value:.2f}" if value == value else "not known",
        ]
        for name, value in shown
    ]
    parts = [heading_html("mean evidence for a row's own class"), table_html(["column", "", "decibans"], rows, [2])]
    parts += _left_out(len(found) - len(shown), "columns")
    for column in found.words:
        words = ", ".join(f"{word} ({value:.3f})" for word, value in found.best_words(column, SHOWN_WORDS).items())
        parts.append(remark_html(f"{column}: {words}"))
    return parts


def weights_html(weights: Weights) -> list[str]:
    """Return the intercept, then a bar for every slope and for every value's weight, the strongest first."""
    lines: list[tuple[str, Any, float]] = [(name, "× its number", slope) for name, slope in weights.slopes.items()]
    lines += [(name, value, w) for name, by_value in weights.values.items() for value, w in by_value.items()]
    lines.sort(key=lambda line: -abs(line[2]))
    shown = lines[:SHOWN_LINES]
    finite = [abs(w) for *_, w in (*lines, ("", "", weights.intercept)) if abs(w) < float("inf")]
    scale = max(finite, default=0.0)
    rows = [
        [text_html(name), text_html(value), diverging_bar(weight, scale), f"{weight:+.4f}"]
        for name, value, weight in [("intercept", "", weights.intercept), *shown]
    ]
    title = f"log-odds of {weights.favour} against {weights.against}, in nats"
    parts = [heading_html(title), table_html(["column", "value", "", "weight"], rows, [3])]
    return [*parts, *_left_out(len(lines) - len(shown), "weights")]


def _left_out(number: int, things: str) -> list[str]:
    return [remark_html(f"… and {number:,} {things} more")] if number else []
