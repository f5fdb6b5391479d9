"""Values in a few characters: numbers with six digits, long texts cut short."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

# Longer values are cut short where they are shown.
VALUE_WIDTH = 40
# A whole number below this is shown in full; a fraction below it has six digits, a larger one ten.
FULL, SIX_DIGITS = 1e15, 1e6
# Evidence from this on has three digits.
SIGNED_IN_FULL = 1e7


def short_value(value: Any) -> str:
    """Return a value as it stands in a line of an explanation.

    >>> short_value(0.1 + 0.2), short_value(3.0), short_value("two  words")
    ('0.3', '3', 'two words')
    """
    shown = _short_number(value) if isinstance(value, float) else " ".join(str(value).split())
    return shown if len(shown) <= VALUE_WIDTH else shown[: VALUE_WIDTH - 1] + "…"


def label_list(values: Sequence[Any], shown: int = 8) -> str:
    """Return the first values as Python writes them, in brackets, long ones cut short, with their number if more.

    >>> label_list(["no", "yes"]), label_list(range(30), 3)
    ("['no', 'yes']", '[0, 1, 2, … (30 in all)]')
    """
    more = [f"… ({len(values)} in all)"] if len(values) > shown else []
    return f"[{', '.join([*(short_value(repr(value)) for value in values[:shown]), *more])}]"


def _short_number(value: float) -> str:
    if value.is_integer() and abs(value) < FULL:
        return f"{value:.0f}"
    return f"{value:.6g}" if abs(value) < SIX_DIGITS else f"{value:.10g}"


def percent(p: Any) -> str:
    """Return a probability as a percentage with enough digits to distinguish it from 0 and 1.

    >>> percent(0.5), percent(0.99995), percent(1.0)
    ('50.0%', '99.9950%', '100%')
    """
    p = float(p)
    if p in (0.0, 1.0) or p > 1 - 1e-9:
        return f"{p:.0%}" if p in (0.0, 1.0) else "over 99.9999999%"
    if p < 1e-9:
        return f"{p:.1e}"
    digits = 1 if 0.001 <= p <= 0.999 else math.ceil(-math.log10(min(p, 1 - p))) - 1
    return f"{p:.{digits}%}"


def signed(value: float, digits: int = 1) -> str:
    """Return evidence with its sign, infinite evidence in words.

    >>> signed(-1.5), signed(0.04), signed(float("inf"))
    ('−1.5', '+0.0', 'certain')
    """
    if not math.isfinite(value):
        return "certain" if value > 0 else "impossible"
    if abs(value) >= SIGNED_IN_FULL:
        return f"{value:+.3g}".replace("-", "−")
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "−")


def short_count(count: float) -> str:
    """Return a count or a sum of weights: whole from 100 on, with three digits below and from 10¹⁵ on.

    >>> short_count(62387.0), short_count(12.0), short_count(4.5832), short_count(1e300)
    ('62,387', '12', '4.58', '1e+300')
    """
    return f"{count:,.0f}" if 100 <= abs(count) < FULL else f"{count:.3g}"
