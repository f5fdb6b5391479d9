"""Themes of pictures: light and dark, in colours that colour-blind people can tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from deciban.errors import needs

# Classes have a marker too, so that a picture can be read without its colours.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


@dataclass(frozen=True)
class Theme:
    """Colours of a picture."""

    name: str
    ink: str  # text and names
    quiet: str  # axes, remarks, training rows
    faint: str  # grid, scales
    paper: str  # background
    favour: str  # evidence for a class
    against: str  # evidence against it
    favour_text: str  # the same two as text, with a contrast of at least 4.5
    against_text: str
    classes: tuple[str, ...]  # Okabe and Ito's colours; the first ones differ most

    def of_class(self, c: int) -> str:
        """Return the colour of the class at a position; colours are repeated after the last."""
        return self.classes[c % len(self.classes)]

    def of_evidence(self, decibans: float, *, text: bool = False) -> str:
        """Return the colour of evidence for (≥ 0) or against a class, as a shape or as text."""
        if text:
            return self.favour_text if decibans >= 0 else self.against_text
        return self.favour if decibans >= 0 else self.against

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of matplotlib that a picture is drawn with."""
        return {
            "figure.facecolor": self.paper,
            "axes.facecolor": self.paper,
            "text.color": self.ink,
            "text.parse_math": False,  # a column may be called "$\frac{$"
            "axes.labelcolor": self.quiet,
            "axes.edgecolor": self.faint,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.titlelocation": "left",
            "axes.titlesize": 11,
            "axes.titleweight": "bold",
            "axes.labelsize": 9,
            "xtick.color": self.quiet,
            "ytick.color": self.quiet,
            "xtick.labelsize": 9,
            "ytick.labelsize": 9.5,
            "ytick.labelcolor": self.ink,
            "xtick.major.size": 3,
            "ytick.major.size": 0,
            "grid.color": self.faint,
            "grid.linewidth": 0.6,
            "font.family": ["DejaVu Sans"],
            "font.size": 10,
            "legend.frameon": False,
            "legend.fontsize": 9,
            "legend.labelcolor": self.ink,
            "figure.dpi": 110,
        }


LIGHT = Theme(
    name="light",
    ink="#1b1f24",
    quiet="#59636e",
    faint="#d5dae0",
    paper="#ffffff",
    favour="#0072B2",
    against="#D55E00",
    favour_text="#00659D",
    against_text="#AC4C00",
    classes=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A7A7A", "#B8A900"),
)
DARK = Theme(
    name="dark",
    ink="#e6e8eb",
    quiet="#9aa4af",
    faint="#3a424c",
    paper="#14181d",
    favour="#5CB3F0",
    against="#FF8A4C",
    favour_text="#5CB3F0",
    against_text="#FF8A4C",
    classes=("#5CB3F0", "#FF8A4C", "#3FCF9F", "#E59AC2", "#F0B429", "#9AD4F7", "#AAAAAA", "#E9DC4A"),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def find_theme(name: str | None) -> Theme:
    """Return the theme of that name; without a name, the dark one if matplotlib's own background is dark."""
    if name is None:
        from matplotlib import rcParams
        from matplotlib.colors import to_rgb

        return LIGHT if sum(to_rgb(rcParams["figure.facecolor"])) >= 1.5 else DARK
    if name not in THEMES:
        raise ValueError(f"theme is {name!r}; it must be one of {', '.join(THEMES)}, or None.")
    return THEMES[name]


@contextmanager
def drawing(theme: str | None) -> Iterator[Theme]:
    """Draw in a theme inside a ``with`` block; matplotlib's settings are restored afterwards."""
    with needs("matplotlib", extra="plots", purpose="a picture"):
        import matplotlib as mpl
    chosen = find_theme(theme)
    with mpl.rc_context(chosen.settings):  # type: ignore[arg-type]
        yield chosen
