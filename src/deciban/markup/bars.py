"""Bars as small SVG for the cells of tables: no ids, no fonts, colours of the fragment's style."""

from __future__ import annotations

import math

# Pixels of a bar, and of the axis' height.
WIDTH, HEIGHT = 220, 14


def diverging_bar(value: float, scale: float, width: int = WIDTH) -> str:
    """Return a bar from an axis in the middle: to the right for evidence in favour, to the left against.

    ``scale`` is the value of the longest bar. A longer one, or an infinite one, ends in an arrowhead.
    """
    middle = width / 2
    share = 1.0 if not math.isfinite(value) else abs(value) / scale if scale > 0 else 0.0
    length = middle * min(1.0, share)
    sign = -1 if value < 0 else 1
    tip = 5 if share > 1.0 or not math.isfinite(value) else 0
    ends = middle, middle + sign * (length - tip), middle + sign * length
    top, bottom, half = 2, HEIGHT - 2, HEIGHT / 2
    shape = f"M{ends[0]:.1f} {top}H{ends[1]:.1f}L{ends[2]:.1f} {half if tip else top}"
    shape += f"L{ends[1]:.1f} {bottom}H{ends[0]:.1f}Z" if tip else f"V{bottom}H{ends[0]:.1f}Z"
    colour = "against" if value < 0 else "for"
    return _svg(
        width, f'<path d="{shape}" fill="var(--{colour})"/><path d="M{middle} 0V{HEIGHT}" stroke="currentColor"/>'
    )


def bar(value: float, scale: float, width: int = WIDTH) -> str:
    """Return a bar from an axis at the left; ``scale`` is the value of the longest bar."""
    length = width * min(1.0, max(0.0, value / scale)) if scale > 0 else 0.0
    rectangle = f'<path d="M0 2H{length:.1f}V{HEIGHT - 2}H0Z" fill="var(--for)"/>'
    return _svg(width, f'{rectangle}<path d="M.5 0V{HEIGHT}" stroke="currentColor"/>')


def _svg(width: int, shapes: str) -> str:
    size = f'width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}"'
    return f'<svg {size} aria-hidden="true">{shapes}</svg>'
