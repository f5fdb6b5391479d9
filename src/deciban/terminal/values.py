"""Values in a few characters: numbers with six digits, long texts cut short."""

from __future__ import annotations

from typing import Any

# Longer values are cut short where they are shown.
VALUE_WIDTH = 40
# A whole number below this is shown in full; a fraction below it has six digits, a larger one ten.
FULL, SIX_DIGITS = 1e15, 1e6


def short_value(value: Any) -> str:
    """Return a value as it stands in a line of an explanation.

    >>> short_value(0.1 + 0.2), short_value(3.0), short_value("two  words")
    ('0.3', '3', 'two words')
    """
    shown = _short_number(value) if isinstance(value, float) else " ".join(str(value).split())
    return shown if len(shown) <= VALUE_WIDTH else shown[: VALUE_WIDTH - 1] + "…"


def _short_number(value: float) -> str:
    if value.is_integer() and abs(value) < FULL:
        return f"{value:.0f}"
    return f"{value:.6g}" if abs(value) < SIX_DIGITS else f"{value:.10g}"
