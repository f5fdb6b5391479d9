"""Parts of axes that several pictures share: scales of odds and probabilities, names of any length, round ticks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.plots.theme import Theme
from deciban.terminal.printable import printable_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Characters of the longest name beside an axis.
NAME_WIDTH = 36
# Probabilities that may stand beside a scale of log-odds.
PROBABILITIES = (1e-6, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
# Decibans from one tick of odds to the next; 3.01 dB double the odds.
ODDS_STEPS = (3.0103, 5, 10, 20, 30, 50, 100, 200, 500, 1000, 10_000, 100_000)


def short_name(name: object, width: int = NAME_WIDTH) -> str:
    """Return a name as one printable line, its middle left out if it is longer than ``width``.

    >>> short_name("a name of many words that goes on and on", 21)
    'a name of … on and on'
    """
    shown = printable_line(str(name))
    if len(shown) <= width:
        return shown
    half = (width - 1) // 2
    return f"{shown[: width - 1 - half]}…{shown[-half:]}"


def name_rows(ax: Axes, names: Sequence[str], positions: Sequence[float] | None = None) -> None:
    """Write names beside the vertical axis, from top to bottom, and hide its line."""
    places = range(len(names)) if positions is None else positions
    ax.set_yticks(list(places), [short_name(name) for name in names])
    ax.spines["left"].set_visible(False)


def mark_zero(ax: Axes, theme: Theme) -> None:
    """Draw the vertical line of no evidence."""
    ax.axvline(0, color=theme.quiet, lw=0.8, zorder=1)


def log_odds_decibans(probability: Floats | float) -> Any:
    """Return the log-odds of probabilities, in decibans."""
    p = np.asarray(probability, dtype=float)
    return 10 * np.log10(p / (1 - p))


def percent_tick(probability: float) -> str:
    """Return a probability as a short percentage for a tick."""
    return f"{probability:.0%}" if 0.01 <= probability <= 0.99 else f"{100 * probability:.6g}%"


def probability_ticks(ax: Axes, theme: Theme, label: str = "") -> None:
    """Add an axis of probabilities above an axis of log-odds in decibans."""
    low, high = ax.get_xlim()
    every = [*PROBABILITIES, *(1 - p for p in PROBABILITIES[-2::-1])]
    shown: list[tuple[float, float]] = []
    for place, p in sorted(((float(log_odds_decibans(p)), p) for p in every), key=lambda tick: abs(tick[0])):
        if low <= place <= high and all(abs(place - other) > 0.08 * (high - low) for other, _ in shown):
            shown.append((place, p))
    _top_axis(ax, theme, [place for place, _ in shown], [percent_tick(p) for _, p in shown], label)


def odds_ticks(ax: Axes, theme: Theme, label: str = "") -> None:
    """Add an axis of factors on the odds, such as ÷10 ×1 ×10, above an axis of decibans; none for huge evidence."""
    low, high = ax.get_xlim()
    if (high - low) / ODDS_STEPS[-1] > 8:
        return
    step = next((s for s in ODDS_STEPS if (high - low) / s <= 8), ODDS_STEPS[-1])
    places = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    _top_axis(ax, theme, places.tolist(), [odds_text(place) for place in places.tolist()], label)


def _top_axis(ax: Axes, theme: Theme, places: list[float], names: list[str], label: str) -> None:
    top = ax.secondary_xaxis("top")
    top.set_xticks(places, names, fontsize=8)
    top.tick_params(length=3, color=theme.faint, labelcolor=theme.quiet)
    top.spines["top"].set_visible(False)
    top.set_xlabel(label, fontsize=8, color=theme.quiet, labelpad=5)


def odds_text(decibans: float) -> str:
    """Return the factor by which decibans multiply or divide the odds.

    >>> odds_text(20.0), odds_text(-3.0103), odds_text(0.0), odds_text(60.0), odds_text(-200_000.0)
    ('×100', '÷2', '×1', '×10⁶', '÷10²⁰⁰⁰⁰')
    """
    if abs(decibans) < 1e-9:
        return "×1"
    if abs(decibans) >= 50:
        shown = "10" + str(round(abs(decibans) / 10)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    else:
        factor = 10 ** (abs(decibans) / 10)
        shown = f"{factor:,.0f}" if factor >= 9.95 else f"{factor:.1f}".removesuffix(".0")
    return f"×{shown}" if decibans > 0 else f"÷{shown}"


def write_beside(ax: Axes, x: float, y: float, text: str, *, right: bool, **options: Any) -> None:
    """Write a text to the right or to the left of a point, such as the end of a bar."""
    look: dict[str, Any] = {"va": "center", "fontsize": 9, "ha": "left" if right else "right"}
    ax.annotate(text, (x, y), xytext=(4 if right else -4, 0), textcoords="offset points", **look | options)


def percent_axis(axis: Any) -> None:
    """Label an axis of shares as percentages."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1, decimals=0))


def draw_cells(ax: Axes, cells: Floats, **options: Any) -> Any:
    """Draw a matrix of numbers or colours, its first row on top, as shapes: an SVG file then needs no image."""
    rows, columns = cells.shape[:2]
    mesh = ax.pcolormesh(np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5, cells, **options)
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(rows - 0.5, -0.5)
    return mesh
