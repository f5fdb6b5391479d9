"""Small line charts as SVG for the cells of tables: no ids, no fonts, colours of the fragment's style."""

from __future__ import annotations

from collections.abc import Sequence

# Pixels of a chart, and the colours of its first and second line.
WIDTH, HEIGHT, MARGIN = 180, 48, 3
COLOURS = "var(--for)", "var(--against)"


def sparkline(x: Sequence[float], *lines: Sequence[float]) -> str:
    """Return up to two lines over common positions x, from 0 at the bottom to the largest value at the top."""
    most = max((value for line in lines for value in line), default=0.0) or 1.0
    span = (x[-1] - x[0]) or 1.0
    across, up = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    shapes = [f'<path d="M0 {HEIGHT - 0.5}H{WIDTH}" stroke="var(--line)"/>']
    for k, line in enumerate(lines):
        points = [
            f"{MARGIN + across * (place - x[0]) / span:.1f} {HEIGHT - MARGIN - up * value / most:.1f}"
            for place, value in zip(x, line)
        ]
        dashes = ' stroke-dasharray="5 2"' if k else ""
        shapes.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{COLOURS[k]}" stroke-width="2"{dashes}/>')
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg {size} aria-hidden="true">{"".join(shapes)}</svg>'
