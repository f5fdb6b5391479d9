"""Pictures as inline SVG of one page: small, without scripts, fonts and metadata, in colours of the page."""

from __future__ import annotations

import re
import warnings
from io import StringIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from deciban.plots.theme import DARK, LIGHT, Theme
from deciban.terminal.printable import printable

if TYPE_CHECKING:
    from deciban.plots.display import Display

# Texts stay texts: the browser escapes nothing and has a glyph for every character.
SVG_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "deciban"}
NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
# Attributes with colours, with coordinates, and with the name of another element.
PAINTED = ("style", "fill", "stroke", "stop-color")
PLACED = ("d", "x", "y", "points", "transform", "viewBox", "width", "height", "style")
LINKED = ("href", "clip-path", "mask", "fill", "style")
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
FRACTION = re.compile(r"-?\d+\.\d+(?![\w.])")
LINK = re.compile(r"#([\w.-]+)")
FONT = re.compile(r"'DejaVu Sans'(, *[\w' -]+)*")
# Pixels of a point, and characters of the longest label for screen readers.
PIXELS, LONGEST_LABEL = 4 / 3, 200
NO_TURN = re.compile(r"^rotate\(-?0 [^)]*\)$")


class SvgPage:
    """The pictures of one page. Ids differ between pictures; colours are variables with a light and a dark value."""

    def __init__(self) -> None:
        self.variables: dict[tuple[str, str], str] = {}
        self.ids = 0

    def add(self, display: Display) -> str:
        """Return a display as an SVG element. It is drawn in both themes, to pair every light colour with a dark one.

        Should the drawings differ in more than colours, the light one is taken as it is, on its own white paper.
        """
        light, dark = (_parse(drawn_svg(display, theme)) for theme in (LIGHT, DARK))
        if is_same_drawing(light, dark):
            for a, b in zip(light.iter(), dark.iter()):
                self._pair_colours(a, b)
        for element in light.iter():
            _shorten(element)
        self._rename(light)
        box = light.get("viewBox", "")
        width = float(box.split()[2]) * PIXELS
        light.attrib = {"viewBox": box, "role": "img", "style": f"max-width: {width:.0f}px"}
        light.set("aria-label", printable(display.title)[:LONGEST_LABEL])
        return ElementTree.tostring(light, encoding="unicode").strip()

    def style(self, theme: Theme) -> str:
        """Return the variables of all colours, with the values of a theme."""
        dark = theme is DARK
        return "; ".join(f"{name}: {pair[dark]}" for pair, name in self.variables.items())

    def _pair_colours(self, light: ElementTree.Element, dark: ElementTree.Element) -> None:
        """Replace the colours of an element by variables."""
        for name in light.attrib.keys() & set(PAINTED):
            colours = zip(COLOUR.findall(light.attrib[name]), COLOUR.findall(dark.attrib[name]))
            names = [self._variable(*pair) for pair in colours]
            pieces = COLOUR.split(light.attrib[name])
            light.set(name, pieces[0] + "".join(f"var({n}){rest}" for n, rest in zip(names, pieces[1:])))

    def _variable(self, light: str, dark: str) -> str:
        return self.variables.setdefault((light.lower(), dark.lower()), f"--p{len(self.variables)}")

    def _rename(self, picture: ElementTree.Element) -> None:
        """Give ids that are referred to a number of this page, and delete the others."""
        linked = {name for e in picture.iter() for a in LINKED for name in LINK.findall(e.get(a, ""))}
        names: dict[str, str] = {}
        for element in picture.iter():
            own = element.attrib.pop("id", "")
            if own in linked:
                self.ids += 1
                element.set("id", names.setdefault(own, f"p{self.ids}"))
        for element in picture.iter():
            for name in element.attrib.keys() & set(LINKED):
                element.set(name, LINK.sub(lambda found: "#" + names.get(found[1], found[1]), element.attrib[name]))


def drawn_svg(display: Display, theme: Theme) -> str:
    """Return a display, without its title and caption, as the SVG that matplotlib writes."""
    figure = display.figure(theme.name, words=False)
    import matplotlib as mpl

    file = StringIO()
    with mpl.rc_context(SVG_SETTINGS), warnings.catch_warnings():  # type: ignore[arg-type]
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # the browser draws the glyphs
        figure.savefig(file, format="svg", metadata=NO_METADATA)
    return file.getvalue()


def is_same_drawing(a: ElementTree.Element, b: ElementTree.Element) -> bool:
    """Return whether two pictures differ in colours alone."""

    def outline(picture: ElementTree.Element) -> list[object]:
        return [
            (e.tag, e.text, sorted(e.attrib), [len(COLOUR.findall(e.get(name, ""))) for name in PAINTED])
            for e in picture.iter()
        ]

    return outline(a) == outline(b)


def _parse(svg: str) -> ElementTree.Element:
    """Return a picture without namespaces, styles for all of the page, metadata and images from elsewhere."""
    picture = ElementTree.fromstring(printable(svg).encode())
    for element in picture.iter():
        element.tag = _local(element.tag)
        element.attrib = {_local(name): value for name, value in element.attrib.items()}
        for child in list(element):
            if _local(child.tag) in ("style", "metadata", "script"):
                element.remove(child)
    return picture


def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition("}")[2]


def _shorten(element: ElementTree.Element) -> None:
    """Round coordinates to hundredths of a point, and delete blanks between elements and turns by 0 degrees."""
    if element.tag != "text" and not (element.text or "").strip():
        element.text = None
    element.tail = None
    for name in PLACED:
        if name in element.attrib:
            element.set(name, " ".join(FRACTION.sub(_rounded, element.get(name, "")).split()))
    if NO_TURN.match(element.get("transform", "")):
        del element.attrib["transform"]
    if "style" in element.attrib:
        element.set("style", FONT.sub("var(--font)", element.get("style", "")))


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
